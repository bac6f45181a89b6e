"""Two models on the same cases, in one run or across two (CORAL section 3.4 and Table 4)."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from perimetry.cases import UnknownNameError, UsageError
from perimetry.protocols.counterfactual.estimates import PROTOCOL, compare_statistics
from perimetry.protocols.counterfactual.metrics import cell_statistics
from perimetry.protocols.counterfactual.rationales import RATIONALE_SCHEMA, rationale_statistics
from perimetry.protocols.run import Run
from perimetry.runs.contrasts import Items, estimate_contrasts
from perimetry.runs.cube import Cube
from perimetry.runs.estimates import estimate_frame
from perimetry.runs.statistic import CellStatistic

__all__ = ["compare_models"]


def compare_models(run: str | Path, run2: str | Path, baseline: str, candidate: str) -> pl.DataFrame:
    """Candidate minus baseline for every metric that both have, on the same items.

    Works on the outcomes alone: neither data nor models are needed.

    Parameters
    ----------
    run, run2 : path-like
        Run folders of the baseline and of the candidate; may be the same.
    baseline, candidate : str
        Names of the models, as the estimates spell them.

    Returns
    -------
    polars.DataFrame
        Rows of the tidy table, with comparator ``model:BASELINE``.

    Raises
    ------
    UnknownNameError
        For a model that its run does not have.
    UsageError
        When the runs were not made on the same cases with the same seed.
    """
    first, second = Run(Path(run)), Run(Path(run2))
    for one in (first, second):
        if one.asked.protocol != PROTOCOL:
            raise UsageError(
                f"{one.path} is a run of the {one.asked.protocol} audit, and this compares runs of the counterfactual "
                "audit. Give both models to one run of that audit: its report compares each with the first."
            )
    _check_same_cases(first, second)
    if first.path.resolve() == second.path.resolve() and baseline == candidate:
        raise UsageError(f"Baseline and candidate are both {baseline!r}. Name two models, or a second run.")
    theirs, items = _statistics(first, baseline)
    ours, _ = _statistics(second, candidate)
    contrasts = compare_statistics(theirs, ours, baseline, candidate)
    return estimate_frame(estimate_contrasts(contrasts, items, seed=first.asked.seed))


def _check_same_cases(first: Run, second: Run) -> None:
    """Paired differences need the same cases: the digests in run.toml say whether they are."""
    here, there = first.folder.read_settings(), second.folder.read_settings()
    if first.path.resolve() == second.path.resolve():
        return
    same = here["digests"] == there["digests"]
    told = list(first.asked.differences(second.asked, ("protocol", "seed", "repeats", "retest")))
    if not same:
        told = [*first.asked.differences(second.asked, ("data", "split", "limit", "answer_type")), *told]
        told = told or [(f"cases {here['digests']}", str(there["digests"]))]
    if told:
        differ = "; ".join(f"{mine} and {other}" for mine, other in told)
        raise UsageError(
            f"{first.path} and {second.path} cannot be compared: they differ in {'settings' if same else 'cases'} "
            f"({differ}). "
            "Run both models on the same data with the same --split, --limit, --seed and --repeats."
        )


def _statistics(run: Run, model: str) -> tuple[list[CellStatistic], Items]:
    """Per-item statistics of one model of a run, and the run's items."""
    outcomes = run.outcomes
    names = outcomes["model"].unique(maintain_order=True).to_list()
    if model not in names:
        raise UnknownNameError(f"model in {run.path}", model, names)
    own = outcomes.filter(pl.col("model") == model)
    conditions = own["condition"].unique(maintain_order=True).to_list()
    cube = Cube.from_outcomes(own, conditions)
    statistics = [*cell_statistics(cube), *rationale_statistics(_details(run, model), cube.items, conditions)]
    width = len(conditions) * max(1, own["repeat"].n_unique())
    one_each = own.gather_every(width)
    return statistics, Items(tuple(one_each["dataset"].to_list()), tuple(one_each["group"].to_list()))


def _details(run: Run, model: str) -> pl.DataFrame:
    """Per-trial rationale statistics of one model; empty where the run has none."""
    if not (run.path / "details.parquet").is_file():
        return pl.DataFrame(schema=RATIONALE_SCHEMA)
    return run.folder.read_table("details").filter(pl.col("model") == model).drop("model")
