"""What can go wrong with the store itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perimetry.cases.errors import DataError

__all__ = ["Problem", "StoreError"]


class StoreError(DataError):
    """The request store cannot be written or read; nothing that was stored before is lost."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the store that could not be used, and was worked around.

    Parameters
    ----------
    path : Path
        The file.
    line : int
        Line in the file, from 1; 0 when the whole file is meant.
    message : str
        What was found and what becomes of it.
    """

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.path}, line {self.line}" if self.line else str(self.path)
        return f"{place}: {self.message}"
