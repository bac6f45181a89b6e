"""The route audit of 50 items, through a real server."""

from __future__ import annotations

import polars as pl
import pytest
from tests.long.test_llava_server import folder, server  # noqa: F401 - fixtures

import perimetry
from perimetry.models.request import Decoding

pytestmark = pytest.mark.long


def test_fifty_items_end_to_end(server, folder, tmp_path):  # noqa: F811
    run = perimetry.audit(
        "routes",
        data="phantom:n=50,size=64,form=choice",
        models=f"openai:{folder}@{server}",
        out=tmp_path / "run",
        decoding=Decoding(max_new_tokens=12),
    ).run
    assert run.unanswered == 0
    asked = run.outcomes.filter(pl.col("request_id").is_not_null())
    assert asked.filter(pl.col("condition").is_in(["full", "textonly", "optionsonly", "imageoptions"])).height == 200
    assert asked["answered"].all()
    rows = run.estimates.filter((pl.col("metric") == "accuracy") & (pl.col("stratum") == "all"))
    assert set(rows["condition"]) == {"full", "textonly", "optionsonly", "imageoptions"}
    # A random model writes noise: what no rule reads is counted, not guessed.
    unread = run.estimates.filter((pl.col("metric") == "unparsed") & (pl.col("condition") == "full"))["value"][0]
    answered = run.outcomes.filter((pl.col("condition") == "full") & pl.col("answer").is_null()).height / 50
    assert unread == pytest.approx(answered)
    assert run.page.is_file()
