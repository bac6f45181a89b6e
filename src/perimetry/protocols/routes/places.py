"""Position bias: places of the chosen options against places of the key, over all orders of a run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from perimetry.protocols.routes.metrics import FULL, ORDER, Places
from perimetry.runs.cube import Cube, Flags, Numbers
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, RateTerm, Term
from perimetry.scoring.routes import routes_info
from perimetry.statistics.arrays import FloatArray
from perimetry.statistics.finishes import divide

__all__ = ["place_contrasts"]


def place_contrasts(cube: Cube, places: Places, row: Estimate) -> Iterator[Contrast]:
    """For each place the share of answers there, its excess over the keys', and accuracy where the key stood there.

    All trials of the given order and of the other orders count in which an answer was read; an item weighs as much as
    it has such trials. ``position_bias`` is the total variation distance between both distributions of places: 0 where
    answers are spread as keys are. A sample's distance is above 0 by chance alone, and its interval lies too high by
    as much: `position_excess` tells which place draws answers.

    Parameters
    ----------
    cube : Cube
    places : Places
    row : Estimate
        Protocol and model of the estimates.
    """
    asked = [index for index, name in enumerate(cube.conditions) if name == FULL or name.startswith(ORDER)]
    used = [index for index in asked if cube.answered[:, index].any()]  # recorded answers mostly have one order
    if not used:
        return
    condition = ORDER if len(used) > 1 else cube.conditions[used[0]]
    chosen, key = places.chosen[:, used], places.key[:, used, None]
    read = (chosen > 0) & (key > 0)
    trials: Numbers = read.sum(axis=(1, 2)).astype(np.float64)
    missing: Flags = np.asarray(
        cube.applies[:, used].any(axis=1) & ~cube.answered[:, used].any(axis=(1, 2)), dtype=bool
    )
    excesses: list[Numbers] = []
    for place in range(1, int(places.key.max(initial=0)) + 1):
        here: Flags = read & (chosen == place)
        there: Flags = read & (key == place)
        share, keys = (np.asarray(flags.sum(axis=(1, 2)), dtype=np.float64) for flags in (here, there))
        excesses.append(share - keys)
        stratum = f"place {place}"
        yield _contrast(row, "position_share", condition, stratum, (Term(share, trials),), missing)
        yield _contrast(row, "position_excess", condition, stratum, (Term(share - keys, trials),), missing)
        right = np.asarray((here & there).sum(axis=(1, 2)), dtype=np.float64)
        yield _contrast(row, "accuracy", condition, f"key at {place}", (Term(right, keys),), missing)
    if excesses:
        term = RateTerm((*excesses, trials), _total_variation, trials > 0)
        yield _contrast(row, "position_bias", condition, "all", (term,), missing)


def _total_variation(sums: FloatArray) -> FloatArray:
    """Half the summed distance; the last column counts the trials."""
    distance: FloatArray = np.abs(sums[..., :-1]).sum(axis=-1) / 2.0
    return divide(distance, sums[..., -1])


def _contrast(
    row: Estimate, metric: str, condition: str, stratum: str, terms: tuple[Term | RateTerm, ...], missing: Flags
) -> Contrast:
    info = routes_info(metric)
    named = Estimate(
        row.protocol, "", row.model, metric, condition, "", stratum, direction=info.direction, version=info.version
    )
    return Contrast(named, terms, missing, difference=info.low < 0)
