"""Which pairs are rated, what stands where, and who rates what: all from one seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from perimetry.protocols.review.pairs import Pair
from perimetry.protocols.review.task import Task
from perimetry.statistics.streams import permutation, raw_integers

__all__ = ["Item", "draw_items", "draw_pairs", "shared_out"]

Side = Literal["original", "alternative"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to rate.

    Parameters
    ----------
    id : str
        Says nothing of the pair.
    pair : int
        Place in the list of pairs.
    first : {"original", "alternative"}
        What is shown, or shown as report A.
    """

    id: str
    pair: int
    first: Side


def draw_pairs(pairs: Sequence[Pair], per_variation: int | None, seed: int) -> tuple[Pair, ...]:
    """Draw so many pairs of each data set and variation; all where `per_variation` is None.

    Returns
    -------
    tuple of Pair
        The same whatever the order of `pairs`; fewer where a cell has fewer.

    Examples
    --------
    >>> pairs = [Pair(str(n), "hedging", "a", "b") for n in range(9)]
    >>> len(draw_pairs(pairs, 4, 42)), draw_pairs(pairs, 4, 42) == draw_pairs(pairs[::-1], 4, 42)
    (4, True)
    """
    cells: dict[tuple[str, str], list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: pair.key):
        cells.setdefault((pair.dataset, pair.variation), []).append(pair)
    drawn: list[Pair] = []
    for (dataset, variation), members in cells.items():
        order = permutation(seed, "review/pairs", dataset, variation, size=len(members)).tolist()
        kept = order if per_variation is None else order[:per_variation]
        drawn += [members[place] for place in sorted(kept)]
    return tuple(drawn)


def draw_items(task: Task, pairs: Sequence[Pair], seed: int) -> tuple[Item, ...]:
    """Make the items of a task, numbered in the order in which they are shown.

    Where original and alternative are rated each by itself, a coin decides which comes in the first half; the other one
    follows at least half as many items later as there are pairs.

    Examples
    --------
    >>> from perimetry.protocols.review.task import read_task
    >>> pairs = [Pair(str(n), "hedging", "a", "b") for n in range(4)]
    >>> [item.id for item in draw_items(read_task("realism"), pairs, 42)][:2]
    ['realism-001', 'realism-002']
    """
    count = len(pairs)
    coins = (raw_integers(seed, "review/side", task.name, size=count) >> 63).tolist() if count else []
    sides: list[Side] = ["alternative" if coin else "original" for coin in coins]
    order = permutation(seed, "review/order", task.name, size=count).tolist() if count else []
    shown: list[tuple[int, Side]]
    if task.shows == "pair":
        shown = [(place, sides[place]) for place in order]
    elif task.shows == "alternative":
        shown = [(place, "alternative") for place in order]
    else:
        shown = [(place, sides[place]) for place in order]
        for number, part in enumerate((order[: count // 2], order[count // 2 :])):
            again = permutation(seed, "review/order/again", task.name, number, size=len(part)).tolist() if part else []
            shown += [(part[k], "original" if sides[part[k]] == "alternative" else "alternative") for k in again]
    digits = max(3, len(str(len(shown))))
    return tuple(Item(f"{task.name}-{number:0{digits}d}", *it) for number, it in enumerate(shown, start=1))


def shared_out(items: Sequence[str], raters: Sequence[str], each: int, seed: int, name: str) -> dict[str, list[str]]:
    """Give every item to `each` raters, as evenly as can be, every pairing of raters as often as the others.

    Parameters
    ----------
    items, raters : sequence of str
    each : int
        At most as many as there are raters.
    seed : int
    name : str
        Of the stream.

    Returns
    -------
    dict of str to list of str
        Item to its raters.

    Examples
    --------
    >>> shared_out(["i1", "i2"], ["ann", "bob"], 2, 42, "realism")["i1"]
    ['ann', 'bob']
    """
    from itertools import combinations

    teams = list(combinations(raters, each))
    mixed = [teams[k] for k in permutation(seed, "review/teams", name, size=len(teams)).tolist()]
    order = permutation(seed, "review/deal", name, size=len(items)).tolist() if items else []
    held = {items[place]: list(mixed[k % len(mixed)]) for k, place in enumerate(order)}
    return {item: held[item] for item in items}
