"""Ids that do not meet: every message says where ids came from, shows both sides, and names the column that fits."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.protocols.references.made import one_set, write_lines

from perimetry.cli import main


def call(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, " ".join(captured.err.split())


@pytest.fixture
def scored(capsys, tmp_path):
    made = one_set(tmp_path, 24)
    rows = [{"study": row["id"], **{k: row[k] for k in ("findings", "one", "two")}} for row in made["rows"]]
    path = write_lines(tmp_path / "reports.jsonl", rows)

    def run(*more):
        return call(
            capsys,
            *("score", str(path), "--reference", "findings", "--system", "one", "--metrics", "bleu_2"),
            *("--resamples", "30", "--out", str(tmp_path / "out"), *more),
        )

    return made, run, tmp_path


def test_row_numbers_are_told_and_the_column_that_fits_is_named(scored):
    made, run, tmp_path = scored
    code, _, err = run("--alternatives", str(made["folder"]))
    assert code == 1
    assert "found by the ids of their references" in err
    assert "those of the alternatives are such as s1-000, s1-001, s1-002" in err
    assert "those of the references such as 1, 2, 3" in err
    assert "No column of ids was named" in err
    assert "The column study holds such ids: give --id study." in err
    assert not (tmp_path / "out").exists()
    assert run("--alternatives", str(made["folder"]), "--id", "study", "--dry-run")[0] == 0


def test_the_wrong_column_is_named(scored):
    made, run, _ = scored
    rows = [
        {"study": row["id"], "scan": f"x{n}", "findings": row["findings"], "one": row["one"]}
        for n, row in enumerate(made["rows"])
    ]
    write_lines(made["folder"].parent / "reports.jsonl", rows)
    code, _, err = run("--alternatives", str(made["folder"]), "--id", "scan")
    assert code == 1
    assert "read from the column scan" in err
    assert "give --id study" in err


def test_no_column_fits(scored):
    _made, run, tmp_path = scored
    other = one_set(tmp_path / "other", 12, 9)
    code, _, err = run("--alternatives", str(other["folder"]), "--id", "study")
    assert code == 1
    assert "No column of the file has one: findings, one, two" in err


def test_alternatives_of_several_other_data_sets(scored):
    made, run, tmp_path = scored
    rows = [row | {"dataset": f"set{n % 2}"} for n, row in enumerate(made["alternatives"])]
    folder = write_lines(tmp_path / "several" / "alternatives.jsonl", rows).parent
    code, _, err = run("--alternatives", str(folder), "--id", "study")
    assert code == 1
    assert "is of the data sets set0, set1, and the references are of reports" in err


def test_alternatives_of_no_report_are_counted_with_an_id_of_either_side(scored):
    made, run, tmp_path = scored
    stray = [row | {"id": f"stray-{n}"} for n, row in enumerate(made["alternatives"][:2])]
    folder = write_lines(tmp_path / "stray" / "alternatives.jsonl", [*made["alternatives"], *stray]).parent
    code, _, err = run("--alternatives", str(folder), "--id", "study")
    told = (
        "2 references were rewritten that are not among those that are scored (such as stray-0; ids of these are such"
    )
    assert code == 0
    assert told in err
    assert told in (tmp_path / "out" / "report" / "index.html").read_text(encoding="utf-8")
    code, said, _ = run("--alternatives", str(folder), "--id", "study", "--json")
    assert json.loads(said)["unmet"].startswith(told)


def audit(made, out, systems, *more):
    return (
        *("audit", "references", "--data", made["data"], "--alternatives", str(made["folder"]), "--metrics", "bleu_2"),
        *("--systems", systems, "--resamples", "30", "--out", str(out), *more),
    )


def test_systems_whose_ids_are_in_another_column(capsys, tmp_path):
    made = one_set(tmp_path, 12)
    rows = [{"id": n, "accession": row["id"], "ours": row["one"]} for n, row in enumerate(made["rows"])]
    path = write_lines(tmp_path / "ours.jsonl", rows)
    code, _, err = call(capsys, *audit(made, tmp_path / "out", f"{path}:ours"))
    assert code == 1
    assert "which have ids such as s1-000, s1-001, s1-002" in err
    assert "were read from its column id, and are such as 0, 1, 2" in err
    assert "The column accession holds such ids: give --id accession." in err
    assert call(capsys, *audit(made, tmp_path / "out", f"{path}:ours", "--id", "accession", "--dry-run"))[0] == 0


def test_a_file_of_systems_without_a_column_of_ids(capsys, tmp_path):
    made = one_set(tmp_path, 12)
    path = write_lines(tmp_path / "ours.jsonl", [{"n": row["id"], "ours": row["one"]} for row in made["rows"]])
    code, _, err = call(capsys, *audit(made, tmp_path / "out", f"{path}:ours"))
    assert code == 1
    assert "id, study_id, case_id, case were looked for, found n, ours. Name it with --id COLUMN." in err
    code, _, err = call(capsys, *audit(made, tmp_path / "out", f"{path}:ours", "--id", "number"))
    assert code == 2
    assert "--id, of every file of --systems" in err


def test_help_says_how_the_column_is_found(capsys):
    main(["audit", "references", "--help"])
    told = "".join(capsys.readouterr().out.replace("│", " ").split())
    assert "elsethefirstofid,study_id,case_id,case." in told


def test_coverage_is_told_on_page_and_console_and_in_the_tables(capsys, tmp_path):
    made = one_set(tmp_path, 40)
    kept = [
        row
        for row in made["alternatives"]
        if row["target"] == "structure:structured" or row["id"] in ("s1-000", "s1-001")
    ]
    write_lines(made["folder"] / "alternatives.jsonl", kept)
    out = tmp_path / "out"
    code, _, err = call(capsys, *audit(made, out, made["systems"]))
    assert code == 0
    assert "Note: set1: 40 of 40 references have another wording" in err
    assert "Caution: set1: fewer than a tenth of the 40 references have an alternative for" in err
    assert "structure:structured (" not in err
    page = (out / "report" / "index.html").read_text(encoding="utf-8")
    assert "set1: 40 of 40 references have another wording" in page
    assert "set1: fewer than a tenth of the 40" in page
    held = {row["condition"]: row for row in pl.read_csv(out / "coverage.csv").to_dicts()}
    assert (held["structure:structured"]["alternatives"], held["structure:structured"]["sparse"]) == (40, False)
    assert (held["any"]["alternatives"], held["any"]["studies"]) == (40, 40)
    code, said, _ = call(capsys, *audit(made, out, made["systems"], "--json"))
    told = {row["condition"]: row for row in json.loads(said)["coverage"]}
    assert {name: (row["alternatives"], row["sparse"]) for name, row in told.items()} == {
        name: (row["alternatives"], row["sparse"]) for name, row in held.items()
    }


def test_few_references_with_another_wording_at_all(capsys, tmp_path):
    made = one_set(tmp_path, 40)
    kept = [row for row in made["alternatives"] if row["id"] in ("s1-000", "s1-001")]
    write_lines(made["folder"] / "alternatives.jsonl", kept)
    code, _, err = call(capsys, *audit(made, tmp_path / "out", made["systems"]))
    assert code == 0
    assert "Caution: set1: 2 of 40 references have another wording" in err
    assert "far too few" in err


def test_originals_of_other_reports_found_by_row_numbers(scored):
    made, run, tmp_path = scored
    numbers = {row["id"]: str(n + 2) for n, row in enumerate(made["rows"])}
    rows = [row | {"id": numbers[row["id"]]} for row in made["alternatives"]]
    folder = write_lines(tmp_path / "shifted" / "alternatives.jsonl", rows).parent
    code, _, err = run("--alternatives", str(folder))
    assert code == 1
    assert "are not the references that are scored" in err
    assert "No column of ids was named" in err
    assert "--id study" not in err
    changed = [
        {"study": row["id"], "findings": row["findings"] + " fracture .", "one": row["one"]} for row in made["rows"]
    ]
    write_lines(tmp_path / "reports.jsonl", changed)
    code, _, err = run("--alternatives", str(made["folder"]), "--id", "study")
    assert "are not the references that are scored" in err
    assert err.endswith("The ids of reports were read from the column study.")


def test_references_that_are_absent_stand_in_the_way_of_nothing(scored):
    made, run, tmp_path = scored
    rows = [
        {"study": row["id"], "findings": None if n % 2 else row["findings"], "one": row["one"]}
        for n, row in enumerate(made["rows"])
    ]
    write_lines(tmp_path / "reports.jsonl", rows)
    assert run("--alternatives", str(made["folder"]), "--id", "study")[0] == 0
    (band,) = pl.read_csv(tmp_path / "out" / "bands.csv").to_dicts()
    assert (band["told_otherwise"], band["scored"]) == (12, 24)
