"""Responses to outcomes: every trial scored by the answer rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl

from perimetry.cases import Question
from perimetry.inference import RequestStore
from perimetry.runs.plan import Plan, requests_of
from perimetry.scoring import ANSWERS_VERSION, extract, has_rationale, is_right

__all__ = ["OUTCOME_SCHEMA", "score_outcomes"]

SCORED_SCHEMA: dict[str, type[pl.DataType]] = {
    "request_id": pl.String,
    "answered": pl.Boolean,
    "answer": pl.String,
    "rule": pl.String,
    "start": pl.Int32,
    "end": pl.Int32,
    "correct": pl.Boolean,
    "answer_lenient": pl.String,
    "correct_lenient": pl.Boolean,
    "text_code": pl.Int64,
    "rationale": pl.Boolean,
    "failure_kind": pl.String,
    "failure_message": pl.String,
}

OUTCOME_SCHEMA: dict[str, type[pl.DataType]] = {
    "model": pl.String,
    "dataset": pl.String,
    "case_id": pl.String,
    "group": pl.String,
    "condition": pl.String,
    "repeat": pl.UInt16,
    **SCORED_SCHEMA,
    "scorer": pl.String,
}

_WANTED = ("request_id", "text", "failure_kind", "failure_message")


def score_outcomes(store: RequestStore, model: str, plan: Plan, questions: Sequence[Question]) -> pl.DataFrame:
    """Score every trial of one model, a shard of responses at a time.

    A trial whose request failed, or was never asked, is not answered; one to which its condition does not apply has
    no request. A response from which no rule extracts an answer is answered and wrong.

    Parameters
    ----------
    store : RequestStore
    model : str
    plan : Plan
    questions : sequence of Question
        In the order of the plan.

    Returns
    -------
    polars.DataFrame
        `OUTCOME_SCHEMA`, one row a trial, in the order of the plan.
    """
    requests = requests_of(plan).select("request_id", "case")
    parts = [
        _score_batch(batch.join(requests, on="request_id", how="inner"), questions)
        for batch in store.batches(model, _WANTED)
    ]
    scored = pl.concat(parts) if parts else pl.DataFrame(schema=SCORED_SCHEMA)
    trials = plan.table([model])
    groups = pl.Series("group", [question.group for question in questions]).gather(plan.trials["case"])
    return (
        trials.with_columns(groups)
        .join(scored, on="request_id", how="left", maintain_order="left")
        .with_columns(pl.lit(ANSWERS_VERSION).alias("scorer"))
        .select(OUTCOME_SCHEMA)
    )


def _score_batch(batch: pl.DataFrame, questions: Sequence[Question]) -> pl.DataFrame:
    rows = list(_scored_rows(batch, questions))
    return pl.DataFrame(rows, schema=SCORED_SCHEMA, orient="row")


def _scored_rows(batch: pl.DataFrame, questions: Sequence[Question]) -> Iterator[tuple[Any, ...]]:
    """Score the rows of one shard; one case's equal texts are read once."""
    known: dict[tuple[int, str], tuple[Any, ...]] = {}
    ids, texts, kinds, messages, cases = (batch[name].to_list() for name in (*_WANTED, "case"))
    for request_id, text, kind, message, case in zip(ids, texts, kinds, messages, cases, strict=True):
        if text is None:
            yield (request_id, False, *[None] * 9, kind, message)
            continue
        key = (case, text)
        if key not in known:
            known[key] = _score(text, questions[case])
        yield (request_id, True, *known[key], None, None)


def _score(text: str, question: Question) -> tuple[Any, ...]:
    strict = extract(text, question)
    lenient = extract(text, question, policy="lenient")
    found = strict.answer is not None
    return (
        strict.answer,
        strict.rule,
        strict.start if found else None,
        strict.end if found else None,
        is_right(strict, question),
        lenient.answer,
        is_right(lenient, question),
        text_code(text),
        has_rationale(text, question),
    )


def text_code(text: str) -> int:
    """A number for a raw text, equal for equal texts: 56 bits of its BLAKE2b digest."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "little")
