"""Image files of a data set by name, found by listing its folders once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from perimetry.cases.errors import DataError
from perimetry.cases.layout import found_in

__all__ = ["ImageFiles"]

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".dcm")


@dataclass(frozen=True, slots=True)
class ImageFiles:
    """Where the images of a flat layout lie.

    Parameters
    ----------
    folders : dict of str to str
        File name to its folder.

    Examples
    --------
    >>> ImageFiles({"a.png": "images"}).get("a.png").as_posix()
    'images/a.png'
    """

    folders: dict[str, str] = field(default_factory=dict)

    @classmethod
    def below(cls, root: Path, given: Path | None, patterns: Iterable[str]) -> ImageFiles:
        """List the folders of a layout, or the one that the user names and its own such folders.

        Parameters
        ----------
        root : Path
        given : Path or None
            ``--images``.
        patterns : iterable of str
            Glob patterns of folders below the root; a file in two of them belongs to the first.

        Raises
        ------
        DataError
            When the folder that the user names is not there.
        """
        if given is not None and not given.is_dir():
            raise DataError(f"There is no image folder {given}. {found_in(given.parent)}")
        base = given or root
        found: dict[str, str] = {}
        for pattern in patterns:
            for folder in [base] if pattern == "." else sorted(base.glob(pattern)):
                if folder.is_dir():
                    for name in os.listdir(folder):  # noqa: PTH208 - a hundred thousand Path objects cost a second
                        if name.lower().endswith(SUFFIXES):
                            found.setdefault(name, str(folder))
        return cls(found)

    def get(self, name: str) -> Path | None:
        """The file of that name, None where no folder has it."""
        folder = self.folders.get(name)
        return None if folder is None else Path(folder, name)
