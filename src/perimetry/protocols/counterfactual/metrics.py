"""The metrics of the counterfactual audit as per-item statistics (CORAL section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from perimetry.runs.contrasts import Pair
from perimetry.runs.cube import Codes, Cube, Flags, cell_mean
from perimetry.runs.statistic import CellStatistic

__all__ = ["cell_statistics"]


def cell_statistics(cube: Cube) -> Iterator[CellStatistic]:
    """Every metric that the conditions of a run allow.

    With d(c, i) = 1 where the extracted answer of item i under condition c is right and a(c, i) that answer:
    ``accuracy`` per condition; ``vrs``, ``bd``, ``hn_gap`` = accuracy under real minus that under shuffle, blank,
    hardneg; ``is_pred`` = share with a(real) = a(shuffle), ``is_raw`` the same on raw text; ``vbr`` = share right
    under real and wrong under noimage; ``vhr`` = share right under shuffle and wrong under real;
    ``retest_agreement`` = share with a(real) = a(retest); ``is_excess`` = retest_agreement - is_pred and
    ``flip_excess`` per condition, all three on the items that have a retest; ``unparsed`` per condition.

    Parameters
    ----------
    cube : Cube

    Yields
    ------
    CellStatistic
        With R repeats, pairwise metrics pair equal repeat indices and average; McNemar uses the first repeat.
    """
    for position, name in enumerate(cube.conditions):
        observed = cube.complete(position)
        failed = cube.failed(position)
        outcome = (cube.correct[:, position, 0], observed[:, 0])
        accuracy = cell_mean(cube.correct[:, position], observed)
        yield CellStatistic("accuracy", name, "", *accuracy, failed, outcome=outcome)
        known = observed & ~np.isnan(cube.overlap[:, position])
        if known.any():
            overlap = np.nan_to_num(cube.overlap[:, position])
            yield CellStatistic("token_f1", name, "", *cell_mean(overlap, known), failed)
        unparsed = cube.answers[:, position] < 0
        yield CellStatistic("unparsed", name, "", *cell_mean(unparsed, observed), failed)
    real = cube.index("real")
    if real is None:
        return
    yield from _gaps(cube, real)
    shuffle, noimage = cube.index("shuffle"), cube.index("noimage")
    if shuffle is not None:
        both, failed = cube.complete(real, shuffle), cube.failed(real, shuffle)
        same_text = cube.texts[:, real] == cube.texts[:, shuffle]
        yield CellStatistic("is_pred", "shuffle", "real", *cell_mean(_same(cube, real, shuffle), both), failed)
        yield CellStatistic("is_raw", "shuffle", "real", *cell_mean(same_text, both), failed)
        harmed = cube.correct[:, shuffle] & ~cube.correct[:, real]
        yield CellStatistic("vhr", "shuffle", "real", *cell_mean(harmed, both), failed)
    if noimage is not None:
        both, failed = cube.complete(real, noimage), cube.failed(real, noimage)
        helped = cube.correct[:, real] & ~cube.correct[:, noimage]
        yield CellStatistic("vbr", "noimage", "real", *cell_mean(helped, both), failed)
    retest = cube.index("retest")
    if retest is not None:
        yield from _noise_floor(cube, real, retest)


def _gaps(cube: Cube, real: int) -> Iterator[CellStatistic]:
    """Accuracy under real minus accuracy under a change; every change but those with a name of their own is a gap."""
    named = {"shuffle": "vrs", "blank": "bd", "hardneg": "hn_gap"}
    for position, name in enumerate(cube.conditions):
        if name in ("real", "retest"):
            continue
        both = cube.complete(real, position)
        change = cube.correct[:, real].astype(np.float64) - cube.correct[:, position]
        pair = Pair(cube.correct[:, real, 0], cube.correct[:, position, 0], both[:, 0])
        failed = cube.failed(real, position)
        metric = named.get(name, "accuracy_gap")
        yield CellStatistic(metric, name, "real", *cell_mean(change, both), failed, pair)


def _noise_floor(cube: Cube, real: int, retest: int) -> Iterator[CellStatistic]:
    """How often the model changes its answer when nothing changes, and how much oftener when something does."""
    both = cube.complete(real, retest)
    steady = _same(cube, real, retest)
    yield CellStatistic("retest_agreement", "retest", "real", *cell_mean(steady, both), cube.failed(real, retest))
    for position, name in enumerate(cube.conditions):
        if position in (real, retest):
            continue
        observed = cube.complete(real, retest, position)
        excess = steady.astype(np.float64) - _same(cube, real, position)
        failed = cube.failed(real, retest, position)
        numerator, denominator = cell_mean(excess, observed)
        if name == "shuffle":
            yield CellStatistic("is_excess", name, "real", numerator, denominator, failed)
        yield CellStatistic("flip_excess", name, "real", numerator, denominator, failed)


def _same(cube: Cube, first: int, second: int) -> Flags:
    """Where two conditions give the same extracted answer; a missing answer equals nothing: (items, repeats)."""
    answers: Codes = cube.answers
    return np.asarray((answers[:, first] == answers[:, second]) & (answers[:, first] >= 0), dtype=bool)
