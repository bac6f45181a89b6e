"""What a judge says of a data set: candidates of a layer of their own, counts, and why there is no verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from perimetry.inference import RequestPlan
from perimetry.models.request import Request
from perimetry.scoring.judges import Answer
from perimetry.screening.candidates import Candidate, CandidateTable
from perimetry.screening.item import Item
from perimetry.screening.judging.cue import JUDGED, JudgedCue, judged_cues
from perimetry.screening.judging.prompt import cue_prompt
from perimetry.screening.judging.requests import CueRequests, asked_of
from perimetry.screening.judging.verdict import Verdict, read_verdicts
from perimetry.screening.run import Screening
from perimetry.screening.tally import Tally

__all__ = ["VERDICT_SCHEMA", "Agreement", "Missed", "Opinion", "form_opinion"]

VERDICT_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "case_id": pl.String,
    "cue": pl.String,
    "verdict": pl.String,
    "options": pl.String,
    "reason": pl.String,
    "request_id": pl.String,
}
BLOCK = 20_000
ITEMS = 5_000
"""Items whose answers are held at once."""


@dataclass(slots=True)
class Agreement:
    """Items of which both a judge and `rules` say something: how often each says that the cue is there.

    Examples
    --------
    >>> both = Agreement()
    >>> both.add(judged=True, ruled=False)
    >>> both.judge_only, both.items
    (1, 1)
    """

    rules: tuple[str, ...] = ()
    both: int = 0
    judge_only: int = 0
    rules_only: int = 0
    neither: int = 0

    def add(self, *, judged: bool, ruled: bool) -> None:
        """Count an item."""
        self.both += judged and ruled
        self.judge_only += judged and not ruled
        self.rules_only += ruled and not judged
        self.neither += not judged and not ruled

    @property
    def items(self) -> int:
        """Items of which both say something."""
        return self.both + self.judge_only + self.rules_only + self.neither

    @property
    def share(self) -> float | None:
        """Share of the items of which both say the same."""
        return (self.both + self.neither) / self.items if self.items else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where one answer only is given."""
        import math

        import numpy as np

        from perimetry.statistics.agreement import kappa

        cells = np.asarray([[self.both, self.judge_only, self.rules_only, self.neither]], np.float64)
        value = float(kappa(2)(cells)[0]) if self.items else math.nan
        return None if math.isnan(value) else value


@dataclass(frozen=True, slots=True)
class Missed:
    """Verdicts that there are none of, for one reason: of how many items, and how many verdicts."""

    reason: str
    items: int
    verdicts: int


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """What a judge says of one data set.

    Parameters
    ----------
    dataset, judge, prompt : str
        The model's name, and name and digest of the prompt.
    images : bool
        Whether it was shown images.
    items : int
        Items that it was asked about.
    unasked : int
        Items in which there is nothing to ask about.
    candidates : polars.DataFrame
        `CANDIDATE_SCHEMA`, of the layer ``judged``.
    verdicts : polars.DataFrame
        `VERDICT_SCHEMA`: one row an item and cue that was asked about.
    tallies : mapping of cue to Tally
        Over the items with a verdict.
    asked : mapping of cue to int
        Items in which it was asked about.
    agreements : mapping of cue to Agreement
        Cues that a screen of this screening looks at, too.
    missed : tuple of Missed
        Most frequent first.
    pending : int
        Requests without a final answer: the same command asks them.
    failures : mapping of str to int
        Items without an answer, by kind of failure; ``not_asked`` for those that nobody asked about yet.
    """

    dataset: str
    judge: str
    prompt: str
    images: bool
    items: int
    unasked: int
    candidates: pl.DataFrame
    verdicts: pl.DataFrame
    tallies: Mapping[str, Tally]
    asked: Mapping[str, int]
    agreements: Mapping[str, Agreement]
    missed: tuple[Missed, ...]
    pending: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def cues(self) -> tuple[JudgedCue, ...]:
        """The cues that were asked about anywhere."""
        return tuple(cue for cue in judged_cues() if self.asked.get(cue.name))

    @property
    def unjudged(self) -> int:
        """Verdicts that there are none of."""
        return sum(one.verdicts for one in self.missed)


