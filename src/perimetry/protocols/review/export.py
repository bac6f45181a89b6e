"""A review is handed out: first to two raters an item, then what they differ about to a third and a fourth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.errors import UsageError
from perimetry.protocols.review.draw import draw_items, draw_pairs, shared_out
from perimetry.protocols.review.handout import shown_items, write_deal
from perimetry.protocols.review.importing import check_rater
from perimetry.protocols.review.pairs import LeftOut, read_pairs, terms_of
from perimetry.protocols.review.ratings import Rating, in_order, read_ratings
from perimetry.protocols.review.study import (
    ANYBODY,
    KEY,
    Deal,
    ReviewStudy,
    ReviewTask,
    read_study,
    study_id,
    write_study,
)
from perimetry.protocols.review.task import SHIPPED, read_task
from perimetry.runs.folder import named_disk_errors
from perimetry.statistics import consensus

__all__ = ["HandedOut", "export_next", "export_review", "is_review"]

STEP_OF = {"needs third": "third", "needs fourth": "fourth"}
WARNED = ("restricted", "credentialed")


@dataclass(frozen=True, slots=True)
class HandedOut:
    """What was written.

    Parameters
    ----------
    study : str
        Its id.
    out : Path
    deals : tuple of Deal
        Of this round.
    pairs : int
    left_out : tuple of LeftOut
        Records of the input that are no pair.
    waiting : dict of str to int
        Items that were not dealt again: what they wait for, and how many.
    warning : str
        What the terms of the data ask for.
    """

    study: str
    out: Path
    deals: tuple[Deal, ...]
    pairs: int
    left_out: tuple[LeftOut, ...] = ()
    waiting: tuple[tuple[str, int], ...] = ()
    warning: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "study": self.study,
            "out": str(self.out),
            "pairs": self.pairs,
            "deals": [
                {"round": one.round, "task": one.task, "rater": one.rater, "step": one.step, "items": len(one.items)}
                for one in self.deals
            ],
            "left_out": [
                {"reason": one.reason, "count": one.count, "examples": list(one.examples)} for one in self.left_out
            ],
            "waiting": dict(self.waiting),
            "warning": self.warning,
        }


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
    names = _raters(raters)
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
        deals += _deals(1, each.task.name, "first", names, shared, items)
    study = study.with_deals(deals)
    with named_disk_errors(out):
        # The key comes last: a folder without one was not handed out.
        _write(out, study, deals, {})
        write_study(out, study)
    return HandedOut(study.id, out, tuple(deals), len(drawn), left_out, warning=_warning(study))


def export_next(
    folder: Path, *, raters: Sequence[str] = (), adjudicators: Sequence[str] = (), fill: bool = False
) -> HandedOut:
    """Hand out what a review still needs: a third rating where two differ, a fourth where all three do.

    The third rater sees what the first two saw. The fourth sees what the three chose and why, without their names.

    Parameters
    ----------
    folder : Path
        Of `export_review`.
    raters : sequence of str
        Who gives the third ratings (and, with `fill`, ratings that others left out).
    adjudicators : sequence of str
        Who gives the fourth ones.
    fill : bool, default False
        Hand out to somebody else what was dealt and did not come back.

    Raises
    ------
    UsageError
        When nobody is named who may rate what is open, or nothing is.
    """
    study = read_study(folder)
    asked = {"first": _raters(raters), "third": _raters(raters), "fourth": _raters(adjudicators)}
    ratings = read_ratings(folder)
    number = max((deal.round for deal in study.deals), default=0) + 1
    deals: list[Deal] = []
    waiting: Counter[str] = Counter()
    earlier: dict[str, list[tuple[str, str]]] = {}
    for held in study.tasks:
        wanted, waits = _wanted(study, held, ratings, fill)
        waiting.update(waits)
        for step, items in wanted.items():
            if not asked[step]:
                waiting[f"a {step} rating ({'--adjudicator' if step == 'fourth' else '--rater'} names nobody)"] += len(
                    items
                )
                continue
            shared = _shared(study, held.task.name, step, items, asked[step], ratings)
            deals += _deals(number, held.task.name, step, asked[step], shared, tuple(items))
            if step == "fourth":
                labels = {choice.value: choice.label for choice in held.task.ratings}
                for item, given in items.items():
                    earlier[item] = [(labels[one.value], one.comment) for one in given if one is not None]
    if not deals:
        told = "; ".join(f"{count} wait for {what}" for what, count in waiting.items())
        raise UsageError(f"{folder}: nothing was handed out. {told or 'Every item is settled'}.")
    study = study.with_deals(deals)
    with named_disk_errors(folder):
        _write(folder, study, deals, earlier)
        write_study(folder, study)
    return HandedOut(
        study.id, folder, tuple(deals), len(study.pairs), waiting=tuple(waiting.items()), warning=_warning(study)
    )


def _wanted(
    study: ReviewStudy, held: ReviewTask, ratings: Sequence[Rating], fill: bool
) -> tuple[dict[str, dict[str, list[Rating | None]]], Counter[str]]:
    """Items by the step that they need now, with their ratings so far; and what others wait for."""
    name = held.task.name
    wanted: dict[str, dict[str, list[Rating | None]]] = {}
    waits: Counter[str] = Counter()
    for item, given in in_order(study, ratings, name).items():
        how = consensus([None if one is None else one.value for one in given]).how
        if not how.startswith("needs"):
            continue
        step = STEP_OF.get(how, "first")
        if not fill and item in study.dealt(name, step):
            waits[f"a {step} rating that was dealt (--fill deals it again)"] += 1
        else:
            wanted.setdefault(step, {})[item] = given
    return wanted, waits


def _shared(
    study: ReviewStudy,
    task: str,
    step: str,
    items: dict[str, list[Rating | None]],
    names: Sequence[str],
    ratings: Sequence[Rating],
) -> dict[str, list[str]]:
    """Each item to the rater with the fewest so far who has not seen it, to two where both ratings are missing."""
    dealt = study.dealt(task)
    rated: dict[str, set[str]] = {}
    for rating in ratings:
        if rating.task == task:
            rated.setdefault(rating.item, set()).add(rating.rater)
    load: Counter[str] = Counter()
    shared: dict[str, list[str]] = {}
    stuck: list[str] = []
    for item, given in items.items():
        missing = 2 - sum(one is not None for one in given[:2]) if step == "first" else 1
        free = [name for name in names if name not in rated.get(item, set()) and name not in dealt.get(item, [])]
        chosen = sorted(free, key=lambda name: (load[name], names.index(name)))[:missing]
        if not chosen:
            stuck.append(item)
            continue
        load.update(chosen)
        shared[item] = chosen
    if stuck:
        raise UsageError(
            f"{task}: {len(stuck)} items need a {step} rating, and {', '.join(names)} "
            f"{'has' if len(names) == 1 else 'have'} seen them already ({', '.join(stuck[:3])}). Name somebody else."
        )
    return shared


def _deals(
    number: int, task: str, step: str, names: Sequence[str], shared: dict[str, list[str]], items: Sequence[str]
) -> list[Deal]:
    dealt = ((name, tuple(item for item in items if name in shared[item])) for name in names)
    return [Deal(number, task, name, step, mine) for name, mine in dealt if mine]


def _write(out: Path, study: ReviewStudy, deals: Sequence[Deal], earlier: dict[str, list[tuple[str, str]]]) -> None:
    for deal in deals:
        told = earlier if deal.step == "fourth" else None
        write_deal(out, study, deal, shown_items(study, deal, told), _warning(study))


def _raters(names: Sequence[str]) -> tuple[str, ...]:
    found = [check_rater(part.strip()) for name in names for part in name.split(",") if part.strip()]
    folded = Counter(name.casefold() for name in found)
    twice = [name for name in found if folded[name.casefold()] > 1]
    if twice:
        raise UsageError(f"The rater {twice[0]!r} is named twice (folders do not tell case apart). Name each once.")
    return tuple(found)


def _stricter(one: str, other: str) -> str:
    order = ("", "open", *WARNED)
    return max(one, other, key=order.index)


def _warning(study: ReviewStudy) -> str:
    if study.data_use not in WARNED:
        return ""
    return (
        f"These reports are {study.data_use}: only people whom their terms allow may read them, and they stay on "
        "machines where that holds."
    )


def is_review(path: Path) -> bool:
    """Whether a folder holds the key of a review."""
    return (path / KEY).is_file()
