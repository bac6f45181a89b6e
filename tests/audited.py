"""Small scored runs with known answers, for tests of runs and protocols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from perimetry.runs.outcomes import OUTCOME_SCHEMA, text_code


def outcomes(
    answers: Mapping[str, Sequence[Sequence[str | None]]],
    golds: Sequence[str],
    *,
    failed: Sequence[tuple[int, str, int]] = (),
    inapplicable: Sequence[tuple[int, str]] = (),
    groups: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    model: str = "m",
) -> pl.DataFrame:
    """Outcomes in plan order: answers[condition][item] holds one answer a repeat, None if unreadable."""
    rows = []
    for item, gold in enumerate(golds):
        for condition, given in answers.items():
            for repeat, answer in enumerate(given[item]):
                applies = (item, condition) not in inapplicable
                answered = applies and (item, condition, repeat) not in failed
                text = answer or "no idea"
                rows.append(
                    {
                        "model": model,
                        "dataset": datasets[item] if datasets else "d",
                        "case_id": str(item),
                        "group": groups[item] if groups else str(item),
                        "condition": condition,
                        "repeat": repeat,
                        "request_id": f"{item}-{condition}-{repeat}" if applies else None,
                        "answered": answered if applies else None,
                        "answer": answer if answered else None,
                        "correct": (answer == gold) if answered else None,
                        "answer_lenient": answer if answered else None,
                        "correct_lenient": (answer == gold) if answered else None,
                        "text_code": text_code(text) if answered else None,
                        "rationale": False if answered else None,
                        "failure_kind": "timeout" if applies and not answered else None,
                        "scorer": "answers/1",
                    }
                )
    return pl.DataFrame(rows, schema_overrides=OUTCOME_SCHEMA).select(
        [
            pl.col(name) if name in rows[0] else pl.lit(None, dtype=dtype).alias(name)
            for name, dtype in OUTCOME_SCHEMA.items()
        ]
    )
