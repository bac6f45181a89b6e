"""Folders as the commands write them, with contents of a test's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from perimetry.screening.tiers.inputs import CANDIDATES, GUESSES, OUTCOMES


def screens(path: Path, rows: list[dict[str, Any]]) -> Path:
    base: dict[str, Any] = {
        "dataset": "d",
        "layer": "option form",
        "unit": "option",
        "severity": "medium",
        "options": "A",
        "key": "A",
    }
    base |= {"key_has_cue": True, "singles_out_key": True}
    full = [base | {"decided_by": f"screen {row['cue']} v1"} | row for row in rows]
    return written(path, "candidates", pl.DataFrame(full, schema=CANDIDATES), "screen.toml")


def guesses(path: Path, rows: list[dict[str, Any]]) -> Path:
    base: dict[str, Any] = {
        "guesser": "options",
        "dataset": "d",
        "options": 5,
        "images": 1,
        "correct": False,
        "p_answer": 0.3,
    }
    base |= {"p_key": 0.2, "chance": 0.2}
    full = [base | {"group": row["case_id"]} | row for row in rows]
    return written(path, "predictions", pl.DataFrame(full, schema=GUESSES), "guess.toml")


def outcomes(path: Path, rows: list[dict[str, Any]]) -> Path:
    base: dict[str, Any] = {
        "model": "m",
        "dataset": "d",
        "condition": "textonly",
        "repeat": 0,
        "answered": True,
        "correct": True,
    }
    full = [base | {"group": row["case_id"]} | row for row in rows]
    return written(path, "outcomes", pl.DataFrame(full, schema=OUTCOMES), "run.toml")


def written(path: Path, name: str, table: pl.DataFrame, settings: str) -> Path:
    path.mkdir(parents=True)
    table.write_parquet(path / f"{name}.parquet")
    (path / settings).write_text('command = "perimetry"\n')
    return path
