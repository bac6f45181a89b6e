"""Reading tables: the same rows from every format, and faults named by their place."""

from __future__ import annotations

import csv
import json

import polars as pl
import pytest

from perimetry.cases import DataError
from perimetry.cases.table import columns, read_cell, read_records, read_rows

ROWS = [
    {"id": "1", "question": "Is there, in this image, an effusion?", "answer": "no"},
    {"id": "2", "question": 'The "sail sign"\nis due to', "answer": "thymus"},
    {"id": "3", "question": "Größe?", "answer": "10 µm"},
]


@pytest.fixture(params=["csv", "tsv", "jsonl", "json", "parquet", "arrow"])
def table(request, tmp_path):
    path = tmp_path / f"rows.{request.param}"
    if request.param in ("csv", "tsv"):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(ROWS[0]), delimiter="\t" if request.param == "tsv" else ",")
            writer.writeheader()
            writer.writerows(ROWS)
    elif request.param == "jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS), "utf-8")
    elif request.param == "json":
        path.write_text(json.dumps(ROWS, indent=2), "utf-8")
    elif request.param == "parquet":
        pl.DataFrame(ROWS).write_parquet(path)
    else:
        pl.DataFrame(ROWS).write_ipc(path)
    return path


def test_every_format_gives_the_same_rows(table):
    assert list(read_rows(table)) == ROWS
    assert columns(table) == ("id", "question", "answer")
    assert [record.row for record in read_records(table)] == [0, 1, 2]


def test_one_cell_is_found_again(table):
    for record in read_records(table):
        assert read_cell(table, "answer", record.row, record.offset) == ROWS[record.row]["answer"]
    with pytest.raises(DataError, match="has no row 4 any more"):
        read_cell(table, "answer", 3)


def test_rows_are_streamed(tmp_path):
    """The first rows of a file come before its fault is met."""
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1}\n{"id": 2}\nnot json\n')
    rows = read_rows(path)
    assert [next(rows), next(rows)] == [{"id": 1}, {"id": 2}]
    with pytest.raises(DataError, match="line 3, column 1"):
        next(rows)


def test_large_tables_keep_their_order(tmp_path):
    frame = pl.DataFrame({"n": list(range(30_000))})
    frame.write_parquet(tmp_path / "rows.parquet", row_group_size=1000)
    assert [row["n"] for row in read_rows(tmp_path / "rows.parquet")] == list(range(30_000))
    frame.write_csv(tmp_path / "rows.csv")
    assert [row["n"] for row in read_rows(tmp_path / "rows.csv")] == [str(n) for n in range(30_000)]


def test_byte_order_marks_and_blank_lines(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 1}\r\n\r\n{"id": 2}')
    records = list(read_records(path))
    assert [record.values for record in records] == [{"id": 1}, {"id": 2}]
    assert [read_cell(path, "id", record.row, record.offset) for record in records] == [1, 2]
    (tmp_path / "rows.csv").write_bytes(b"\xef\xbb\xbfid,answer\r\n1,\r\n")
    assert list(read_rows(tmp_path / "rows.csv")) == [{"id": "1", "answer": None}]


def test_an_object_of_objects_gives_its_keys(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"q1": {"answer": "yes"}, "q2": {"answer": "no"}}))
    assert list(read_rows(path)) == [{"key": "q1", "answer": "yes"}, {"key": "q2", "answer": "no"}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"id": 1}\n{"id": 2,}\n', r"a\.jsonl, line 2, column \d+: malformed JSON"),
        ("a.jsonl", b'{"id": 1}\n[1, 2]\n', r"a\.jsonl, line 2: a JSON object was expected, found list"),
        ("a.jsonl", b'{"id": 1}\n{"id": "\xe9"}\n', r"a\.jsonl, line 2: not UTF-8 .* column 9"),
        ("a.json", b'[{"id": 1},\n {"id": }]', r"a\.json, line 2, column 9: malformed JSON"),
        ("a.json", b"3", r"a\.json: a list of JSON objects was expected, found int"),
        ("a.json", b'[{"id": 1}, 2]', r"a\.json, item 2: a JSON object was expected, found int"),
        ("a.json", b'["\xe9"]', r"a\.json, byte 2: not UTF-8"),
        (
            "a.csv",
            b"id,answer,site\n1,yes,lung\n2,d\xe9j\xe0 vu,heart\n",
            r"a\.csv, line 3, column 'answer': byte 0xe9 is not UTF-8.*Latin-1",
        ),
        ("a.csv", b"id,answer\n1,yes\n2,no,left\n", r"a\.csv, line 3: 3 fields were found, the header has 2"),
        ("a.csv", b"", r"a\.csv cannot be read as csv"),
        ("a.parquet", b"PAR1 and nothing else", r"a\.parquet cannot be read as parquet"),
        ("a.arrow", b"ARROW1 and nothing else", r"a\.arrow cannot be read as arrow"),
        ("a.arrow", b"nothing at all", r"a\.arrow cannot be read as arrow"),
        ("a.xlsx", b"", r"a\.xlsx is not a table .* '\.xlsx'; \.jsonl, .* were expected"),
    ],
)
def test_faults_are_named(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        list(read_rows(path))


def test_a_missing_file_says_what_is_there(tmp_path):
    (tmp_path / "right.csv").write_text("id\n1\n")
    with pytest.raises(DataError, match=r"There is no file .*wrong\.csv.* holds right\.csv"):
        read_rows(tmp_path / "wrong.csv")
    with pytest.raises(DataError, match="does not exist either"):
        read_rows(tmp_path / "nowhere" / "wrong.csv")


def test_columns_of_ragged_json_lines(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1}\n{"id": 2, "answer": "yes"}\n')
    assert columns(path) == ("id", "answer")


def test_a_binary_file_is_no_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"PK\x03\x04\x00\x00")
    with pytest.raises(DataError, match="is no text: byte 5 is 0x00"):
        list(read_rows(path))
