"""Responses to outcomes: every report cut, labelled and held against what is true, a shard at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from perimetry.cases import Study
from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import UsageError
from perimetry.cases.examined import spill
from perimetry.inference import RequestStore
from perimetry.protocols.occlusion.coverage import coverage
from perimetry.protocols.occlusion.labelling import Labels
from perimetry.protocols.occlusion.options import OcclusionOptions
from perimetry.protocols.occlusion.truth import box_truth, reference_text, reference_whole
from perimetry.runs.folder import RunFolder
from perimetry.runs.plan import Plan, requests_of
from perimetry.runs.preparation import Preparation
from perimetry.scoring.judges import JudgeMetric
from perimetry.scoring.labels.classes import CHEXBERT_ORDER, POSITIVE, UNCERTAIN
from perimetry.scoring.labels.f1 import NOTHING_STATED
from perimetry.scoring.metrics_registry import parse_metric
from perimetry.scoring.report_metric import ReportMetric
from perimetry.scoring.report_text import REPORT_TEXT_VERSION, report_of

__all__ = ["OUTCOME_COLUMNS", "image_metrics", "score_reports"]

CODES = pl.Array(pl.UInt8, len(CHEXBERT_ORDER))

OUTCOME_SCHEMA: Mapping[str, Any] = {
    "model": pl.String,
    "dataset": pl.String,
    "case_id": pl.String,
    "study": pl.String,
    "group": pl.String,
    "finding": pl.String,
    "present": pl.Boolean,
    "condition": pl.String,
    "repeat": pl.UInt16,
    "request_id": pl.String,
    "answered": pl.Boolean,
    "silent": pl.Boolean,
    "cut": pl.String,
    "labels": CODES,
    "unread": pl.String,
    "truth": CODES,
    "reference": pl.Boolean,
    "true": pl.Boolean,
    "true_strict": pl.Boolean,
    "stated": pl.Boolean,
    "stated_strict": pl.Boolean,
    "spill": pl.Float64,
    "area": pl.Float64,
    "failure_kind": pl.String,
    "failure_message": pl.String,
    "scorer": pl.String,
}

OUTCOME_COLUMNS = tuple(OUTCOME_SCHEMA)
"""Columns of every run: those of the image-level metrics (``METRIC:STATISTIC``) stand behind them.

