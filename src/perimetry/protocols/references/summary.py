"""The main tables of a reference audit as Markdown, to be pasted into a paper, a README or a mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perimetry.protocols.references.coverage import ANY, coverage
from perimetry.protocols.references.findings import Findings
from perimetry.protocols.references.tables import trust_rows
from perimetry.protocols.references.verdict import turned
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.reports import interval_text
from perimetry.statistics import BootstrapResult

__all__ = ["summary_markdown"]


def summary_markdown(findings: Findings) -> str:
    """What was audited, the sensitivity of every metric, and the pairs of systems whose verdict changes."""
    return "\n".join([*_about(findings), "", *_metrics(findings), *_pairs(findings)]) + "\n"


def _about(findings: Findings) -> Iterator[str]:
    material = findings.material
    rows = coverage(material)
    for one in material.sets:
        held = ", ".join(
            f"{row.alternatives:,} {row.condition}"
            for row in rows
            if row.dataset == one.name and row.condition != ANY and row.alternatives
        )
        systems = f"{len(one.reports.systems)} system{'s' if len(one.reports.systems) != 1 else ''}"
        yield f"{_plain(one.name)}: {len(one.reports):,} references, {systems}; other wordings: {held or 'none'}."
    if material.untouched:
        yield f"Tried, without any: {', '.join(material.untouched)}."


def _metrics(findings: Findings) -> Iterator[str]:
    trust = {row["metric"]: row for row in trust_rows(findings)}
    yield from _head("metric", "mean IQR", "largest IQR", "pairs reversed", "verdicts changed", *_trusted(bool(trust)))
    for one in findings.metrics:
        count = turned(one)
        spread = {row.metric: row for row in findings.estimates if row.metric.endswith(f":{one.label}")}
        cells = [f"{one.label} (lower is better)" if one.named.info.direction == "lower" else one.label]
        for name in ("iqr_mean", "iqr_max"):
            row = spread.get(f"{name}:{one.label}")
            cells.append("" if row is None else interval_text(row.value, row.ci_low, row.ci_high, 2, scale=1))
        cells += [f"{count.plain:,} of {count.pairs:,}", f"{count.changed:,}"] if count.pairs else ["", ""]
        if trust:
            ratio = trust.get(one.label)
            ends = () if ratio is None else (ratio["ratio"], ratio["ratio_low"], ratio["ratio_high"])
            cells.append(interval_text(*ends, 2, scale=1) if ends else "")
        yield _line(cells)


def _trusted(there: bool) -> tuple[str, ...]:
    return ("an error costs, times style",) if there else ()


def _pairs(findings: Findings) -> Iterator[str]:
    several = len(findings.material.sets) > 1
    lines = [
        _line(
            [
                one.label,
                *([order.dataset] if several else []),
                order.condition,
                f"{pair.after.left} − {pair.after.right}",
                _gap(pair.before.gap),
                _gap(pair.after.gap),
                f"{pair.before.verdict} → {pair.after.verdict}",
            ]
        )
        for one in findings.metrics
        for order in one.orders
        if order.condition != ORIGINAL
        for pair in order.pairs
        if pair.change != "kept"
    ]
    if not lines:
        return
    yield ""
    columns = ("variation", "pair (first − second)", "originals", "alternatives", "verdict of the first")
    yield from _head("metric", *(("data set",) if several else ()), *columns)
    yield from lines


def _gap(gap: BootstrapResult) -> str:
    return interval_text(gap.value, gap.ci_low, gap.ci_high, 3, scale=1, sign=True)


def _head(*columns: str) -> Iterator[str]:
    yield _line(columns)
    yield _line(["---"] * len(columns))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_plain(cell) for cell in cells)} |"


def _plain(text: str) -> str:
    r"""On one line, and without what would begin another cell or a tag.

    Examples
    --------
    >>> print(_plain("a|b <i>\nc"))
    a\|b &lt;i> c
    """
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
