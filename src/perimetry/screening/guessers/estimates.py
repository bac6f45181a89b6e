"""How far the guessers get: accuracy against chance, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.runs.contrasts import draw_contrasts
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items, Term
from perimetry.screening.guessers.encoding import GUESSERS
from perimetry.screening.guessers.null import CHANCE, SHUFFLED, with_null
from perimetry.statistics import Resampling, difference, pooled, ratio, two_sided_p

__all__ = ["CHANCE", "PROTOCOL", "SHUFFLED", "VERSION", "accuracy_contrast", "estimate_guesses", "with_pooled"]

Numbers = NDArray[np.float64]

PROTOCOL = "guess"
VERSION = "guesser-1"


def estimate_guesses(
    predictions: pl.DataFrame, *, resamples: int = 10_000, seed: int = 42, level: float = 0.95
) -> list[Estimate]:
    """Estimate accuracy, its distance from chance, and the sanity check, per data set, pooled and as their mean.

    Rows of the tidy table: the model is ``guesser:NAME``, or ``chance`` for the mean share of keys among the options;
    ``condition`` is the setting of the lattice that shows the same parts; the distance from chance has the comparator
    ``chance``, that of the second guesser from the first ``model:guesser:options``. Strata are ``all`` and
    ``options=K``. ``pooled`` is all items together (MedQA-MM, Table 10, last row). Intervals take the guesses as they
    are; p of a gain over chance, and the sanity check, rest on the draws of shuffled keys (see `with_null`).

    Parameters
    ----------
    predictions : polars.DataFrame
        See `PREDICTIONS`.
    resamples, seed, level
        Of the paired bootstrap over groups within data sets.

    Returns
    -------
    list of Estimate

    Examples
    --------
    >>> from perimetry.screening.guessers.crossfit import cross_fit
    >>> from perimetry.screening.guessers.item import GuessItem
    >>> items = [GuessItem("d", f"{n:03}", str(n), f"Item {n}?",
    ...                    (("A", f"thing {n} (sic)"), ("B", f"other {n} yes")), ("A",)) for n in range(60)]
    >>> rows = estimate_guesses(cross_fit(items, shuffles=0).predictions, resamples=100)
    >>> [(row.model, row.comparator, row.value) for row in rows if row.dataset == "d"][:3]
    [('chance', '', 0.5), ('guesser:options', '', 1.0), ('guesser:options', 'chance', 0.5)]
    """
    first = predictions.filter((pl.col("guesser") == predictions["guesser"][0]) & (pl.col("shuffle") == 0))
    items = Items(tuple(first["dataset"].to_list()), tuple(first["group"].to_list()))
    contrasts = list(_contrasts(predictions, first))
    drawn = list(draw_contrasts(contrasts, items, resamples=resamples, seed=seed, level=level))
    rows = []
    for one in drawn:
        row = one.estimate
        if one.contrast.difference and one.distribution is not None and one.distribution.groups > 1:
            p_value = two_sided_p(one.distribution.samples)
            row = replace(row, p_value=p_value, method=f"{row.method}; two-sided p of the resamples")
        rows.append(row)
    whole = with_pooled(rows, contrasts, items, resamples=resamples, seed=seed, level=level)
    return with_null(whole, predictions)


def accuracy_contrast(
    row: Estimate, correct: Numbers, used: NDArray[np.bool_], against: Numbers | None = None
) -> Contrast:
    """The mean of a column over some items, or its mean distance from another column on the same items."""
    ones = used.astype(np.float64)
    terms = [Term(np.where(used, correct, 0.0), ones)]
    if against is not None:
        terms.append(Term(np.where(used, against, 0.0), ones, -1))
    return Contrast(row, tuple(terms), np.zeros(len(used), dtype=bool), difference=against is not None)


def with_pooled(
    rows: Sequence[Estimate],
    contrasts: Iterable[Contrast],
    items: Items,
    *,
    resamples: int,
    seed: int,
    level: float,
) -> list[Estimate]:
    """The rows, and where there are several data sets one row ``pooled`` a contrast over all items together."""
    plan = Resampling.from_groups(items.groups, items.datasets, resamples=resamples, seed=seed)
    if len(plan.strata) < 2:
        return list(rows)
    found = list(rows)
    for contrast in contrasts:
        columns = [column for term in contrast.terms for column in term.columns]
        # Every contrast here is a mean of a column, or the difference of two.
        rate = ratio(0, 1) if len(contrast.terms) == 1 else difference(ratio(0, 1), ratio(2, 3))
        result = plan.resample(np.column_stack(columns)).estimate(pooled(rate), level=level)
        used = contrast.terms[0].counted
        found.append(
            replace(
                contrast.estimate,
                dataset="pooled",
                value=result.value,
                ci_low=result.ci_low,
                ci_high=result.ci_high,
                level=level,
                n=int(used.sum()),
                groups=int(np.unique(plan.codes[used]).size),
                p_positive=result.p_positive if contrast.difference else float("nan"),
                method=f"paired bootstrap of groups within data sets, {resamples} resamples, percentile; items pooled",
                seed=seed,
            )
        )
    return found


def _contrasts(predictions: pl.DataFrame, first: pl.DataFrame) -> Iterator[Contrast]:
    chance = first["chance"].to_numpy()
    counts = first["options"].to_numpy()
    strata = {"all": np.ones(len(counts), dtype=bool)}
    distinct = sorted(set(counts.tolist()))
    if len(distinct) > 1:
        strata |= {f"options={count}": counts == count for count in distinct}
    names = list(dict.fromkeys(predictions["guesser"].to_list()))
    true = {name: _correct(predictions, name, shuffled=False) for name in names}
    drawn = {name: _correct(predictions, name, shuffled=True) for name in names}
    for stratum, used in strata.items():
        base = Estimate(PROTOCOL, "", CHANCE, "accuracy", stratum=stratum, version=VERSION)
        yield accuracy_contrast(base, chance, used)
        for name in names:
            guesser = GUESSERS[name]
            row = replace(base, model=guesser.model, condition=guesser.condition, direction="higher")
            correct = true[name]
            assert correct is not None
            yield accuracy_contrast(row, correct, used)
            yield accuracy_contrast(replace(row, comparator=CHANCE), correct, used, chance)
            shuffled = drawn[name]
            if shuffled is not None:
                yield accuracy_contrast(replace(row, metric=SHUFFLED), shuffled, used)
                yield accuracy_contrast(replace(row, metric=SHUFFLED, comparator=CHANCE), shuffled, used, chance)
        for name in names[1:]:
            one, other = GUESSERS[name], GUESSERS[names[0]]
            row = replace(base, model=one.model, condition=one.condition, direction="higher")
            correct, against = true[name], true[names[0]]
            assert correct is not None
            yield accuracy_contrast(replace(row, comparator=f"model:{other.model}"), correct, used, against)


def _correct(predictions: pl.DataFrame, name: str, *, shuffled: bool) -> Numbers | None:
    """Correctness of each item, averaged over the draws where keys were shuffled."""
    own = predictions.filter(
        (pl.col("guesser") == name) & ((pl.col("shuffle") > 0) if shuffled else (pl.col("shuffle") == 0))
    )
    if own.is_empty():
        return None
    times = own["shuffle"].n_unique()
    # Each draw holds all items in one and the same order.
    return np.asarray(own["correct"].to_numpy().astype(np.float64).reshape(times, -1).mean(axis=0))
