"""The output folder of a reference audit."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.models.chat.secrets import without_credentials
from perimetry.protocols.references.coverage import ANY, coverage
from perimetry.protocols.references.drawn import PROTOCOL, Settings
from perimetry.protocols.references.findings import Findings
from perimetry.protocols.references.page import PageFacts, page
from perimetry.protocols.references.planting import PLANTED, write_planted
from perimetry.protocols.references.spread import PERCENTILES
from perimetry.protocols.references.summary import summary_markdown
from perimetry.protocols.references.verdict import Answer
from perimetry.protocols.score.bands import band_frame
from perimetry.reports import Reproduce, build_site
from perimetry.runs.estimates import estimate_frame
from perimetry.runs.folder import RunFolder, without_none, write_atomically

__all__ = ["OUTPUTS", "SETTINGS", "SUMMARY", "coverage_frame", "pair_frame", "spread_frame", "write_output"]

SETTINGS = "references.toml"
SUMMARY = "summary.md"
_TABLES = ("estimates", "scores", "pairs", "shifts", "bands", "coverage")
OUTPUTS = (
    SETTINGS,
    "verdicts.json",
    PLANTED,
    SUMMARY,
    *(f"{table}.{kind}" for table in _TABLES for kind in ("parquet", "csv")),
    "report",
)
"""Everything that a run writes, but the cache and models' answers."""

_LIBRARIES = ("perimetry", "numpy", "polars", "rapidfuzz")


def write_output(
    findings: Findings,
    answers: tuple[Answer, ...],
    path: Path,
    settings: Settings,
    about: Mapping[str, Any],
    command: str,
    notes: tuple[str, ...] = (),
) -> None:
    """Write tables, verdicts, ``references.toml``, ``summary.md`` and the page.

    Parameters
    ----------
    findings : Findings
    answers : tuple of Answer
    path : Path
    settings : Settings
    about : mapping
        What was asked; stands in ``references.toml``.
    command : str
        Credentials are taken out of it.
    notes : tuple of str
        Further cautions on the page.
    """
    folder = RunFolder(path)
    material = findings.material
    command = without_credentials(command)
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    digests = {f"reports of {one.name}": one.reports.digest for one in material.sets}
    told: dict[str, Any] = {
        "protocol": PROTOCOL,
        "command": command,
        "datasets": [one.name for one in material.sets],
        "systems": list(material.systems),
        "variations": list(material.variations),
        "metrics": {one.label: one.named.info.signature for one in findings.metrics},
        "seed": settings.seed,
        "resamples": settings.resamples,
        "versions": versions,
        "digests": digests,
        **about,
    }
    _write(folder.path / SETTINGS, _toml(without_none(told)))
    folder.write_table("estimates", estimate_frame(findings.estimates), csv=True)
    folder.write_table("scores", pl.concat([one.scores for one in findings.metrics]), csv=True)
    folder.write_table("pairs", pair_frame(findings), csv=True)
    folder.write_table("shifts", spread_frame(findings), csv=True)
    folder.write_table("bands", band_frame([band for one in findings.metrics for band in one.bands]), csv=True)
    folder.write_table("coverage", coverage_frame(findings), csv=True)
    if findings.planted is not None and findings.planted.by_rules and material.data_use == "open":
        write_planted(folder.path / PLANTED, material, findings.planted)
    else:
        (folder.path / PLANTED).unlink(missing_ok=True)  # of an earlier run with the rules' errors
    verdicts = {answer.metric: answer.to_dict() for answer in answers}
    _write(folder.path / "verdicts.json", json.dumps(verdicts, indent=2, ensure_ascii=False) + "\n")
    _write(folder.path / SUMMARY, summary_markdown(findings))
    facts = PageFacts(
        texts=material.data_use == "open",
        reproduce=Reproduce(
            command=command,
            versions=versions,
            seeds={"bootstrap": str(settings.seed)},
            digests=digests,
            notes=(f"{settings.resamples:,} resamples. A second run encodes nothing again and asks no model.",),
        ),
        notes=notes,
    )
    build_site(folder.path, page(findings, facts))


def coverage_frame(findings: Findings) -> pl.DataFrame:
    """How many references have an alternative, a data set and variation, and how the others stand."""
    states = {one.name: one.alternatives for one in findings.material.sets}
    rows = [
        row.to_dict() | ({} if row.condition == ANY else states[row.dataset].counts(row.condition))
        for row in coverage(findings.material)
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def pair_frame(findings: Findings) -> pl.DataFrame:
    """Every pair of systems under every variation, beside the same pair under the originals."""
    rows = [
        {
            "dataset": order.dataset,
            "metric": one.label,
            "condition": order.condition,
            "first": pair.after.left,
            "second": pair.after.right,
            "original": pair.before.gap.value,
            "original_low": pair.before.gap.ci_low,
            "original_high": pair.before.gap.ci_high,
            "original_verdict": pair.before.verdict,
            "gap": pair.after.gap.value,
            "gap_low": pair.after.gap.ci_low,
            "gap_high": pair.after.gap.ci_high,
            "verdict": pair.after.verdict,
            "change": pair.change,
            "reversed": pair.turned,
            "p_reversed": pair.share,
        }
        for one in findings.metrics
        for order in one.orders
        for pair in order.pairs
    ]
    return _frame(rows)


def spread_frame(findings: Findings) -> pl.DataFrame:
    """Percentiles of the normalised shifts, a metric and variation, and the shift of each pair."""
    rows = []
    for one in findings.metrics:
        if one.spread is None:
            continue
        for variation, held in one.spread.percentiles.items():
            percentiles = {f"p{share:02d}": held[share].value for share in PERCENTILES}
            for (dataset, system), shift in one.spread.shifts[variation].items():
                rows.append(
                    {
                        "metric": one.label,
                        "condition": variation,
                        "dataset": dataset,
                        "system": system,
                        "shift": shift.value,
                        **percentiles,
                        "iqr": one.spread.iqr[variation].value,
                    }
                )
    return _frame(rows)


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows).with_columns(pl.col(pl.Float64).fill_nan(None)) if rows else pl.DataFrame()


def _write(path: Path, text: str) -> None:
    write_atomically(path, text.encode("utf-8", "replace"))


def _toml(value: Any) -> str:
    import tomli_w

    return tomli_w.dumps(value)
