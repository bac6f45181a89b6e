"""The model kind ``baseline``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.errors import UnknownNameError
from perimetry.models.baselines.fitted import Fitted, Linear
from perimetry.models.baselines.item import Example
from perimetry.models.baselines.model import BaselineModel, Fit
from perimetry.models.baselines.pictures import PictureCache
from perimetry.models.registry import ModelContext, ModelKind

__all__ = ["BASELINES", "KIND", "BaselineKind"]


@dataclass(frozen=True, slots=True)
class BaselineKind:
    """One baseline: its name, one line about it, how it is fitted, and whether it looks at images."""

    name: str
    summary: str
    fit: Fit
    uses_images: bool = False


def _majority(examples: Sequence[Example], cache: PictureCache) -> Fitted:  # noqa: ARG001 - one signature for all
    return Fitted(examples)


def _question(examples: Sequence[Example], cache: PictureCache) -> Fitted:  # noqa: ARG001 - one signature for all
    return Linear(examples)


def _question_image(examples: Sequence[Example], cache: PictureCache) -> Fitted:
    return Linear(examples, cache)


BASELINES = {
    kind.name: kind
    for kind in (
        BaselineKind("majority", "The most common answer for the answer type or option set.", _majority),
        BaselineKind("question", "A linear model over the words of question and options; sees no image.", _question),
        BaselineKind(
            "question+image",
            "A linear model over words, a thumbnail, its gradients and the image's corners.",
            _question_image,
            uses_images=True,
        ),
    )
}
"""The baselines by name."""


def _make(tail: str, context: ModelContext) -> BaselineModel:
    if tail not in BASELINES:
        raise UnknownNameError("baseline", tail, BASELINES)
    kind = BASELINES[tail]
    return BaselineModel(kind.name, kind.fit, kind.uses_images, context)


KIND = ModelKind(
    name="baseline",
    grammar="baseline:NAME",
    summary="A classical model fitted on the data set's training split (majority, question, question+image).",
    make=_make,
)
