"""Outcomes of the route audit: answers read against the order that was shown, and the places of choice and key."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from perimetry.cases import Question
from perimetry.conditions import Condition, Surroundings
from perimetry.conditions.kinds.order import Order, original_label, shown_position
from perimetry.inference import RequestStore
from perimetry.protocols.routes.metrics import Places
from perimetry.runs.folder import RunFolder
from perimetry.runs.outcomes import OUTCOME_SCHEMA, score_outcomes
from perimetry.runs.preparation import Preparation

__all__ = ["ROUTE_SCHEMA", "places_of", "score_trials"]

ROUTE_SCHEMA: dict[str, type[pl.DataType]] = {
    **OUTCOME_SCHEMA,
    "place": pl.UInt16,
    "key_place": pl.UInt16,
}
"""``place``: where the chosen option stood as it was shown, from 1; ``key_place``: where the key stood."""


class _Shown:
    """The question as a condition showed its options; every question under every order is turned once."""

    def __init__(self, conditions: Sequence[Condition], surroundings: Surroundings) -> None:
        self._orders = {one.spelling: one for one in conditions if isinstance(one, Order)}
        self._surroundings = surroundings
        self._known: dict[tuple[int, str], Question] = {}

    def __call__(self, question: Question, condition: str) -> Question:
        order = self._orders.get(condition)
        if order is None:
            return question
        key = (id(question), condition)
        if key not in self._known:
            turned = order.apply(question, self._surroundings)
            self._known[key] = turned if isinstance(turned, Question) else question
        return self._known[key]


def score_trials(folder: RunFolder, store: RequestStore, model: str, preparation: Preparation) -> pl.DataFrame:  # noqa: ARG001 - nothing of it lies in a cache
    """Score every trial of one model.

    ``answer`` names the option by its label in the data set, whatever label it was shown under, so that answers under
    different orders can be compared; ``place`` is where it stood.

    Returns
    -------
    polars.DataFrame
        `ROUTE_SCHEMA`, one row a trial, in the order of the plan.
    """
    questions = preparation.questions
    shown = _Shown(preparation.conditions, preparation.surroundings)
    scored = score_outcomes(store, model, preparation.plan, questions, shown)
    cases = preparation.plan.trials["case"].to_list()
    answers: dict[str, list[str | None]] = {"answer": [], "answer_lenient": []}
    chosen: list[int | None] = []
    keys: list[int | None] = []
    read = (scored[name].to_list() for name in ("condition", "request_id", "answer", "answer_lenient"))
    for case, condition, request, strict, lenient in zip(cases, *read, strict=True):
        original = questions[case]
        asked = shown(original, condition)
        for name, label in (("answer", strict), ("answer_lenient", lenient)):
            answers[name].append(None if label is None else original_label(asked, original, label))
        chosen.append(None if strict is None else shown_position(asked, strict))
        keys.append(None if request is None else shown_position(asked, asked.answer))
    return scored.with_columns(
        *(pl.Series(name, values, dtype=pl.String) for name, values in answers.items()),
        pl.Series("place", chosen, dtype=pl.UInt16),
        pl.Series("key_place", keys, dtype=pl.UInt16),
    ).select(list(ROUTE_SCHEMA))


def places_of(outcomes: pl.DataFrame, conditions: int) -> Places:
    """Places of choice and key as arrays, from the outcomes of one model in the order of the plan."""
    repeats = max(1, outcomes["repeat"].n_unique())
    shape = (outcomes.height // (conditions * repeats), conditions, repeats)
    chosen = outcomes["place"].fill_null(0).to_numpy().astype(np.int64).reshape(shape)
    key = outcomes["key_place"].fill_null(0).to_numpy().astype(np.int64).reshape(shape)[:, :, 0]
    return Places(chosen, key)
