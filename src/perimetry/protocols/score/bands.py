"""Scores against several references that say the same: their mean, and the band that style alone opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from perimetry.runs.estimates import Estimate
from perimetry.statistics import BootstrapResult, Distribution

__all__ = ["Band", "band_frame", "band_of", "band_rows", "coverage_notes"]

SPARSE = 0.1
"""Share of references with an alternative below which a band says next to nothing about style."""


@dataclass(frozen=True, slots=True, eq=False)
class Band:
    """A system's score over several sets of references of the same content.

    Parameters
    ----------
    dataset, system, metric : str
    original : BootstrapResult
        Against the references as they are.
    mean : BootstrapResult
        Over the originals and every variation, each counted once; with the interval of sampling.
    deviation : BootstrapResult
        Standard deviation (ddof 1) over them: what style alone moves.
    lowest, highest : BootstrapResult
        Smallest and largest value over them; on resamples, the smallest and largest of that resample.
    lowest_under, highest_under : str
        The reference set of each.
    references : int
        Sets of references, the originals among them.
    told_otherwise : int or None
        Studies with another wording under some variation; None where that was not counted. All others keep their
        original score in every set.
    scored : int
        Studies that the band is of.
    """

    dataset: str
    system: str
    metric: str
    original: BootstrapResult
    mean: BootstrapResult
    deviation: BootstrapResult
    lowest: BootstrapResult
    highest: BootstrapResult
    lowest_under: str
    highest_under: str
    references: int
    told_otherwise: int | None = None
    scored: int = 0

    @property
    def coverage(self) -> str:
        """How many references could differ at all; empty where that was not counted."""
        if self.told_otherwise is None:
            return ""
        return f"{self.told_otherwise:,} of {self.scored:,}"

    @property
    def sparse(self) -> bool:
        """Whether fewer than a tenth of the references have an alternative."""
        return self.told_otherwise is not None and self.told_otherwise < SPARSE * self.scored


def band_of(dataset: str, system: str, metric: str, under: Mapping[str, Distribution], *, level: float = 0.95) -> Band:
    """The band of a system.

    Parameters
    ----------
    dataset, system, metric : str
    under : mapping of reference set to Distribution
        The originals first; of one plan. A study without an alternative keeps its original score.
    level : float, default 0.95

    Examples
    --------
    >>> one = Distribution(0.4, np.asarray([0.3, 0.5]), 9)
    >>> two = Distribution(0.2, np.asarray([0.1, 0.3]), 9)
    >>> band = band_of("d", "m", "rouge_l", {"original": one, "b": two})
    >>> round(band.mean.value, 3), band.lowest_under
    (0.3, 'b')
    """
    names = list(under)
    table = np.stack([one.samples for one in under.values()])
    values = np.asarray([one.value for one in under.values()], dtype=np.float64)
    groups = max(one.groups for one in under.values())

    def result(value: float, samples: object) -> BootstrapResult:
        return Distribution(float(value), np.asarray(samples, dtype=np.float64), groups).summary(level)

    several = len(names) > 1
    return Band(
        dataset,
        system,
        metric,
        under[names[0]].summary(level),
        result(values.mean(), table.mean(axis=0)),
        result(
            values.std(ddof=1) if several else 0.0,
            table.std(axis=0, ddof=1) if several else np.zeros(table.shape[1]),
        ),
        result(values.min(), table.min(axis=0)),
        result(values.max(), table.max(axis=0)),
        names[int(values.argmin())],
        names[int(values.argmax())],
        len(names),
    )


def band_rows(band: Band, template: Estimate) -> Iterator[Estimate]:
    """Rows of the tidy table: ``multi:METRIC``, ``style_sd:METRIC``, ``style_min:METRIC``, ``style_max:METRIC``."""
    several = {"multi": band.mean, "style_sd": band.deviation, "style_min": band.lowest, "style_max": band.highest}
    for name, one in several.items():
        method = (
            f"over {band.references} sets of references; bootstrap of groups, {one.resamples} resamples, percentile"
        )
        yield replace(
            template,
            dataset=band.dataset,
            model=band.system,
            metric=f"{name}:{band.metric}",
            condition="alternatives",
            comparator="",
            value=one.value,
            ci_low=one.ci_low,
            ci_high=one.ci_high,
            level=one.level,
            groups=one.groups,
            direction="" if name == "style_sd" else template.direction,
            method=f"{method}; {one.note}" if one.note else method,
        )


def coverage_notes(bands: Sequence[Band]) -> tuple[str, ...]:
    """Of how many references a band is, and a caution where these are few; one line for each different count.

    Examples
    --------
    >>> one = Distribution(0.4, np.asarray([0.3, 0.5]), 9)
    >>> band = replace(band_of("d", "m", "rouge_l", {"original": one}), told_otherwise=3, scored=382)
    >>> coverage_notes([band])[0][:51]
    '3 of 382 references have another wording (rouge_l);'
    """
    held: dict[tuple[str, bool], list[str]] = {}
    for band in bands:
        if band.coverage:
            held.setdefault((band.coverage, band.sparse), []).append(band.metric)
    lines = []
    for (coverage, sparse), metrics in held.items():
        named = f" ({', '.join(dict.fromkeys(metrics))})"
        line = f"{coverage} references have another wording{named}; the others keep their score in every set"
        caution = (
            ": the band is far too narrow to stand for what style moves. Rewrite more of the references, or more forms."
        )
        lines.append(line + (caution if sparse else ", so the band is at least this wide."))
    return tuple(lines)


def band_frame(bands: Sequence[Band]) -> pl.DataFrame:
    """One row a system and metric: value, sampling interval and style band."""
    rows = [
        {
            "dataset": band.dataset,
            "metric": band.metric,
            "system": band.system,
            "references": band.references,
            **({"told_otherwise": band.told_otherwise, "scored": band.scored} if band.coverage else {}),
            "original": band.original.value,
            "original_low": band.original.ci_low,
            "original_high": band.original.ci_high,
            "multi": band.mean.value,
            "multi_low": band.mean.ci_low,
            "multi_high": band.mean.ci_high,
            "style_sd": band.deviation.value,
            "style_min": band.lowest.value,
            "style_max": band.highest.value,
            "min_under": band.lowest_under,
            "max_under": band.highest_under,
        }
        for band in bands
    ]
    return pl.DataFrame(rows).with_columns(pl.col(pl.Float64).fill_nan(None)) if rows else pl.DataFrame()
