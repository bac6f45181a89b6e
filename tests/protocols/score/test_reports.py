"""Reading the file of reports: nothing is lost, and what is wrong is said with its place."""

from __future__ import annotations

import json

import polars as pl
import pytest

from perimetry.cases.errors import DataError, PerimetryError, UnknownNameError, UsageError
from perimetry.protocols.score.reports import read_reports

ROWS: list[dict[str, str | None]] = [
    {"study": "s1", "patient": "p1", "gold": "clear  lungs", "ours": "clear\nlungs\x0c", "theirs": None},
    {"study": "s2", "patient": "p1", "gold": "", "ours": "Kein Erguß. 無胸水", "theirs": "..."},
    {"study": "s3", "patient": "p2", "gold": None, "ours": "word " * 10_000, "theirs": ""},
]


def read(source, **options):
    return read_reports(source, **{"reference": "gold", "systems": ["ours", "theirs"], **options})


@pytest.fixture(params=["jsonl", "parquet", "frame"])
def source(request, tmp_path):
    if request.param == "frame":
        return pl.DataFrame(ROWS)
    path = tmp_path / f"mine.{request.param}"
    if request.param == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    else:
        pl.DataFrame(ROWS).write_parquet(path)
    return path


def test_reports_keep_every_character(source):
    reports = read(source, id_column="study", group_column="patient")
    assert reports.ids == ("s1", "s2", "s3")
    assert reports.groups == ("p1", "p1", "p2")
    assert reports.references == ("clear  lungs", "", None)
    assert dict(reports.systems) == {name: tuple(row[name] for row in ROWS) for name in ("ours", "theirs")}
    assert reports.name == ("reports" if isinstance(source, pl.DataFrame) else "mine")


def test_in_csv_a_quoted_empty_text_is_empty_and_nothing_is_none(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text('gold,ours\n"clear, lungs",\n"",x\n', encoding="utf-8")
    reports = read(path, systems=["ours"])
    assert (reports.ids, reports.references) == (("1", "2"), ("clear, lungs", ""))
    assert reports.systems["ours"] == (None, "x")


def test_without_ids_groups_follow_the_texts_and_not_the_order():
    table = pl.DataFrame({"gold": ["a", "b", "a", "a"], "ours": ["x", "y", "x", "z"], "theirs": ["1", "2", "1", "4"]})
    there = read(table)
    back = read(table.reverse())
    assert len(set(there.groups)) == 4
    assert sorted(there.groups) == sorted(back.groups)
    assert there.groups[1] == back.groups[2]


def test_numeric_ids_are_read_as_text():
    assert read(
        pl.DataFrame({"n": [7, 8], "gold": ["a", "b"], "ours": ["", ""], "theirs": ["", ""]}), id_column="n"
    ).ids == (
        "7",
        "8",
    )


@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        ({"reference": "golds"}, UnknownNameError, "Did you mean gold"),
        ({"systems": ["ours", "their"]}, UnknownNameError, "theirs"),
        ({"systems": ["ours", "ours"]}, UsageError, "named twice"),
        ({"systems": []}, UsageError, "No system"),
        ({"reference": ""}, UsageError, "--reference"),
        ({"id_column": "patient"}, DataError, "row 2, column 'patient': the id 'p1' stands in row 1"),
        ({"id_column": "studies"}, UnknownNameError, "study"),
        ({"group_column": "group"}, UnknownNameError, "no column"),
    ],
)
def test_what_was_asked_wrongly_is_said(source, options, kind, said):
    with pytest.raises(kind, match=said):
        read(source, **options)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.jsonl", "", "is empty"),
        ("empty.csv", "", "is empty"),
        ("head.csv", "gold,ours,theirs\n", "no rows"),
        ("blank.jsonl", "\n\n", "no rows"),
        ("bad.jsonl", '{"gold": "a", "ours": "b", "theirs": "c"}\n{"gold": \n', "line 2"),
        ("list.jsonl", '{"gold": "a", "ours": ["b"], "theirs": "c"}\n', "row 1, column 'ours': .* found list"),
        ("number.jsonl", '{"gold": 3, "ours": "b", "theirs": "c"}\n', "row 1, column 'gold': .* found int"),
        ("kind.xlsx", "x", "xlsx"),
    ],
)
def test_files_that_cannot_be_scored(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PerimetryError, match=said):
        read(path)


def test_a_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(PerimetryError, match=r"nothing\.jsonl"):
        read(tmp_path / "nothing.jsonl")


def test_empty_ids_and_groups_are_named_with_their_row():
    table = pl.DataFrame({"id": ["a", " "], "gold": ["", ""], "ours": ["", ""], "theirs": ["", ""]})
    with pytest.raises(DataError, match="row 2, column 'id': it is empty"):
        read(table, id_column="id")
    with pytest.raises(DataError, match="row 2, column 'id': it is empty"):
        read(table, group_column="id")


def test_the_digest_sees_every_change():
    table = pl.DataFrame({"gold": ["a", "b"], "ours": ["x", ""], "theirs": ["1", "2"]})
    digests = {
        read(table).digest,
        read(table.with_columns(pl.lit("a").alias("gold"))).digest,
        read(table, systems=["theirs", "ours"]).digest,
        read(table.with_columns(ours=pl.Series(["x", None]))).digest,
    }
    assert len(digests) == 4


def test_a_column_that_is_there_twice_is_refused_and_another_one_may_be(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("gold,ours,ours,note,note\na,b,c,d,e\n", encoding="utf-8")
    with pytest.raises(DataError, match="several columns called 'ours'"):
        read(path, systems=["ours"])
    path.write_text("gold,ours,note,note\na,b,d,e\n", encoding="utf-8")
    assert read(path, systems=["ours"]).systems["ours"] == ("b",)


def test_a_folder_is_no_file_of_reports(tmp_path):
    with pytest.raises(DataError, match="is a folder"):
        read(tmp_path)


def test_reports_that_say_nothing_are_counted_where_there_was_something_to_say():
    table = pl.DataFrame({"gold": ["a", "b", "c", "", None], "ours": ["...", None, "c", None, ""]})
    assert read(table, systems=["ours"]).silent == {"ours": 2}


@pytest.mark.parametrize("option", ["id_column", "group_column"])
@pytest.mark.parametrize("cell", [[1], {"a": 1}, b"x"])
def test_a_list_is_no_id_and_no_group(option, cell):
    table = pl.DataFrame({"gold": ["a"], "ours": ["b"], "key": [cell]})
    with pytest.raises(DataError, match="column 'key': a text or a number was expected, found"):
        read(table, systems=["ours"], **{option: "key"})


def test_a_blank_at_the_end_of_a_columns_name_can_be_seen():
    with pytest.raises(UnknownNameError, match=r"Did you mean 'gold '\?"):
        read(pl.DataFrame({"gold ": ["a"], "ours": ["b"]}), systems=["ours"])


def test_a_system_without_a_name_is_refused():
    with pytest.raises(UsageError, match="empty name"):
        read(pl.DataFrame({"gold": ["a"], "": ["b"]}), systems=[""])
