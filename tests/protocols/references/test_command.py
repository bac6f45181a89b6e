"""`perimetry audit references` and `perimetry score --alternatives` as a user meets them."""

from __future__ import annotations

import json
import tomllib

import polars as pl
import pytest
from tests.protocols.references.made import one_set, write_lines

from perimetry.cli import main


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def asked(made, out, *more, metrics="bleu_2"):
    return (
        *("audit", "references", "--data", made["data"], "--alternatives", str(made["folder"])),
        *("--systems", made["systems"], "--metrics", metrics, "--resamples", "60"),
        *("--out", str(out), *more),
    )


def test_from_files_to_a_page_twice_the_same(capsys, tmp_path):
    made = one_set(tmp_path, 24)
    rows = [{"id": row["id"], "kind": "new", "text": row["findings"] + " fracture ."} for row in made["rows"]]
    corrupted = write_lines(tmp_path / "corrupted.jsonl", rows)
    out = tmp_path / "out"
    code, said, _ = call(capsys, *asked(made, out, "--corrupted", str(corrupted), metrics="bleu_2,f1_rules"))
    assert code == 0
    assert "Report:" in said
    names = ("references.toml", "verdicts.json", "estimates.csv", "scores.csv", "pairs.csv", "shifts.csv", "bands.csv")
    assert all((out / name).is_file() for name in names)
    charts = {path.stem.split("-set1")[0] for path in (out / "report" / "charts").glob("*.svg")}
    assert {"shift-boxes", "model-shifts", "reversals-map", "rank-paths", "style", "trust", "bands"} <= charts
    first = (out / "estimates.csv").read_bytes()
    code, said, _ = call(capsys, *asked(made, out, "--corrupted", str(corrupted), "--json", metrics="bleu_2,f1_rules"))
    assert code == 0
    assert set(json.loads(said)["verdicts"]) == {"bleu_2", "f1_rules"}
    assert (out / "estimates.csv").read_bytes() == first
    page = (out / "report" / "index.html").read_text(encoding="utf-8")
    assert "Does the order of the systems hold" in page
    assert "Which metric to trust here?" in page


def test_texts_of_credentialed_data_stay_out_of_the_page(capsys, tmp_path):
    made = one_set(tmp_path, 16)
    closed = made | {"data": made["data"] + ",data_use=credentialed"}
    for name, each, quoted in (("open", made, True), ("closed", closed, False)):
        code, _, _ = call(capsys, *asked(each, tmp_path / name))
        page = (tmp_path / name / "report" / "index.html").read_text(encoding="utf-8")
        assert code == 0
        assert any(row["one"] in page for row in made["rows"]) == quoted


def test_models_write_the_reports_once(capsys, tmp_path):
    made = one_set(tmp_path, 12)
    out = tmp_path / "out"
    arguments = asked(made, out, "--systems", "reader:constant")
    _, said, _ = call(capsys, *arguments, "--dry-run", "--json")
    assert json.loads(said) == {"reader:constant": {"requests": 12, "to_ask": 12}}
    code, said, err = call(capsys, *arguments, "--max-requests", "5")
    assert code == 3
    assert "7 requests have no final answer" in err
    code, said, _ = call(capsys, *arguments, "--json")
    assert code == 0
    held = {row["model"] for row in json.loads(said)["estimates"] if row["metric"] == "bleu_2"}
    assert held == {"one", "two", "three", "reader:constant"}
    _, said, _ = call(capsys, *arguments, "--dry-run", "--json")
    assert json.loads(said)["reader:constant"]["to_ask"] == 0


def test_a_model_that_never_answers(capsys, tmp_path):
    made = one_set(tmp_path, 12)
    more = ("--systems", "openai:m@http://127.0.0.1:9/v1", "--max-retries", "0")
    code, _, err = call(capsys, *asked(made, tmp_path / "out", *more))
    assert code == 1
    assert "openai:m has given no report for any of 12 studies (unreachable" in err
    assert not (tmp_path / "out" / "estimates.csv").exists()


def test_a_folder_of_another_run_is_left_alone(capsys, tmp_path):
    made = one_set(tmp_path, 12)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "score.toml").touch()
    code, _, err = call(capsys, *asked(made, tmp_path / "other"))
    assert code == 2
    assert "holds other files" in err
    assert not (tmp_path / "other" / "estimates.csv").exists()


@pytest.fixture
def scored(capsys, tmp_path):
    made = one_set(tmp_path, 24)
    path = write_lines(tmp_path / "reports.jsonl", made["rows"])

    def run(out, *more):
        code, said, err = call(
            capsys,
            *("score", str(path), "--reference", "findings", "--id", "id", "--group", "group"),
            *("--system", "one", "--system", "two", "--metrics", "bleu_2,rouge_l", "--resamples", "80"),
            *("--out", str(tmp_path / out), *more),
        )
        return code, said, err

    return made, run, tmp_path


def test_scoring_with_alternatives_adds_and_changes_nothing(scored):
    made, run, tmp_path = scored
    assert run("plain")[0] == 0
    assert run("banded", "--alternatives", str(made["folder"]))[0] == 0
    plain, banded = tmp_path / "plain", tmp_path / "banded"
    assert not (plain / "bands.csv").exists()
    assert "alternatives" not in tomllib.loads((plain / "score.toml").read_text(encoding="utf-8"))
    for name in ("scores.csv", "ranks.csv", "missing.csv", "verdicts.json"):
        assert (plain / name).read_bytes() == (banded / name).read_bytes()
    before, after = (pl.read_parquet(folder / "estimates.parquet") for folder in (plain, banded))
    assert after.head(before.height).equals(before)
    kinds = set(after.tail(after.height - before.height)["metric"].str.split(":").list.first())
    assert kinds == {"multi", "style_sd", "style_min", "style_max"}
    bands = pl.read_csv(banded / "bands.csv")
    original = {(row["metric"], row["model"]): row["value"] for row in before.to_dicts() if not row["comparator"]}
    for row in bands.iter_rows(named=True):
        assert row["original"] == pytest.approx(original[row["metric"], row["system"]])
        assert row["style_min"] <= row["multi"] <= row["style_max"]
        assert row["references"] == 4
    # Without them again, in the same folder, nothing of them is left.
    assert run("banded")[0] == 0
    assert not (banded / "bands.csv").exists()


def test_a_band_of_few_alternatives_is_shown_with_a_caution(scored):
    made, run, tmp_path = scored
    lines = (made["folder"] / "alternatives.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    accepted = [row for row in rows if row["status"] == "accepted" and row["target"] == "structure:structured"]
    few = write_lines(tmp_path / "few" / "alternatives.jsonl", accepted[:2]).parent
    code, said, err = run("few_out", "--alternatives", str(few))
    assert code == 0
    assert "Over 2 sets of references" in said
    assert "2 of 24" in said
    caution = "2 of 24 references have another wording (bleu_2, rouge_l)"
    assert f"Caution: {caution}" in " ".join(err.split())
    assert caution in (tmp_path / "few_out" / "report" / "index.html").read_text(encoding="utf-8")
    many = run("many_out", "--alternatives", str(made["folder"]))
    assert "Caution" not in many[2]
    assert "Note: 24 of 24" in " ".join(many[2].split())


def test_scoring_with_alternatives_of_other_reports(scored):
    made, run, tmp_path = scored
    other = one_set(tmp_path / "other", 12, 9)
    code, _, err = run("out", "--alternatives", str(other["folder"]))
    assert code == 1
    assert "has no alternative for any" in err
    assert made["folder"].is_dir()
