"""Finding the files of a data set's layout, and saying what was looked for when they are not there."""

from __future__ import annotations

import difflib
import os
import re
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from perimetry.cases.dataset import LoadOptions
from perimetry.cases.errors import DataError, UsageError

__all__ = [
    "canonical_split",
    "find_file",
    "found_in",
    "image_folders",
    "refuse_unknown_settings",
    "require_path",
    "setting",
    "split_files",
]

NAMES_LISTED = 12
HUB_SUFFIXES = (".parquet", ".jsonl", ".arrow")
SPLIT_WORDS = {
    "train": "train",
    "training": "train",
    "validation": "validation",
    "valid": "validation",
    "validate": "validation",
    "val": "validation",
    "dev": "dev",
    "test": "test",
    "testdev": "testdev",
    "testmini": "testmini",
}


def require_path(path: Path | None, dataset: str, layout: str) -> Path:
    """The path, when it exists; otherwise a `DataError` that says what is expected there."""
    if path is None:
        raise UsageError(f"{dataset} needs a path: {dataset}:PATH, where PATH holds {layout}.")
    if not path.exists():
        raise DataError(f"{dataset}: there is no {path}. Expected there: {layout}. {_near(path)}".rstrip())
    return path


def _near(path: Path) -> str:
    """What may have been meant: names much like it, of the same kind, in a folder that is the user's own."""
    folder = path.parent
    if not folder.is_dir():
        return f"The folder {folder} does not exist."
    held = folder.stat()
    if held.st_mode & stat.S_IWOTH or (hasattr(os, "getuid") and held.st_uid != os.getuid()):
        return ""  # a place that is shared: its names are other people's
    kind = path.suffix.lower()
    named = {entry.stem: entry for entry in sorted(folder.iterdir()) if entry.suffix.lower() == kind}
    near = difflib.get_close_matches(path.stem, named, n=3, cutoff=0.6)
    return f"Did you mean {' or '.join(str(named[name]) for name in near)}?" if near else ""


def found_in(folder: Path) -> str:
    """What a folder holds, for messages.

    Examples
    --------
    >>> found_in(Path("nowhere"))
    'The folder nowhere does not exist.'
    """
    if folder.is_file():
        return f"{folder} is a file."
    if not folder.is_dir():
        return f"The folder {folder} does not exist."
    names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in folder.iterdir())
    if not names:
        return f"The folder {folder} is empty."
    more = f" and {len(names) - NAMES_LISTED} more" if len(names) > NAMES_LISTED else ""
    return f"Found in {folder}: {', '.join(names[:NAMES_LISTED])}{more}."


def find_file(path: Path, patterns: Sequence[str]) -> Path | None:
    """The path itself when it is a file, else the first file in the folder that a pattern matches; None if none does.

    Parameters
    ----------
    path : Path
    patterns : sequence of str
        Glob patterns, in order of preference.
    """
    if path.is_file():
        return path
    for pattern in patterns:
        matches = sorted(match for match in path.glob(pattern) if match.is_file())
        if matches:
            return matches[0]
    return None


def image_folders(root: Path, options: LoadOptions, *names: str) -> list[Path]:
    """Folders where images may lie: the one the user names, else the layout's own and the root."""
    if options.images is not None:
        if not options.images.is_dir():
            raise DataError(f"There is no image folder {options.images}. {found_in(options.images.parent)}")
        return [options.images]
    base = root.parent if root.is_file() else root
    return [*(base / name for name in names), base]


def split_files(root: Path, split: str, dataset: str, part: str = "") -> list[Path]:
    """Table files of a hub snapshot that belong to a split, in order of their names.

    A file's split is the first split word in its own name (``test-00000-of-00002.parquet``), else in the nearest folder
    above it that has one (``test/data-00000-of-00001.arrow``). A snapshot without any split word is one split.

    Parameters
    ----------
    root : Path
        File or folder.
    split : str
        ``all`` takes every file.
    dataset : str
        For the message.
    part : str, default ""
        Keep only files with this text in their path below `root` (a configuration of the hub data set).

    Raises
    ------
    DataError
        When there are no files, or none of that split.
    """
    if root.is_file():
        return [root]
    files = [file for suffix in HUB_SUFFIXES for file in sorted(root.rglob(f"*{suffix}")) if not _hidden(file, root)]
    files = [file for file in files if part in file.relative_to(root).as_posix()]
    if not files:
        kinds = ", ".join(f"*{suffix}" for suffix in HUB_SUFFIXES)
        where = f" under a folder or name with {part!r}" if part else ""
        raise DataError(f"{dataset}: no table files ({kinds}){where} were found. {found_in(root)}")
    splits = {file: _split_of(file, root) for file in files}
    known = sorted({name for name in splits.values() if name})
    if split == "all" or not known:
        return files
    wanted = canonical_split(split)
    chosen = [file for file in files if splits[file] == wanted]
    if not chosen:
        raise UsageError(f"{dataset}: there is no split {split!r} in {root}; found: {', '.join(known)}.")
    return chosen


def canonical_split(name: str) -> str:
    """The usual word for a split: ``validation`` for val, valid and validate, ``train`` for training.

    Examples
    --------
    >>> canonical_split("val"), canonical_split("fold3")
    ('validation', 'fold3')
    """
    return SPLIT_WORDS.get(name.lower(), name)


def setting(options: LoadOptions, name: str, default: str, allowed: Iterable[str] = ()) -> str:
    """A setting of the data spec, or its default; a value that is not allowed is refused."""
    value = options.settings.get(name, default)
    choices = tuple(allowed)
    if choices and value not in choices:
        raise UsageError(f"The setting {name}={value} is not one of {', '.join(choices)}.")
    return value


def refuse_unknown_settings(options: LoadOptions, dataset: str, *known: str) -> None:
    """Raise `UsageError` for a setting that the data set does not have."""
    for name in options.settings:
        if name not in known:
            hint = f"Its settings: {', '.join(known)}." if known else "It has none."
            raise UsageError(f"{dataset} has no setting {name!r}. {hint}")


def _hidden(file: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(root).parts)


def _split_of(file: Path, root: Path) -> str:
    parts = file.relative_to(root).parts
    for part in reversed(parts):
        for word in re.split(r"[^A-Za-z]+", part.rsplit(".", 1)[0].lower()):
            if word in SPLIT_WORDS:
                return SPLIT_WORDS[word]
    return ""
