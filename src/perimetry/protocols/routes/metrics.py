"""The metrics of the route audit as per-item statistics (MedQA-MM, modality lattice and option orders)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from perimetry.runs.cube import Codes, Cube, Flags, cell_mean
from perimetry.runs.statistic import CellStatistic
from perimetry.runs.terms import Pair

__all__ = ["FULL", "ORDER", "Places", "lattice_statistics", "order_statistics"]

FULL, ORDER = "full", "order"

# What a route shows more than the other (MedQA-MM Table 23), and what the gain is called.
_GAINS = (
    ("gain_text", "textonly", "optionsonly"),
    ("gain_image", "imageoptions", "optionsonly"),
    ("gain_full", FULL, "optionsonly"),
    ("image_effect", FULL, "textonly"),
)


@dataclass(frozen=True, slots=True)
class Places:
    """Where the chosen option and the key stood, trial by trial.

    Parameters
    ----------
    chosen : int64 array, (items, conditions, repeats)
        Place of the chosen option as it was shown, from 1; 0 where no answer was read or it names no option.
    key : int64 array, (items, conditions)
        Place of the key as it was shown, from 1; 0 where the condition does not apply.
    """

    chosen: Codes
    key: Codes


def lattice_statistics(cube: Cube, chance: Sequence[float]) -> Iterator[CellStatistic]:
    """Accuracy by route, what it leaves unread, its distance to chance, the gains, and the union of the bare routes.

    Gains are paired: both routes on the same items and, with repeats, the same repeat numbers. ``union`` counts an
    item that ``textonly`` or ``optionsonly`` answers rightly.

    Parameters
    ----------
    cube : Cube
    chance : sequence of float, one an item
        1/K; nan where there is no chance level.
    """
    level = np.asarray(chance, dtype=np.float64)
    known = ~np.isnan(level)
    for position, name in enumerate(cube.conditions):
        if name.startswith(ORDER):
            continue
        observed, failed = cube.complete(position), cube.failed(position)
        outcome = (cube.correct[:, position, 0], observed[:, 0])
        accuracy = cell_mean(cube.correct[:, position], observed)
        yield CellStatistic("accuracy", name, "", *accuracy, failed, outcome=outcome)
        above = np.where(known & (accuracy[1] > 0), accuracy[0] - np.nan_to_num(level), 0.0)
        yield CellStatistic("above_chance", name, "", above, accuracy[1] * known, failed)
        unparsed = cube.answers[:, position] < 0
        yield CellStatistic("unparsed", name, "", *cell_mean(unparsed, observed), failed)
    for metric, more, less in _GAINS:
        left, right = cube.index(more), cube.index(less)
        if left is None or right is None:
            continue
        both = cube.complete(left, right)
        change = cube.correct[:, left].astype(np.float64) - cube.correct[:, right]
        pair = Pair(cube.correct[:, left, 0], cube.correct[:, right, 0], both[:, 0])
        yield CellStatistic(metric, more, less, *cell_mean(change, both), cube.failed(left, right), pair)
    text, options = cube.index("textonly"), cube.index("optionsonly")
    if text is not None and options is not None:
        either = cube.correct[:, text] | cube.correct[:, options]
        both = cube.complete(text, options)
        yield CellStatistic("union", "textonly", "optionsonly", *cell_mean(either, both), cube.failed(text, options))


def order_statistics(cube: Cube) -> Iterator[CellStatistic]:
    """``order_consistency`` and ``order_gap`` over the given order and the others that a run has.

    Consistency of an item is the mean over pairs of orders (and repeats) of whether the same option was chosen; an
    answer that could not be read is no choice and equals none. The gap is accuracy in the given order minus the mean
    over the others, on items with both.
    """
    full = cube.index(FULL)
    others = [index for index, name in enumerate(cube.conditions) if name.startswith(ORDER)]
    orders = [*([full] if full is not None else []), *others]
    if len(orders) < 2:
        return
    same, seen = np.zeros(cube.items), np.zeros(cube.items)
    for first, second in combinations(orders, 2):
        equal: Flags = (cube.answers[:, first] == cube.answers[:, second]) & (cube.answers[:, first] >= 0)
        mean, observed = cell_mean(equal, cube.complete(first, second))
        same += mean
        seen += observed
    consistency = np.divide(same, seen, out=np.zeros(cube.items), where=seen > 0)
    failed = _all_failed(cube, orders)
    comparator = FULL if full is not None else ""
    yield CellStatistic("order_consistency", ORDER, comparator, consistency, (seen > 0).astype(np.float64), failed)
    if full is None:
        return
    given, there = cell_mean(cube.correct[:, full], cube.complete(full))
    total, count = np.zeros(cube.items), np.zeros(cube.items)
    for index in others:
        mean, observed = cell_mean(cube.correct[:, index], cube.complete(index))
        total += mean
        count += observed
    both = (there > 0) & (count > 0)
    turned = np.divide(total, count, out=np.zeros(cube.items), where=count > 0)
    yield CellStatistic("order_gap", FULL, ORDER, np.where(both, given - turned, 0.0), both.astype(np.float64), failed)


def _all_failed(cube: Cube, conditions: Sequence[int]) -> Flags:
    """Items with a failed request under one of these conditions and no answer under any pair of them."""
    applies = cube.applies[:, list(conditions)].sum(axis=1) > 1
    answered = cube.answered[:, list(conditions)].any(axis=2).sum(axis=1) > 1
    return np.asarray(applies & ~answered, dtype=bool)
