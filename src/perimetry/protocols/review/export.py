"""A new review is handed out: every item to two raters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from perimetry.cases.errors import UsageError
from perimetry.protocols.review.draw import draw_items, draw_pairs, shared_out
from perimetry.protocols.review.handed import WARNED, HandedOut, deals_of, rater_names, warning_of, write_deals
from perimetry.protocols.review.pairs import read_pairs, terms_of
from perimetry.protocols.review.study import (
    ANYBODY,
    KEY,
    Deal,
    ReviewStudy,
    ReviewTask,
    study_id,
    write_study,
)
from perimetry.protocols.review.task import SHIPPED, read_task
from perimetry.runs.folder import named_disk_errors

__all__ = ["export_review", "is_review"]


def export_review(
    pairs: Path,
    out: Path,
    *,
    tasks: Sequence[str] = SHIPPED,
    raters: Sequence[str] = (),
    per_variation: int | None = None,
    seed: int = 42,
    data_use: str = "",
) -> HandedOut:
    """Hand out a new review: every item to two raters, in one seeded order that tells nothing.

    Parameters
    ----------
    pairs : Path
        See `perimetry.protocols.review.pairs.read_pairs`.
    out : Path
        A folder that does not exist yet, or is empty. ``key.json`` stays; ``round-1/RATER/`` goes to each rater.
    tasks : sequence of str
        Shipped names or task files.
    raters : sequence of str
        Nobody: one hand-out for everybody, and the first two who rate an item count as its first raters. Two or more:
        every item is dealt to two of them.
    per_variation : int, optional
        Pairs of each data set and variation, drawn by the seed (the paper: 10); all by default.
    seed : int, default 42
    data_use : {"", "open", "restricted", "credentialed"}
        Terms of the reports; those that the pairs' ``funnel.json`` names stand where they are stricter.

    Raises
    ------
    UsageError
        For a folder in use, one rater alone, a rater named twice, or two tasks of one name.
    DataError
        See `read_pairs` and `read_task`.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"--out {out} is not empty. Name a new folder: a review must not mix with another one.")
    names = rater_names(raters)
    if len(names) == 1:
        raise UsageError(
            f"--rater {names[0]} is one rater; every item needs two. Name two or more, or none for a hand-out that is "
            "open to everybody."
        )
    read = [read_task(spec) for spec in tasks]
    twice = [name for name, count in Counter(task.name for task in read).items() if count > 1]
    if twice or not read:
        told = f"two tasks are called {twice[0]!r}" if twice else "no task was given"
        raise UsageError(f"--task: {told}. Give each task once, under a name of its own.")
    found, left_out = read_pairs(pairs)
    drawn = draw_pairs(found, per_variation, seed)
    held = tuple(ReviewTask(task, draw_items(task, drawn, seed)) for task in read)
    study = ReviewStudy(study_id(drawn, read, seed), seed, _stricter(data_use, terms_of(pairs)), drawn, held)
    deals = []
    for each in held:
        items = tuple(item.id for item in each.items)
        if not names:
            deals.append(Deal(1, each.task.name, ANYBODY, "first", items))
            continue
        shared = shared_out(items, names, 2, seed, each.task.name)
        deals += deals_of(1, each.task.name, "first", names, shared, items)
    study = study.with_deals(deals)
    with named_disk_errors(out, ""):
        # The key comes last: a folder without one was not handed out.
        write_deals(out, study, deals, {})
        write_study(out, study)
    return HandedOut(study.id, out, tuple(deals), len(drawn), left_out, warning=warning_of(study))


def is_review(path: Path) -> bool:
    """Whether a folder holds the key of a review."""
    return (path / KEY).is_file()


def _stricter(one: str, other: str) -> str:
    order = ("", "open", *WARNED)
    return max(one, other, key=order.index)
