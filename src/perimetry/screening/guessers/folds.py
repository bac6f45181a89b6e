"""Folds: items that share an identity stay together, and no order of items matters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import UsageError
from perimetry.screening.guessers.identity import Identities
from perimetry.screening.guessers.item import GuessItem
from perimetry.statistics import stream_key

__all__ = ["blocks_of", "folds_of"]

Places = NDArray[np.int64]


def blocks_of(identities: Identities, count: int) -> Places:
    """The block of each item: items linked by any chain of shared identities.

    Parameters
    ----------
    identities : Identities
    count : int
        Number of items.

    Returns
    -------
    int array, (count,)
        The lowest position among the items of the block.
    """
    parent = list(range(count))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for kind, rows in identities.values.items():
        first: dict[str, int] = {}
        for place, row in enumerate(rows):
            for value in row:
                one, two = sorted((root(place), root(first.setdefault(f"{kind}:{value}", place))))
                parent[two] = one
    return np.fromiter((root(place) for place in range(count)), np.int64, count)


def folds_of(items: Sequence[GuessItem], blocks: Places, folds: int, seed: int) -> Places:
    """The fold of each item: whole blocks, the largest first, each into the fold that has fewest of its data set.

    Parameters
    ----------
    items : sequence of GuessItem
        In the order of data set and id.
    blocks : int array, (items,)
        From `blocks_of`.
    folds : int
        2 or more.
    seed : int
        Decides between blocks of one size and between folds that are equally full (stream ``guess-folds``).

    Returns
    -------
    int array, (items,)

    Raises
    ------
    UsageError
        For fewer than two folds, or fewer blocks than folds.

    Examples
    --------
    >>> from perimetry.screening.guessers.identity import identities
    >>> items = [GuessItem("d", f"{n:02}", str(n // 2), f"Item {n}?", (("A", f"a{n}"), ("B", "b")), ("A",))
    ...          for n in range(20)]
    >>> folds = folds_of(items, blocks_of(identities(items), 20), 5, 42)
    >>> np.bincount(folds).tolist(), bool((folds[::2] == folds[1::2]).all())
    ([4, 4, 4, 4, 4], True)
    """
    if folds < 2:
        raise UsageError(f"--folds is {folds}; at least 2 were expected: one to train on and one to guess.")
    members: dict[int, list[int]] = defaultdict(list)
    for place, block in enumerate(blocks.tolist()):
        members[block].append(place)
    if len(members) < folds:
        raise UsageError(
            f"{len(items):,} usable items fall into {len(members):,} blocks that share a stem, an image or a group, "
            f"and {folds} folds were asked for. Give more items or fewer --folds."
        )
    keys = {
        block: stream_key(seed, "guess-folds", items[places[0]].dataset, items[places[0]].id)
        for block, places in members.items()
    }
    held: list[Counter[str]] = [Counter() for _ in range(folds)]
    totals = [0] * folds
    assigned = np.zeros(len(items), dtype=np.int64)
    for block in sorted(members, key=lambda it: (-len(members[it]), keys[it])):
        places = members[block]
        names = Counter(items[place].dataset for place in places)
        main = min(names, key=lambda name: (-names[name], name))
        fold = min(range(folds), key=lambda it: (held[it][main], totals[it], it))
        held[fold].update(names)
        totals[fold] += len(places)
        assigned[places] = fold
    return assigned
