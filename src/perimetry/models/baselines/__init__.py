"""Baselines: classical models that show how far a training split's own habits go."""

from perimetry.models.baselines.kind import BASELINES, KIND, BaselineKind
from perimetry.models.baselines.model import BaselineModel

__all__ = ["BASELINES", "KIND", "BaselineKind", "BaselineModel"]
