"""Occlusion audits of a table of studies whose values are not as they should be."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from tests.bad_input import command, one_error

from perimetry.cases.png import encode_png


@pytest.fixture
def audited(tmp_path):
    """Eight studies, three of which show a class whose name is written in its own way; the audit of them."""
    dice = np.random.default_rng(1)
    for number in range(8):
        (tmp_path / f"{number}.png").write_bytes(encode_png(dice.integers(0, 255, (40, 40)).astype(np.uint8)))
    box = {"image": 0, "x": 5, "y": 5, "width": 12, "height": 12, "classes": ["cardiomegaly"]}
    rows = [
        {
            "id": f"s{number}",
            "image": f"{number}.png",
            "findings": "The heart is large.",
            "boxes": [box] if number < 3 else [],
            "labels": {"CARDIOMEGALY": int(number < 5), **({"cardiomegalie": 1} if number == 5 else {})},
        }
        for number in range(8)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def run(model, out):
        data = f"table:{tmp_path / 'rows.jsonl'}"
        asked = ("--data", data, "--model", model, "--min-images", 1, "--strengths", 100, "--out", tmp_path / out)
        return command("audit", "occlusion", *asked)

    return run


def test_odd_names_images_that_went_and_reports_without_a_word(audited, tmp_path):
    ended = audited("reader:blind", "run")
    assert ended.code == 0
    assert "names of labels that are no CheXpert class: cardiomegalie 1 (did you mean Cardiomegaly?)" in ended.err
    outcomes = pl.read_parquet(tmp_path / "run" / "outcomes.parquet")
    stand_ins = outcomes.filter(~pl.col("present"))["study"].unique()
    assert sorted(stand_ins) == ["s6", "s7"]  # s3 and s4 have the class, s5 perhaps

    silent = outcomes.filter(pl.col("request_id").is_not_null()).select("condition", response=pl.lit(" "))
    ids = outcomes.filter(pl.col("request_id").is_not_null()).select(
        pl.when(pl.col("condition") == "real").then("study").otherwise("case_id").alias("case_id")
    )
    ids.hstack(silent).unique().write_parquet(tmp_path / "silent.parquet")
    ended = audited(f"recorded:{tmp_path / 'silent.parquet'}", "silent")
    assert ended.code == 0, ended.err
    assert "recorded:silent: not one of its responses holds a report" in ended.err

    (tmp_path / "6.png").unlink()
    ended = command("report", tmp_path / "run")
    one_error(ended, 1, "What differs: 2 cases are shown differently, or with another image (s6, s6#Cardiomegaly)")
