"""What a failed scoring run leaves in its folder: nothing, unless something in it was dear to make."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from perimetry.protocols.score.output import OUTPUTS, SETTINGS
from perimetry.scoring.cache import TextCache

__all__ = ["CACHE", "RESPONSES", "Undoing", "undone_if_new"]

CACHE = "cache"
RESPONSES = "responses"


@dataclass(slots=True)
class Undoing:
    """Whether a cache holds more than the trial of the metrics.

    Parameters
    ----------
    cache : TextCache
    tried : int or None
        Values that it held when the trial was over; None before.
    """

    cache: TextCache
    tried: int | None = None

    def work_begins(self) -> None:
        """Say that the trial is over."""
        self.tried = self.cache.written

    @property
    def worth_keeping(self) -> bool:
        """Whether anything was put into the cache since."""
        return self.tried is not None and self.cache.written > self.tried


@contextmanager
def undone_if_new(
    folder: Path, cache: TextCache, settings: str = SETTINGS, outputs: Sequence[str] = OUTPUTS
) -> Iterator[Undoing]:
    """Remove what was written into a folder that held no scores before, if what is done here fails.

    Judges' answers stay, and what was made of texts after the trial: the same command then goes on from them.

    Parameters
    ----------
    folder : Path
        Held by the caller's lock.
    cache : TextCache
        In it.
    settings : str, default "score.toml"
        The file that a folder in use has.
    outputs : sequence of str
        What is removed.
    """
    undoing = Undoing(cache)
    new = not any((folder / name).exists() for name in (settings, CACHE, RESPONSES))
    try:
        yield undoing
    except BaseException:
        if new:
            for name in outputs:
                _remove(folder / name)
            if not undoing.worth_keeping:
                _remove(folder / CACHE)
            if not any(path.is_file() and path.name != ".lock" for path in (folder / RESPONSES).rglob("*")):
                _remove(folder / RESPONSES)
        raise


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
