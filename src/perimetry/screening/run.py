"""Screening a data set: one pass for its statistics, one for the cues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import polars as pl

from perimetry.cases import CaseSet, DataError, Funnel
from perimetry.cases.dataset import DataUse
from perimetry.screening.candidates import Candidate, CandidateTable
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.denominators import Denominators
from perimetry.screening.item import Item
from perimetry.screening.positions import positions
from perimetry.screening.registry import chosen_screens
from perimetry.screening.screen import Screen
from perimetry.screening.tally import Tally

__all__ = ["Screening", "Survey", "screen_cases", "screen_items"]


class Survey(Protocol):
    """A pass over the images of all items before any is screened; its result becomes `DatasetStatistics.images`.

    A result that has `notes` (texts) is told on the page and in ``funnel.json``.
    """

    def __call__(self, items: Callable[[], Iterable[Item]]) -> object:
        """Look at the images of the items."""
        ...


@dataclass(frozen=True, slots=True)
class Screening:
    """What the screens found in one data set.

    Parameters
    ----------
    dataset : str
    screens : tuple of Screen
    candidates : polars.DataFrame
        One row an item and cue; `candidates.CANDIDATE_SCHEMA`.
    tallies : mapping of cue to Tally
    positions : mapping of place of an option (from 1) to Tally
        Whether an option at that place is the key.
    denominators : Denominators
    statistics : DatasetStatistics
    funnel : Funnel or None
        Of the load.
    data_use : {"open", "restricted", "credentialed"}
    licence : str
    source : callable returning an iterable of Item
        The items once more, for whoever shows some of them.
    """

    dataset: str
    screens: tuple[Screen, ...]
    candidates: pl.DataFrame
    tallies: Mapping[str, Tally]
    positions: Mapping[int, Tally]
    denominators: Denominators
    statistics: DatasetStatistics
    funnel: Funnel | None = None
    data_use: DataUse = "open"
    licence: str = ""
    source: Callable[[], Iterable[Item]] = tuple

    @property
    def image_notes(self) -> tuple[str, ...]:
        """What the survey of images tells; empty without one."""
        return tuple(getattr(self.statistics.images, "notes", ()))

    def items_of(self, ids: frozenset[str]) -> dict[str, Item]:
        """The items of these ids; goes through the source once."""
        return {item.id: item for item in self.source() if item.id in ids}


def screen_items(
    items: Callable[[], Iterable[Item]],
    *,
    dataset: str,
    screens: Sequence[Screen] | None = None,
    survey: Survey | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> Screening:
    """Screen items that can be gone through twice; one is held at a time.

    Parameters
    ----------
    items : callable returning an iterable of Item
        Called twice: for the statistics of the data set, and for the cues.
    dataset : str
    screens : sequence of Screen, optional
        Default: all that read text.
    survey : Survey, optional
        Looks at the images first, for screens of the layer ``image``.
    progress : callable, optional
        Told after every item of either pass: the step (``counted``, then ``screened``) and how many are through it.

    Raises
    ------
    DataError
        When there is no item.

    Examples
    --------
    >>> from perimetry.screening.item import Choice
    >>> options = (Choice("A", "never"), Choice("B", "at rest"))
    >>> item = Item("1", "mine", "g", "When does it hurt this man?", "choice", options, frozenset("B"))
    >>> screened = screen_items(lambda: [item], dataset="mine")
    >>> screened.tallies["absolute-word"].found, screened.tallies["absolute-word"].key
    (1, 0)
    """
    chosen = tuple(screens) if screens is not None else chosen_screens()
    known = DatasetStatistics.of(_told(items(), "counted", progress))
    if not known.items:
        raise DataError(f"{dataset}: no question was found. Screens look at questions, best with options.")
    if survey is not None:
        known = replace(known, images=survey(items))
    table, counts = CandidateTable(), Denominators()
    tallies = {screen.name: Tally(screen.unit) for screen in chosen}
    places: dict[int, Tally] = {}
    for item in _told(items(), "screened", progress):
        counts.add(item)
        for screen in chosen:
            if screen.applies(item):
                finding = screen.find(item, known)
                tallies[screen.name].add(item, finding)
                if finding is not None:
                    table.add(Candidate.of(item, screen, finding))
        if item.comparable:
            positions(item, places)
    return Screening(dataset, chosen, table.frame(), tallies, dict(sorted(places.items())), counts, known, source=items)


def screen_cases(
    case_set: CaseSet,
    *,
    screens: Sequence[Screen] | None = None,
    survey: Survey | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Screening:
    """Screen the questions of a loaded data set; see `screen_items`. `progress` is told of how many, too.

    Raises
    ------
    DataError
        When it holds no question.
    """
    questions = case_set.questions
    told = None if progress is None else lambda step, done: progress(step, done, len(questions))
    screened = screen_items(
        lambda: map(Item.of, questions), dataset=case_set.name, screens=screens, survey=survey, progress=told
    )
    return replace(screened, funnel=case_set.funnel, data_use=case_set.data_use, licence=case_set.licence)


def _told(items: Iterable[Item], step: str, progress: Callable[[str, int], None] | None) -> Iterator[Item]:
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(step, done)
