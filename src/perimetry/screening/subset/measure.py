"""Before and after: how guessers and models do on all items, on those that were kept, and on a random filter's."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.runs.contrasts import draw_contrasts
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items
from perimetry.screening.guessers.encoding import GUESSERS
from perimetry.screening.guessers.estimates import accuracy_contrast, with_pooled
from perimetry.screening.subset.answers import Divided
from perimetry.screening.tiers import Inputs
from perimetry.screening.tiers.inputs import SETTINGS_OF_LATTICE
from perimetry.statistics import permutation, two_sided_p

__all__ = ["CHOOSERS", "FILTERS", "PROTOCOL", "Reporter", "measure", "random_filter", "reporters"]

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

PROTOCOL = "subset"
VERSION = "subset-1"
FILTERS = 1000
CHOOSERS = "accuracy_of_choosers"
"""Metric of answers that took part in choosing: their drop is made by the choice itself, and is shown apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Reporter:
    """Answers of one guesser, or of one model in one setting, by item.

    Parameters
    ----------
    model, setting : str
    chose : bool
        Whether these answers took part in choosing.
    correct : float array, (items,)
        Mean over repeats.
    seen : bool array, (items,)
        Items with an answer.
    """

    model: str
    setting: str
    chose: bool
    correct: Numbers = field(repr=False)
    seen: Flags = field(repr=False)


def reporters(inputs: Inputs, divided: Divided, choosing: frozenset[str]) -> tuple[Reporter, ...]:
    """Everybody whose accuracy can be told: those that did not choose first."""
    place = {key: number for number, key in enumerate(inputs.items.select("dataset", "case_id").iter_rows())}
    found = []
    for name, guesser in GUESSERS.items():
        own = inputs.guesses.filter(pl.col("guesser") == name)
        if not own.is_empty():
            rows = own.select("dataset", "case_id", pl.col("correct").cast(pl.Float64))
            found.append(Reporter(guesser.model, guesser.condition, name in choosing, *_columns(rows, place)))
    for table, chose in ((divided.reporting, False), (divided.choosing, True)):
        means = table.group_by("model", "setting", "dataset", "case_id").agg(pl.col("correct").mean())
        for model, setting in means.select("model", "setting").unique().sort("model", "setting").iter_rows():
            own = means.filter((pl.col("model") == model) & (pl.col("setting") == setting))
            found.append(Reporter(model, setting, chose, *_columns(own.select("dataset", "case_id", "correct"), place)))
    order = list(dict.fromkeys(SETTINGS_OF_LATTICE.values()))
    return tuple(
        sorted(found, key=lambda it: (it.chose, not it.model.startswith("guesser:"), it.model, order.index(it.setting)))
    )


def _columns(rows: pl.DataFrame, place: dict[tuple[str, ...], int]) -> tuple[Numbers, Flags]:
    correct, seen = np.zeros(len(place)), np.zeros(len(place), dtype=bool)
    for dataset, item, value in rows.iter_rows():
        number = place[dataset, item]
        correct[number], seen[number] = value, True
    return correct, seen


def random_filter(datasets: Sequence[str], kept: Flags, seed: int, draw: int) -> Flags:
    """A filter that keeps as many items of each data set as `kept` does, drawn at random.

    Parameters
    ----------
    datasets : sequence of str, one an item
    kept : bool array, (items,)
    seed, draw : int
        Of the stream ``subset-random``.

    Examples
    --------
    >>> kept = np.array([True, False, False, True])
    >>> int(random_filter(["a", "a", "a", "b"], kept, 42, 0)[:3].sum())
    1
    """
    names = np.asarray(datasets)
    chosen = np.zeros(len(names), dtype=bool)
    for name in sorted(set(datasets)):
        own = np.flatnonzero(names == name)
        order = permutation(seed, "subset-random", name, draw, size=len(own))
        chosen[own[order[: int(kept[own].sum())]]] = True
    return chosen


