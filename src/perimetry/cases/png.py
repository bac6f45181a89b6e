"""Encoding pixels for a model: a fast lossless PNG writer, and JPEG where a card asks for it.

Pillow's writer spends most of its time on string matching, which finds nothing in radiographs, noise or shuffled
pixels: what compresses there is the distribution of the filtered values. So one filter and one zlib strategy are
chosen for the whole image by trying them on a few bands of its rows (PNG, ISO/IEC 15948, clause 9).
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.image import Pixels

__all__ = ["Effort", "encode_jpeg", "encode_png"]

Effort = Literal["none", "fast", "small"]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GREY, RGB = 0, 2
NONE, SUB, UP, AVERAGE = 0, 1, 2, 3
FILTERS = (NONE, SUB, UP, AVERAGE)
# Not a filter of the format: the best of SUB, UP and AVERAGE for each row.
EACH_ROW = -1

# Level and strategy: runs only, distribution only, string matching, stored as it is.
RUNS = (1, zlib.Z_RLE)
DISTRIBUTION = (1, zlib.Z_HUFFMAN_ONLY)
STRINGS = {
    NONE: (1, zlib.Z_DEFAULT_STRATEGY),
    AVERAGE: (2, zlib.Z_DEFAULT_STRATEGY),
    EACH_ROW: (2, zlib.Z_DEFAULT_STRATEGY),
}
STORED = (0, zlib.Z_DEFAULT_STRATEGY)

BANDS = 3
BAND_ROWS = 8
# A slower strategy must save this share of the bytes.
WORTH_IT = 0.01

# Bits a byte from which nothing but matching strings could save more than 0.25%: then nothing is tried.
NOISE = 7.98

# Bits a byte by which differences of neighbours need more than the values themselves once pixels are scrambled.
SCRAMBLED = 0.25


def encode_png(pixels: Pixels, effort: Effort = "fast", *, grey_if_equal: bool = False) -> bytes:
    """Encode pixels losslessly as PNG.

    Most of the time is spent in zlib, outside the interpreter lock, so that threads encode side by side. The bytes
    depend on the zlib version; the pixels do not.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
        Grey or RGB.
    effort : {"none", "fast", "small"}, default "fast"
        ``none`` stores the pixels as they are, for a reader on this machine; ``fast`` tries filter and strategy on
        24 rows; ``small`` tries all of them on the whole image, with thorough string matching, and keeps the smallest.
    grey_if_equal : bool, default False
        Write an RGB image whose three channels are equal as a grey one: about a third of the bytes and of the time,
        and the same RGB pixels for every reader that converts to RGB.

    Returns
    -------
    bytes

    Raises
    ------
    ValueError
        When the array is empty, of another type or of another shape.

    Examples
    --------
    >>> encode_png(np.zeros((4, 4), np.uint8))[1:4]
    b'PNG'
    """
    if grey_if_equal and _equal_channels(pixels):
        pixels = pixels[..., 0]
    rows, channels = _rows(pixels)
    if effort == "small":
        data = min(_thorough(rows, channels), key=len)
    else:
        kind, strategy = (NONE, STORED) if effort == "none" else _choose(rows, channels)
        data = _deflate(_filtered(rows, channels, kind), strategy)
    height, width = pixels.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, 8, GREY if channels == 1 else RGB, 0, 0, 0)
    return b"".join((SIGNATURE, _chunk(b"IHDR", header), _chunk(b"IDAT", data), _chunk(b"IEND", b"")))


def encode_jpeg(pixels: Pixels, quality: int = 95) -> bytes:
    """Encode pixels as baseline JPEG through Pillow, colour at full resolution (4:4:4).

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
    quality : int, default 95
        1 to 100.

    Raises
    ------
    ValueError
        As `encode_png`, and for a quality out of range.

    Examples
    --------
    >>> encode_jpeg(np.zeros((4, 4), np.uint8))[6:10]
    b'JFIF'
    """
    from PIL import Image as PillowImage

    _rows(pixels)
    if not 1 <= quality <= 100:
        raise ValueError(f"JPEG quality is {quality}; 1 to 100 was expected")
    buffer = io.BytesIO()
    PillowImage.fromarray(np.ascontiguousarray(pixels)).save(buffer, "JPEG", quality=quality, subsampling=0)
    return buffer.getvalue()


def _rows(pixels: Pixels) -> tuple[Pixels, int]:
    """Pixels as (height, width * channels), and the number of channels."""
    grey = pixels.ndim == 2
    if pixels.dtype != np.uint8 or pixels.size == 0 or not (grey or (pixels.ndim == 3 and pixels.shape[2] == 3)):
        raise ValueError(
            f"uint8 pixels (height, width) or (height, width, 3) were expected, found {pixels.dtype} {pixels.shape}"
        )
    return np.ascontiguousarray(pixels).reshape(pixels.shape[0], -1), 1 if grey else 3


def _equal_channels(pixels: Pixels) -> bool:
    if pixels.ndim != 3 or pixels.shape[2] != 3:
        return False
    first = pixels[:BAND_ROWS]
    return all(np.array_equal(part[..., 0], part[..., band]) for part in (first, pixels) for band in (1, 2))


def _filtered(rows: Pixels, channels: int, kind: int, above: Pixels | None = None) -> Pixels:
    """Rows behind their filter byte; `above` is the row before the first one (zeros at the top of an image)."""
    if kind == EACH_ROW:
        return _best_of_each_row([_filtered(rows, channels, each, above) for each in (SUB, UP, AVERAGE)])
    height, width = rows.shape
    filtered = np.empty((height, width + 1), np.uint8)
    filtered[:, 0] = kind
    body = filtered[:, 1:]
    if kind == NONE:
        body[:] = rows
        return filtered
    if kind == SUB:
        body[:, :channels] = rows[:, :channels]
        np.subtract(rows[:, channels:], rows[:, :-channels], out=body[:, channels:])
        return filtered
    up = np.empty_like(rows)
    up[0] = 0 if above is None else above
    up[1:] = rows[:-1]
    if kind == AVERAGE:
        left = np.zeros_like(rows)
        left[:, channels:] = rows[:, :-channels]
        # floor((left + up) / 2) without a wider type.
        up = (left & up) + ((left ^ up) >> 1)
    np.subtract(rows, up, out=body)
    return filtered


def _best_of_each_row(candidates: list[Pixels]) -> Pixels:
    # The usual rule: the filter whose values, read as signed, have the smallest sum of magnitudes.
    costs = np.stack([np.minimum(each[:, 1:], 0 - each[:, 1:]).sum(axis=1, dtype=np.uint64) for each in candidates])
    best = costs.argmin(axis=0)
    chosen = candidates[0]
    for number, candidate in enumerate(candidates[1:], start=1):
        chosen[best == number] = candidate[best == number]
    return chosen


def _choose(rows: Pixels, channels: int) -> tuple[int, tuple[int, int]]:
    """Filter and strategy that compress a few bands of rows best; of near equals the faster one."""
    bands = list(_bands(rows))

    def sample(kind: int) -> Pixels:
        return np.concatenate([_filtered(band, channels, kind, above) for band, above in bands])

    samples = {kind: sample(kind) for kind in (NONE, SUB, UP)}
    entropy = {kind: _entropy(one) for kind, one in samples.items()}
    if min(entropy.values()) >= NOISE:
        return NONE, STORED
    if min(entropy[SUB], entropy[UP]) > entropy[NONE] + SCRAMBLED:
        # Neighbours have nothing to do with each other, as in a shuffled image: no filter helps, and unless there is
        # a pattern no string either.
        plain = len(_deflate(samples[NONE], DISTRIBUTION))
        if len(_deflate(samples[NONE], STRINGS[NONE])) >= plain * (1 - WORTH_IT):
            return NONE, DISTRIBUTION
    samples |= {kind: sample(kind) for kind in (AVERAGE, EACH_ROW)}
    sizes = {kind: len(_deflate(samples[kind], RUNS)) for kind in FILTERS}
    strings = {kind: len(_deflate(samples[kind], strategy)) for kind, strategy in STRINGS.items()}
    kind = min(FILTERS, key=sizes.__getitem__)
    # In the order of the time they take: a filter for each row costs several times as much as one for all.
    fewest = min(strings.values())
    matched = next(kind for kind in STRINGS if strings[kind] * (1 - WORTH_IT) <= fewest)
    if strings[matched] < sizes[kind] * (1 - WORTH_IT):
        return matched, STRINGS[matched]
    if sizes[kind] >= samples[kind].size:
        return NONE, STORED
    if len(_deflate(samples[kind], DISTRIBUTION)) <= sizes[kind]:
        return kind, DISTRIBUTION
    return kind, RUNS


def _entropy(values: Pixels) -> float:
    """Bits a byte that a code of the values alone needs."""
    counts = np.bincount(values.ravel(), minlength=256)
    shares = counts[counts > 0] / values.size
    return float(-(shares * np.log2(shares)).sum())


def _bands(rows: Pixels) -> Iterator[tuple[Pixels, Pixels | None]]:
    height = rows.shape[0]
    if height <= BANDS * BAND_ROWS:
        yield rows, None
        return
    for band in range(BANDS):
        start = (2 * band + 1) * height // (2 * BANDS) - BAND_ROWS // 2
        yield rows[start : start + BAND_ROWS], rows[start - 1] if start else None


def _thorough(rows: Pixels, channels: int) -> Iterator[bytes]:
    for kind in (*FILTERS, EACH_ROW):
        filtered = _filtered(rows, channels, kind)
        for strategy in (RUNS, DISTRIBUTION, STORED, (9, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_FILTERED)):
            yield _deflate(filtered, strategy)


def _deflate(filtered: NDArray[np.uint8], strategy: tuple[int, int]) -> bytes:
    level, kind = strategy
    stream = zlib.compressobj(level, zlib.DEFLATED, zlib.MAX_WBITS, 9, kind)
    return stream.compress(filtered.data) + stream.flush()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))))
