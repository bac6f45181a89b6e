"""Weights in this process: loading and generation."""

from perimetry.models.local.generation import Generated, generate
from perimetry.models.local.loading import Loaded, load

__all__ = ["Generated", "Loaded", "generate", "load"]
