"""Files of systems, in columns and in rows, and how studies are lined up."""

from __future__ import annotations

import json

import pytest
from tests.protocols.references.made import one_set, write_lines

from perimetry.cases.errors import DataError, PerimetryError, UnknownNameError, UsageError
from perimetry.protocols.references import Wanted, audit_references
from perimetry.protocols.references.systems import read_systems

WIDE: list[dict[str, str | None]] = [
    {"id": "1", "ours": "clear", "theirs": None},
    {"id": "2", "ours": "", "theirs": "edema"},
]


def test_one_column_a_system(tmp_path):
    path = write_lines(tmp_path / "wide.jsonl", WIDE)
    found = read_systems(f"{path}:ours,theirs")
    assert found.reports["ours"] == {("", "1"): "clear", ("", "2"): ""}
    assert found.reports["theirs"]["", "1"] is None


def test_one_row_a_report(tmp_path):
    rows = [{"study_id": "1", "dataset": "a", "model": "m", "response": "clear"}]
    assert read_systems(str(write_lines(tmp_path / "long.jsonl", rows))).reports == {"m": {("a", "1"): "clear"}}
    spelled = f"recorded:{tmp_path / 'long.jsonl'}"
    assert read_systems(spelled).reports == {"m": {("a", "1"): "clear"}}


def test_a_lone_column_needs_no_mention(tmp_path):
    path = write_lines(tmp_path / "lone.jsonl", [{"id": "1", "report": "clear"}])
    assert list(read_systems(str(path)).reports) == ["lone"]


@pytest.mark.parametrize(
    ("rows", "columns", "error", "told"),
    [
        (WIDE, "", UsageError, "Say which of them are systems"),
        (WIDE, ":our", UnknownNameError, "our"),
        (WIDE, ":ours,ours", UsageError, "names a column twice"),
        ([{"case": "1", "number": 3}], ":number", DataError, "a report .text. was expected, found int"),
        ([{"name": "1", "ours": "x"}], ":ours", DataError, "--id COLUMN"),
        ([{"id": "1", "ours": "x"}, {"id": "1", "ours": "y"}], ":ours", DataError, "has a report of this system"),
        ([{"id": "", "ours": "x"}], ":ours", DataError, "needs its study's id"),
        ([{"id": "1", "model": "", "report": "x"}], "", DataError, "Name the system"),
    ],
)
def test_faults(tmp_path, rows, columns, error, told):
    path = write_lines(tmp_path / "mine.jsonl", rows)
    with pytest.raises(error, match=told):
        read_systems(f"{path}{columns}")


def test_absent_and_empty_files(tmp_path):
    with pytest.raises(DataError, match="is not a file"):
        read_systems(str(tmp_path / "nowhere.jsonl"))
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(DataError, match="is empty"):
        read_systems(str(tmp_path / "empty.jsonl"))


def wanted(made, **changes):
    own = {"data": (made["data"],), "alternatives": (made["folder"],), "systems": (made["systems"],)}
    return Wanted(**{**own, "metrics": "rouge_l", "resamples": 50, **changes})


def test_studies_without_a_report_of_every_system_are_left_out_and_counted(tmp_path):
    made = one_set(tmp_path, 20)
    rows = [{"id": row["id"], "ours": row["one"]} for row in made["rows"][:15]]
    more = f"{write_lines(tmp_path / 'more.jsonl', rows)}:ours"
    result = audit_references(wanted(made, systems=(made["systems"], more)))
    one = result.findings.material.sets[0]
    assert len(one.reports) == 15
    assert one.left_out == {"no report of every system": 5}


def test_studies_without_findings_are_left_out_and_counted(tmp_path):
    made = one_set(tmp_path, 20)
    path = tmp_path / "studies.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[3] = {"id": rows[3]["id"], "group": rows[3]["group"], "findings": "", "impression": "normal ."}
    write_lines(path, rows)
    result = audit_references(wanted(made))
    assert result.findings.material.sets[0].left_out == {"no text in the findings": 1}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"systems": ()}, "No system was named"),
        ({"section": "summary"}, "expected one of findings"),
        ({"section": "impression"}, "has a text in 'impression'"),
        ({"resamples": 0}, "expected 1 or more"),
        ({"metrics": "rouge"}, "rouge_l"),
        ({"data": ()}, "No data set was named"),
        ({"alternatives": ()}, "perimetry rewrite"),
        ({"systems": ("reader:blind",)}, "Give --out"),
    ],
)
def test_what_is_refused(tmp_path, changes, told):
    made = one_set(tmp_path, 12)
    with pytest.raises(PerimetryError, match=told):
        audit_references(wanted(made, **changes))


