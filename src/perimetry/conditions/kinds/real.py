"""The case as it is."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.cases.dataset import Case
from perimetry.conditions.condition import Surroundings
from perimetry.conditions.kind import Spelled

__all__ = ["KINDS", "Full", "Real", "Retest"]


class _Unchanged(Spelled):
    """Applies to every case and changes nothing."""

    def recipe(self, case: Case, surroundings: Surroundings) -> str:  # noqa: ARG002 - the same for every case
        """The empty recipe."""
        return ""

    def apply(self, case: Case, surroundings: Surroundings) -> Case:  # noqa: ARG002 - the same for every case
        """The case itself."""
        return case


@dataclass(frozen=True)
class Real(_Unchanged):
    """The case as it is (CORAL section 3.2)."""

    name = "real"
    summary = "the case as it is"


@dataclass(frozen=True)
class Full(_Unchanged):
    """The route with all inputs (MedQA-MM, modality lattice): one request with `Real`."""

    name = "full"
    summary = "stem, options and images: the same request as real"


@dataclass(frozen=True)
class Retest(_Unchanged):
    """The case as it is, asked again under another repeat seed: the noise floor.

    Its recipe is empty like that of `Real`; its own stream of repeat seeds keeps the two requests apart.
    """

    name = "retest"
    summary = "the case as it is, asked again under another repeat seed"

    @property
    def repeat_stream(self) -> str:
        """A stream of its own, so that it is never merged with real nor served from it."""
        return "retest"


KINDS = (Real.kind(), Full.kind(), Retest.kind())