``finding`` and ``present`` are empty for the study itself. ``labels`` and ``truth`` are codes of the fourteen classes
(0 blank, 1 positive, 2 negative, 3 uncertain) in CheXbert's order. ``true`` and ``stated`` are about ``finding``, with
uncertain as positive, ``..._strict`` with uncertain as negative; of the study itself, ``true`` says whether its truth
is known. ``silent``: the report holds no word. ``cut``: the
rules that cut the response to the report. ``unread``: why the labeller read nothing. ``reference``: whether the
labeller finds the class in the reference report. ``spill``: share of the class's area under co-disease boxes.
``area``: covered area over the class's area.
"""

_WANTED = ("request_id", "text", "finish_reason", "failure_kind", "failure_message")


def image_metrics(options: OcclusionOptions) -> dict[str, ReportMetric]:
    """The report metrics of the image level by spelling.

    Raises
    ------
    UsageError
        For a metric that asks a judge: `perimetry score` does that on the reports of a run.
    """
    metrics = {spelling: parse_metric(spelling) for spelling in options.metrics}
    for spelling, metric in metrics.items():
        if isinstance(metric, JudgeMetric):
            raise UsageError(
                f"--metrics has {spelling}, which asks a judge model. Score the reports of the run with "
                "`perimetry score`, and leave it out here."
            )
    return metrics


def score_reports(folder: RunFolder, store: RequestStore, model: str, preparation: Preparation) -> pl.DataFrame:
    """Score every trial of one model.

    Parameters
    ----------
    folder : RunFolder
        Labels that take weights to make are kept in its ``cache``.
    store : RequestStore
    model : str
    preparation : Preparation

    Returns
    -------
    polars.DataFrame
        `OUTCOME_SCHEMA` and the statistics of the image-level metrics, one row a trial, in the order of the plan.
    """
    options = OcclusionOptions.of(preparation.asked.options)
    metrics = image_metrics(options)
    plan = preparation.plan
    studies = [case for case in preparation.cases if isinstance(case, Study)]
    labels = Labels(options.labeller, folder.path / "cache")
    try:
        facts = _case_facts(studies, options, labels)
        scored = _scored(store, model, plan, studies, labels, metrics)
        scorer = f"{labels.version}+report/{REPORT_TEXT_VERSION}"
    finally:
        labels.close()
    trials = (
        plan.table([model])
        .with_columns(plan.trials["case"].cast(pl.UInt32))
        .with_columns(coverage(preparation, studies))
        .join(facts, on="case", how="left", maintain_order="left")
        .join(scored, on="request_id", how="left", maintain_order="left")
    )
    # Of the examined class, the column of its labels.
    place = {name: number for number, name in enumerate(CHEXBERT_ORDER)}
    examined = trials["finding"].replace_strict(place, default=None, return_dtype=pl.Int64)
    code = trials["labels"].arr.get(examined, null_on_oob=True)
    known = trials["answered"].fill_null(False) & examined.is_not_null()
    more = [name for name in trials.columns if ":" in name]
    return trials.with_columns(
        stated=pl.when(known).then(code.is_in([POSITIVE, UNCERTAIN])),
        stated_strict=pl.when(known).then(code == POSITIVE),
        scorer=pl.lit(scorer),
    ).select(*[pl.col(name).cast(kind) for name, kind in OUTCOME_SCHEMA.items()], *more)


def _case_facts(studies: Sequence[Study], options: OcclusionOptions, labels: Labels) -> pl.DataFrame:
    """What the cases of the plan say of every trial, one row a case."""
    references, _ = labels.read([reference_whole(study) for study in studies])
    told = np.asarray([reference_whole(study) is not None for study in studies])
    boxes = np.stack([box_truth(study) for study in studies])
    truth = references if options.truth == "report" else boxes
    place = {name: number for number, name in enumerate(CHEXBERT_ORDER)}
    rows: dict[str, list[Any]] = {name: [] for name in ("reference", "true", "true_strict", "spill")}
    for number, study in enumerate(studies):
        one = study.examined
        if one is None:
            known = options.truth == "box" or bool(told[number])
            for name, values in rows.items():
                values.append((known or None) if name.startswith("true") else None)
            continue
        read = int(references[number, place[one.finding]])
        rows["reference"].append(read in (POSITIVE, UNCERTAIN) if told[number] else None)
        if options.truth == "box":
            rows["true"].append(one.present)
            rows["true_strict"].append(one.present)
        else:
            rows["true"].append(read in (POSITIVE, UNCERTAIN) if told[number] else None)
            rows["true_strict"].append(read == POSITIVE if told[number] else None)
        rows["spill"].append(spill(one))
    return pl.DataFrame(
        {
            "case": pl.Series(range(len(studies)), dtype=pl.UInt32),
            "study": [study.study_id for study in studies],
            "group": [study.group for study in studies],
            "finding": pl.Series(
                [one.finding if (one := study.examined) else None for study in studies], dtype=pl.String
            ),
            "present": pl.Series(
                [one.present if (one := study.examined) else None for study in studies], dtype=pl.Boolean
            ),
            "truth": pl.Series(truth, dtype=CODES),
            "reference": pl.Series(rows["reference"], dtype=pl.Boolean),
            "true": pl.Series(rows["true"], dtype=pl.Boolean),
            "true_strict": pl.Series(rows["true_strict"], dtype=pl.Boolean),
            "spill": pl.Series(rows["spill"], dtype=pl.Float64),
        }
    )


def _scored(
    store: RequestStore,
    model: str,
    plan: Plan,
    studies: Sequence[Study],
    labels: Labels,
    metrics: Mapping[str, ReportMetric],
) -> pl.DataFrame:
    """One row a response of the plan."""
    requests = requests_of(plan).select("request_id", "case")
    plain = np.asarray([study.examined is None for study in studies])
    whole = set(
        plan.trials.filter(pl.Series(plain[plan.trials["case"].to_numpy()]))["request_id"].drop_nulls().to_list()
    )
    parts = [
        _score_batch(batch.join(requests, on="request_id", how="inner"), studies, labels, metrics, whole)
        for batch in store.batches(model, _WANTED)
    ]
    parts = [part for part in parts if part.height]
    if parts:
        return pl.concat(parts, how="diagonal")
    empty = pl.DataFrame({"request_id": []}, schema={"request_id": pl.String})
    return _score_batch(
        empty.with_columns(
            *(pl.lit(None, dtype=pl.String).alias(name) for name in _WANTED[1:]),
            pl.lit(None, dtype=pl.UInt32).alias("case"),
        ),
        studies,
        labels,
        metrics,
        whole,
    )


def _score_batch(
    batch: pl.DataFrame,
    studies: Sequence[Study],
    labels: Labels,
    metrics: Mapping[str, ReportMetric],
    whole: set[str],
) -> pl.DataFrame:
    """Score the responses of one shard."""
    reports = list(_reports(batch))
    told = [
        None if text is None else report for (report, _), text in zip(reports, batch["text"].to_list(), strict=True)
    ]
    codes, reasons = labels.read([text or None for text in told])
    answered = np.asarray([text is not None for text in told], dtype=bool)
    rules = [None if text is None else rule for text, (_, rule) in zip(told, reports, strict=True)]
    unread = [reason or None if text else None for text, reason in zip(told, reasons, strict=True)]
    frame = pl.DataFrame(
        {
            "request_id": batch["request_id"],
            "answered": pl.Series(answered, dtype=pl.Boolean),
            "silent": pl.Series([None if text is None else not text for text in told], dtype=pl.Boolean),
            "cut": pl.Series(rules, dtype=pl.String),
            "labels": pl.Series(codes, dtype=CODES),
            "unread": pl.Series(unread, dtype=pl.String),
            "failure_kind": batch["failure_kind"],
            "failure_message": batch["failure_message"],
        }
    )
    frame = frame.with_columns(labels=pl.when(pl.col("answered")).then(pl.col("labels")))
    rows = [number for number, name in enumerate(batch["request_id"].to_list()) if name in whole and answered[number]]
    cases = batch["case"].to_list()
    references = [reference_text(studies[cases[number]]) for number in rows]
    return frame.with_columns(*_statistics(frame.height, rows, [told[row] for row in rows], references, metrics))


def _reports(batch: pl.DataFrame) -> Iterator[tuple[str, str]]:
    """Report and rules of every response; equal responses are cut once."""
    known: dict[str, tuple[str, str]] = {}
    for text, finish in zip(batch["text"].to_list(), batch["finish_reason"].to_list(), strict=True):
        if text is None:
            yield "", ""
            continue
        key = digest_parts([text, finish or ""])
        if key not in known:
            found = report_of(text, finish_reason=finish or "")
            rule = found.rule if not found.reason else f"{found.rule}: {found.reason.replace('_', ' ')}"
            known[key] = (found.text, rule + (" (truncated)" if found.truncated else ""))
        yield known[key]


def _statistics(
    height: int,
    rows: Sequence[int],
    reports: Sequence[str | None],
    references: Sequence[str | None],
    metrics: Mapping[str, ReportMetric],
) -> list[pl.Series]:
    """Sufficient statistics of the image-level metrics, empty for other requests and for pairs without a value."""
    columns: list[pl.Series] = []
    kept = [number for number, reference in enumerate(references) if reference is not None]
    for spelling, metric in metrics.items():
        table = metric.score([reports[number] or "" for number in kept], [references[number] for number in kept])
        used = np.asarray(
            [not reason or reason == NOTHING_STATED for reason in table.reasons], dtype=bool
        ) if kept else np.zeros(0, dtype=bool)  # fmt: skip
        at = np.asarray([rows[number] for number in kept], dtype=np.int64)[used]
        for number, name in enumerate(table.columns):
            values = np.full(height, np.nan)
            values[at] = table.statistics[used, number]
            columns.append(pl.Series(f"{spelling}:{name}", values).fill_nan(None))
    return columns
