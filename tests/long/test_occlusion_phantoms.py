"""The occlusion audit on 600 phantoms: readers of known habits get the numbers and the verdicts that they must get."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import perimetry
from perimetry.inference import Settings
from perimetry.protocols.run import Run

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

READERS = ("grounded", "contextual", "blind", "naive")
DATA = "phantom-studies:n=600,cooccurrence=0.8"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return perimetry.audit(
        "occlusion",
        data=DATA,
        models=[f"reader:{name}" for name in READERS],
        out=tmp_path_factory.mktemp("run"),
        strengths="0,100",
        settings=Settings(workers=2),
    ).run


def row(run: Run, reader: str, metric: str, condition: str = "", stratum: str = "all") -> dict[str, float]:
    rows = run.estimates.filter(
        (pl.col("model") == f"reader:{reader}") & (pl.col("metric") == metric) & (pl.col("stratum") == stratum),
        (pl.col("dataset") == "macro") & ~pl.col("comparator").fill_null("").str.starts_with("model:"),
    )
    return (rows.filter(pl.col("condition") == condition) if condition else rows).to_dicts()[0]


def test_at_least_eight_classes_are_examined(made: Run):
    assert made.outcomes["finding"].drop_nulls().n_unique() >= 8


def test_grounded(made: Run):
    for suffix in ("", "_matched"):
        assert row(made, "grounded", f"delta_oco{suffix}")["ci_low"] > 0.6
        company = row(made, "grounded", f"delta_doco{suffix}")
        assert -0.05 < company["ci_low"] <= company["ci_high"] < 0.05
    levels = [row(made, "grounded", "mu_f1", condition)["value"] for condition in ("ro@100", "real")]
    assert abs(levels[0] - levels[1]) < 0.05
    assert made.verdicts["reader:grounded"]["verdict"] == "grounded in the regions"


def test_contextual(made: Run):
    for suffix in ("", "_matched"):
        assert row(made, "contextual", f"delta_doco{suffix}")["ci_low"] > 0.6
        own = row(made, "contextual", f"delta_oco{suffix}")
        assert -0.05 < own["ci_low"] <= own["ci_high"] < 0.05
    assert made.verdicts["reader:contextual"]["verdict"] == "leans on context"


def test_blind(made: Run):
    for metric in ("delta_fn_14", "delta_fn_5", "delta_oco", "delta_doco"):
        nothing = row(made, "blind", metric)
        assert (nothing["value"], nothing["ci_low"], nothing["ci_high"]) == (0.0, 0.0, 0.0)
    rates = made.estimates.filter(
        (pl.col("model") == "reader:blind") & (pl.col("metric") == "false_statement_rate"),
        (pl.col("dataset") == "macro") & (pl.col("condition") == "real"),
        ~pl.col("stratum").is_in(["all", "uncertain as negative"]),
    )
    always = {"Pleural Effusion", "Atelectasis", "Lung Opacity"}
    assert dict(zip(rates["stratum"], rates["value"], strict=True)) == {
        name: float(name in always) for name in rates["stratum"].to_list()
    }
    assert made.verdicts["reader:blind"]["verdict"] == "rests on priors"


def test_naive_is_known_by_its_false_statements_and_not_by_its_name(made: Run):
    rise = row(made, "naive", "false_statement_rise", "oco@100")
    assert rise["ci_low"] > 0.05
    assert made.verdicts["reader:naive"]["verdict"] == "set off by noise"
    page = made.page.read_text(encoding="utf-8")
    assert "reader:naive: covered regions make it state what is not there" in page
    assert "reader:grounded: covered regions" not in page


def test_an_overlapping_population_shows_its_spill(tmp_path: Path):
    run = perimetry.audit(
        "occlusion",
        data=f"{DATA},overlap=true",
        models="reader:blind",
        out=tmp_path,
        strengths="100",
    ).run
    spill = run.estimates.filter((pl.col("metric") == "spill") & (pl.col("dataset") == "macro"))
    whole = spill.filter(pl.col("stratum") == "all").to_dicts()[0]
    assert whole["ci_low"] > 0.02
    assert "Boxes of other findings cover" in run.page.read_text(encoding="utf-8")
