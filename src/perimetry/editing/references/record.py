"""A line of a folder of alternatives, read back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.editing.references.report import ReportText

__all__ = ["Record", "read_records"]


@dataclass(frozen=True, slots=True)
class Record:
    """One report under one wanted form, as it ended.

    Parameters
    ----------
    study, dataset, group : str
    target : str
        Spelling of the form.
    status : str
        One of `perimetry.editing.STATUSES`.
    by, reason : str
        Who decided it and why; empty where it was accepted.
    waiting : bool
        Whether the same command goes on with it.
    rounds : int
        Over all steps.
    original : ReportText
    text : ReportText or None
        The accepted alternative.
    """

    study: str
    dataset: str
    group: str
    target: str
    status: str
    by: str
    reason: str
    waiting: bool
    rounds: int
    original: ReportText
    text: ReportText | None


def read_records(path: Path) -> Iterator[Record]:
    """The records of ``alternatives.jsonl``, one by one."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            held: dict[str, Any] = json.loads(line)
            alternative = held["alternative"]
            yield Record(
                study=held["id"],
                dataset=held["dataset"],
                group=held["group"],
                target=held["target"],
                status=held["status"],
                by=held["by"],
                reason=held["reason"],
                waiting=held["waiting"],
                rounds=held["rounds"],
                original=ReportText(**held["original"]),
                text=None if alternative is None else ReportText(**alternative),
            )
