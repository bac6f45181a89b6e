"""The folder of a rewriting: alternatives, every round, the funnel and the page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.editing.funnel import EditFunnel
from perimetry.editing.references.alternative import Alternative, edit_row, row
from perimetry.runs.folder import write_atomically

__all__ = ["write_alternatives"]

_SCHEMA = {
    "id": pl.String,
    "dataset": pl.String,
    "group": pl.String,
    "target": pl.String,
    "status": pl.String,
    "by": pl.String,
    "reason": pl.String,
    "waiting": pl.Boolean,
    "rounds": pl.Int64,
    "original_findings": pl.String,
    "original_impression": pl.String,
    "alternative_findings": pl.String,
    "alternative_impression": pl.String,
}


def write_alternatives(
    folder: Path,
    alternatives: Sequence[Alternative],
    funnels: Sequence[EditFunnel],
    about: Mapping[str, Any],
) -> None:
    """Write ``alternatives.jsonl``, ``alternatives.parquet``, ``edits.jsonl`` and ``funnel.json``.

    Parameters
    ----------
    folder : Path
        Made where it is absent.
    alternatives : sequence of Alternative
    funnels : sequence of EditFunnel
    about : mapping
        What the run was made with; stands in ``funnel.json``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [row(each) for each in alternatives]
    write_atomically(folder / "alternatives.jsonl", _lines(rows))
    edits = {id(edit): edit for each in alternatives for edit in each.edits}
    write_atomically(folder / "edits.jsonl", _lines(edit_row(edit) for edit in edits.values()))
    frame = pl.DataFrame([_flat(each) for each in rows], schema=_SCHEMA)
    part = folder / "alternatives.parquet.part"
    frame.write_parquet(part)
    part.replace(folder / "alternatives.parquet")
    told = {**about, "axes": [funnel.to_dict() for funnel in funnels]}
    write_atomically(folder / "funnel.json", (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode())


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in rows).encode("utf-8", "replace")


def _flat(held: Mapping[str, Any]) -> dict[str, Any]:
    flat = {name: held[name] for name in _SCHEMA if name in held}
    for kind in ("original", "alternative"):
        for section in ("findings", "impression"):
            flat[f"{kind}_{section}"] = (held[kind] or {}).get(section)
    return flat
