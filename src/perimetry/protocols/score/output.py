"""The output folder of a scoring run."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any

from perimetry.cases.dataset import DataUse
from perimetry.models.chat.secrets import without_credentials
from perimetry.protocols.score.bands import band_frame
from perimetry.protocols.score.estimates import PROTOCOL
from perimetry.protocols.score.judging import Bench
from perimetry.protocols.score.marking import rule_reader
from perimetry.protocols.score.page import PageFacts, page
from perimetry.protocols.score.result import ScoreResult
from perimetry.reports import Reproduce, build_site
from perimetry.runs.folder import RunFolder, without_none, write_atomically

__all__ = ["OUTPUTS", "SETTINGS", "VERDICTS", "write_output"]

SETTINGS = "score.toml"
VERDICTS = "verdicts.json"
TABLES = ("scores", "estimates", "missing", "ranks", "bands")
OUTPUTS = (SETTINGS, VERDICTS, *(f"{table}.{kind}" for table in TABLES for kind in ("parquet", "csv")), "report")
"""Everything that a run writes, but the cache and judges' answers."""

_LIBRARIES = ("perimetry", "numpy", "polars", "rapidfuzz")


def write_output(
    result: ScoreResult,
    bench: Bench,
    data_use: DataUse | None,
    seed: int,
    resamples: int,
    command: str,
    alternatives: str = "",
) -> None:
    """Write every file of the output folder: tables, verdicts, ``score.toml``, and the page.

    Parameters
    ----------
    result : ScoreResult
        With a path.
    bench : Bench
        Its judges are described in ``score.toml``.
    data_use : {"open", "restricted", "credentialed"} or None
    seed, resamples : int
    command : str
        Credentials are taken out of it.
    alternatives : str, default ""
        Where alternative references came from, if any were given.
    """
    if result.path is None:
        raise ValueError("nothing was asked to be written")

    folder = RunFolder(result.path)
    scored = result.scored
    command = without_credentials(command)
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    digests = {f"reports of {scored.reports.name}": scored.reports.digest}
    settings: dict[str, Any] = {
        "protocol": PROTOCOL,
        "command": command,
        "dataset": scored.reports.name,
        "systems": list(scored.systems),
        "metrics": {named.label: named.info.signature for named in scored.metrics},
        "data_use": data_use,
        "seed": seed,
        "resamples": resamples,
        "versions": versions,
        "digests": digests,
        "judges": [judge.model.describe() | {"name": judge.name} for judge in bench.judges],
    }
    if alternatives:
        settings["alternatives"] = alternatives
    write_atomically(folder.path / SETTINGS, _toml(without_none(settings)).encode("utf-8", "replace"))
    folder.write_table("scores", result.scores, csv=True)
    folder.write_table("estimates", result.estimates, csv=True)
    folder.write_table("missing", result.missing, csv=True)
    for name, table in (("ranks", result.ranks), ("bands", band_frame(result.bands))):
        if table.is_empty():
            for kind in ("parquet", "csv"):
                (folder.path / f"{name}.{kind}").unlink(missing_ok=True)
        else:
            folder.write_table(name, table, csv=True)
    verdicts = {answer.metric: answer.to_dict() for answer in result.verdicts}
    write_atomically(folder.path / VERDICTS, (json.dumps(verdicts, indent=2, ensure_ascii=False) + "\n").encode())
    facts = PageFacts(
        texts=data_use in (None, "open"),
        data_use=data_use or "",
        reproduce=Reproduce(
            command=command,
            versions=versions,
            seeds={"bootstrap": str(seed)},
            digests=digests,
            notes=(f"{resamples:,} resamples. A second run encodes nothing again and asks no model.",),
        ),
        reader=rule_reader(),
        notes=_page_notes(result, data_use),
        bands=result.bands,
    )
    build_site(folder.path, page(scored, result.findings, facts))


def _page_notes(result: ScoreResult, data_use: DataUse | None) -> tuple[str, ...]:
    notes = []
    if data_use is None:
        notes.append("This page quotes reports. Score with --data-use restricted or credentialed to leave them out.")
    if result.unmet:
        notes.append(result.unmet)
    if result.pending:
        notes.append(
            f"{result.pending:,} requests to judges have no final answer yet: the same command asks them again."
        )
    return tuple(notes)


def _toml(value: Any) -> str:
    import tomli_w

    return tomli_w.dumps(value)
