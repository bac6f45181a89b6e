"""The names of a store's files: all that a shard's state is, is which files stand in the folder."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from perimetry.inference.errors import StoreError

__all__ = ["StoreFile", "list_files", "model_slug", "next_attempt", "sync_folder"]

_NAME = re.compile(r"(part|journal)-([a-z0-9._]+)-(\d+)-(\d+)\.(parquet|jsonl)")
_ENDINGS = {"part": "parquet", "journal": "jsonl"}


@dataclass(frozen=True, slots=True)
class StoreFile:
    """One file of a store.

    Parameters
    ----------
    kind : {"part", "journal"}
        A part holds all rows that journals of its shard held up to and including its attempt.
    slug : str
        `model_slug` of the model.
    shard : int
        Number of the shard, from 0. A name for files only: which requests a file answers stands in the file.
    attempt : int
        From 1; grows with every invocation and every retry, so that it orders all rows of a model in time.
    """

    kind: Literal["part", "journal"]
    slug: str
    shard: int
    attempt: int

    @property
    def name(self) -> str:
        """File name."""
        return f"{self.kind}-{self.slug}-{self.shard:06d}-{self.attempt:04d}.{_ENDINGS[self.kind]}"


def model_slug(model_name: str) -> str:
    """File-safe name of a model: what can be read of its name, and a digest that keeps different names apart.

    Examples
    --------
    >>> model_slug("openai:Qwen/Qwen2.5-VL")
    'openai_qwen_qwen2.5_vl_10ee2c16e4'
    """
    readable = re.sub(r"[^a-z0-9.]+", "_", model_name.lower()).strip("._")[:40]
    digest = hashlib.blake2b(model_name.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return f"{readable}_{digest}" if readable else digest


def list_files(folder: Path, slug: str | None = None) -> list[StoreFile]:
    """Files of a store in the order of their writing: by attempt, then shard, parts before journals.

    Parameters
    ----------
    folder : Path
        A folder that is absent holds nothing.
    slug : str or None
        Only files of that model.
    """
    try:
        names = [path.name for path in folder.iterdir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{folder}: the store cannot be listed ({error}).") from error
    found = []
    for name in names:
        match = _NAME.fullmatch(name)
        if match is None or (slug is not None and match[2] != slug):
            continue
        kind: Literal["part", "journal"] = "part" if match[1] == "part" else "journal"
        if match[5] == _ENDINGS[kind]:
            found.append(StoreFile(kind, match[2], int(match[3]), int(match[4])))
    return sorted(found, key=lambda file: (file.attempt, file.shard, file.kind == "journal", file.slug))


def next_attempt(files: Iterable[StoreFile]) -> int:
    """An attempt number later than every one in use."""
    return 1 + max((file.attempt for file in files), default=0)


def sync_folder(folder: Path) -> None:
    """Bring a rename to the disk, where the file system can do that for folders."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:  # some network file systems refuse it; the rename itself has happened all the same
        return
    finally:
        os.close(descriptor)
