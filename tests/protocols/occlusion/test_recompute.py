"""Every estimate is found again from the outcomes by a script that shares nothing with the project."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from tests.protocols.occlusion.auditing import analysed, prepared
from tests.protocols.occlusion.oracles import Oracle, grounded
from tests.protocols.occlusion.recompute import CLASSES, load

from perimetry.models.readers import build_reader
from perimetry.protocols.occlusion.estimates import estimate
from perimetry.runs.estimates import estimate_frame

FEW = "Cardiomegaly,Edema,Atelectasis,Pleural Effusion"


def erratic(shown, covered, share, request):
    """Mostly what is there, now and then a failure, silence, a doubt or nonsense; fixed for each request."""
    dice = int(request.id[:6], 16) % 29
    if dice == 0:
        return None
    if dice == 1:
        return "<think>what is this</think>"
    if dice == 2:
        return "Possible pneumonia. Cannot exclude pulmonary edema."
    return sorted(shown - covered if dice % 2 else shown)


def rows_of(tmp_path, *data, **own):
    preparation = prepared(tmp_path, *data, **own)
    models = (Oracle("grounded", grounded), Oracle("erratic", erratic), build_reader("random", 3))
    analysis = analysed(tmp_path, preparation, *models)
    frame = estimate_frame(estimate(analysis, resamples=20))
    outcomes = pl.concat(analysis.outcomes.values())
    outcomes.write_parquet(tmp_path / "outcomes.parquet")
    return frame, load(pl.read_parquet(tmp_path / "outcomes.parquet"))


@pytest.mark.parametrize(
    ("data", "own"),
    [
        (
            ("phantom-studies:n=32,cooccurrence=0.8", "phantom-studies:n=26,seed=7"),
            {"strengths": "0,50,100", "classes": FEW},
        ),
        (
            ("phantom-studies:n=40,cooccurrence=0.8",),
            {"strengths": "100", "repeats": 2, "truth": "report", "classes": FEW},
        ),
    ],
    ids=["two data sets", "repeats and report truth"],
)
def test_every_estimate_again(tmp_path, data, own):
    frame, table = rows_of(tmp_path, *data, **own)
    metrics = set()
    wrong = []
    for row in frame.iter_rows(named=True):
        place = [row[name] for name in ("dataset", "model", "metric", "condition", "comparator", "stratum")]
        again = table.value(*place)
        value = math.nan if row["value"] is None else row["value"]
        if not np.isclose(value, again, rtol=0, atol=1e-9, equal_nan=True):
            wrong.append((place, value, again))
        if row["value"] is not None:
            metrics.add(row["metric"])
    assert not wrong, (len(wrong), wrong[:5])
    wanted = {"mu_f1", "f1", "delta_oco", "delta_doco_matched", "flip_rate", "reverse_flip_rate", "delta_fn_14"}
    wanted |= {"false_statement_rate", "balanced_accuracy", "area_reached", "bleu_4", "delta_fn_rouge_l", "s_auc_oco"}
    wanted |= {"delta_oco_relative_matched", "false_statement_rise", "reference_agreement", "spill"}
    assert wanted <= metrics


def test_what_was_stated_follows_from_the_labels(tmp_path):
    _, table = rows_of(tmp_path, "phantom-studies:n=40", strengths="100", classes=FEW)
    checked = 0
    for rows in table.rows.values():
        for row in rows:
            if row["finding"] is None:
                assert row["stated"] is None
                continue
            code = row["labels"][CLASSES.index(row["finding"])]
            assert (row["stated"], row["stated_strict"]) == (code in (1, 3), code == 1)
            assert not (row["silent"] and any(row["labels"]))
            checked += 1
    assert checked > 200
