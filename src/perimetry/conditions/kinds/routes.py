"""Routes: which parts of a question are shown at all."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from perimetry.cases.dataset import Case
from perimetry.cases.question import Question, Shown
from perimetry.conditions.changes import images_of, with_shown
from perimetry.conditions.condition import Surroundings
from perimetry.conditions.kind import Spelled

__all__ = ["KINDS", "ImageOptions", "NoImage", "OptionsOnly", "TextOnly"]


class Route(Spelled):
    """Shows some parts of a question and hides the others; only `Question.shown` changes.

    Hidden images include those of options: a route without images makes no image part at all. Where that would
    leave an option with neither text nor image, the route does not apply.
    """

    shown: ClassVar[Shown]

    @abstractmethod
    def _fits(self, question: Question) -> bool:
        """Whether the route shows less than the whole question, and something to answer."""

    def _applies(self, case: Case) -> bool:
        if not isinstance(case, Question) or not self._fits(case):
            return False
        bare = any(not option.text.strip() for option in case.options)
        return self.shown.images or not self.shown.options or not bare

    def recipe(self, case: Case, surroundings: Surroundings) -> str | None:  # noqa: ARG002 - no surroundings needed
        """The parts that are shown."""
        return f"shown:{self.shown.spelling}" if self._applies(case) else None

    def apply(self, case: Case, surroundings: Surroundings) -> Case | None:  # noqa: ARG002 - no surroundings needed
        """The question with fewer parts shown."""
        if isinstance(case, Question) and self._applies(case):
            return with_shown(case, self.shown)
        return None


@dataclass(frozen=True)
class TextOnly(Route):
    """Stem and options, no image (MedQA-MM, modality lattice). Does not apply to a question without images."""

    name = "textonly"
    summary = "stem and options, no image part in the request"
    shown = Shown(images=False)

    def _fits(self, question: Question) -> bool:
        return bool(images_of(question, options=True))


@dataclass(frozen=True)
class NoImage(TextOnly):
    """No image part in the request at all (CORAL section 3.2): the same recipe as `TextOnly`."""

    name = "noimage"
    summary = "no image part in the request: the same request as textonly"


@dataclass(frozen=True)
class OptionsOnly(Route):
    """Options alone (MedQA-MM, modality lattice). Does not apply to a question without options."""

    name = "optionsonly"
    summary = "options alone, neither stem nor image"
    shown = Shown(stem=False, images=False)

    def _fits(self, question: Question) -> bool:
        return bool(question.options)


@dataclass(frozen=True)
class ImageOptions(Route):
    """Images and options, no stem (MedQA-MM, modality lattice). Does not apply without options or without images."""

    name = "imageoptions"
    summary = "images and options, no stem"
    shown = Shown(stem=False)

    def _fits(self, question: Question) -> bool:
        return bool(question.options) and bool(images_of(question, options=True))


KINDS = (TextOnly.kind(), NoImage.kind(), OptionsOnly.kind(), ImageOptions.kind())
