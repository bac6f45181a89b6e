"""Tables of a reference audit, for the page and as files of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perimetry.protocols.common_page import file_name
from perimetry.protocols.references.coverage import coverage
from perimetry.protocols.references.findings import Findings, MetricFindings
from perimetry.protocols.references.rankings import Order
from perimetry.protocols.references.spread import PERCENTILES
from perimetry.protocols.references.verdict import turned
from perimetry.protocols.score.alternatives import ORIGINAL, STATES
from perimetry.reports import Column, TableBlock
from perimetry.runs.estimates import Estimate

__all__ = [
    "box_rows",
    "coverage_table",
    "pair_table",
    "reversal_rows",
    "reversal_table",
    "shift_table",
    "spread_table",
    "trust_rows",
    "trust_table",
]


def coverage_table(findings: Findings) -> TableBlock:
    """How many studies have an alternative, a data set and variation, and why others have none."""
    rows: list[dict[str, Any]] = []
    shares = {(row.dataset, row.condition): row for row in coverage(findings.material)}
    for one in findings.material.sets:
        for variation in one.alternatives.states:
            counts = one.alternatives.counts(variation)
            held = shares[one.name, variation]
            share = held.alternatives / held.studies
            base = {"dataset": one.name, "condition": variation, "studies": held.studies}
            rows.append({**base, "share": share, "sparse": held.sparse, **counts})
    labels = {
        "accepted": "Accepted",
        "unchanged": "Reads as its original",
        "empty": "Accepted, section left empty",
        "infeasible": "Infeasible",
        "already_in_form": "Already in form",
        "rejected": "Rejected",
        "failed": "Failed",
        "not_tried": "Not tried",
    }
    columns = (
        Column("dataset", "Data set", "name"),
        Column("condition", "Variation", "code"),
        Column("studies", "Studies", "integer"),
        Column("share", "With an alternative, %", "share", help="accepted, and other than the reference"),
        Column("sparse", "Too few", "flag", help="fewer than a tenth"),
        *(Column(state, labels[state], "integer") for state in STATES),
    )
    caption = "Shifts are of the accepted ones. In rankings, a study without an alternative keeps its original score."
    return TableBlock(columns, tuple(rows), caption, "coverage", "Alternatives")


def box_rows(findings: Findings) -> Iterator[dict[str, Any]]:
    """Percentiles of the normalised shifts with the shift of each pair, for the box plot."""
    several = len(findings.material.sets) > 1
    for one in findings.metrics:
        if one.spread is None:
            continue
        for variation, held in one.spread.percentiles.items():
            shifts = one.spread.shifts[variation]
            yield {
                "metric": one.label,
                "condition": variation,
                "pairs": len(shifts),
                **{f"p{share:02d}": held[share].value for share in PERCENTILES},
                "values": {
                    f"{system} on {dataset}" if several else system: shift.value
                    for (dataset, system), shift in shifts.items()
                },
            }


def spread_table(findings: Findings, rows: Mapping[tuple[str, str], Estimate]) -> TableBlock:
    """Mean and largest interquartile range of every metric, with how often conclusions turn."""
    lines = []
    for one in findings.metrics:
        count = turned(one)
        line: dict[str, Any] = {
            "metric": one.label,
            "better": one.named.info.direction,
            "pairs": count.pairs,
            "plain": count.plain,
            "by_verdict": count.by_verdict,
            "changed": count.changed,
            "zero": count.lost_to_zero,
        }
        for name in ("iqr_mean", "iqr_max"):
            row = rows.get((f"{name}:{one.label}", ""))
            if row is not None:
                line |= {
                    name: _known(row.value),
                    f"{name}_low": _known(row.ci_low),
                    f"{name}_high": _known(row.ci_high),
                }
        lines.append(line)
    columns = (
        Column("metric", "Metric", "code"),
        Column("better", "Better"),
        Column("iqr_mean", "Mean IQR", "number", 3, low="iqr_mean_low", high="iqr_mean_high"),
        Column("iqr_max", "Largest IQR", "number", 3, low="iqr_max_low", high="iqr_max_high"),
        Column("pairs", "Pairs × variations", "integer"),
        Column("plain", "Reversed", "integer", help="the leader falls behind"),
        Column("by_verdict", "with another verdict", "integer"),
        Column("changed", "Verdicts changed", "integer", help="win, tie or loss by the 95% interval of the gap"),
        Column("zero", "Ties of two zeros", "integer", help="a win or loss became a tie because both score zero"),
    )
    caption = (
        "Interquartile range of the normalised shifts over models and data sets, in standard deviations of the metric; "
        "mean and largest over the variations."
    )
    return TableBlock(columns, tuple(lines), caption, "sensitivity", "Sensitivity of every metric")


def shift_table(findings: Findings) -> TableBlock:
    """Every shift with its interval."""
    rows = [
        {
            "dataset": row.dataset,
            "metric": row.metric,
            "condition": row.condition,
            "system": row.model,
            "value": _known(row.value),
            "low": _known(row.ci_low),
            "high": _known(row.ci_high),
            "p": _known(row.p_value),
            "holm": _known(row.p_holm),
            "n": row.n,
            "missing": row.missing,
        }
        for one in findings.metrics
        for row in findings.rows(one.label, comparator=ORIGINAL)
    ]
    columns = (
        Column("dataset", "Data set", "name"),
        Column("metric", "Metric", "code"),
        Column("condition", "Variation", "code"),
        Column("system", "System", "name"),
        Column("value", "Alternative − original", "number", 4, low="low", high="high", resolve=True),
        Column("p", "p", "p", help="two-sided, read off the resamples"),
        Column("holm", "p, Holm", "p", help="adjusted within the metric"),
        Column("n", "Studies", "integer", help="with the alternative"),
        Column("missing", "Without a value", "integer"),
    )
    return TableBlock(columns, tuple(rows), "Metrics keep their sign: see which way is better.", "shifts", "Shifts")


def reversal_rows(findings: Findings, dataset: str) -> Iterator[dict[str, Any]]:
    """Reversals by metric and variation on a data set."""
    for one in findings.metrics:
        for order in _varied(one, dataset):
            yield {
                "metric": one.label,
                "condition": order.condition,
                "pairs": len(order.pairs),
                "plain": order.plain,
                "by_verdict": order.by_verdict,
                "flips": order.count("flipped"),
                "lost": order.count("lost"),
                "gained": order.count("gained"),
                "zero": order.count("lost_to_zero"),
                "changed": order.count("flipped", "lost", "gained"),
                "tau": _known(order.tau.value),
            }


def reversal_table(findings: Findings, dataset: str, where: str = "") -> TableBlock:
    """`reversal_rows` as a table; `where` is added to the heading."""
    columns = (
        Column("metric", "Metric", "code"),
        Column("condition", "Variation", "code"),
        Column("pairs", "Pairs", "integer"),
        Column("plain", "Reversed", "integer"),
        Column("by_verdict", "with another verdict", "integer"),
        Column("flips", "Win ↔ loss", "integer"),
        Column("lost", "Became a tie", "integer"),
        Column("gained", "Tie no more", "integer"),
        Column("zero", "Ties of two zeros", "integer"),
        Column("tau", "Kendall's tau", "number", 2),
    )
    name = f"reversals-{file_name(dataset)}"
    caption = "Against the originals. Verdicts are win, tie and loss by the 95% interval of the paired gap."
    return TableBlock(columns, tuple(reversal_rows(findings, dataset)), caption, name, f"Reversals in numbers{where}")


def pair_table(findings: Findings, dataset: str, where: str = "") -> TableBlock:
    """Pairs whose leader or verdict changes; `where` is added to the heading."""
    rows = []
    for one in findings.metrics:
        for order in _varied(one, dataset):
            for pair in order.pairs:
                if pair.change == "kept" and not pair.turned:
                    continue
                rows.append(
                    {
                        "metric": one.label,
                        "condition": order.condition,
                        "first": pair.after.left,
                        "second": pair.after.right,
                        "before": _known(pair.before.gap.value),
                        "before_low": _known(pair.before.gap.ci_low),
                        "before_high": _known(pair.before.gap.ci_high),
                        "after": _known(pair.after.gap.value),
                        "after_low": _known(pair.after.gap.ci_low),
                        "after_high": _known(pair.after.gap.ci_high),
                        "verdicts": f"{pair.before.verdict} → {pair.after.verdict}",
                        "change": pair.change.replace("_", " "),
                        "turned": pair.turned,
                        "share": pair.share,
                    }
                )
    columns = (
        Column("metric", "Metric", "code"),
        Column("condition", "Variation", "code"),
        Column("first", "First", "name"),
        Column("second", "Second", "name"),
        Column("before", "Gap, originals", "number", 3, low="before_low", high="before_high", resolve=True),
        Column("after", "Gap, alternatives", "number", 3, low="after_low", high="after_high", resolve=True),
        Column("verdicts", "Verdict", help="of the first"),
        Column("change", "Change"),
        Column("turned", "Reversed", "flag"),
        Column("share", "P(reversed)", "share", help="share of resamples in which the leader changes"),
    )
    name = f"pairs-{file_name(dataset)}"
    caption = "Pairs that keep leader and verdict are not listed." if rows else "Every pair keeps leader and verdict."
    return TableBlock(columns, tuple(rows), caption, name, f"Pairs that turn{where}")


def trust_rows(findings: Findings) -> Iterator[dict[str, Any]]:
    """Style and error sensitivity of every metric: of the only data set, or the mean over several."""
    dataset = "macro" if len(findings.material.sets) > 1 else findings.material.sets[0].name
    for one in findings.metrics:
        if one.trust is None:
            continue
        line: dict[str, Any] = {"metric": one.label, "n": one.trust.reports.get(dataset, 0)}
        names = {"style": "style_sensitivity", "error": "error_sensitivity", "ratio": "trust"}
        for key, name in names.items():
            for row in findings.rows(f"{name}:{one.label}"):
                if row.dataset == dataset:
                    line |= {key: row.value, f"{key}_low": row.ci_low, f"{key}_high": row.ci_high}
        if "style" in line:
            yield line


def trust_table(findings: Findings) -> TableBlock:
    """`trust_rows` as a table, the most trustworthy metric first."""
    rows = sorted(trust_rows(findings), key=lambda row: -(row["ratio"] if row["ratio"] == row["ratio"] else -1.0))
    columns = (
        Column("metric", "Metric", "code"),
        Column("error", "Taken off for an error", "number", 3, low="error_low", high="error_high"),
        Column("style", "Taken off for style", "number", 3, low="style_low", high="style_high"),
        Column(
            "ratio", "Ratio", "number", 2, low="ratio_low", high="ratio_high", help="errors over style: high is good"
        ),
        Column("n", "Reports", "integer", help="with an alternative and a planted error"),
    )
    clean = tuple({key: None if value != value else value for key, value in row.items()} for row in rows)
    caption = "A ratio below 1: another wording of the same content costs a report more than a clinical error."
    return TableBlock(columns, clean, caption, "trust", "Which metric to trust here")


def _varied(one: MetricFindings, dataset: str) -> list[Order]:
    return [order for order in one.orders if order.dataset == dataset and order.condition != ORIGINAL]


def _known(value: float) -> float | None:
    return value if value == value else None
