"""Items of nearly the same text, found by MinHash (Broder 1997): bounded memory, no dependence on order."""

from __future__ import annotations

from collections import defaultdict
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perimetry.screening.item import Item

__all__ = ["NearDuplicates"]

HASHES = 16
BAND = 4
SHINGLE = 3
ALIKE = 13
"""Hashes of 16 that two items must share: an estimated Jaccard similarity of 0.8 of their word triples."""
SHORTEST = 8
"""Words below which items have to be equal: there is too little to be nearly so."""

# Odd multipliers of a multiply-shift hash family, fixed so that results do not depend on the numpy version.
_MULTIPLIERS = np.array([(0x9E3779B97F4A7C15 * (2 * k + 1)) % (1 << 64) | 1 for k in range(HASHES)], np.uint64)
_OFFSETS = np.array([(0xD1B54A32D192ED03 * (3 * k + 1)) % (1 << 64) for k in range(HASHES)], np.uint64)


class NearDuplicates:
    """Collects items and tells which of them are nearly the same.

    Examples
    --------
    >>> near = NearDuplicates()
    >>> for number in "12":
    ...     near.add(Item(number, "mine", "g", "Is there an effusion in the left hemithorax of this man?", "closed"))
    >>> near.groups()
    {'1': ('2',), '2': ('1',)}
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._sketches: list[NDArray[np.uint32]] = []

    def add(self, item: Item) -> None:
        """Take an item in: stem, sorted options, and what tells its images apart where the text is short."""
        found = list(item.stem_folded)
        for option in sorted(option.folded for option in item.options):
            found += option
        self._ids.append(item.id)
        self._sketches.append(_sketch(found, item))

    def groups(self) -> dict[str, tuple[str, ...]]:
        """For every item that has near duplicates their ids, sorted."""
        if not self._ids:
            return {}
        table = np.stack(self._sketches)
        near: dict[int, set[int]] = defaultdict(set)
        for band in range(0, HASHES, BAND):
            for rows in _equal_rows(table[:, band : band + BAND]):
                # A text that very many items share is compared with its first holder only, by id.
                rows.sort(key=lambda row: self._ids[row])
                heads = rows if len(rows) <= 50 else rows[:1]
                for head in heads:
                    alike = (table[rows] == table[head]).sum(axis=1) >= ALIKE
                    for row in np.asarray(rows)[alike].tolist():
                        if row != head:
                            near[head].add(row)
                            near[row].add(head)
        return {self._ids[row]: tuple(sorted(self._ids[other] for other in near[row])) for row in sorted(near)}


def _sketch(found: list[str], item: Item) -> NDArray[np.uint32]:
    if len(found) < SHORTEST:
        # Short questions are asked of many images: only the same question of the same group is a duplicate.
        text = " ".join([*found, "\0", item.group])
        hashed = np.array([crc32(text.encode("utf-8", "surrogatepass"))], np.uint64)
    else:
        runs = {" ".join(found[place : place + SHINGLE]) for place in range(len(found) - SHINGLE + 1)}
        hashed = np.fromiter((crc32(run.encode("utf-8", "surrogatepass")) for run in runs), np.uint64, len(runs))
    mixed = hashed[None, :] * _MULTIPLIERS[:, None] + _OFFSETS[:, None]
    sketch: NDArray[np.uint32] = (mixed >> np.uint64(32)).min(axis=1).astype(np.uint32)
    return sketch


def _equal_rows(part: NDArray[np.uint32]) -> list[list[int]]:
    """Numbers of rows that are equal, for every row that has equals."""
    order = np.lexsort(part.T)
    same = (part[order[1:]] == part[order[:-1]]).all(axis=1)
    groups: list[list[int]] = []
    run = [int(order[0])]
    for row, equal in zip(order[1:].tolist(), same.tolist(), strict=True):
        if equal:
            run.append(row)
            continue
        if len(run) > 1:
            groups.append(run)
        run = [row]
    return [*groups, run] if len(run) > 1 else groups
