"""The estimates of scored reports: systems, their paired differences, classes and ranks, all on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
Purpose = Literal["system", "difference", "compared"]

PROTOCOL = "score"

ABNORMAL = "abnormal"
"""Stratum of a label metric over all classes but No Finding; absent where that is not among its classes."""

_RANKED = ("all", ABNORMAL)


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """What was estimated.

    Parameters
    ----------
    estimates : tuple of Estimate
    rankings : tuple of Ranking
        One a metric that has a direction, and one for the abnormal classes of each label metric; none for one system.
    compared : tuple of Estimate
        Every system's values on the reports that every system has a value for: what may stand side by side. Equal to
        the values among ``estimates`` where nothing is missing.
    """

    estimates: tuple[Estimate, ...]
    rankings: tuple[Ranking, ...]
    compared: tuple[Estimate, ...]


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
class _Planned:
    """A contrast and what it is drawn for; a system's value may serve for two purposes."""

    contrast: Contrast
    purposes: tuple[Purpose, ...]


def estimate(scored: Scored, *, resamples: int = 10_000, seed: int = 42, level: float = 0.95) -> Findings:
    """Estimate every metric of every system with its interval, and compare every two systems on the same reports.

    Rows of the tidy table: the system is in ``model``, the file in ``dataset``, the metric's signature in ``version``.
    A difference is a later system minus an earlier one (``comparator`` is ``model:EARLIER``), on the reports on which
    both have a value, with the share of resamples above zero and a two-sided p of the resamples. Label metrics have one
    stratum a class besides, and `ABNORMAL`. ``rank:METRIC`` is a system's rank, on the reports on which all have a
    value; the values that are ranked are ``compared``.

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
        [plan.contrast for plan in planned], items, resamples=resamples, seed=seed, level=level, average=False
    )
    rows: list[Estimate] = []
    compared: list[Estimate] = []
    spread: dict[tuple[str, str], dict[str, Distribution]] = {}
    for plan, one in zip(planned, drawn, strict=True):
        row = one.estimate
        if "difference" in plan.purposes and one.distribution is not None and one.distribution.groups > 1:
            method = f"{row.method}; two-sided p of the resamples"
            row = replace(row, p_value=two_sided_p(one.distribution.samples), method=method)
        if "compared" in plan.purposes:
            compared.append(row)
            if one.distribution is not None and row.stratum in _RANKED:
                spread.setdefault((row.metric, row.stratum), {})[row.model] = one.distribution
        if plan.purposes != ("compared",):
            rows.append(row)
    rankings = tuple(_rankings(compared, spread, level))
    by_label = {named.label: named for named in scored.metrics}
    for ranking in rankings:
        if ranking.stratum == "all":
            rows += _rank_rows(ranking, by_label[ranking.metric], reports.name, len(reports), resamples, seed, level)
    return Findings(tuple(with_holm(rows)), rankings, tuple(compared))


def _planned(scored: Scored, named: NamedMetric) -> Iterator[_Planned]:
    """Every contrast of one metric."""
    tables = scored.tables[named.label]
    kept = {system: belongs(table) for system, table in tables.items()}
    every = scored.shared(named.label)
    alike = all(bool((mine == every).all()) for mine in kept.values())
    for part in _parts(named, tables):
        for system, table in tables.items():
            row = _row(named, system, part)
            contrast = Contrast(row, (part.term(table, kept[system]),), ~kept[system])
            yield _Planned(contrast, ("system", "compared") if alike else ("system",))
        for earlier, later in combinations(tables, 2):
            both = kept[earlier] & kept[later]
            row = replace(_row(named, later, part), comparator=f"model:{earlier}")
            terms = (part.term(tables[later], both), part.term(tables[earlier], both, -1))
            yield _Planned(Contrast(row, terms, ~both, difference=True), ("difference",))
        if not alike:
            for system, table in tables.items():
                row = _row(named, system, part)
                yield _Planned(Contrast(row, (part.term(table, every),), ~every), ("compared",))


def _rankings(
    compared: Sequence[Estimate], spread: Mapping[tuple[str, str], Mapping[str, Distribution]], level: float
) -> Iterator[Ranking]:
    """One a metric with a direction, and one for its abnormal classes, where there are systems to rank."""
    rows = {(row.metric, row.stratum): row for row in compared}
    for (metric, stratum), systems in spread.items():
        row = rows[metric, stratum]
        if len(systems) > 1 and row.direction != "neutral":
            higher = row.direction == "higher"
            yield rank_systems(metric, systems, higher_is_better=higher, n=row.n, stratum=stratum, level=level)


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
