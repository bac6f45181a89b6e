"""Where the pixels of an image come from: a file, a cell of a table, or bytes in memory."""

from perimetry.cases.sources.bytes import BytesSource
from perimetry.cases.sources.decode import MAX_PIXELS, Decoded, decode
from perimetry.cases.sources.file import FileSource
from perimetry.cases.sources.table import TableSource

__all__ = ["MAX_PIXELS", "BytesSource", "Decoded", "FileSource", "TableSource", "decode"]
