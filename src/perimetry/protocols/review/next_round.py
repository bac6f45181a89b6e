"""The next round of a review: third and fourth ratings, and what did not come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from perimetry.cases.errors import UsageError
from perimetry.protocols.review.handed import HandedOut, deals_of, rater_names, warning_of, write_deals
from perimetry.protocols.review.ratings import Rating, in_order, read_ratings
from perimetry.protocols.review.study import Deal, ReviewStudy, ReviewTask, read_study, write_study
from perimetry.runs.folder import named_disk_errors
from perimetry.statistics import consensus

__all__ = ["export_next"]

STEP_OF = {"needs third": "third", "needs fourth": "fourth"}


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
    asked = {"first": rater_names(raters), "third": rater_names(raters), "fourth": rater_names(adjudicators)}
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
            deals += deals_of(number, held.task.name, step, asked[step], shared, tuple(items))
            if step == "fourth":
                labels = {choice.value: choice.label for choice in held.task.ratings}
                for item, given in items.items():
                    earlier[item] = [(labels[one.value], one.comment) for one in given if one is not None]
    if not deals:
        told = "; ".join(f"{count} {'waits' if count == 1 else 'wait'} for {what}" for what, count in waiting.items())
        raise UsageError(f"{folder}: nothing was handed out. {told or 'Every item is settled'}.")
    study = study.with_deals(deals)
    with named_disk_errors(folder, ""):
        write_deals(folder, study, deals, earlier)
        write_study(folder, study)
    return HandedOut(
        study.id, folder, tuple(deals), len(study.pairs), waiting=tuple(waiting.items()), warning=warning_of(study)
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
