"""The metrics of the image level: whole reports under the image as it is and under noise all over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.cases.chexpert import CHEXBERT_ORDER, FIVE
from perimetry.protocols.occlusion.grid import Grid
from perimetry.protocols.occlusion.measure import Measure, minus
from perimetry.protocols.occlusion.statistic import Statistic
from perimetry.runs.plan import Plan
from perimetry.scoring.labels.classes import POSITIVE, UNCERTAIN, columns_in
from perimetry.scoring.labels.f1 import f1_rate
from perimetry.scoring.report_metric import ReportMetric
from perimetry.statistics import Rate

__all__ = ["image_statistics", "label_statistics", "report_statistics"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.float64]

_SETS = (("14", CHEXBERT_ORDER), ("5", FIVE))


def image_statistics(
    grid: Grid, outcomes: pl.DataFrame, plan: Plan, metrics: Mapping[str, ReportMetric]
) -> Iterator[Statistic]:
    """Label F1 and report metrics under every condition of the whole image, and what noise all over costs."""
    yield from label_statistics(grid)
    yield from report_statistics(grid, outcomes, plan, metrics)


def label_statistics(grid: Grid) -> Iterator[Statistic]:
    """F1 of all labels over 14 and over 5 classes, micro and macro; ``delta_fn`` is what noise all over costs."""
    told = (grid.finding < 0) & ~np.isnan(grid.true)
    positive = grid.truth == POSITIVE
    if not grid.strict:
        positive |= grid.truth == UNCERTAIN
    for name, classes in _SETS:
        kept = list(columns_in(classes))
        truth = positive[:, kept].astype(np.float64)
        for average, suffix in (("micro", ""), ("macro", "_macro")):
            rate = f1_rate(average, len(classes))  # type: ignore[arg-type]  # both are names of an average

            def measure(condition: int, used: Flags, truth: Numbers = truth, kept: list[int] = kept, rate: Rate = rate) -> Measure:  # fmt: skip  # noqa: E501
                said = grid.said[:, condition, :][:, kept]
                counts = [said * truth, said * (1.0 - truth), (1.0 - said) * truth]
                columns = [np.where(used, block[:, at], 0.0) for block in counts for at in range(len(kept))]
                return Measure(tuple(columns), {"": rate}, used)

            yield from _levels(grid, f"f1_{name}{suffix}", f"delta_fn_{name}{suffix}", measure, told)


def report_statistics(
    grid: Grid, outcomes: pl.DataFrame, plan: Plan, metrics: Mapping[str, ReportMetric]
) -> Iterator[Statistic]:
    """Report metrics from the statistics that the outcomes hold."""
    case, condition = plan.trials["case"].to_numpy(), plan.trials["condition"].to_numpy()
    shape = (len(plan.keys), len(plan.conditions))
    for spelling, metric in metrics.items():
        names = [name for name in outcomes.columns if name.startswith(f"{spelling}:")]
        if not names:
            continue
        values = outcomes.select(names).to_numpy()
        known = ~np.isnan(values).any(axis=1)
        count = np.zeros(shape)
        np.add.at(count, (case[known], condition[known]), 1.0)
        sums = np.zeros((*shape, len(names)))
        np.add.at(sums, (case[known], condition[known]), values[known])
        means = sums / np.maximum(count, 1.0)[:, :, None]

        def measure(number: int, used: Flags, means: Numbers = means, metric: ReportMetric = metric) -> Measure:
            columns = tuple(np.where(used, means[:, number, at], 0.0) for at in range(means.shape[2]))
            return Measure(columns, {"": metric.rate}, used)

        yield from _levels(grid, spelling, f"delta_fn_{spelling}", measure, grid.finding < 0, count > 0)


def _levels(
    grid: Grid, metric: str, drop: str, measure: partial[Measure] | object, among: Flags, known: Flags | None = None
) -> Iterator[Statistic]:
    """A metric under every condition of the whole image, and real minus noise all over."""
    build = measure
    assert callable(build)
    there = grid.answered if known is None else known
    whole = [number for number in range(len(grid.conditions)) if (grid.applies[:, number] & (grid.finding < 0)).any()]

    def sets(needed: Sequence[int]) -> tuple[Flags, Flags]:
        able = there[:, list(needed)].all(axis=1) & among
        failed = grid.failed(needed) & among
        return np.asarray(able, dtype=bool), failed

    for number in whole:
        able, failed = sets([number])
        yield Statistic(metric, grid.conditions[number], "", "all", able, failed, partial(build, number))
    real, noise = grid.index("real"), grid.index("fullnoise")
    if real is None or noise is None:
        return

    def dropped(used: Flags) -> Measure:
        return minus(build(real, used), build(noise, used))

    able, failed = sets([real, noise])
    yield Statistic(drop, "fullnoise", "real", "all", able, failed, dropped, difference=True)
