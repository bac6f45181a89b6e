"""An image in a file of its own."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from perimetry.cases.digest import digest_bytes, digest_parts
from perimetry.cases.errors import ImageError
from perimetry.cases.image import Pixels
from perimetry.cases.sources.decode import Decoded, decode
from perimetry.cases.sources.depth import HEADER_BYTES, wide_conversion
from perimetry.cases.sources.header import header_shape
from perimetry.cases.sources.passthrough import media_type

__all__ = ["FileSource"]

LONGEST_NAME = 1_000


@dataclass(frozen=True, slots=True)
class FileSource:
    """An image file; nothing is read before its digest or its pixels are asked for.

    Parameters
    ----------
    path : path-like
        The file.
    key : str, default ""
        The data set's own name for the image, ``"xmlab102/source.jpg"`` for example: the digest of an unreadable
        file is that of its key, so that it is the same wherever the data set lies. Default: the path as given.

    Examples
    --------
    >>> FileSource("absent/heart.png", key="heart.png").digest == FileSource("gone/heart.png", key="heart.png").digest
    True
    """

    path: str | os.PathLike[str]
    key: str = ""
    # (modification time in ns, size) and the digest that belongs to them.
    _known: tuple[tuple[int, int], str] | None = field(default=None, init=False, repr=False, compare=False)
    # The same stamp, and the height and width that belong to it.
    _measured: tuple[tuple[int, int], tuple[int, int]] | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        # A plain string: a hundred thousand Path objects weigh four times as much.
        object.__setattr__(self, "path", os.fspath(self.path))

    @property
    def digest(self) -> str:
        """BLAKE2b digest of the file's bytes, kept until its size or modification time changes."""
        try:
            # Asked for every case of a plan: making a Path costs as much as asking.
            status = os.stat(self.path)  # noqa: PTH116 - see above
            stamp = (status.st_mtime_ns, status.st_size)
            if self._known is not None and self._known[0] == stamp:
                return self._known[1]
            data = Path(self.path).read_bytes()
        except (OSError, ValueError):
            # ValueError: a name that no file can have (a NUL, half a character).
            return self._digest_of_key()
        if not data:
            return self._digest_of_key()
        digest = digest_bytes(data)
        object.__setattr__(self, "_known", (stamp, digest))
        return digest

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of the upright image, from its header; kept as the digest is. Raises `ImageError`."""
        try:
            status = os.stat(self.path)  # noqa: PTH116 - asked for every case of a plan, as the digest is
            stamp = (status.st_mtime_ns, status.st_size)
        except (OSError, ValueError):
            stamp = (-1, -1)  # reading gives the error its words
        if self._measured is not None and self._measured[0] == stamp:
            return self._measured[1]
        shape = header_shape(self._bytes(), self.name)
        object.__setattr__(self, "_measured", (stamp, shape))
        return shape

    @property
    def conversion(self) -> str:
        """How the file is brought to eight bits, told from its first bytes; empty if it holds eight, or is absent."""
        try:
            with Path(self.path).open("rb") as file:
                return wide_conversion(file.read(HEADER_BYTES))
        except (OSError, ValueError):
            return ""

    def _digest_of_key(self) -> str:
        return digest_parts(["unreadable image", self.key or self.name])

    @property
    def name(self) -> str:
        """The path, as an error message names it; the middle of an absurdly long one is left out."""
        path = os.fspath(self.path)
        return path if len(path) <= LONGEST_NAME else f"{path[: LONGEST_NAME // 2]}...{path[-LONGEST_NAME // 2 :]}"

    def decoded(self) -> Decoded:
        """Pixels, and what was done to bring them to 8 bits; raises `ImageError`."""
        return decode(self._bytes(), self.name)

    def read(self) -> Pixels:
        """Decode the pixels; raises `ImageError` when that cannot be done."""
        return self.decoded().pixels

    def encoded(self) -> tuple[bytes, str] | None:
        """The file's bytes and media type where a model may be sent them as they are, else None."""
        try:
            data = self._bytes()
        except ImageError:
            return None
        kind = media_type(data)
        return (data, kind) if kind else None

    def _bytes(self) -> bytes:
        try:
            return Path(self.path).read_bytes()
        except FileNotFoundError as error:
            raise ImageError(
                f"{self.name} does not exist. An image file was expected there: unpack the data set's images, or "
                "say where they are (--images FOLDER)."
            ) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ImageError(f"{self.name} cannot be read: {reason}. A readable image file was expected.") from error
