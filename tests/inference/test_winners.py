from __future__ import annotations

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from perimetry.inference.winners import losing_rows

written = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([None, "timeout", "refused"]), st.integers(1, 3)))


@given(written)
def test_the_first_answer_counts_else_the_latest_failure(history):
    """Against the rule spelt out for one request at a time."""
    history = sorted(history, key=lambda row: row[2])
    keys = pl.DataFrame(
        {
            "request_id": [row[0] for row in history],
            "failure_kind": [row[1] for row in history],
            "attempt": [row[2] for row in history],
            "file": [f"file-{row[2]}" for row in history],
            "row": list(range(len(history))),
        },
        schema={"request_id": pl.String, "failure_kind": pl.String, "attempt": pl.Int32, "file": pl.String,
                "row": pl.UInt32},
    )  # fmt: skip
    losers = {row for rows in losing_rows(keys).values() for row in rows.get_column("row number in file")}
    for request in "abc":
        mine = [(number, kind) for number, (name, kind, _) in enumerate(history) if name == request]
        answers = [number for number, kind in mine if kind is None]
        winner = answers[0] if answers else mine[-1][0] if mine else None
        assert {number for number, _ in mine} - losers == ({winner} if winner is not None else set())
