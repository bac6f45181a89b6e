"""An image inside a cell of a table: bytes in Parquet or Arrow, base64 in JSON or CSV."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from perimetry.cases.errors import DataError, ImageError
from perimetry.cases.image import Pixels
from perimetry.cases.sources.decode import decode
from perimetry.cases.sources.header import header_shape
from perimetry.cases.sources.passthrough import media_type
from perimetry.cases.table import read_cell
from perimetry.cases.values import BASE64_STARTS

__all__ = ["TableSource", "image_bytes"]


def image_bytes(value: Any) -> bytes | None:
    """Encoded bytes in the value of a cell, or None when it holds none (a path, say).

    Understands bytes, the hub's ``{"bytes": ..., "path": ...}``, base64 text and ``data:image/...;base64,`` addresses.

    Examples
    --------
    >>> image_bytes({"bytes": b"abc", "path": "x.png"})
    b'abc'
    >>> image_bytes("figures/x.png") is None
    True
    """
    if isinstance(value, Mapping):
        value = value.get("bytes")
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if not text.startswith(BASE64_STARTS):
        return None
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except binascii.Error:
        return None


@dataclass(frozen=True, slots=True)
class TableSource:
    """An image in one cell of a table; the file is opened again when the pixels are asked for.

    Parameters
    ----------
    path : str
        Parquet, JSONL, JSON, CSV, TSV or Arrow file. One row of the first two is read without the rest.
    column : str
    row : int
        Zero-based.
    digest : str
        BLAKE2b digest of the encoded bytes, taken when the table was streamed.
    offset : int, default -1
        Byte offset of the line in a JSONL file.
    item : int, default -1
        Element of a cell that holds a list of images.
    """

    path: str
    column: str
    row: int
    digest: str
    offset: int = -1
    item: int = -1
    _shape: tuple[int, int] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def name(self) -> str:
        """File, row (from 1) and column."""
        element = f", image {self.item + 1}" if self.item >= 0 else ""
        return f"{self.path}, row {self.row + 1}, column {self.column!r}{element}"

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the upright image, from its header and kept; raises `ImageError`."""
        if self._shape is None:
            object.__setattr__(self, "_shape", header_shape(self._bytes(), self.name))
        assert self._shape is not None
        return self._shape

    def read(self) -> Pixels:
        """Decode the pixels; raises `ImageError` when that cannot be done."""
        return decode(self._bytes(), self.name).pixels

    def encoded(self) -> tuple[bytes, str] | None:
        """The bytes and media type where a model may be sent them as they are, else None."""
        try:
            data = self._bytes()
        except ImageError:
            return None
        kind = media_type(data)
        return (data, kind) if kind else None

    def _bytes(self) -> bytes:
        try:
            value = read_cell(self.path, self.column, self.row, self.offset)
        except DataError as error:
            raise ImageError(f"{self.name} cannot be read: {error}") from error
        if self.item >= 0 and isinstance(value, list) and self.item < len(value):
            value = value[self.item]
        data = image_bytes(value)
        if data is None:
            raise ImageError(f"{self.name} holds no image any more: the file has changed since it was loaded.")
        return data
