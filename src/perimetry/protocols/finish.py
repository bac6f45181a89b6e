"""From the responses of a run to its outcomes, estimates, verdicts and pages; asks no model."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from perimetry.cases import Question
from perimetry.cases.echo import echo
from perimetry.cases.errors import DataError
from perimetry.cases.spec import DataSpec
from perimetry.conditions.neighbours import overlap
from perimetry.inference import Problem, RequestStore, RunLock
from perimetry.inference.store import log_problem
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.protocol import AuditProtocol
from perimetry.protocols.registry import find_protocol
from perimetry.protocols.run import VERDICTS, Run
from perimetry.reports import build_site
from perimetry.runs.estimates import estimate_frame
from perimetry.runs.folder import RunFolder, named_disk_errors, write_atomically
from perimetry.runs.outcomes import COMMON_COLUMNS
from perimetry.runs.preparation import (
    Preparation,
    TrainingSplits,
    check_same_cases,
    load_case_sets,
    prepare,
)

__all__ = ["finish", "rebuild"]

_NAMED = 5
"""Cases that a message names."""


def rebuild(
    path: str | Path, data: str | Sequence[str] = (), on_problem: Callable[[Problem], None] = log_problem
) -> Run:
    """Make outcomes, estimates, verdicts and pages again from the responses of a run; asks no model.

    Parameters
    ----------
    path : path-like
        Run folder.
    data : str or sequence of str
        Where the data lies now, if it was moved: ``NAME:PATH``, in the order of the run.
    on_problem : callable
        Told of every damaged file of responses that was passed over; by default a logged warning.

    Raises
    ------
    DataError
        When the cases are not the ones the run was made with, or when the responses behind its results are gone;
        nothing is changed then.
    """
    folder = RunFolder(Path(path).expanduser())
    settings = folder.read_settings()
    asked = folder.read_asked()
    chosen = find_protocol(asked.protocol)
    with RunLock(folder.path), named_disk_errors(folder.path):
        given = (data,) if isinstance(data, str) else data
        asked = replace(asked, data=tuple(DataSpec.parse(spec).absolute for spec in given)) if given else asked
        try:
            case_sets = load_case_sets(asked)
        except DataError as error:
            raise DataError(f"{error} If the data was moved, say with --data NAME:PATH where it is now.") from error
        chosen.check(asked)
        preparation = prepare(asked, case_sets, chosen.design, folder)
        try:
            check_same_cases(settings["digests"], preparation.plan.digests)
        except DataError as error:
            raise DataError(f"{error}{_what_differs(folder, preparation)}") from error
        names = [entry["name"] for entry in settings["models"]]
        store = RequestStore(folder.path / "responses", on_problem)
        _check_responses(store, folder, names)
        finish(chosen, folder, preparation, names, store)
    return Run(folder.path)


def _what_differs(folder: RunFolder, preparation: Preparation) -> str:
    """Which cases are gone, new or shown differently, as far as the plan of the run can tell."""
    columns = ("dataset", "case_id", "request_id")
    try:
        before = folder.read_table("plan", columns).select(columns).unique()
    except DataError:
        return ""
    now = preparation.plan.table(["any"]).select(columns).unique()
    cases = ("dataset", "case_id")
    changed = before.filter(pl.col("request_id").is_not_null()).join(now, on=columns, how="anti")
    told = []
    for what, frame in (
        ("are gone", before.join(now, on=cases, how="anti")),
        ("are new", now.join(before, on=cases, how="anti")),
        ("are shown differently, or with another image", changed.join(now, on=cases, how="semi")),
    ):
        names = frame["case_id"].unique(maintain_order=True).sort().to_list()
        if names:
            more = ", ..." if len(names) > _NAMED else ""
            told.append(f"{len(names):,} cases {what} ({', '.join(map(echo, names[:_NAMED]))}{more})")
    return f" What differs: {'; '.join(told)}." if told else ""


def _check_responses(store: RequestStore, folder: RunFolder, models: Sequence[str]) -> None:
    """Raise a `DataError` where good results would be replaced by "not measured" because their responses are gone."""
    gone = [model for model in models if not any(len(rows) for _, rows in store.rows(model, ("request_id",)))]
    if not gone:
        return
    if not (folder.path / "outcomes.parquet").is_file() and len(gone) < len(models):
        # The run ended before these were asked: there is nothing to lose, and the others have results.
        told = "%s: nobody asked %s yet; the report says so. The same audit command goes on with it."
        logging.getLogger(__name__).warning(told, folder.path, ", ".join(gone))
        return
    try:
        before = folder.read_table("outcomes", COMMON_COLUMNS)
    except DataError:  # nobody can tell what there was
        before = None
    if before is not None:
        there = pl.col("answered").is_not_null() & pl.col("model").is_in(gone)
        gone = before.filter(there)["model"].unique(maintain_order=True).to_list()
        if not gone:
            logging.getLogger(__name__).warning("%s: nobody was asked yet; the report says so.", folder.path)
            return
    raise DataError(
        f"{store.folder} holds no readable response of {', '.join(gone)}, so that nothing can be made again from it; "
        "nothing was changed. Restore the folder from a copy, or give the audit command again to ask anew."
    )


def finish(
    protocol: AuditProtocol,
    folder: RunFolder,
    preparation: Preparation,
    models: Sequence[str],
    store: RequestStore | None = None,
) -> None:
    """From responses to pages."""
    store = store or RequestStore(folder.path / "responses")
    outcomes = {model: protocol.outcomes(folder, store, model, preparation) for model in models}
    folder.write_table("outcomes", pl.concat(list(outcomes.values())))
    details = {model: protocol.details(store, model, outcomes[model], preparation) for model in models}
    if any(not frame.is_empty() for frame in details.values()):
        named = [frame.with_columns(pl.lit(model).alias("model")) for model, frame in details.items()]
        folder.write_table("details", pl.concat(named))
    else:
        (folder.path / "details.parquet").unlink(missing_ok=True)
    analysis = Analysis(preparation, tuple(models), outcomes, details, _overlap(preparation))
    estimates = protocol.estimate(analysis)
    folder.write_table("estimates", estimate_frame(estimates), csv=True)
    verdicts = {model: verdict.to_dict() for model, verdict in protocol.judge(models, estimates).items()}
    write_atomically(folder.path / VERDICTS, (json.dumps(verdicts, indent=2, ensure_ascii=False) + "\n").encode())
    site = protocol.page(folder, store, analysis, estimates)
    # The page holds the few cases it shows; drawing charts takes much memory of its own.
    del outcomes, details, analysis
    build_site(folder.path, site)


def _overlap(preparation: Preparation) -> pl.DataFrame | None:
    """The overlap of evaluation and training images, for runs with a model that is fitted on a training split."""
    if not any(spec.startswith("baseline:") for spec in preparation.asked.models):
        return None
    names = tuple(case_set.name for case_set in preparation.case_sets)
    training = TrainingSplits(preparation.asked, names)
    tables = []
    for case_set in preparation.case_sets:
        cases = [case for case in case_set.cases if isinstance(case, Question)]
        table = overlap(training(case_set.name), cases).counts()
        tables.append(table.with_columns(pl.lit(case_set.name).alias("dataset")))
    return pl.concat(tables)