def test_ids_that_fit_no_study(tmp_path):
    made = one_set(tmp_path, 12)
    other = f"{write_lines(tmp_path / 'other.jsonl', [{'id': 'x', 'ours': 'clear'}])}:ours"
    with pytest.raises(DataError, match="No system has a report for any study of set1"):
        audit_references(wanted(made, systems=(other,)))
    with pytest.raises(DataError, match="The system ours has no report"):
        audit_references(wanted(made, systems=(made["systems"], other)))
    with pytest.raises(UsageError, match="Two systems are called one"):
        audit_references(wanted(made, systems=(made["systems"], made["systems"])))


def test_nothing_accepted(tmp_path):
    made = one_set(tmp_path, 12)
    path = made["folder"] / "alternatives.jsonl"
    rows = [json.loads(line) | {"status": "rejected", "alternative": None} for line in path.read_text().splitlines()]
    write_lines(path, rows)
    with pytest.raises(DataError, match="nothing to compare"):
        audit_references(wanted(made))


def test_a_system_may_have_a_file_for_each_data_set(tmp_path):
    first, second = one_set(tmp_path / "a", 12, 1), one_set(tmp_path / "b", 12, 2)
    both = {
        "data": (first["data"], second["data"]),
        "alternatives": (first["folder"], second["folder"]),
        "systems": (first["systems"], second["systems"]),
    }
    result = audit_references(wanted(first, **both))
    material = result.findings.material
    assert material.systems == ("one", "two", "three")
    assert [len(one.reports) for one in material.sets] == [12, 12]
    with pytest.raises(DataError, match="stand in the order of --data"):
        audit_references(wanted(first, **{**both, "alternatives": (second["folder"], first["folder"])}))


def test_alternatives_that_name_another_data_set_of_the_run(tmp_path):
    first, second = one_set(tmp_path / "a", 12, 1), one_set(tmp_path / "b", 12, 1)
    rows = [row | {"dataset": "set1"} for row in first["alternatives"]]
    folder = write_lines(tmp_path / "named" / "alternatives.jsonl", rows).parent
    data = (first["data"], second["data"].replace("set1", "set2"))
    reports = [json.loads(line) for line in (tmp_path / "a" / "systems.jsonl").read_text().splitlines()]
    systems = [row | {"dataset": name} for name in ("set1", "set2") for row in reports]
    spelled = f"{write_lines(tmp_path / 'both.jsonl', systems)}:one,two"
    with pytest.raises(DataError, match="is of the data sets set1, and the references are of set2"):
        audit_references(wanted(first, data=data, alternatives=(folder,), systems=(spelled,)))


def test_an_absent_report_may_be_written_as_nan(tmp_path):
    made = one_set(tmp_path, 12)
    path = tmp_path / "nan.jsonl"
    lines = [
        json.dumps({"id": row["id"], "ours": float("nan") if n % 2 else row["one"]})
        for n, row in enumerate(made["rows"])
    ]
    path.write_text("\n".join(lines))
    result = audit_references(wanted(made, systems=(f"{path}:ours",)))
    assert result.findings.material.sets[0].reports.silent == {"ours": 6}


def test_ids_that_differ_in_their_spelling_alone_are_told(tmp_path):
    made = one_set(tmp_path, 12)
    rows = [{"id": f"00{row['id'].upper()}", "ours": row["one"]} for row in made["rows"]]
    with pytest.raises(DataError, match="differ in their spelling: '00S1-000' and 's1-000'"):
        audit_references(wanted(made, systems=(f"{write_lines(tmp_path / 'o.jsonl', rows)}:ours",)))


def test_studies_that_the_loader_leaves_out_are_counted(tmp_path):
    made = one_set(tmp_path, 12)
    path = tmp_path / "studies.jsonl"
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    left = audit_references(wanted(made)).findings.material.sets[0].left_out
    assert [(count, "duplicate" in why) for why, count in left.items()] == [(1, True)]


def test_many_long_names_behind_a_colon(tmp_path):
    names = tuple(f"{'a_system_with_a_long_name_' * 4}{number}" for number in range(8))
    made = one_set(tmp_path, 12, systems=names)
    assert tuple(read_systems(made["systems"]).reports) == names
    with pytest.raises(DataError, match="is not a file"):
        read_systems(f"{'nowhere/' * 80}x:{','.join(names)}")


def test_a_chart_of_gaps_holds_what_somebody_can_look_at(tmp_path):
    from perimetry.protocols.references.page import _PAIRS_DRAWN, _telling

    names = tuple(f"s{number}" for number in range(9))
    made = one_set(tmp_path, 16, systems=names)
    (metric,) = audit_references(wanted(made)).findings.metrics
    shown, every = _telling(metric, "set1")
    assert (len(shown), every) == (_PAIRS_DRAWN, 36)
    turning = {
        (pair.after.left, pair.after.right)
        for order in metric.orders
        for pair in order.pairs
        if pair.turned or pair.change != "kept"
    }
    assert turning <= shown or shown <= turning
