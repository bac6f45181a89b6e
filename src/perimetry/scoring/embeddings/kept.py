"""Making something of texts once: what a cache has is not made again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perimetry.scoring.cache import Cache, text_key

__all__ = ["MemoryCache", "kept"]

_CHUNK = 512


class MemoryCache:
    """Values by key for as long as the metric lives; the default of metrics that are given no cache.

    Examples
    --------
    >>> cache = MemoryCache()
    >>> cache.put("key", b"value")
    >>> cache.get("key"), cache.get("other")
    (b'value', None)
    """

    def __init__(self) -> None:
        self._values: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """The value, or None."""
        return self._values.get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keep a value."""
        self._values[key] = value


def kept(
    cache: Cache, recipe: Sequence[str], items: Sequence[Sequence[str]], make: Callable[[list[int]], Sequence[bytes]]
) -> list[bytes]:
    """Values of items, from the cache where it has them.

    What is not there is made in chunks, each kept as soon as it is made, so that a run that is killed goes on where it
    was. Chunks are drawn up by length, then by text: they depend on which items there are, and not on their order.

    Parameters
    ----------
    cache
        Asked for each distinct item; given what was made.
    recipe
        What the value is, with the digest of the weights and every parameter that changes it.
    items
        The texts that each value is made of.
    make
        From positions of distinct items to their values, in the same order. Not called when the cache has all.

    Examples
    --------
    >>> cache = MemoryCache()
    >>> kept(cache, ["length/1"], [["bc"], ["a"], ["bc"]], lambda rows: [b"%d" % row for row in rows])
    [b'0', b'1', b'0']
    """
    keys = [text_key(*recipe, *item) for item in items]
    found: dict[str, bytes] = {}
    missing: dict[str, int] = {}
    for at, key in enumerate(keys):
        if key in found or key in missing:
            continue
        value = cache.get(key)
        if value is None:
            missing[key] = at
        else:
            found[key] = value
    ordered = sorted(missing, key=lambda key: (sum(map(len, items[missing[key]])), [*items[missing[key]]]))
    for start in range(0, len(ordered), _CHUNK):
        chunk = ordered[start : start + _CHUNK]
        for key, value in zip(chunk, make([missing[key] for key in chunk]), strict=True):
            cache.put(key, value)
            found[key] = value
    return [found[key] for key in keys]