def measure(
    inputs: Inputs, kept: Flags, told: Sequence[Reporter], *, resamples: int = 10_000, seed: int = 42
) -> list[Estimate]:
    """Estimate every reporter on all items (stratum ``all``), the kept and the removed ones, and after a random filter.

    Differences from all items have the comparator ``all``: they are paired by a bootstrap over groups. Stratum
    ``random`` holds the mean over 1,000 random filters of the same size, with the range of 95% of them. The row of the
    kept items with the comparator ``random`` is their accuracy less the mean after 1,000 random filters of the same
    size; its interval is that of the filters, and its p their share that lies at least as far from their mean.

    Parameters
    ----------
    inputs : Inputs
    kept : bool array, (items,)
    told : sequence of Reporter
    resamples, seed : int

    Returns
    -------
    list of Estimate
    """
    datasets = inputs.items["dataset"].to_list()
    items = Items(tuple(datasets), tuple(inputs.items["group"].to_list()))
    strata = {"all": np.ones(len(kept), dtype=bool), "kept": kept, "removed": ~kept}
    contrasts = list(_contrasts(inputs, strata, told))
    rows = []
    for one in draw_contrasts(contrasts, items, resamples=resamples, seed=seed):
        row = one.estimate
        if one.contrast.difference and one.distribution is not None and one.distribution.groups > 1:
            row = replace(row, p_value=two_sided_p(one.distribution.samples))
        rows.append(row)
    rows = with_pooled(rows, contrasts, items, resamples=resamples, seed=seed, level=0.95)
    return [*rows, *_against_random(datasets, kept, told, seed)]


def _contrasts(inputs: Inputs, strata: dict[str, Flags], told: Sequence[Reporter]) -> Iterator[Contrast]:
    chance = inputs.items["chance"].to_numpy().astype(np.float64)
    known = ~np.isnan(chance)
    if known.any():
        for stratum, inside in strata.items():
            row = Estimate(PROTOCOL, "", "chance", "accuracy", stratum=stratum, version=VERSION)
            yield accuracy_contrast(row, np.nan_to_num(chance), inside & known)
    for one in told:
        metric = CHOOSERS if one.chose else "accuracy"
        base = Estimate(PROTOCOL, "", one.model, metric, one.setting, version=VERSION)
        whole = accuracy_contrast(base, one.correct, one.seen)
        for stratum, inside in strata.items():
            part = accuracy_contrast(replace(base, stratum=stratum), one.correct, one.seen & inside)
            yield part
            if stratum != "all":
                yield replace(
                    part,
                    estimate=replace(part.estimate, comparator="all"),
                    terms=(part.terms[0], replace(whole.terms[0], sign=-1)),
                    difference=True,
                )


def _against_random(datasets: Sequence[str], kept: Flags, told: Sequence[Reporter], seed: int) -> Iterator[Estimate]:
    names = np.asarray(datasets)
    known = sorted(set(datasets))
    filters = [random_filter(datasets, kept, seed, draw) for draw in range(1, FILTERS + 1)]
    for one in told:
        for name in [*known, *(["pooled"] if len(known) > 1 else [])]:
            own = one.seen & ((names == name) | (name == "pooled"))
            before, after = _mean(one.correct, own), _mean(one.correct, own & kept)
            drawn = np.array([_mean(one.correct, own & chosen) for chosen in filters])
            drawn = drawn[~np.isnan(drawn)]
            if math.isnan(after) or not drawn.size:
                continue
            middle = float(drawn.mean())
            # Where every filter gives the same, rounding must not make a difference.
            far = np.abs(drawn - middle) >= abs(after - middle) - 1e-12
            low, high = (float(it) for it in np.quantile(drawn, [0.025, 0.975]))
            base = Estimate(
                PROTOCOL,
                name,
                one.model,
                CHOOSERS if one.chose else "accuracy",
                one.setting,
                "",
                "random",
                value=middle,
                ci_low=low,
                ci_high=high,
                n=int((own & kept).sum()),
                version=VERSION,
                method=f"mean and range of {drawn.size} random filters of the same size",
                seed=seed,
            )
            yield base
            yield replace(base, comparator="all", value=middle - before, ci_low=low - before, ci_high=high - before)
            yield replace(
                base,
                comparator="random",
                stratum="kept",
                value=after - middle,
                ci_low=after - high,
                ci_high=after - low,
                p_value=(1 + int(far.sum())) / (1 + drawn.size),
                method=f"against {drawn.size} random filters of the same size",
            )


def _mean(values: Numbers, used: Flags) -> float:
    return float(values[used].mean()) if used.any() else math.nan
