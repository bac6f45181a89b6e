"""Another image of the data set instead of the case's own: the most similar one, or any one."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.cases.dataset import Case
from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import UsageError
from perimetry.conditions.changes import images_of, with_images
from perimetry.conditions.condition import Neighbour, Surroundings
from perimetry.conditions.kind import Spelled
from perimetry.conditions.parameters import integer, word

__all__ = ["KINDS", "HardNegative", "Mismatch"]


class _Swap(Spelled):
    """Shows the whole image set of another case; images of options stay."""

    @property
    def needs_neighbours(self) -> bool:
        """Always: the neighbour index is made before any request."""
        return True

    def _neighbour(self, case: Case, surroundings: Surroundings) -> Neighbour | None:
        if not images_of(case):
            return None
        table = surroundings.neighbours.get(case.dataset)
        if table is None:
            held = ", ".join(sorted(surroundings.neighbours)) or "none"
            raise UsageError(
                f"Condition {self.spelling!r} needs the neighbour index of data set {case.dataset!r}; found: {held}. "
                "Make it with build_neighbours and put it into Surroundings.neighbours."
            )
        return table.find(case, self.spelling)

    def recipe(self, case: Case, surroundings: Surroundings) -> str | None:
        """Digest of the images that are shown instead: two conditions that find the same set are one request."""
        neighbour = self._neighbour(case, surroundings)
        if neighbour is None:
            return None
        return f"images|swap({digest_parts(image.recipe for image in neighbour.images)})"

    def apply(self, case: Case, surroundings: Surroundings) -> Case | None:
        """The case with the neighbour's images; the question, its options and its gold stay."""
        neighbour = self._neighbour(case, surroundings)
        return None if neighbour is None else with_images(case, neighbour.images)


@dataclass(frozen=True)
class HardNegative(_Swap):
    """The most similar other image whose gold differs (CORAL sections 3.1 and 3.2).

    Parameters
    ----------
    rank : int from 1, default 1
        Which of the eligible images, the most similar first (adversarial retrieval, CORAL section 4.2).
    match : {"auto", "question", "label"}, default "auto"
        ``question``: another image with the same question and another gold. ``label``: another image with any item
        whose gold differs, the paper's rule. ``auto``: ``question`` where it has `rank` images, else ``label``.

    Examples
    --------
    >>> HardNegative(rank=5).spelling
    'hardneg(rank=5)'
    """

    name = "hardneg"
    summary = "the most similar other image whose gold differs"
    parameters = (integer("rank", 1, default=1), word("match", ("auto", "question", "label"), default="auto"))

    rank: int = 1
    match: str = "auto"


@dataclass(frozen=True)
class Mismatch(_Swap):
    """Another image of the data set, by a seeded derangement: never the same image digest.

    Our reading of the sixth condition of CORAL section 3.2, whose table is lost.
    """

    name = "mismatch"
    summary = "another image of the data set, a seeded derangement"


KINDS = (HardNegative.kind(), Mismatch.kind())
