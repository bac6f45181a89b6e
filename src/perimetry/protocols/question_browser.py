"""The case browser of an audit of questions: what every condition showed, what was answered, and the flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from perimetry.cases import ImageError, Question
from perimetry.cases.image import Pixels
from perimetry.conditions import Condition, Surroundings
from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.reports import Browser, BrowserAnswer, BrowserCase, Flag
from perimetry.runs.cube import Flags
from perimetry.scoring import score_answers
from perimetry.statistics import permutation

__all__ = ["SHOWN", "question_browser"]

SHOWN = 60
"""Cases in the browser: those with flags first, filled up at random; the same ones for the same run."""

_PER_FLAG = 12


def question_browser(
    store: RequestStore, analysis: Analysis, flags: Sequence[Mapping[str, Flags]], names: Sequence[str]
) -> Browser:
    """Images of every condition side by side, answers, rules and flags.

    Parameters
    ----------
    store : RequestStore
    analysis : Analysis
    flags : sequence of mapping of str to bool array, one a model
        Which items carry which flag.
    names : sequence of str
        Flags in the order in which their items are chosen.
    """
    chosen = _choose(analysis, flags, names)
    # Only the chosen cases are held until the page is written: by then the outcomes of a large run may be let go.
    marks = {item: _marks(analysis.models, flags, item) for item in chosen}
    return Browser(
        _cases(store, _Chosen.of(analysis, chosen), marks), withhold=analysis.preparation.withheld, limit=SHOWN
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Chosen:
    """The cases of the browser with their outcomes, and nothing of the others."""

    models: tuple[str, ...]
    items: tuple[int, ...]
    datasets: tuple[str, ...]
    questions: tuple[Question, ...]
    outcomes: dict[str, pl.DataFrame]
    width: int
    conditions: tuple[Condition, ...]
    surroundings: Surroundings

    @classmethod
    def of(cls, analysis: Analysis, items: Sequence[int]) -> _Chosen:
        preparation = analysis.preparation
        questions = preparation.questions
        width = len(preparation.conditions) * preparation.asked.repeats
        rows = [row for item in items for row in range(item * width, (item + 1) * width)]
        return cls(
            models=analysis.models,
            items=tuple(items),
            datasets=tuple(preparation.plan.keys[item][0] for item in items),
            questions=tuple(questions[item] for item in items),
            outcomes={model: analysis.outcomes[model][rows] for model in analysis.models},
            width=width,
            conditions=preparation.conditions,
            surroundings=preparation.surroundings,
        )


def _marks(models: Sequence[str], flags: Sequence[Mapping[str, Flags]], item: int) -> tuple[Flag, ...]:
    return tuple(
        Flag(name, model)
        for model, found in zip(models, flags, strict=True)
        for name, items in found.items()
        if items[item]
    )


def _choose(analysis: Analysis, flags: Sequence[Mapping[str, Flags]], names: Sequence[str]) -> list[int]:
    """Some items of each flag and model in turn, then others, in a seeded order."""
    total = len(analysis.preparation.questions)
    order = permutation(analysis.preparation.asked.seed, "browser", size=total).tolist()
    chosen: dict[int, None] = {}
    for name in names:
        members = [item for item in order if any(name in one and one[name][item] for one in flags)]
        chosen.update(dict.fromkeys(members[:_PER_FLAG]))
    for item in order:
        if len(chosen) >= SHOWN:
            break
        chosen[item] = None
    return sorted(list(chosen)[:SHOWN])


def _cases(store: RequestStore, chosen: _Chosen, marks: Mapping[int, tuple[Flag, ...]]) -> Iterator[BrowserCase]:
    texts = {model: _texts(store, model, chosen.outcomes[model]) for model in chosen.models}
    for place, (item, question) in enumerate(zip(chosen.items, chosen.questions, strict=True)):
        answers = []
        for model in chosen.models:
            rows = chosen.outcomes[model].slice(place * chosen.width, chosen.width)
            for row in rows.iter_rows(named=True):
                if row["request_id"] is None:
                    continue
                answers.append(
                    BrowserAnswer(
                        model=model,
                        condition=row["condition"],
                        text=texts[model].get(row["request_id"], ""),
                        answer=row["answer"],
                        rule=_how(row, texts[model].get(row["request_id"], ""), question),
                        right=row["correct"] if row["answered"] else None,
                        repeat=row["repeat"],
                    )
                )
        yield BrowserCase(
            id=question.id,
            dataset=chosen.datasets[place],
            question=question.stem,
            gold=question.answer,
            options=tuple(
                (option.label, "" if option.text == option.label else option.text) for option in question.options
            ),
            images=_images(chosen, question),
            answers=tuple(answers),
            flags=marks[item],
        )


def _how(row: Mapping[str, Any], text: str, question: Question) -> str:
    """The rule that read an answer, why none could be read, or why there is no response."""
    if not row["answered"]:
        return str(row["failure_kind"] or "not asked yet")
    if row["answer"] is not None:
        return str(row["rule"])
    reason = str(score_answers([text], [question])["reason"][0]).replace("_", " ")
    return f"not read ({reason})" if reason else "not read"


def _texts(store: RequestStore, model: str, outcomes: pl.DataFrame) -> dict[str, str]:
    """Raw responses of the chosen items."""
    ids = outcomes["request_id"].drop_nulls().unique()
    frame = (
        store.responses(model).select("request_id", "text").filter(pl.col("request_id").is_in(ids.to_list())).collect()
    )
    return {request_id: text or "" for request_id, text in frame.iter_rows()}


def _images(chosen: _Chosen, question: Question) -> dict[str, tuple[Pixels, ...]]:
    """What each condition shows of a case; a picture that cannot be read is left out: its requests failed.

    Conditions that leave the images as they are do not show them once more.
    """
    shown: dict[str, tuple[Pixels, ...]] = {}
    for condition in chosen.conditions:
        changed = condition.apply(question, chosen.surroundings)
        if not isinstance(changed, Question) or not changed.shown.images:
            continue
        if shown and changed.images == question.images:
            continue
        try:
            shown[condition.spelling] = tuple(image.pixels() for image in changed.images)
        except ImageError:
            continue
    return shown
