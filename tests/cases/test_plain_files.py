"""Official tables, plain and gzipped, damaged in every way."""

from __future__ import annotations

import gzip

import pytest

from perimetry.cases import DataError
from perimetry.cases.plain_files import read_json, table_rows

GOOD = b'dicom_id,split\na,"te,st"\nb,\n'


@pytest.mark.parametrize("name", ["split.csv", "split.csv.gz"])
def test_plain_and_gzipped_tables_read_alike(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(GOOD) if name.endswith(".gz") else GOOD)
    assert list(table_rows(path, "mine", ("split",))) == [
        {"dicom_id": "a", "split": "te,st"},
        {"dicom_id": "b", "split": None},
    ]
    with pytest.raises(DataError, match=r"mine: .*split.csv.* has no column 'study_id'; it has dicom_id, split"):
        table_rows(path, "mine", ("study_id",))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (gzip.compress(GOOD * 9000)[:-400], "line .*cannot be read as gzipped CSV"),
        (gzip.compress(b"a,b\n1,2,3\n"), "line 2: 3 fields were found, the header has 2"),
        (gzip.compress(b"a,b\n1,\xff\n"), "cannot be read as gzipped CSV"),
        (b"dicom_id,split\n", "cannot be read as gzipped CSV"),
    ],
    ids=["cut", "too-many-fields", "no-utf-8", "not-gzipped"],  # gzip writes the time into its bytes
)
def test_damaged_gzipped_tables(tmp_path, data, message):
    path = tmp_path / "split.csv.gz"
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        list(table_rows(path, "mine", ()))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.json", b"{", "line 1, column 2: malformed JSON"),
        ("a.json", b"\xff", "JSON that cannot be read|cannot be read"),
        ("a.json.gz", b"{}", "cannot be read"),
        ("a.json.gz", gzip.compress(b"[1]")[:-3], "cannot be read"),
    ],
    ids=["malformed", "no-utf-8", "not-gzipped", "cut"],
)
def test_damaged_json(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        read_json(path)
