"""Scoring a file end to end: what is written, what is not, and what is said before anything is done."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.protocols.score.standins import Lengths, Overlap, Words
from tests.scoring.radgraph import fake_extractor

import perimetry
from perimetry.cases.errors import DataError, UnknownNameError, UsageError
from perimetry.protocols.score.running import named_metrics
from perimetry.runs.estimates import ESTIMATE_SCHEMA
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.report_metric import ReportMetric

SECRET = "zanzibar"


@pytest.fixture
def table():
    findings = ["edema", "fracture", "no edema", "clear lungs", "pneumonia"]
    rows = [
        {
            "study": f"s{row}",
            "gold": f"{findings[row % 5]} with {SECRET} {row}",
            "ours": f"{findings[(row * 3) % 5]} with {SECRET}",
            "theirs": None if row == 3 else "" if row == 4 else f"{findings[row % 5]}",
        }
        for row in range(40)
    ]
    rows[4]["gold"] = " "
    return pl.DataFrame(rows)


def run(table, out=None, **options):
    given = {"reference": "gold", "systems": ["ours", "theirs"], "metrics": [Overlap(), Words(), "rouge_l"]}
    return perimetry.score(table, **{**given, "out": out, "resamples": 50, "id_column": "study", **options})


def test_every_file_is_there_and_holds_what_the_result_does(table, tmp_path):
    result = run(table, tmp_path / "out")
    scores = pl.read_parquet(tmp_path / "out" / "scores.parquet")
    assert scores.equals(result.scores)
    assert scores.height == 80
    assert scores.columns == [
        *("dataset", "id", "group", "system"),
        *("overlap", "overlap_reason", "words", "words_reason", "rouge_l", "rouge_l_reason"),
    ]
    lost = scores.filter(pl.col("overlap").is_null())
    assert lost.select("id", "system", "overlap_reason").rows() == [("s4", "theirs", "both reports are empty")]
    assert (scores["overlap_reason"] != "").sum() == 1
    estimates = pl.read_parquet(tmp_path / "out" / "estimates.parquet")
    assert estimates.schema == pl.Schema(ESTIMATE_SCHEMA)
    assert estimates.equals(result.estimates)
    assert pl.read_csv(tmp_path / "out" / "estimates.csv").height == estimates.height
    assert set(estimates["protocol"]) == {"score"}
    assert set(estimates["model"]) == {"ours", "theirs"}
    ranks = pl.read_csv(tmp_path / "out" / "ranks.csv")
    assert ranks.columns[-5:] == ["value", "value_low", "value_high", "place_1", "place_2"]
    assert {"all metrics", "overlap"} <= set(json.loads((tmp_path / "out" / "verdicts.json").read_text()))
    assert result.page is not None
    assert result.page.is_file()


def test_an_empty_report_against_a_full_one_is_the_worst_and_not_missing(table):
    scores = run(table).scores.filter((pl.col("id") == "s3") & (pl.col("system") == "theirs"))
    assert scores.select("overlap", "rouge_l").rows() == [(0.0, 0.0)]


def test_the_page_says_how_many_reports_say_nothing(table, tmp_path):
    run(table, tmp_path, metrics=[Overlap()])
    assert "theirs says nothing in 1 of 40 reports: they have the worst value." in (
        tmp_path / "report" / "index.html"
    ).read_text(encoding="utf-8")


def test_nothing_is_written_without_a_folder(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(table)
    assert result.page is None
    assert list(tmp_path.iterdir()) == []


def test_the_page_holds_systems_together_on_the_same_reports_and_names_the_rest(table, tmp_path):
    result = run(table, tmp_path / "out", metrics=[Overlap()])
    page = (tmp_path / "out" / "report" / "index.html").read_text(encoding="utf-8")
    assert "on the reports that every system has a value for." in page
    assert "Each system by itself" in page
    shared = {row.model: row.value for row in result.findings.compared}
    own = {row["model"]: row["value"] for row in result.estimates.filter(metric="overlap", comparator="").to_dicts()}
    assert shared["ours"] != pytest.approx(own["ours"], abs=1e-3)
    assert f"{shared['ours']:.3f}" in page.split("Each system by itself", 1)[0]
    assert f"{own['ours']:.3f}" in page.split("Each system by itself", 1)[1]
    run(table, tmp_path / "even", metrics=[Overlap()], systems=["ours"])
    assert "Each system by itself" not in (tmp_path / "even" / "report" / "index.html").read_text(encoding="utf-8")


def test_one_system_without_any_value_takes_the_comparison_and_leaves_the_others_theirs(table, tmp_path):
    empty = table.with_columns(pl.lit(None, dtype=pl.String).alias("theirs"), pl.lit("").alias("gold"))
    result = run(empty, tmp_path / "out", metrics=[Overlap()])
    assert [row.n for row in result.findings.compared] == [0, 0]
    page = (tmp_path / "out" / "report" / "index.html").read_text(encoding="utf-8")
    assert "Each system by itself" in page
    assert "No report has a value for every system." in page


def test_the_same_scores_give_the_same_page(table, tmp_path):
    pages = []
    for name in ("one", "two"):
        run(table, tmp_path / name, metrics=[Overlap()], command="the command")
        pages.append((tmp_path / name / "report" / "index.html").read_bytes())
    assert pages[0] == pages[1]


@pytest.mark.parametrize(("data_use", "quoted"), [(None, True), ("credentialed", False)])
def test_the_page_quotes_reports_unless_they_are_not_open(table, tmp_path, data_use, quoted):
    run(table, tmp_path, metrics=[Overlap()], systems="ours", data_use=data_use)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(SECRET.encode() in path.read_bytes() for path in files) == quoted


def test_a_second_run_encodes_nothing(table, tmp_path):
    Lengths.encoded = 0
    first = run(table, tmp_path, metrics=[Lengths()])
    once = Lengths.encoded
    assert once == len({text or "" for column in ("gold", "ours", "theirs") for text in table[column]})
    again = run(table, tmp_path, metrics=[Lengths()])
    assert Lengths.encoded == once
    assert again.scores.equals(first.scores)


def test_a_second_run_starts_no_extractor(table, tmp_path):
    fake = Path(fake_extractor.__file__)
    script = tmp_path / "extractor.py"
    script.write_text(fake.read_text())
    metric = f"f1_radgraph(extractor={sys.executable} {script} --state {tmp_path})"
    first = run(table, tmp_path / "out", metrics=metric, systems="ours")
    assert first.scores["f1_radgraph"].null_count() == 0
    script.write_text("raise SystemExit('it was started')")
    again = run(table, tmp_path / "out", metrics=metric, systems="ours")
    assert again.scores.equals(first.scores)


def test_the_order_of_rows_changes_no_score(table):
    there = run(table).scores.sort("system", "id")
    back = run(table.sample(fraction=1.0, shuffle=True, seed=1)).scores.sort("system", "id")
    assert there.equals(back)


class Forbidden(ReportMetric):
    """Fails the test when work begins."""

    @property
    def info(self) -> MetricInfo:
        return MetricInfo("forbidden", "x/1", "higher", 0.0, 1.0, "None.", "tests")

    def score(self, hypotheses, references):
        pytest.fail("work was begun")


class Hindered(Forbidden):
    def obstacle(self) -> str:
        return "its weights are on the moon."


class Broken(Overlap):
    """Its weights turn out to be others when they are opened."""

    def score(self, hypotheses, references):
        raise DataError("weights.pt holds another architecture")


def test_weights_that_do_not_fit_are_told_before_the_metrics_in_front_work(table, tmp_path):
    first = Overlap("first")
    with pytest.raises(DataError, match="another architecture"):
        run(table, tmp_path, metrics=[first, Broken("second")])
    assert first.asked == 1
    assert not (tmp_path / "estimates.csv").exists()


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"reference": "golden"}, UnknownNameError, "Did you mean gold"),
        ({"metrics": [Forbidden(), "roug_l"]}, UnknownNameError, "rouge_l"),
        ({"metrics": [Forbidden(), "ROUGE-L"]}, UsageError, "Did you mean rouge_l"),
        ({"metrics": [Forbidden(), "rouge_l(betta=2)"]}, UsageError, "betta"),
        ({"metrics": [Forbidden(), Hindered()]}, UsageError, "named twice"),
        ({"metrics": [Hindered()]}, UsageError, "forbidden: its weights are on the moon. `perimetry metrics`"),
        ({"metrics": []}, UsageError, "No metric"),
        ({"metrics": [Forbidden()], "judge": "openai:m@http://localhost:1/v1"}, UsageError, "has no use"),
        ({"metrics": [Forbidden(), "green_judge"]}, UsageError, "judge"),
        ({"metrics": [Forbidden(), "green_judge"], "judge": "gpt"}, UsageError, "does not name a model"),
        ({"metrics": [Forbidden()], "resamples": 0}, UsageError, "resamples"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(table, tmp_path, options, kind, said):
    with pytest.raises(kind, match=said):
        run(table, tmp_path / "out", **{"metrics": [Forbidden()], **options})
    assert not (tmp_path / "out").exists()


def test_the_folder_of_an_audit_is_not_written_over(table, tmp_path):
    (tmp_path / "run.toml").write_text("")
    with pytest.raises(UsageError, match="run of an audit"):
        run(table, tmp_path)


def test_metrics_of_one_name_are_told_apart_by_their_spelling():
    named = named_metrics("rouge_l(beta=1.2,tokens=space),rouge_l,bleu_1")
    assert [one.label for one in named] == ["rouge_l(beta=1.2,tokens=space)", "rouge_l", "bleu_1"]
    assert [one.label for one in named_metrics(["rouge_l(beta=1.2)", "bleu_1"])] == ["rouge_l", "bleu_1"]


def test_hostile_texts_and_other_languages_go_through(tmp_path):
    texts = [None, "", "...", "</script><b>", "a\x00b\x1b[2J\r\n", "胸水なし", "word " * 10_000, "\U0001f600 ok"]
    rows = [{"gold": left, "=ours()": right} for left in texts for right in texts]
    result = perimetry.score(
        pl.DataFrame(rows),
        reference="gold",
        systems="=ours()",
        metrics="bleu_1,bleu_4,rouge_l,f1_rules",
        out=tmp_path / "out",
        resamples=20,
    )
    for named in result.scored.metrics:
        scored = result.scored.tables[named.label]["=ours()"]
        known = scored.values[~np.isnan(scored.values)]
        assert all(named.info.holds(float(value)) for value in known)
        assert [bool(reason) for reason in scored.reasons] == np.isnan(scored.values).tolist()
    assert result.page is not None
    page = result.page.read_text(encoding="utf-8")
    assert "</script><b>" not in page
