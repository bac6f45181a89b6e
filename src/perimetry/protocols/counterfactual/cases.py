"""The cases that the counterfactual report shows, and what makes each worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from perimetry.cases import ImageError, Question
from perimetry.cases.image import Pixels
from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.reports import Browser, BrowserAnswer, BrowserCase, Flag
from perimetry.runs.cube import Cube, Flags
from perimetry.statistics import permutation

__all__ = ["SHOWN", "browser"]

SHOWN = 60
"""Cases in the browser: those with flags first, filled up at random; the same ones for the same run."""

RIGHT_ONLY_SHUFFLED = "right when shuffled, wrong as it is"
NEEDS_IMAGE = "right only with the image"
SAME_ANSWER = "same answer whatever is shown"
UNPARSED = "answer not read"
FAILED = "request failed"

_PER_FLAG = 12


def browser(store: RequestStore, analysis: Analysis) -> Browser:
    """The case browser: images of every condition side by side, answers, rules and flags."""
    flags = [_flags(analysis, model) for model in analysis.models]
    chosen = _choose(analysis, flags)
    return Browser(_cases(store, analysis, flags, chosen), withhold=analysis.preparation.withheld, limit=SHOWN)


def _flags(analysis: Analysis, model: str) -> dict[str, Flags]:
    """Which items carry which flag, for one model (first repeat)."""
    cube = Cube.from_outcomes(analysis.outcomes[model], analysis.preparation.plan.conditions)
    answered, correct, answers = cube.answered[:, :, 0], cube.correct[:, :, 0], cube.answers[:, :, 0]
    found: dict[str, Flags] = {
        UNPARSED: np.asarray((answered & (answers < 0)).any(axis=1), dtype=bool),
        FAILED: np.asarray((cube.applies & ~answered).any(axis=1), dtype=bool),
    }
    real, shuffle, noimage = cube.index("real"), cube.index("shuffle"), cube.index("noimage")
    if real is not None and shuffle is not None:
        both = answered[:, real] & answered[:, shuffle]
        found[RIGHT_ONLY_SHUFFLED] = both & correct[:, shuffle] & ~correct[:, real]
    if real is not None and noimage is not None:
        both = answered[:, real] & answered[:, noimage]
        found[NEEDS_IMAGE] = both & correct[:, real] & ~correct[:, noimage]
    if real is not None:
        same = (answers == answers[:, [real]]) & (answers >= 0)
        found[SAME_ANSWER] = (same | ~answered).all(axis=1) & answered[:, real]
    return found


def _choose(analysis: Analysis, flags: Sequence[dict[str, Flags]]) -> list[int]:
    """Some items of each flag and model in turn, then others, in a seeded order."""
    total = len(analysis.preparation.questions)
    order = permutation(analysis.preparation.asked.seed, "browser", size=total).tolist()
    chosen: dict[int, None] = {}
    for name in (RIGHT_ONLY_SHUFFLED, NEEDS_IMAGE, UNPARSED, FAILED, SAME_ANSWER):
        members = [item for item in order if any(name in one and one[name][item] for one in flags)]
        chosen.update(dict.fromkeys(members[:_PER_FLAG]))
    for item in order:
        if len(chosen) >= SHOWN:
            break
        chosen[item] = None
    return sorted(list(chosen)[:SHOWN])


def _cases(
    store: RequestStore,
    analysis: Analysis,
    flags: Sequence[dict[str, Flags]],
    chosen: Sequence[int],
) -> Iterator[BrowserCase]:
    preparation = analysis.preparation
    width = len(preparation.conditions) * preparation.asked.repeats
    texts = {model: _texts(store, model, analysis.outcomes[model], chosen, width) for model in analysis.models}
    for item in chosen:
        question = preparation.questions[item]
        answers = []
        for model in analysis.models:
            rows = analysis.outcomes[model].slice(item * width, width)
            for row in rows.iter_rows(named=True):
                if row["request_id"] is None:
                    continue
                answers.append(
                    BrowserAnswer(
                        model=model,
                        condition=row["condition"],
                        text=texts[model].get(row["request_id"], ""),
                        answer=row["answer"],
                        rule=row["rule"] or row["failure_kind"] or "not asked yet",
                        right=row["correct"] if row["answered"] else None,
                        repeat=row["repeat"],
                    )
                )
        marks = [
            Flag(name, model)
            for model, found in zip(analysis.models, flags, strict=True)
            for name, items in found.items()
            if items[item]
        ]
        yield BrowserCase(
            id=question.id,
            dataset=preparation.plan.keys[item][0],
            question=question.stem,
            gold=question.answer,
            options=tuple((option.label, option.text) for option in question.options),
            images=_images(analysis, question),
            answers=tuple(answers),
            flags=tuple(marks),
        )


def _texts(
    store: RequestStore, model: str, outcomes: pl.DataFrame, chosen: Sequence[int], width: int
) -> dict[str, str]:
    """Raw responses of the chosen items."""
    rows = [row for item in chosen for row in range(item * width, (item + 1) * width)]
    ids = outcomes["request_id"].gather(rows).drop_nulls().unique()
    frame = (
        store.responses(model).select("request_id", "text").filter(pl.col("request_id").is_in(ids.to_list())).collect()
    )
    return {request_id: text or "" for request_id, text in frame.iter_rows()}


def _images(analysis: Analysis, question: Question) -> dict[str, tuple[Pixels, ...]]:
    """What each condition shows of a case; a picture that cannot be read is left out: its requests failed."""
    shown: dict[str, tuple[Pixels, ...]] = {}
    for condition in analysis.preparation.conditions:
        changed = condition.apply(question, analysis.preparation.surroundings)
        if not isinstance(changed, Question) or not changed.shown.images or condition.spelling == "retest":
            continue
        try:
            shown[condition.spelling] = tuple(image.pixels() for image in changed.images)
        except ImageError:
            continue
    return shown
