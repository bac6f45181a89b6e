"""Base of the conditions that lay pixel operations on the images of a case."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from perimetry.cases.dataset import Case
from perimetry.cases.image import Operation
from perimetry.conditions.changes import images_of, with_changed_images
from perimetry.conditions.condition import Surroundings
from perimetry.conditions.kind import Spelled
from perimetry.conditions.parameters import Parameter, word

__all__ = ["SCOPE", "ImageCondition"]

SCOPE: Parameter = word("scope", ("question", "all"), default="question")
"""Which images change: those of the question (options keep theirs), or those of the options as well."""


@dataclass(frozen=True, kw_only=True)
class ImageCondition(Spelled):
    """Lays the same operations on every image of a case; does not apply to a case without images.

    Parameters
    ----------
    scope : {"question", "all"}, default "question"
        ``question`` leaves the images of options as they are; ``all`` changes them too.
    """

    scope: str = "question"

    @abstractmethod
    def operations(self, seed: int) -> tuple[Operation, ...]:
        """Operations under a seed; empty at strength 0, so that the recipe is that of the real case."""

    def recipe(self, case: Case, surroundings: Surroundings) -> str | None:
        """Spelling of the operations, or None for a case without images."""
        every = self.scope == "all"
        if not images_of(case, options=every):
            return None
        operations = self.operations(surroundings.seed)
        if not operations:
            return ""
        return "|".join(("images+options" if every else "images", *(operation.spelling for operation in operations)))

    def apply(self, case: Case, surroundings: Surroundings) -> Case | None:
        """The case with the operations laid on its images."""
        every = self.scope == "all"
        if not images_of(case, options=every):
            return None
        operations = self.operations(surroundings.seed)
        if not operations:
            return case
        return with_changed_images(case, lambda image: image.with_operations(*operations), options=every)
