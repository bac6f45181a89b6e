"""Folders of commands that plan no requests: which command makes their pages again."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError

__all__ = ["refuse_others"]

_FOLDERS = {
    "score.toml": ("the scores of `perimetry score`", ""),
    "key.json": ("a review", "perimetry review summary {folder}"),
    "review.toml": ("the summary of a review", ""),
    "screen.toml": ("the candidates of `perimetry screen`", ""),
    "guess.toml": ("the guesses of `perimetry guess`", ""),
    "subset.toml": ("a subset of `perimetry subset`", ""),
    "alternatives.jsonl": ("the references of `perimetry rewrite`", ""),
}
"""A file that only such a folder has: what the folder holds, and the command where none is recorded."""
_RECORDS = ("score.toml", "review.toml", "screen.toml", "guess.toml", "subset.toml", "funnel.json")


def refuse_others(folder: Path) -> None:
    """Raise a `DataError` that names the command which makes a folder again, where that is not `perimetry report`.

    A folder of an audit, and one that is nothing known, are left to the reader of run folders.
    """
    if (folder / "run.toml").is_file():
        return
    for name, (what, again) in _FOLDERS.items():
        if (folder / name).is_file():
            told = again.format(folder=folder) or _recorded(folder)
            raise DataError(
                f"{folder} holds {what}, not an audit. The command that made it makes its pages again, and asks "
                f"nothing twice{f': {told}' if told else ''}."
            )
    if any((folder / name).is_dir() for name in ("responses", "cache")):
        raise DataError(
            f"{folder} has no run.toml, though it holds what was asked or read: the command that made it ended before "
            "it had results, or the file was deleted. Give that command again: it goes on from there."
        )


def _recorded(folder: Path) -> str:
    """The command that a folder was made with; empty where none is recorded."""
    import json

    for name in _RECORDS:
        try:
            text = (folder / name).read_text(encoding="utf-8")
            held: dict[str, Any] = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
        except (OSError, ValueError):  # absent or damaged: the command is only a help
            continue
        command = held.get("command")
        if isinstance(command, str):
            return command
    return ""
