"""A folder keeps the screens it has; its CSV files are safe to open; the page has one meaning of resolved."""

import json

import polars as pl
import pytest

from perimetry.cases import UsageError
from perimetry.runs.spreadsheet import spreadsheet_safe
from perimetry.screening.output import screen


def write(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return f"table:{path}"


def item(number, **fields):
    return {"id": str(number), "question": "What is it?", "options": ["gout", "node"], "answer": "A", **fields}


def test_screens_of_another_data_set_are_not_overwritten(tmp_path, monkeypatch):
    one = write(tmp_path / "one.jsonl", [item(1, options=["always gout", "node"])])
    other = write(tmp_path / "other.jsonl", [item(2)])
    out = tmp_path / "out"
    screen([one], out=out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with pytest.raises(UsageError, match=r"holds the screens of table:.*one\.jsonl.*another --out"):
        screen([other], out=out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    monkeypatch.chdir(tmp_path)
    screen(["table:one.jsonl"], out=out)  # the same file, spelt otherwise
    (out / "screen.toml").write_text("no toml")
    with pytest.raises(UsageError, match=r"screen\.toml cannot be read"):
        screen([one], out=out)


def test_more_data_sets_may_join(tmp_path):
    one = write(tmp_path / "one.jsonl", [item(1)])
    other = write(tmp_path / "other.jsonl", [item(2)])
    screen([one], out=tmp_path / "out")
    result = screen([one, f"{other},name=second"], out=tmp_path / "out")
    assert [each.dataset for each in result.screenings] == ["table", "second"]


def test_cells_that_are_formulas_are_neutralised_in_csv_only(tmp_path):
    spec = write(tmp_path / "one.jsonl", [item("=HYPERLINK(1)", options=["always gout", "node"])])
    screen([spec], out=tmp_path / "out")
    assert pl.read_parquet(tmp_path / "out" / "candidates.parquet")["case_id"].unique().to_list() == ["=HYPERLINK(1)"]
    cells = pl.read_csv(tmp_path / "out" / "candidates.csv", infer_schema=False)
    assert cells["case_id"].unique().to_list() == ["'=HYPERLINK(1)"]
    for file in (tmp_path / "out").glob("*.csv"):
        for column in pl.read_csv(file, infer_schema=False):
            assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in column.drop_nulls())


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+A1", "'+A1"),
        ("-A1", "'-A1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("=\n1", "'=\n1"),
        ("-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"),
        ("-0.5", "-0.5"),
        ("+3e-4", "+3e-4"),
        ("-", "-"),
        ("a=1", "a=1"),
        ("", ""),
        (None, None),
    ],
)
def test_what_is_neutralised(cell, written):
    frame = pl.DataFrame({"text": [cell], "number": [-1.0]}, schema={"text": pl.String, "number": pl.Float64})
    assert spreadsheet_safe(frame).rows() == [(written, -1.0)]


def test_sums_and_grades_join_no_options(tmp_path):
    def carriers(*texts):
        path = tmp_path / "one.jsonl"
        found = screen([write(path, [item(1, options=[*texts, "node of the neck"])])], screens=["both-options"])
        return found.screenings[0].tallies["both-options"].found

    assert [carriers(text) for text in ("=1+1", "1+1", "3 + 4", "=A+B")] == [0, 0, 0, 0]
    assert [carriers(text) for text in ("A + B", "1 and 3", "I + II", "both A and B", "(a) & (c)")] == [1] * 5


@pytest.mark.parametrize(("carries_key", "badge"), [(0, "leans away from the key"), (1, "leans to the key")])
def test_a_resolved_cue_of_either_side_is_in_the_headline(tmp_path, carries_key, badge):
    def options(number):
        return (
            ["it never heals", "it may heal"] if (number % 20 == 0) != bool(carries_key) else ["a rest", "it never is"]
        )

    rows = [item(number, question=f"Of {number}?", options=options(number)) for number in range(100)]
    screen([write(tmp_path / "one.jsonl", rows)], out=tmp_path / "out", screens=["absolute-word"])
    page = (tmp_path / "out" / "report" / "index.html").read_text()
    assert f"1 cue {badge}" in page and "no cue resolved" not in page
