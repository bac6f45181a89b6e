"""Responses to outcomes: every trial scored by the answer rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

import polars as pl

from perimetry.cases import Question
from perimetry.inference import RequestStore
from perimetry.runs.plan import Plan, requests_of
from perimetry.scoring import SCORER_VERSION, Extraction, score_answers
from perimetry.scoring.rationale import split_rationale

__all__ = ["COMMON_COLUMNS", "OUTCOME_SCHEMA", "score_outcomes"]

COMMON_COLUMNS = (
    *("model", "dataset", "case_id", "group", "condition", "repeat", "request_id"),
    *("answered", "failure_kind", "failure_message"),
)
"""What the outcomes of every audit say of a trial."""

SCORED_SCHEMA: dict[str, type[pl.DataType]] = {
    "request_id": pl.String,
    "answered": pl.Boolean,
    "answer": pl.String,
    "rule": pl.String,
    "start": pl.Int32,
    "end": pl.Int32,
    "correct": pl.Boolean,
    "token_f1": pl.Float64,
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


def score_outcomes(
    store: RequestStore,
    model: str,
    plan: Plan,
    questions: Sequence[Question],
    shown: Callable[[Question, str], Question] | None = None,
) -> pl.DataFrame:
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
    shown : callable or None
        From a question and the spelling of a condition to the question that an answer is read against, for audits that
        show options in another order. By default the question itself.

    Returns
    -------
    polars.DataFrame
        `OUTCOME_SCHEMA`, one row a trial, in the order of the plan.
    """
    requests = requests_of(plan).select("request_id", "case", "condition")
    parts = []
    for batch in store.batches(model, _WANTED):
        rows = batch.join(requests, on="request_id", how="inner")
        asked = [questions[case] for case in rows["case"].to_list()]
        if shown is not None:
            names = (plan.conditions[condition] for condition in rows["condition"].to_list())
            asked = [shown(question, name) for question, name in zip(asked, names, strict=True)]
        parts.append(_score_batch(rows, asked))
    scored = pl.concat(parts) if parts else pl.DataFrame(schema=SCORED_SCHEMA)
    trials = plan.table([model])
    groups = pl.Series("group", [question.group for question in questions]).gather(plan.trials["case"])
    return (
        trials.with_columns(groups)
        .join(scored, on="request_id", how="left", maintain_order="left")
        .with_columns(pl.lit(SCORER_VERSION).alias("scorer"))
        .select(list(OUTCOME_SCHEMA))
    )


def _score_batch(batch: pl.DataFrame, asked: Sequence[Question]) -> pl.DataFrame:
    """Score the responses of one shard, each against the question it answers."""
    texts = batch["text"].to_list()
    strict = score_answers(texts, asked)
    lenient = score_answers(texts, asked, "lenient")
    codes = {text: None if text is None else text_code(text) for text in set(texts)}
    found = pl.col("answer").is_not_null()
    return (
        strict.with_columns(
            batch["request_id"],
            batch["failure_kind"],
            batch["failure_message"],
            pl.Series("answered", [text is not None for text in texts], dtype=pl.Boolean),
            pl.when(found).then(pl.col("start")).cast(pl.Int32),
            pl.when(found).then(pl.col("end")).cast(pl.Int32),
            lenient["answer"].alias("answer_lenient"),
            lenient["correct"].alias("correct_lenient"),
            pl.Series("text_code", [codes[text] for text in texts], dtype=pl.Int64),
            pl.Series("rationale", list(_gives_rationale(texts, strict)), dtype=pl.Boolean),
        )
        .select(list(SCORED_SCHEMA))
        .cast(SCORED_SCHEMA)  # type: ignore[arg-type]
    )


def _gives_rationale(texts: Sequence[str | None], scored: pl.DataFrame) -> Iterator[bool | None]:
    """Whether each response gives reasons; equal responses read alike are looked at once."""
    known: dict[tuple[str, int, int], bool] = {}
    columns = (scored[name].to_list() for name in ("answer", "rule", "start", "end"))
    for text, answer, rule, start, end in zip(texts, *columns, strict=True):
        if text is None:
            yield None
            continue
        key = (text, start, end)
        if key not in known:
            known[key] = split_rationale(text, Extraction(answer, rule or "", start, end)) is not None
        yield known[key]


def text_code(text: str) -> int:
    """A number for a raw text, equal for equal texts: 56 bits of its BLAKE2b digest."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "little")
