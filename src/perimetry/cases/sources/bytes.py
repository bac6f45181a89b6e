"""An image whose encoded bytes are held in memory."""

from __future__ import annotations

from dataclasses import dataclass, field

from perimetry.cases.digest import digest_bytes, digest_parts
from perimetry.cases.image import Pixels
from perimetry.cases.sources.decode import decode
from perimetry.cases.sources.header import header_shape
from perimetry.cases.sources.passthrough import media_type

__all__ = ["BytesSource"]


@dataclass(frozen=True, slots=True)
class BytesSource:
    """Encoded image bytes in memory, for tables that cannot be read at one row.

    Parameters
    ----------
    data : bytes
        A whole encoded image.
    name : str
        What an error message calls it.

    Examples
    --------
    >>> BytesSource(b"", "row 3, column image").encoded() is None
    True
    """

    data: bytes = field(repr=False)
    name: str

    @property
    def digest(self) -> str:
        """BLAKE2b digest of the bytes; of the name when there are none."""
        return digest_bytes(self.data) if self.data else digest_parts(["unreadable image", self.name])

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the upright image, from its header; raises `ImageError`."""
        return header_shape(self.data, self.name)

    def read(self) -> Pixels:
        """Decode the pixels; raises `ImageError` when that cannot be done."""
        return decode(self.data, self.name).pixels

    def encoded(self) -> tuple[bytes, str] | None:
        """The bytes and their media type where a model may be sent them as they are, else None."""
        kind = media_type(self.data)
        return (self.data, kind) if kind else None