@dataclass(slots=True)
class _Gathered:
    """Counts and rows while the items go by."""

    judge: str
    prompt: str
    screening: Screening
    table: CandidateTable = field(default_factory=CandidateTable)
    tallies: dict[str, Tally] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    agreements: dict[str, Agreement] = field(default_factory=dict)
    missed_items: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    rows: list[tuple[str, ...]] = field(default_factory=list)
    blocks: list[pl.DataFrame] = field(default_factory=list)

    def add(self, item: Item, verdicts: Sequence[Verdict], request_id: str, ruled: frozenset[str]) -> None:
        """Take an item in; `ruled` are the screens that found their cue in it."""
        for one in verdicts:
            name = one.cue.name
            self.asked[name] += 1
            said = "none" if one.there is None else "there" if one.there else "not there"
            options = "+".join(one.finding.options) if one.finding else ""
            self.rows.append((item.dataset, item.id, name, said, options, one.reason, request_id))
            if one.there is None:
                self.missed[one.reason] += 1
                continue
            self.tallies.setdefault(name, Tally(one.cue.unit)).add(item, one.finding)
            if one.finding is not None:
                by = f"judge {self.judge}, prompt {self.prompt}"
                self.table.add(Candidate.found(item, name, JUDGED, one.cue.unit, one.finding, by))
            screens = [screen for screen in self.screening.screens if screen.name in one.cue.rules]
            if any(screen.applies(item) for screen in screens):
                found = any(screen.name in ruled for screen in screens)
                names = tuple(screen.name for screen in screens)
                self.agreements.setdefault(name, Agreement(names)).add(judged=one.there, ruled=found)
        self.missed_items.update({one.reason for one in verdicts if one.reason})
        if len(self.rows) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Put the rows into a compact block."""
        self.blocks.append(pl.DataFrame(self.rows, schema=VERDICT_SCHEMA, orient="row"))
        self.rows = []

    @property
    def verdicts(self) -> pl.DataFrame:
        """All rows, whatever the order of the items."""
        self.flush()
        return pl.concat(self.blocks).sort("dataset", "case_id", "cue")


def form_opinion(
    screening: Screening,
    builder: CueRequests,
    judge: str,
    answers: Callable[[RequestPlan], Mapping[str, Answer]],
    pending: int = 0,
) -> Opinion:
    """Read what a judge said of the items of a screening; asks nobody.

    Parameters
    ----------
    screening : Screening
    builder : CueRequests
        Over the questions of the screening.
    judge : str
        The model's name.
    answers : callable
        Gives the answers of a plan by request id; called for some thousand items at a time.
    pending : int, default 0
    """
    gathered = _Gathered(judge, cue_prompt().spelling, screening)
    ruled = _ruled(screening)
    failures: Counter[str] = Counter()
    items = unasked = 0
    for item, request, answer in _answered(builder, answers):
        if request is None:
            unasked += 1
            continue
        items += 1
        if answer is None or answer.failure_kind:
            failures[answer.failure_kind if answer else "not_asked"] += 1
        verdicts = read_verdicts(item, asked_of(item, builder.images), answer)
        gathered.add(item, verdicts, request.id, ruled.get(item.id, frozenset()))
    missed = tuple(
        Missed(reason, gathered.missed_items[reason], count)
        for reason, count in sorted(gathered.missed.items(), key=lambda entry: (-entry[1], entry[0]))
    )
    return Opinion(
        screening.dataset,
        judge,
        gathered.prompt,
        builder.images,
        items,
        unasked,
        gathered.table.frame(),
        gathered.verdicts,
        gathered.tallies,
        dict(gathered.asked),
        dict(gathered.agreements),
        missed,
        pending,
        dict(failures.most_common()),
    )


def _answered(
    builder: CueRequests, answers: Callable[[RequestPlan], Mapping[str, Answer]]
) -> Iterator[tuple[Item, Request | None, Answer | None]]:
    """Items with what was asked about them and what was answered, held some thousand at a time."""
    for start in range(0, len(builder.questions), ITEMS):
        items = [Item.of(question) for question in builder.questions[start : start + ITEMS]]
        requests = [builder.of(item) for item in items]
        asked = {request.id: request for request in requests if request is not None}
        held = answers(RequestPlan.of(asked.values())) if asked else {}
        for item, request in zip(items, requests, strict=True):
            yield item, request, None if request is None else held.get(request.id)


def _ruled(screening: Screening) -> dict[str, frozenset[str]]:
    """For every item the screens that found a cue which judges are asked about, too."""
    wanted = sorted({rule for cue in judged_cues() for rule in cue.rules})
    found = (
        screening.candidates.select("case_id", pl.col("cue").cast(pl.String))
        .filter(pl.col("cue").is_in(wanted))
        .group_by("case_id")
        .agg(pl.col("cue"))
    )
    return {item: frozenset(cues) for item, cues in found.iter_rows()}
