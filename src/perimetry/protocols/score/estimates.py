"""The estimates of scored reports: systems, their paired differences, classes and ranks, all on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from perimetry.protocols.score.ranking import Ranking, rank_systems
from perimetry.protocols.score.scored import NamedMetric, Scored, belongs
from perimetry.runs.contrasts import draw_contrasts, with_holm
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items, RateTerm
from perimetry.scoring.labels.classes import NO_FINDING
from perimetry.scoring.labels.f1 import LabelF1, f1_rate
from perimetry.scoring.report_metric import ScoreTable
from perimetry.statistics import Distribution, Rate, f1, two_sided_p

__all__ = ["ABNORMAL", "PROTOCOL", "Findings", "estimate"]

Flags = NDArray[np.bool_]
Purpose = Literal["system", "difference", "rank"]

PROTOCOL = "score"

ABNORMAL = "abnormal"
"""Stratum of a label metric over all classes but No Finding; absent where that is not among its classes."""


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What was estimated.

    Parameters
    ----------
    estimates : tuple of Estimate
    rankings : tuple of Ranking
        One a metric that has a direction, and one for the abnormal classes of each label metric; none for one system.
    """

    estimates: tuple[Estimate, ...]
    rankings: tuple[Ranking, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A metric, or one part of it, as columns of its statistics and the rate of their sums."""

    stratum: str
    columns: tuple[int, ...]
    rate: Rate

    def term(self, table: ScoreTable, used: Flags, sign: int = 1) -> RateTerm:
        """The part of one system, on some of the reports."""
        taken = [np.where(used, table.statistics[:, column], 0.0) for column in self.columns]
        return RateTerm(tuple(taken), self.rate, used, sign)


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    """Which ranking a contrast belongs to."""

    label: str
    stratum: str
    higher: bool
    n: int


def estimate(scored: Scored, *, resamples: int = 10_000, seed: int = 42, level: float = 0.95) -> Findings:
    """Estimate every metric of every system with its interval, and compare every two systems on the same reports.

    Rows of the tidy table: the system is in ``model``, the file in ``dataset``, the metric's signature in ``version``.
    A difference is a later system minus an earlier one (``comparator`` is ``model:EARLIER``), on the reports on which
    both have a value, with the share of resamples above zero and a two-sided p of the resamples. Label metrics have one
    stratum a class besides, and `ABNORMAL`. ``rank:METRIC`` is a system's rank, on the reports on which all have a
    value.

    Parameters
    ----------
    scored : Scored
    resamples : int, default 10,000
        Of groups, the same for everything.
    seed : int, default 42
    level : float, default 0.95

    Returns
    -------
    Findings
    """
    reports = scored.reports
    items = Items((reports.name,) * len(reports), reports.groups)
    planned = [entry for named in scored.metrics for entry in _planned(scored, named)]
    drawn = draw_contrasts(
        [contrast for contrast, _ in planned], items, resamples=resamples, seed=seed, level=level, average=False
    )
    rows: list[Estimate] = []
    spread: dict[tuple[str, str], dict[str, Distribution]] = {}
    ranked: dict[tuple[str, str], _Ranked] = {}
    for (contrast, rank), one in zip(planned, drawn, strict=True):
        if rank is not None:
            if one.distribution is not None:
                ranked[rank.label, rank.stratum] = rank
                spread.setdefault((rank.label, rank.stratum), {})[contrast.estimate.model] = one.distribution
        elif contrast.estimate.comparator and one.distribution is not None and one.distribution.groups > 1:
            method = f"{one.estimate.method}; two-sided p of the resamples"
            rows.append(replace(one.estimate, p_value=two_sided_p(one.distribution.samples), method=method))
        else:
            rows.append(one.estimate)
    rankings = tuple(
        rank_systems(one.label, spread[key], higher_is_better=one.higher, n=one.n, stratum=one.stratum, level=level)
        for key, one in ranked.items()
    )
    by_label = {named.label: named for named in scored.metrics}
    for ranking in rankings:
        if ranking.stratum == "all":
            rows += _rank_rows(ranking, by_label[ranking.metric], reports.name, len(reports), resamples, seed, level)
    return Findings(tuple(with_holm(rows)), rankings)


def _planned(scored: Scored, named: NamedMetric) -> Iterator[tuple[Contrast, _Ranked | None]]:
    """Every contrast of one metric, and the ranking it serves if it is drawn for one."""
    tables = scored.tables[named.label]
    kept = {system: belongs(table) for system, table in tables.items()}
    every = np.logical_and.reduce(list(kept.values()))
    for part in _parts(named, tables):
        for system, table in tables.items():
            row = _row(named, system, part)
            yield Contrast(row, (part.term(table, kept[system]),), ~kept[system]), None
        for earlier, later in combinations(tables, 2):
            both = kept[earlier] & kept[later]
            row = replace(_row(named, later, part), comparator=f"model:{earlier}")
            terms = (part.term(tables[later], both), part.term(tables[earlier], both, -1))
            yield Contrast(row, terms, ~both, difference=True), None
        if len(tables) > 1 and part.stratum in ("all", ABNORMAL) and named.info.direction != "neutral":
            rank = _Ranked(named.label, part.stratum, named.info.direction == "higher", int(every.sum()))
            for system, table in tables.items():
                yield Contrast(_row(named, system, part), (part.term(table, every),), ~every), rank


def _row(named: NamedMetric, system: str, part: _Part) -> Estimate:
    info = named.info
    return Estimate(
        PROTOCOL,
        "",
        system,
        named.label,
        stratum=part.stratum,
        direction=info.direction,
        version=info.signature,
    )


def _parts(named: NamedMetric, tables: Mapping[str, ScoreTable]) -> Iterator[_Part]:
    """The metric as a whole; for counts by class each class, and all that are no No Finding."""
    names = next(iter(tables.values())).columns
    place = {name: position for position, name in enumerate(names)}
    yield _Part("all", tuple(range(len(names))), named.metric.rate)
    classes = [name.removeprefix("tp:") for name in names if name.startswith("tp:")]
    classes = [name for name in classes if f"fp:{name}" in place and f"fn:{name}" in place]
    abnormal = [name for name in classes if name != NO_FINDING]
    if abnormal and len(abnormal) < len(classes) and isinstance(named.metric, LabelF1):
        columns = tuple(place[f"{count}:{name}"] for count in ("tp", "fp", "fn") for name in abnormal)
        yield _Part(ABNORMAL, columns, f1_rate(named.metric.options.average, len(abnormal)))
    for name in classes:
        yield _Part(name, tuple(place[f"{count}:{name}"] for count in ("tp", "fp", "fn")), f1(0, 1, 2))


def _rank_rows(
    ranking: Ranking, named: NamedMetric, dataset: str, total: int, resamples: int, seed: int, level: float
) -> Iterator[Estimate]:
    for one in ranking.summaries:
        yield Estimate(
            PROTOCOL,
            dataset,
            one.name,
            f"rank:{ranking.metric}",
            value=one.rank,
            ci_low=one.ci_low,
            ci_high=one.ci_high,
            level=level,
            n=ranking.n,
            missing=total - ranking.n,
            direction="lower",
            version=named.info.signature,
            method=f"rank on each of {resamples} resamples of groups, percentile",
            seed=seed,
        )
