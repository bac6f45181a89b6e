"""`perimetry score` and `perimetry metrics` as a user meets them; the acceptance run on real reports."""

from __future__ import annotations

import json

import polars as pl
import pytest

from perimetry.cli import main

METRICS = "bleu_1,bleu_4,rouge_l(beta=1.2,tokens=space),f1_rules"
SYSTEMS = ("fixed_template", "sentence_fusion", "llm_sft_beam3", "retrieval_oracle")


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def reports(tmp_path):
    path = tmp_path / "mine.csv"
    rows = [
        {"id": f"s{row}", "gold": "no effusion", "ours": "no effusion" if row % 2 else "edema", "group": row // 2}
        for row in range(12)
    ]
    pl.DataFrame(rows).write_csv(path)
    return str(path)


@pytest.mark.parametrize("command", ["score", "metrics"])
def test_help_with_an_example(capsys, command):
    code, out, _ = call(capsys, command, "--help")
    assert code == 0
    assert f"Example: perimetry {command}" in " ".join(out.split())


def test_json_alone_on_standard_output(capsys, tmp_path, reports):
    code, out, err = call(
        capsys,
        *("score", reports, "--reference", "gold", "--system", "ours", "--metrics", "rouge_l,f1_rules"),
        *("--id", "id", "--group", "group", "--out", str(tmp_path / "out"), "--resamples", "50", "--json"),
    )
    assert code == 0
    result = json.loads(out)
    assert result["verdicts"]["rouge_l"]["reason"].startswith("ours: 0.5")
    whole = [row for row in result["scores"] if row["metric"] == "rouge_l"]
    assert [(row["dataset"], row["model"], row["n"], row["groups"]) for row in whole] == [("mine", "ours", 12, 6)]
    assert result["ranks"] == []
    assert "rouge_l: 12 pairs" in err


def test_systems_beside_each_other_have_the_same_reports_and_silence_is_told(capsys, tmp_path):
    path = tmp_path / "uneven.jsonl"
    rows = [{"gold": "a b", "one": "a b", "two": "a b"}, {"gold": "", "one": "x", "two": None}] * 5
    rows += [{"gold": "a b", "one": "a c", "two": ""}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    command = ("score", str(path), "--reference", "gold", "--system", "one", "--system", "two", "--metrics", "rouge_l")
    code, out, err = call(capsys, *command, "--out", str(tmp_path / "out"), "--resamples", "50")
    assert code == 0
    assert "│ rouge_l │ 0.917" in out  # of the six reports that both have: five right, one half right
    assert "On the reports that every system has a value for: rouge_l 6 of 11." in out
    assert "two: 1 report without a word where the reference has some: the worst value." in err
    code, out, _ = call(capsys, *command, "--out", str(tmp_path / "json"), "--resamples", "50", "--json")
    told = json.loads(out)
    assert [row["n"] for row in told["compared"]] == [6, 6]
    assert [row["n"] for row in told["scores"] if row["metric"] == "rouge_l"] == [11, 6]


def test_an_out_that_is_no_place_for_scores(capsys, tmp_path, reports):
    def score(out):
        given = ["--reference", "gold", "--system", "ours", "--metrics", "rouge_l", "--resamples", "20"]
        return call(capsys, "score", reports, *given, "--out", str(out))

    code, _, err = score(reports)
    assert code == 2
    assert "is a file, and --out must be a folder" in err
    code, _, err = score(tmp_path)
    assert code == 2
    assert "holds other files (mine.csv) and no score.toml" in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]
    for _ in range(2):
        assert score(tmp_path / "scores")[0] == 0
    given = ["--data", "phantom:n=4", "--model", "reader:blind", "--out", str(tmp_path / "scores")]
    code, _, err = call(capsys, "audit", "counterfactual", *given)
    assert code == 2
    assert "and no run.toml" in err


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"--reference": "golt"}, 2, "Did you mean gold"),
        ({"--system": "our"}, 2, "Did you mean ours"),
        ({"--metrics": "rouge"}, 2, "Did you mean rouge_l"),
        ({"--metrics": "rouge_l(beta=x)"}, 2, "beta"),
        ({"--id": "group"}, 1, "row 2, column 'group'"),
        ({"--judge": "reader:blind"}, 2, "Leave it out"),
    ],
)
def test_one_clear_line_an_error(capsys, tmp_path, reports, changes, code, said):
    given = {
        "--reference": "gold",
        "--system": "ours",
        "--metrics": "rouge_l",
        "--out": str(tmp_path / "out"),
        **changes,
    }
    found, out, err = call(capsys, "score", reports, *(part for pair in given.items() for part in pair))
    assert (found, out) == (code, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_dry_run_writes_nothing(capsys, tmp_path, reports):
    arguments = [
        reports,
        "--reference",
        "gold",
        "--system",
        "ours",
        "--metrics",
        "rouge_l",
        "--out",
        str(tmp_path / "o"),
    ]
    code, out, _ = call(capsys, "score", *arguments, "--dry-run")
    assert (code, (tmp_path / "o").exists()) == (0, False)
    assert "No metric of this run asks a judge." in out


def test_metrics_are_listed_with_what_stands_in_their_way(capsys):
    code, out, _ = call(capsys, "metrics", "--json")
    assert code == 0
    listed = {one["name"]: one for one in json.loads(out)}
    for name in ("bleu_1", "bleu_2", "bleu_4", "rouge_l", "f1_rules"):
        assert listed[name]["runs_now"], listed[name]["obstacle"]
    assert "weights" in listed["f1_chexbert"]["obstacle"]
    assert "judge" in listed["green_judge"]["obstacle"]
    assert listed["radcliq_v1"]["direction"] == "lower"
    for one in listed.values():
        assert one["summary"]
        assert one["direction"] in ("higher", "lower")
        assert one["value_range"]
    assert {"bertscore", "ratescore", "f1_radgraph", "green", "crimson", "crimson_judge"} <= set(listed)


def test_one_metric_with_its_parameters(capsys):
    code, out, _ = call(capsys, "metrics", "rouge_l")
    assert code == 0
    assert "beta=1" in out
    code, _, err = call(capsys, "metrics", "rogue_l")
    assert code == 2
    assert "rouge_l" in err


def test_the_metrics_contradict_on_real_reports(capsys, tmp_path, shared_data):
    """Published values are met, and the page says that the second-best ROUGE-L sees no abnormality."""
    folder = shared_data / "iu_generated"
    out = tmp_path / "out"
    systems = [part for system in SYSTEMS for part in ("--system", system)]
    code, _, _ = call(
        capsys,
        *("score", str(folder / "reports.jsonl"), "--reference", "reference", *systems),
        *("--metrics", METRICS, "--out", str(out)),
    )
    assert code == 0
    estimates = pl.read_parquet(out / "estimates.parquet")

    def value(metric: str, system: str, stratum: str = "all") -> float:
        row = estimates.filter(
            (pl.col("metric") == metric)
            & (pl.col("model") == system)
            & (pl.col("stratum") == stratum)
            & (pl.col("comparator") == "")
        )
        return float(row["value"].item())

    published = json.loads((folder / "published_scores.json").read_text())
    for system, names in (
        ("fixed_template", {"bleu_1": "Bleu_1", "bleu_4": "Bleu_4", "rouge_l": "ROUGE_L"}),
        ("sentence_fusion", {"bleu_4": "Bleu_4", "rouge_l": "ROUGE_L"}),
    ):
        for metric, name in names.items():
            assert value(metric, system) == pytest.approx(published[system]["lexical"][name], abs=1e-4)
    assert value("rank:rouge_l", "fixed_template") == 2
    for system in ("fixed_template", "sentence_fusion"):
        assert value("f1_rules", system, "abnormal") == 0
    said = json.loads((out / "verdicts.json").read_text())["all metrics"]
    assert said["verdict"] == "the metrics contradict"
    assert "second by rouge_l (0.400 [" in said["reason"]
    assert "fixed_template and sentence_fusion have an F1 of 0 on the abnormal classes (f1_rules)" in said["reason"]
    page = (out / "report" / "index.html").read_text(encoding="utf-8")
    assert "second by rouge_l (0.400 [" in page
    assert page.index("the metrics contradict") < page.index("retrieval_oracle is best")
    assert "fixed_template gives one and the same report for all 382 cases." in page
    assert '<mark class="positive"' in page
