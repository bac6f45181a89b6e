"""The tables of a review: a row an item, a row a variation, a row a task, a row a rater; and the pairs to release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import polars as pl

from perimetry.protocols.review.estimates import ALIKE, IN_PAIRS, NO_WORSE
from perimetry.protocols.review.outcomes import HOWS, Settled
from perimetry.protocols.review.pairs import variations
from perimetry.protocols.review.study import ReviewStudy
from perimetry.runs.estimates import Estimate

__all__ = ["FEW", "consensus_frame", "few_rated", "interval_cells", "progress", "released", "variation_rows"]

FEW = 10
"""Items below which shares and means are a rough picture: what the paper draws of each data set and variation."""

PLACES = ("first", "second", "third", "fourth")
CONSENSUS_SCHEMA = {
    **dict.fromkeys(("task", "item", "dataset", "case_id", "variation", "side"), pl.String),
    **dict.fromkeys((column for place in PLACES for column in (place, f"{place}_rater")), pl.String),
    **dict.fromkeys(("consensus", "how"), pl.String),
}


def consensus_frame(study: ReviewStudy, settled: Sequence[Settled]) -> pl.DataFrame:
    """One row an item: its pair, the ratings in the order asked, the consensus and how it came about. No comments."""
    rows = []
    for each in settled:
        pair = study.pairs[each.item.pair]
        row: dict[str, str | None] = {
            "task": each.task,
            "item": each.item.id,
            "dataset": pair.dataset,
            "case_id": pair.case_id,
            "variation": pair.variation,
            "side": each.side,
            "consensus": each.value,
            "how": each.how,
        }
        for place, rating in zip(PLACES, each.ratings, strict=False):
            if rating is not None:
                row |= {place: rating.value, f"{place}_rater": rating.rater}
        rows.append(row)
    return pl.DataFrame(rows, schema=CONSENSUS_SCHEMA)


def progress(study: ReviewStudy, settled: Sequence[Settled]) -> list[dict[str, Any]]:
    """For each task how many items there are, how they were settled, and what the others wait for."""
    found = []
    for held in study.tasks:
        hows = Counter(each.how for each in settled if each.task == held.task.name)
        waiting = {how: count for how, count in sorted(hows.items()) if how not in HOWS}
        found.append(
            {
                "task": held.task.name,
                "items": len(held.items),
                **{how: hows[how] for how in HOWS},
                "open": sum(waiting.values()),
                "waiting": waiting,
            }
        )
    return found


def rater_rows(study: ReviewStudy, settled: Sequence[Settled]) -> list[dict[str, Any]]:
    """For each task and rater: items dealt, rated, left open, and equal to the consensus."""
    rows = []
    for held in study.tasks:
        mine = [each for each in settled if each.task == held.task.name]
        dealt = Counter(name for names in study.dealt(held.task.name).values() for name in names)
        given = [(rating, each) for each in mine for rating in each.ratings if rating is not None]
        for name in sorted({*dealt, *(rating.rater for rating, _ in given)} - {""}):
            own = [(rating, each) for rating, each in given if rating.rater == name]
            closed = [(rating, each) for rating, each in own if each.value is not None]
            rows.append(
                {
                    "task": held.task.name,
                    "rater": name,
                    "dealt": dealt.get(name),
                    "rated": len(own),
                    "left_open": None if name not in dealt else dealt[name] - len(own),
                    "equal": sum(rating.value == each.value for rating, each in closed),
                    **{f"={value}": sum(rating.value == value for rating, _ in own) for value in held.task.values},
                }
            )
    return rows


def variation_rows(study: ReviewStudy, estimates: Sequence[Estimate], task: str) -> list[dict[str, Any]]:
    """For each variation, and for all: the estimates of a task over all items, by metric and condition.

    Returns
    -------
    list of dict
        Keys ``METRIC CONDITION`` (``METRIC alternative-original`` for differences), with ``_low``, ``_high``, ``_n``
        and, where there is a value without an interval because all are equal, ``_note``; ``p`` and ``p_holm`` of the
        difference.
    """
    own = (task, f"{task}_{IN_PAIRS}", f"{task}_{NO_WORSE}")
    pooled = "pooled" if any(row.dataset == "pooled" for row in estimates) else None
    rows: dict[str, dict[str, Any]] = {name: {"variation": name} for name in ("all", *variations(study.pairs))}
    for row in estimates:
        if pooled is not None and row.dataset != pooled:
            continue
        if row.metric.partition("=")[0] not in own or row.stratum not in rows:
            continue
        side = f"{row.condition}-{row.comparator}" if row.comparator else row.condition
        key = f"{row.metric} {side}"
        rows[row.stratum] |= {f"{key}_n": row.n, **interval_cells(key, row)}
        if row.p_value == row.p_value:
            rows[row.stratum] |= {"p": row.p_value, "p_holm": row.p_holm}
    return list(rows.values())


def interval_cells(key: str, row: Estimate) -> dict[str, Any]:
    """Value and interval of an estimate as cells of a table, and in words why there is none."""
    cells: dict[str, Any] = {key: row.value, f"{key}_low": row.ci_low, f"{key}_high": row.ci_high}
    return cells | ({f"{key}_note": ALIKE} if row.method.startswith(f"{ALIKE}: no") else {})


def few_rated(
    study: ReviewStudy, settled: Sequence[Settled], task: str, least: int = FEW
) -> list[tuple[str, str, int]]:
    """Variations, and all of them together (``all``), of which fewer items are settled than `least`, by side.

    Returns
    -------
    list of (variation, side, int)
    """
    counts: Counter[tuple[str, str]] = Counter()
    for each in settled:
        if each.task == task:
            for name in ("all", study.pairs[each.item.pair].variation):
                counts[name, each.side] += each.value is not None
    return [(name, side, count) for (name, side), count in counts.items() if count < least]


def released(study: ReviewStudy, settled: Sequence[Settled]) -> list[dict[str, Any]]:
    """The pair set with what was said of it: original, alternative, variation, verdicts, ratings, consensus.

    Raters go by numbers; comments are theirs to keep, and are left out.
    """
    numbers = {
        name: f"rater-{number}"
        for number, name in enumerate(
            sorted({rating.rater for each in settled for rating in each.ratings if rating is not None}), start=1
        )
    }
    rows: list[dict[str, Any]] = [
        {
            "dataset": pair.dataset,
            "case_id": pair.case_id,
            "group": pair.group,
            "variation": pair.variation,
            "original": pair.original,
            "alternative": pair.alternative,
            **{name: value for name, value in pair.more.items() if name != "ratings"},
            "ratings": [],
        }
        for pair in study.pairs
    ]
    for each in settled:
        rows[each.item.pair]["ratings"].append(
            {
                "task": each.task,
                "side": each.side,
                "ratings": [
                    None if rating is None else {"rater": numbers[rating.rater], "value": rating.value}
                    for rating in each.ratings
                ],
                "consensus": each.value,
                "how": each.how,
            }
        )
    return rows
