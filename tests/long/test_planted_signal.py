"""A signal planted in the pixels of real questions comes back as the visual reliance that follows from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image as Picture

import perimetry
from perimetry.statistics import uniform

pytestmark = pytest.mark.long

SHARE = 0.3
SIDE = 256


def plant(folder: Path, source: Path, share: float) -> Path:
    """Yes/no questions, each with its own copy of its image; on a share of them a corner patch gives the answer."""
    folder.mkdir(parents=True)
    rows = []
    for split in ("train", "test"):
        for case in perimetry.load(f"vqa-rad:{source}", split=split, answer_type="closed").questions:
            gold = case.answer.strip().lower()
            if gold not in ("yes", "no"):
                continue
            picture = Picture.fromarray(case.images[0].pixels()).convert("L").resize((SIDE, SIDE))
            if uniform(5, "plant", case.id, size=1)[0] < share:
                picture.paste(255 if gold == "yes" else 0, (0, 0, SIDE // 8, SIDE // 8))
            name = f"{split}-{case.id}.png"
            picture.save(folder / name)
            rows.append(
                {
                    "id": case.id,
                    "split": split,
                    "question": case.stem,
                    "answer": gold,
                    "answer_type": "closed",
                    "image": name,
                    "group": case.group,
                }
            )
    table = folder / "questions.jsonl"
    table.write_text("\n".join(json.dumps(row) for row in rows))
    return table


def vrs(run) -> dict[str, dict[str, Any]]:
    rows = run.estimates.filter(
        (pl.col("metric") == "vrs")
        & (pl.col("dataset") == "macro")
        & (pl.col("stratum") == "all")
        & (pl.col("comparator") == "real")
    )
    return {row["model"]: row for row in rows.iter_rows(named=True)}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, shared_data):
    folder = tmp_path_factory.mktemp("planted")
    found = {}
    for name, share in (("plain", 0.0), ("planted", SHARE)):
        table = plant(folder / name, shared_data / "vqa_rad", share)
        found[name] = perimetry.audit(
            data=f"table:{table}",
            models=("baseline:question", "baseline:question+image"),
            split="test",
            out=folder / f"{name}-run",
            conditions=("real", "retest", "shuffle", "blank", "noimage"),
        ).run
    return found


def test_the_planted_signal_is_what_vrs_measures(runs):
    """On planted items the answer is given, so they are lost to what words alone reach when the image is shuffled."""
    plain, planted = (vrs(runs[name])["baseline:question+image"] for name in ("plain", "planted"))
    outcomes = runs["planted"].outcomes.filter(
        (pl.col("model") == "baseline:question+image") & (pl.col("condition") == "shuffle")
    )
    marked = np.array([uniform(5, "plant", case, size=1)[0] < SHARE for case in outcomes["case_id"]])
    without = outcomes["correct"].to_numpy()[marked].mean()
    expected = marked.mean() * (1.0 - without) + (1 - marked.mean()) * plain["value"]
    assert planted["ci_low"] <= expected <= planted["ci_high"], (expected, planted)
    assert planted["value"] > plain["value"] + 0.05


def test_words_alone_see_nothing_of_it(runs):
    for run in runs.values():
        found = vrs(run)["baseline:question"]
        assert (found["value"], found["ci_low"], found["ci_high"]) == (0.0, 0.0, 0.0)
    assert runs["planted"].verdicts["baseline:question"]["verdict"] == "does not use the image"
