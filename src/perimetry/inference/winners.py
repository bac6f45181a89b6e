"""Which row of a request counts when it was asked more than once."""

from __future__ import annotations

import polars as pl

__all__ = ["losing_rows"]


def losing_rows(keys: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Rows that do not count.

    The first answer counts: what was once scored never changes. Without any answer the latest failure counts.

    Parameters
    ----------
    keys : polars.DataFrame with ``request_id, failure_kind, attempt, file, row``
        In the order of writing within an attempt.

    Returns
    -------
    dict, file name -> polars.DataFrame with ``row number in file``
        Only files that hold such rows.

    Examples
    --------
    >>> keys = pl.DataFrame({"request_id": ["a", "a"], "failure_kind": ["timeout", None], "attempt": [1, 2],
    ...                      "file": ["x", "y"], "row": [0, 0]})
    >>> list(losing_rows(keys))
    ['x']
    """
    doubled = keys.filter(pl.col("request_id").is_duplicated())
    if not len(doubled):
        return {}
    failed = pl.col("failure_kind").is_not_null()
    # Ascending in `age` the winner comes first: answers from the oldest on, then failures from the newest on.
    age = pl.int_range(pl.len(), dtype=pl.Int64)
    ranked = (
        doubled.sort("attempt", maintain_order=True)
        .with_columns(failed.alias("failed"), pl.when(failed).then(-age).otherwise(age).alias("age"))
        .sort("request_id", "failed", "age")
    )
    losers = ranked.filter(~pl.col("request_id").is_first_distinct())
    return {
        str(name[0]): rows.select(pl.col("row").alias("row number in file"))
        for name, rows in losers.group_by("file", maintain_order=True)
    }
