"""The study of a review: its tasks, pairs and items, and what was dealt to whom. It stays behind, as ``key.json``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError, UnknownNameError
from perimetry.cases.layout import found_in
from perimetry.cases.plain_files import read_json
from perimetry.protocols.review.draw import Item
from perimetry.protocols.review.pairs import Pair
from perimetry.protocols.review.task import Task, task_from
from perimetry.runs.folder import write_atomically

__all__ = ["ANYBODY", "KEY", "Deal", "ReviewStudy", "ReviewTask", "read_study", "write_study"]

KEY = "key.json"
ANYBODY = ""
"""Rater of a deal that is open to all."""
FORM = 1


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """A task with its items, in the order in which they are numbered."""

    task: Task
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Items handed to one rater.

    Parameters
    ----------
    round : int
        From 1.
    task, rater : str
        No name: open to all.
    step : {"first", "third", "fourth"}
        ``first``: the first two ratings.
    items : tuple of str
    """

    round: int
    task: str
    rater: str
    step: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewStudy:
    """Everything that raters must not see.

    Parameters
    ----------
    id : str
        Stands in every sheet: sheets of another study are told by it.
    seed : int
    data_use : str
        ``open``, ``restricted``, ``credentialed``, or empty.
    pairs : tuple of Pair
    tasks : tuple of ReviewTask
    deals : tuple of Deal
    """

    id: str
    seed: int
    data_use: str
    pairs: tuple[Pair, ...]
    tasks: tuple[ReviewTask, ...]
    deals: tuple[Deal, ...] = ()

    def task(self, name: str) -> ReviewTask:
        """A task by its name; raises `UnknownNameError`."""
        for each in self.tasks:
            if each.task.name == name:
                return each
        raise UnknownNameError("task of this review", name, [each.task.name for each in self.tasks])

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody to whom something was dealt by name."""
        return tuple(dict.fromkeys(deal.rater for deal in self.deals if deal.rater != ANYBODY))

    def dealt(self, task: str, step: str | None = None) -> dict[str, list[str]]:
        """Item to the raters it was dealt to, in the order of the deals."""
        found: dict[str, list[str]] = {}
        for deal in self.deals:
            if deal.task == task and step in (None, deal.step):
                for item in deal.items:
                    found.setdefault(item, []).append(deal.rater)
        return found

    def with_deals(self, deals: Sequence[Deal]) -> ReviewStudy:
        """The same with more dealt."""
        return replace(self, deals=(*self.deals, *deals))


def study_id(pairs: Sequence[Pair], tasks: Sequence[Task], seed: int) -> str:
    """Ten characters that follow from pairs, tasks and seed.

    Examples
    --------
    >>> len(study_id([], [], 42)), study_id([], [], 42) == study_id([], [], 43)
    (10, False)
    """
    content = [[*pair.key, pair.original, pair.alternative] for pair in pairs]
    spelled = json.dumps([content, [task.to_dict() for task in tasks], seed], sort_keys=True)
    return hashlib.sha256(spelled.encode("utf-8", "replace")).hexdigest()[:10]


def write_study(folder: Path, study: ReviewStudy) -> None:
    """Write ``key.json``."""
    value = {
        "review": FORM,
        "study": study.id,
        "seed": study.seed,
        "data_use": study.data_use,
        "tasks": [
            {"task": each.task.to_dict(), "items": [[item.id, item.pair, item.first] for item in each.items]}
            for each in study.tasks
        ],
        "deals": [asdict(deal) for deal in study.deals],
        "pairs": [asdict(pair) for pair in study.pairs],
    }
    text = json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n"
    write_atomically(folder / KEY, text.encode("utf-8", "replace"))


def read_study(folder: Path) -> ReviewStudy:
    """Read the study of a folder that `export_review` made.

    Raises
    ------
    DataError
        When the key is not there, or is not one of a review.
    """
    path = folder / KEY
    if not path.is_file():
        raise DataError(
            f"{path} was looked for: the key that stayed behind when the review was exported. {found_in(folder)}"
        )
    value = read_json(path)
    if not isinstance(value, dict) or value.get("review") != FORM:
        raise DataError(
            f"{path} is not the key of a review ({FORM=}). Take the one that `perimetry review export` wrote."
        )
    try:
        return _study(value, path)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{path} is damaged ({type(error).__name__}: {error}). Take a copy of the one that was exported."
        ) from error


def _study(value: Mapping[str, Any], path: Path) -> ReviewStudy:
    return ReviewStudy(
        id=str(value["study"]),
        seed=int(value["seed"]),
        data_use=str(value["data_use"]),
        pairs=tuple(Pair(**each) for each in value["pairs"]),
        tasks=tuple(
            ReviewTask(task_from(each["task"], str(path)), tuple(Item(*item) for item in each["items"]))
            for each in value["tasks"]
        ),
        deals=tuple(Deal(**(each | {"items": tuple(each["items"])})) for each in value["deals"]),
    )
