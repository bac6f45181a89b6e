"""Which system is best by a metric, and how steady its place is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from perimetry.statistics import ROUND_OFF, BootstrapResult, Distribution, RankSummary, rank_models

__all__ = ["Ranking", "place_shares", "rank_frame", "rank_systems"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The systems' places by one metric, on the data and over resamples.

    Parameters
    ----------
    metric : str
        Label of the metric.
    stratum : str
        ``all``, or the part of the metric that is ranked.
    summaries : tuple of RankSummary
        In the order of the systems.
    shares : mapping of system to tuple of float
        Share of resamples in which it has place 1, 2, ...; ties shared out.
    n : int
        Reports on which every system has a value: only these are ranked on.
    values : mapping of system to BootstrapResult
        What is ranked: the systems' values on those reports.
    """

    metric: str
    stratum: str
    summaries: tuple[RankSummary, ...]
    shares: Mapping[str, tuple[float, ...]]
    n: int
    values: Mapping[str, BootstrapResult]

    @property
    def order(self) -> tuple[str, ...]:
        """Systems with a rank, the best first; equal ones in the order of the systems."""
        ranked = [summary for summary in self.summaries if summary.rank == summary.rank]
        return tuple(summary.name for summary in sorted(ranked, key=lambda summary: summary.rank))

    def standing(self, system: str) -> tuple[int, bool]:
        """The place as people count it, from 1, and whether others share it; systems that tie have the first of theirs.

        Raises
        ------
        ValueError
            For a system without a rank.
        """
        one = self.place(system)
        if one is None:
            raise ValueError(f"{system!r} has no rank")
        level = sum(other.rank == one.rank for other in self.summaries)
        return round(one.rank - (level - 1) / 2), level > 1

    def place(self, system: str) -> RankSummary | None:
        """A system's rank; None where it has none."""
        for summary in self.summaries:
            if summary.name == system and summary.rank == summary.rank:
                return summary
        return None


def rank_systems(
    metric: str,
    systems: Mapping[str, Distribution],
    *,
    higher_is_better: bool,
    n: int,
    stratum: str = "all",
    level: float = 0.95,
) -> Ranking:
    """Rank systems by distributions of one plan over the same reports.

    Parameters
    ----------
    metric : str
    systems : mapping of system to Distribution
    higher_is_better : bool
    n : int
    stratum : str, default "all"
    level : float, default 0.95

    Examples
    --------
    >>> two = {"a": Distribution(0.4, np.asarray([0.4, 0.5]), 9), "b": Distribution(0.6, np.asarray([0.6, 0.4]), 9)}
    >>> rank_systems("rouge_l", two, higher_is_better=True, n=9).order
    ('b', 'a')
    """
    summaries = rank_models(systems, higher_is_better=higher_is_better, level=level)
    shares = place_shares(systems, higher_is_better=higher_is_better)
    values = {name: one.summary(level) for name, one in systems.items()}
    return Ranking(metric, stratum, summaries, shares, n, values)


def place_shares(systems: Mapping[str, Distribution], *, higher_is_better: bool) -> dict[str, tuple[float, ...]]:
    """Share of resamples in which each system has each place; systems that tie share the places they cover.

    Resamples without a value for a system are left out; nan if none is left.

    Examples
    --------
    >>> tied = Distribution(0.5, np.asarray([0.5, 0.5]), 9)
    >>> place_shares({"a": tied, "b": tied}, higher_is_better=True)["a"]
    (0.5, 0.5)
    """
    if not systems:
        return {}
    scores = np.stack([one.samples for one in systems.values()]) * (1.0 if higher_is_better else -1.0)
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    shares = {}
    for row, name in enumerate(systems):
        better = (scores > scores[row] + ROUND_OFF).sum(axis=0)
        level = (np.abs(scores - scores[row]) <= ROUND_OFF).sum(axis=0)
        held = [
            np.where((better < place) & (place <= better + level), 1.0 / level, 0.0)
            for place in range(1, len(systems) + 1)
        ]
        shares[name] = tuple(float(one.mean()) if one.size else float("nan") for one in held)
    return shares


def rank_frame(rankings: Iterable[Ranking]) -> pl.DataFrame:
    """Rankings as a table.

    Columns: ``metric, stratum, system, rank, ci_low, ci_high, p_best, n``, then the value that is ranked, of the n
    reports that every system has one for, as ``value, value_low, value_high``, and ``place_1, place_2, ...``.
    """
    rows = [
        {
            "metric": ranking.metric,
            "stratum": ranking.stratum,
            "system": one.name,
            "rank": one.rank,
            "ci_low": one.ci_low,
            "ci_high": one.ci_high,
            "p_best": one.p_best,
            "n": ranking.n,
            "value": ranking.values[one.name].value,
            "value_low": ranking.values[one.name].ci_low,
            "value_high": ranking.values[one.name].ci_high,
            **{f"place_{place}": share for place, share in enumerate(ranking.shares[one.name], start=1)},
        }
        for ranking in rankings
        for one in ranking.summaries
    ]
    return pl.DataFrame(rows).with_columns(pl.col(pl.Float64).fill_nan(None)) if rows else pl.DataFrame()
