"""A condition: a named, seeded, pure change of a case, or "does not apply"."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from perimetry.cases.dataset import Case
from perimetry.cases.image import Image

__all__ = ["Condition", "Neighbour", "NeighbourTable", "Surroundings"]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The neighbour that a pool-dependent condition shows instead of a case's own images.

    Parameters
    ----------
    images : tuple of Image
        The whole image set of the neighbouring case.
    case_id : str
        The neighbouring case.
    cosine : float
        Similarity of the images; nan where none was computed (a derangement).
    rank : int
        Rank among the eligible images, from 1.
    rule : str
        ``question``, ``label`` or ``derangement``.
    gold_known : bool
        Whether the negative's own gold for this very question is known.
    """

    images: tuple[Image, ...]
    case_id: str
    cosine: float
    rank: int
    rule: str
    gold_known: bool


class NeighbourTable(Protocol):
    """Looks up the neighbour of a case; an artefact of its own, made before any request."""

    def find(self, case: Case, key: str) -> Neighbour | None:
        """Neighbour of a case under a condition's key (its spelling), or None if no image is eligible."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a condition may know beyond its case.

    Parameters
    ----------
    seed : int, default 42
        The run's seed.
    neighbours : mapping of str to NeighbourTable
        By data set.
    box_sizes : mapping of str to tuple of (float, float)
        By data set: width and height of every annotated box as shares of its image's, in the order of the cases.
        Random control regions draw their sizes from here.
    """

    seed: int = 42
    neighbours: Mapping[str, NeighbourTable] = field(default_factory=dict)
    box_sizes: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)


class Condition(ABC):
    """Base of all conditions. Subclasses are frozen dataclasses whose fields are their parameters."""

    @property
    @abstractmethod
    def spelling(self) -> str:
        """Stable spelling, for example ``shuffle`` or ``hardneg(rank=5)``; default parameters are left out."""

    @property
    def needs_neighbours(self) -> bool:
        """Whether `Surroundings.neighbours` must hold a table for the case's data set."""
        return False

    @property
    def repeat_stream(self) -> str:
        """Name of the repeat seeds' stream. ``retest`` has one of its own, so that it is never merged with real."""
        return "repeat"

    @abstractmethod
    def recipe(self, case: Case, surroundings: Surroundings) -> str | None:
        """Normalised operations on this case; equal recipes are one request, None means "does not apply".

        The empty recipe is the case as it is. Cheap: called once a trial while planning, reads no pixels.
        """

    @abstractmethod
    def apply(self, case: Case, surroundings: Surroundings) -> Case | None:
        """The changed case (lazy: pixels are not touched), or None where `recipe` is None."""
