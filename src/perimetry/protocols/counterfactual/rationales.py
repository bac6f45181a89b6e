"""What a model's reasons are made of, and what survives when the image goes (CORAL section 3.3: NVCR, HVRR, RCR)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from perimetry.cases import Question
from perimetry.inference import RequestStore
from perimetry.runs.cube import cell_mean
from perimetry.runs.statistic import CellStatistic
from perimetry.scoring import extract
from perimetry.scoring.rationale import hvrr, nvcr, rcr, split_rationale

__all__ = ["RATIONALE_SCHEMA", "rationale_statistics", "score_rationales"]

RATIONALE_SCHEMA: dict[str, type[pl.DataType]] = {
    "case": pl.UInt32,
    "condition": pl.String,
    "repeat": pl.UInt16,
    "sentences": pl.Int32,
    "novel_sentences": pl.Int32,
    "claims": pl.Int32,
    "surviving_claims": pl.Int32,
    "word_distance": pl.Float64,
}

# Cases whose rationales are held at once: their texts are the only ones in memory.
CASES_AT_ONCE = 1_000


def score_rationales(
    store: RequestStore, model: str, outcomes: pl.DataFrame, questions: Sequence[Question]
) -> pl.DataFrame:
    """Score the rationales of one model, some cases at a time; empty for a model that gives none.

    Parameters
    ----------
    store : RequestStore
    model : str
    outcomes : polars.DataFrame
        Of this model, in the order of the plan.
    questions : sequence of Question
        In the order of the plan.

    Returns
    -------
    polars.DataFrame
        `RATIONALE_SCHEMA`: a row for each trial whose own response and whose ``real`` response of the same repeat
        both give a rationale. ``claims`` and ``surviving_claims`` compare the real rationale with this one.
    """
    if not outcomes["rationale"].any():
        return pl.DataFrame(schema=RATIONALE_SCHEMA)
    per_case = outcomes.height // max(1, len(questions))
    trials = outcomes.select("request_id", "condition", "repeat", "rationale").with_columns(
        (pl.int_range(pl.len(), dtype=pl.UInt32) // per_case).cast(pl.UInt32).alias("case")
    )
    wanted = trials.filter(pl.col("rationale"))
    parts = []
    for start in range(0, len(questions), CASES_AT_ONCE):
        chunk = wanted.filter(pl.col("case").is_between(start, start + CASES_AT_ONCE - 1))
        if chunk.is_empty():
            continue
        ids = chunk["request_id"].unique()
        texts = (
            store.responses(model)
            .select("request_id", "text")
            .filter(pl.col("request_id").is_in(ids.to_list()))
            .collect()
        )
        rows = chunk.join(texts, on="request_id", how="left", maintain_order="left")
        parts.append(pl.DataFrame(list(_chunk_rows(rows, questions)), schema=RATIONALE_SCHEMA, orient="row"))
    return pl.concat(parts) if parts else pl.DataFrame(schema=RATIONALE_SCHEMA)


def _chunk_rows(rows: pl.DataFrame, questions: Sequence[Question]) -> Iterator[tuple[object, ...]]:
    read: dict[tuple[int, int, str], str | None] = {}
    for case, condition, repeat, text in rows.select("case", "condition", "repeat", "text").iter_rows():
        read[case, repeat, condition] = split_rationale(text, extract(text, questions[case]))
    for (case, repeat, condition), rationale in read.items():
        real = read.get((case, repeat, "real"))
        novel = nvcr(rationale, questions[case].stem)
        standing = hvrr(real, rationale, questions[case].stem)
        if real is None or novel is None or standing is None:
            continue
        counts = (novel.denominator, novel.numerator, standing.denominator, standing.numerator)
        yield (case, condition, repeat, *counts, rcr(real, rationale))


def rationale_statistics(rationales: pl.DataFrame, items: int, conditions: Sequence[str]) -> Iterator[CellStatistic]:
    """``nvcr``, ``hvrr`` and ``rcr`` as per-item statistics.

    ``nvcr`` = share of rationale sentences under ``real`` that make a visually specific claim absent from the
    question; ``hvrr`` = share of such claims that stand again in the rationale without the image; ``rcr`` per
    condition = 1 - Jaccard of the word sets. Nothing is yielded for a model without rationales.
    """
    if rationales.is_empty():
        return
    none = np.zeros(items, dtype=bool)
    real = rationales.filter(pl.col("condition") == "real")
    yield CellStatistic("nvcr", "real", "", *_sums(real, "novel_sentences", "sentences", items), none)
    blind = rationales.filter(pl.col("condition") == "noimage")
    if not blind.is_empty():
        yield CellStatistic("hvrr", "noimage", "real", *_sums(blind, "surviving_claims", "claims", items), none)
    for condition in conditions:
        rows = rationales.filter(pl.col("condition") == condition)
        if condition == "real" or rows.is_empty():
            continue
        place = (rows["case"].to_numpy(), rows["repeat"].to_numpy())
        values = np.zeros((items, int(place[1].max()) + 1))
        observed = np.zeros(values.shape, dtype=bool)
        values[place] = rows["word_distance"].fill_null(0.0).to_numpy()
        observed[place] = rows["word_distance"].is_not_null().to_numpy()
        yield CellStatistic("rcr", condition, "real", *cell_mean(values, observed), none)


def _sums(
    rows: pl.DataFrame, numerator: str, denominator: str, items: int
) -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Counts summed over an item's repeats."""
    top, bottom = np.zeros(items), np.zeros(items)
    np.add.at(top, rows["case"].to_numpy(), rows[numerator].to_numpy())
    np.add.at(bottom, rows["case"].to_numpy(), rows[denominator].to_numpy())
    return top, bottom
