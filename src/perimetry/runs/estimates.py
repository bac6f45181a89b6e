"""The tidy table of estimates: one form for all audits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

import polars as pl

__all__ = ["ESTIMATE_SCHEMA", "Estimate", "estimate_frame"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number of an audit with its interval, and how it was made.

    Parameters
    ----------
    protocol, dataset, model, metric : str
        ``dataset`` is ``macro`` for the mean over data sets and ``pooled`` where items are pooled.
    condition, comparator : str
        Conditions in their own spelling, or ``model:NAME``; empty where there is none.
    stratum : str, default "all"
    value, ci_low, ci_high : float
        nan for what could not be computed.
    level : float
        Coverage of the interval.
    n, groups, missing : int
        Items used, groups among them, and items left out because a request failed.
    p_value, p_holm, p_positive : float
        Two-sided p, the same after Holm's adjustment within its family, share of resamples above zero.
    direction : str
        ``higher``, ``lower`` or empty.
    version, method : str
        Of the scorer, and how value and interval were made.
    seed : int
        Seed of the resamples.
    """

    protocol: str
    dataset: str
    model: str
    metric: str
    condition: str = ""
    comparator: str = ""
    stratum: str = "all"
    value: float = math.nan
    ci_low: float = math.nan
    ci_high: float = math.nan
    level: float = 0.95
    n: int = 0
    groups: int = 0
    missing: int = 0
    p_value: float = math.nan
    p_holm: float = math.nan
    p_positive: float = math.nan
    direction: str = ""
    version: str = ""
    method: str = ""
    seed: int = 42


ESTIMATE_SCHEMA: dict[str, type[pl.DataType]] = {
    field.name: {"str": pl.String, "float": pl.Float64, "int": pl.Int64}[str(field.type)] for field in fields(Estimate)
}


def estimate_frame(estimates: Iterable[Estimate]) -> pl.DataFrame:
    """Estimates as a table; what could not be computed is empty (null), never nan.

    Examples
    --------
    >>> estimate_frame([Estimate("counterfactual", "macro", "m", "vrs")])["value"].to_list()
    [None]
    """
    rows = [astuple(estimate) for estimate in estimates]
    frame = pl.DataFrame(rows, schema=ESTIMATE_SCHEMA, orient="row")
    return frame.with_columns(pl.col(pl.Float64).fill_nan(None))
