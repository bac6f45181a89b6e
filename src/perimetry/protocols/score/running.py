"""From the metrics' spellings to their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from perimetry.cases.errors import UsageError
from perimetry.conditions.spelling import split_spellings
from perimetry.protocols.score.reports import Reports
from perimetry.protocols.score.scored import NamedMetric, Scored
from perimetry.scoring.judges import JudgeMetric
from perimetry.scoring.metrics_registry import parse_metric
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable

__all__ = ["check_ready", "named_metrics", "pairs", "run_metrics", "split_table", "try_metrics"]


def named_metrics(metrics: str | Sequence[str | ReportMetric]) -> tuple[NamedMetric, ...]:
    """Metrics from spellings, or as they are, each with a label of its own.

    Parameters
    ----------
    metrics : str or sequence of (str or ReportMetric)
        A comma-separated list, or one entry a metric; commas inside brackets belong to the parameters.

    Raises
    ------
    UsageError
        For no metric, and for one given twice; `UnknownNameError` for an unknown one, with the nearest names.

    Examples
    --------
    >>> [named.label for named in named_metrics("bleu_1,rouge_l(beta=1.2),rouge_l")]
    ['bleu_1', 'rouge_l(beta=1.2)', 'rouge_l']
    """
    entries = [metrics] if isinstance(metrics, str) else list(metrics)
    given: list[tuple[str, ReportMetric]] = []
    for entry in entries:
        if isinstance(entry, ReportMetric):
            given.append((entry.info.name, entry))
            continue
        given += [(spelling, parse_metric(spelling)) for spelling in split_spellings(entry)]
    if not given:
        raise UsageError("No metric was named. Give some, for example --metrics bleu_4,rouge_l,f1_rules.")
    names = [_name(spelling) for spelling, _ in given]
    labels = [name if names.count(name) == 1 else spelling for (spelling, _), name in zip(given, names, strict=True)]
    for position, label in enumerate(labels):
        if label in labels[:position]:
            raise UsageError(f"{label} is named twice. Name every metric once.")
    return tuple(NamedMetric(label, metric) for label, (_, metric) in zip(labels, given, strict=True))


def _name(spelling: str) -> str:
    return spelling.partition("(")[0].strip()


def check_ready(metrics: Sequence[NamedMetric]) -> None:
    """Raise a `UsageError` that names every metric which cannot run here, and why."""
    obstacles = [(named.label, named.metric.obstacle()) for named in metrics]
    told = [f"{label}: {obstacle.rstrip('.')}" for label, obstacle in obstacles if obstacle]
    if told:
        raise UsageError(f"{'; '.join(told)}. `perimetry metrics` lists what every metric needs.")


def pairs(reports: Reports) -> tuple[list[Report], list[Report]]:
    """Hypotheses and references of all systems, one system after another."""
    hypotheses = [report for system in reports.systems.values() for report in system]
    return hypotheses, list(reports.references) * len(reports.systems)


def try_metrics(reports: Reports, metrics: Sequence[NamedMetric]) -> None:
    """Score one pair with every metric that asks no judge.

    A checkpoint of another architecture, or an extractor that does not start, is then told before hours of work with
    the metrics that stand before it.
    """
    for ours, theirs in zip(*pairs(reports), strict=True):
        if ours and theirs and ours.strip() and theirs.strip():
            for named in metrics:
                if not isinstance(named.metric, JudgeMetric):
                    named.metric.score([ours], [theirs])
            return


def run_metrics(
    reports: Reports, metrics: Sequence[NamedMetric], on_metric: Callable[[str], None] = lambda _: None
) -> Scored:
    """Score every system with every metric; all systems of a metric in one call, so that texts are read once.

    Parameters
    ----------
    reports : Reports
    metrics : sequence of NamedMetric
    on_metric : callable
        Told what is being scored.
    """
    hypotheses, references = pairs(reports)
    tables: dict[str, Mapping[str, ScoreTable]] = {}
    for named in metrics:
        on_metric(f"{named.label}: {len(hypotheses):,} pairs")
        whole = named.metric.score(hypotheses, references)
        tables[named.label] = dict(zip(reports.systems, split_table(whole, len(reports)), strict=True))
    return Scored(reports, tuple(metrics), tables)


def split_table(table: ScoreTable, rows: int) -> list[ScoreTable]:
    """Cut a table into parts of so many rows.

    Examples
    --------
    >>> whole = ScoreTable(np.ones(4), ("",) * 4, np.ones((4, 1)), ("reports",))
    >>> [len(part.values) for part in split_table(whole, 2)]
    [2, 2]
    """
    parts = []
    for start in range(0, len(table.values), rows):
        part = slice(start, start + rows)
        parts.append(
            ScoreTable(
                table.values[part],
                table.reasons[part],
                np.ascontiguousarray(table.statistics[part]),
                table.columns,
                table.notes[part],
            )
        )
    return parts
