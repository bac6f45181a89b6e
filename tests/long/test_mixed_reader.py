"""vrs of a reader that looks at a share of the items rises linearly in that share."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import perimetry

pytestmark = pytest.mark.long

SHARES = (0.1, 0.25, 0.4, 0.6, 0.75, 0.9)


def test_vrs_is_linear_in_the_share_of_items_looked_at(tmp_path):
    models = ["reader:grounded", *(f"reader:mixed({share:g})" for share in SHARES)]
    conditions = ("real", "retest", "shuffle", "noimage")
    run = perimetry.audit(
        data="phantom:n=800,size=128,seed=11", models=models, out=tmp_path / "r", conditions=conditions
    ).run
    rows = run.estimates.filter(
        (pl.col("metric") == "vrs")
        & (pl.col("dataset") == "macro")
        & (pl.col("stratum") == "all")
        & (pl.col("comparator") == "real")
    )
    found = {row["model"]: row for row in rows.iter_rows(named=True)}
    full = found["reader:grounded"]["value"]
    values = [found[f"reader:mixed({share:g})"]["value"] for share in SHARES]
    assert all(np.diff(values) > 0)
    for share in SHARES:
        one = found[f"reader:mixed({share:g})"]
        assert one["ci_low"] <= share * full <= one["ci_high"], share
    slope, intercept = np.polyfit(SHARES, values, 1)
    assert slope == pytest.approx(full, abs=0.05)
    assert intercept == pytest.approx(0.0, abs=0.03)
