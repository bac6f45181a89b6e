"""Ratings that came back: kept in ``ratings.jsonl``, and put in the order in which they were asked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from perimetry.cases.errors import DataError
from perimetry.cases.table import read_rows
from perimetry.protocols.review.study import ANYBODY, ReviewStudy
from perimetry.runs.folder import write_atomically

__all__ = ["RATINGS", "Rating", "in_order", "read_ratings", "write_ratings"]

RATINGS = "ratings.jsonl"
STEPS = ("first", "third", "fourth")


@dataclass(frozen=True, slots=True)
class Rating:
    """What one rater said of one item.

    Parameters
    ----------
    task, item, rater, value : str
    comment : str
    source : str
        File it came from.
    """

    task: str
    item: str
    rater: str
    value: str
    comment: str = ""
    source: str = ""


def read_ratings(folder: Path) -> tuple[Rating, ...]:
    """All ratings imported so far, in the order of import; none where there is no file."""
    path = folder / RATINGS
    if not path.is_file():
        return ()
    found = []
    for number, row in enumerate(read_rows(path), start=1):
        try:
            found.append(Rating(**row))
        except TypeError as error:
            raise DataError(
                f"{path}, line {number}: found {', '.join(row)}, which is not a rating. Import again."
            ) from error
    return tuple(found)


def write_ratings(folder: Path, ratings: Iterable[Rating]) -> None:
    """Write all ratings, by write-then-rename."""
    lines = "".join(json.dumps(asdict(rating), ensure_ascii=False) + "\n" for rating in ratings)
    write_atomically(folder / RATINGS, lines.encode("utf-8", "replace"))


def in_order(study: ReviewStudy, ratings: Sequence[Rating], task: str) -> dict[str, list[Rating | None]]:
    """The ratings of each item in the order asked: two first ones, the third, the fourth.

    Raters of one step come in the order of the deals, in an open deal in the order of import. One who gave no rating is
    passed over for a later one of the same step. First ratings beyond the second one serve as the third, and further
    ones as the fourth where nobody was asked for it.

    Returns
    -------
    dict of str to list
        Every item of the task, four places at most; None for a place before the last whose rating has not come.
    """
    given: dict[str, dict[str, Rating]] = {}
    for rating in ratings:
        if rating.task == task:
            given.setdefault(rating.item, {})[rating.rater] = rating
    dealt = {step: study.dealt(task, step) for step in STEPS}
    ordered: dict[str, list[Rating | None]] = {}
    for item in study.task(task).items:
        held = dict(given.get(item.id, {}))
        asked = {step: [name for name in dealt[step].get(item.id, []) if name != ANYBODY] for step in STEPS}
        steps = {step: [held.pop(name) for name in asked[step] if name in held] for step in STEPS}
        first = [*steps["first"], *held.values()]
        rest = [*first[2:], *steps["third"]]
        places: list[Rating | None] = [*first[:2], *[None] * (2 - len(first[:2]))]
        places += [rest[0] if rest else None, next(iter([*steps["fourth"], *rest[1:]]), None)]
        while places and places[-1] is None:
            places.pop()
        ordered[item.id] = places
    return ordered
