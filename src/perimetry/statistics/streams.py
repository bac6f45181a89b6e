"""Named random streams: the same numbers in any order, shard, process and numpy version.

A stream is a Philox counter generator (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3") whose
128-bit key is a BLAKE2b digest of the seed, a stream name and further parts. Only raw integers of the bit generator
and the frozen ``RandomState`` are used: numpy promises those never to change (NEP 19), and does not promise it for the
methods of ``Generator``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence
from typing import TypeAlias

import numpy as np

from perimetry.statistics.arrays import FloatArray, IntArray, RawArray
from perimetry.statistics.errors import StatisticsError

Part: TypeAlias = str | int | bytes

_LARGEST = 1 << 32  # of a permutation: draws have 32 bits


def stream_key(seed: int, name: str, *parts: Part) -> int:
    """Return the 128-bit key of a stream.

    Every field is written with its type and length, so that ``("ab", "c")`` and ``("a", "bc")``, or ``1`` and ``"1"``,
    are different streams.

    Parameters
    ----------
    seed
        Any integer.
    name
        What the stream is for, such as ``"shuffle"``.
    *parts
        What it belongs to, such as an image digest.

    Returns
    -------
    int
        ``0 <= key < 2**128``.

    Raises
    ------
    StatisticsError
        If a part is not a string, an integer or bytes.

    Examples
    --------
    >>> stream_key(42, "shuffle", "ab") != stream_key(42, "shuffle", "a", "b")
    True
    """
    digest = hashlib.blake2b(digest_size=16, person=b"perimetry")
    for part in (seed, name, *parts):
        tag, data = _encoded(part)
        digest.update(tag + len(data).to_bytes(8, "little") + data)
    return int.from_bytes(digest.digest(), "little")


def _encoded(part: object) -> tuple[bytes, bytes]:
    if isinstance(part, str):
        return b"s", part.encode("utf-8", "surrogatepass")
    if isinstance(part, bytes):
        return b"b", part
    if isinstance(part, int | np.integer) and not isinstance(part, bool):
        return b"i", str(int(part)).encode("ascii")
    raise StatisticsError(
        f"stream part: found {type(part).__name__} {part!r}, expected str, int or bytes; spell it as a string"
    )


def philox(seed: int, name: str, *parts: Part, block: int = 0) -> np.random.Philox:
    """Return the bit generator of a stream, optionally part-way through.

    Parameters
    ----------
    seed, name, *parts
        See `stream_key`.
    block
        Blocks of four 64-bit integers to skip, 0 or more: reaching any place of a stream costs nothing.

    Returns
    -------
    numpy.random.Philox

    Examples
    --------
    >>> whole = philox(42, "noise", "digest").random_raw(8)
    >>> bool((philox(42, "noise", "digest", block=1).random_raw(4) == whole[4:]).all())
    True
    """
    return np.random.Philox(key=stream_key(seed, name, *parts), counter=block)


def raw_integers(seed: int, name: str, *parts: Part, size: int) -> RawArray:
    """Return the first ``size`` raw 64-bit integers of a stream, uniform over ``0 .. 2**64 - 1``.

    Examples
    --------
    >>> raw_integers(42, "noise", "digest", size=3).dtype
    dtype('uint64')
    """
    return np.asarray(philox(seed, name, *parts).random_raw(_checked(size)), dtype=np.uint64)


def uniform(seed: int, name: str, *parts: Part, size: int) -> FloatArray:
    """Return ``size`` floats in [0, 1): the 53 high bits of each raw integer, times ``2**-53``.

    Examples
    --------
    >>> values = uniform(42, "place", size=4)
    >>> bool(((values >= 0) & (values < 1)).all())
    True
    """
    high = raw_integers(seed, name, *parts, size=size) >> np.uint64(11)
    return np.asarray(high.astype(np.float64) * 2.0**-53, dtype=np.float64)


def below(raw: RawArray, bound: int) -> IntArray:
    """Map raw 64-bit integers to ``0 .. bound - 1`` by multiply and shift (Lemire 2019, without the rejection).

    Parameters
    ----------
    raw
        Raw integers of any shape.
    bound
        ``1 <= bound <= 2**32``. The probability of any one value is off by at most ``bound / 2**64``, relatively.

    Returns
    -------
    numpy.ndarray
        int64, the shape of ``raw``.

    Raises
    ------
    StatisticsError
        If ``bound`` is out of its range.

    Examples
    --------
    >>> below(raw_integers(42, "die", size=3), 6).max() < 6
    np.True_
    """
    if not 1 <= bound <= _LARGEST:
        raise StatisticsError(f"bound: found {bound}, expected 1 to {_LARGEST}")
    half = np.uint64(32)
    low = (raw & np.uint64(0xFFFFFFFF)) * np.uint64(bound)
    product = (raw >> half) * np.uint64(bound) + (low >> half)  # cannot overflow for bound <= 2**32
    return (product >> half).astype(np.int64)


def permutation(seed: int, name: str, *parts: Part, size: int) -> IntArray:
    """Return a permutation of ``0 .. size - 1`` that any machine draws alike.

    Fisher and Yates's shuffle as Durstenfeld wrote it (1964, Algorithm 235): from the last place down, place ``i``
    changes with a place drawn from ``0 .. i``. The draws are the 32-bit halves of the raw integers, low half first,
    cut to as many bits as ``i`` has and passed over where they are above ``i``; so every permutation is equally likely.

    Parameters
    ----------
    seed, name, *parts
        See `stream_key`.
    size
        ``0 <= size <= 2**32``.

    Returns
    -------
    numpy.ndarray
        int64, ``(size,)``.

    Raises
    ------
    StatisticsError
        If ``size`` is out of its range.

    Examples
    --------
    >>> sorted(permutation(42, "shuffle", "digest", size=4).tolist())
    [0, 1, 2, 3]
    """
    order = np.arange(_checked(size), dtype=np.int64)
    # The one shuffle that numpy promises never to change (NEP 19); tests hold it to the definition above.
    np.random.RandomState(philox(seed, name, *parts)).shuffle(order)
    return order


def derangement(seed: int, name: str, *parts: Part, labels: Sequence[Hashable]) -> IntArray:
    """Return a permutation that gives no position an entry of its own label.

    A random permutation is repaired: each position that met its own label swaps with the first fitting position after
    a random start. While no label holds more than half of the positions such a position always exists and no swap
    makes a new conflict, so one pass is enough.

    Parameters
    ----------
    seed, name, *parts
        See `stream_key`.
    labels
        One label a position, for example image digests; ``range(n)`` gives a plain derangement. The result belongs to
        this order: sort first where rows may come in any order.

    Returns
    -------
    numpy.ndarray
        int64, ``(len(labels),)``: position ``i`` takes entry ``result[i]``.

    Raises
    ------
    StatisticsError
        If one label holds more than half of the positions, so that none exists.

    Examples
    --------
    >>> order = derangement(42, "mismatch", labels=["a", "a", "b", "c"])
    >>> all("aabc"[int(j)] != "aabc"[i] for i, j in enumerate(order))
    True
    """
    size = len(labels)
    codes: dict[Hashable, int] = {}
    own = [codes.setdefault(label, len(codes)) for label in labels]
    if size:
        largest = int(np.bincount(own).max())
        if 2 * largest > size:
            raise StatisticsError(
                f"derangement of {size} positions: one label holds {largest} of them, expected at most half; add "
                "entries with other labels or leave this condition out"
            )
    order = permutation(seed, name, *parts, "order", size=size).tolist()
    starts = below(raw_integers(seed, name, *parts, "repair", size=size), max(size, 1)).tolist()
    for i in range(size):
        if own[order[i]] != own[i]:
            continue
        j = starts[i]
        while own[j] == own[i] or own[order[j]] == own[i]:
            j = (j + 1) % size
        order[i], order[j] = order[j], order[i]
    return np.asarray(order, dtype=np.int64)


def _checked(size: int) -> int:
    if not 0 <= size <= _LARGEST:
        raise StatisticsError(f"size: found {size}, expected 0 to {_LARGEST}")
    return size
