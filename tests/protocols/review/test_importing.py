"""Sheets that come back: every form gives the same ratings, and every fault is told."""

import csv
import json

import pytest
from tests.protocols.review.made_up import fill, places, sheets, write_pairs

from perimetry.cases.errors import DataError, UsageError
from perimetry.protocols.review import export_review, import_ratings, read_study, summarise
from perimetry.protocols.review.ratings import RATINGS, read_ratings


@pytest.fixture
def review(tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging", "negation:explicit"], 3)
    export_review(pairs, tmp_path / "review", tasks=["equivalence"], raters=["ann", "bob"])
    return tmp_path / "review"


@pytest.fixture
def open_review(tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], 4)
    export_review(pairs, tmp_path / "open", tasks=["equivalence"])
    return tmp_path / "open"


def said(item, rater):
    value = ["equivalent", "minor", "major"][int(item[-1]) % 3]
    return None if (item, rater) == ("equivalence-002", "ann") else (value, f"{rater} on {item}")


def label_studio(review, path, form):
    """Exports in the forms of Label Studio, written by hand after its documentation."""
    found = []
    for tasks in sorted(review.glob("round-1/*/label_studio/*.json")):
        for number, task in enumerate(json.loads(tasks.read_text()), start=1):
            answer = said(task["data"]["item"], task["data"]["rater"])
            results = []
            if answer:
                results = [
                    {
                        "from_name": "rating",
                        "to_name": "report_a",
                        "type": "choices",
                        "value": {"choices": [answer[0]]},
                    },
                    {"from_name": "comment", "to_name": "report_a", "type": "textarea", "value": {"text": [answer[1]]}},
                ]
            annotation = {"completed_by": 1, "result": results, "was_cancelled": not answer, "created_at": "2026"}
            full = {"id": number, **task, "annotations": [annotation]}
            flat = {**task["data"], "annotator": 1, "id": number}
            flat |= {"rating": answer[0], "comment": answer[1]} if answer else {}
            found.append(full if form == "json" else flat)
    path.write_text(json.dumps(found))
    return path


def test_csv_and_label_studio_give_the_same_ratings(review, tmp_path):
    kept = {}
    study = (review / "key.json").read_bytes()
    for form in ("sheets", "json", "json-min", "csv"):
        if form == "sheets":
            given = [fill(sheet, said) for sheet in sheets(review)]
        elif form == "csv":
            rows = json.loads((tmp_path / "json-min.json").read_text())
            with (tmp_path / "flat.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
                writer.writeheader()
                writer.writerows(rows)
            given = [tmp_path / "flat.csv"]
        else:
            given = [label_studio(review, tmp_path / f"{form}.json", form)]
        told = import_ratings(review, given)
        assert (sum(one.new for one in told), sum(one.skipped for one in told)) == (11, 1)
        kept[form] = {(one.task, one.item, one.rater, one.value, one.comment) for one in read_ratings(review)}
        (review / RATINGS).unlink()
    assert len(kept["sheets"]) == 11
    assert kept["sheets"] == kept["json"] == kept["json-min"] == kept["csv"]
    assert (review / "key.json").read_bytes() == study


@pytest.mark.parametrize("form", ["json", "json-min", "sheet"])
@pytest.mark.parametrize("field", ["report_a", "report_b"])
def test_ratings_of_another_text_are_refused(review, tmp_path, form, field):
    if form == "sheet":
        file = fill(sheets(review)[0], said)
        file.write_text(file.read_text().replace("ormal", "bnormal", 1))
        place = r"record 1 \(equivalence-00\d\): report_[ab]"
    else:
        file = label_studio(review, tmp_path / "export.json", form)
        tasks = json.loads(file.read_text())
        held = tasks[2]["data"] if form == "json" else tasks[2]
        held[field] += " Small effusion."
        file.write_text(json.dumps(tasks))
        place = rf"(task|record) 3 \({held['item']}\): {field}"
    with pytest.raises(DataError, match=rf"1 fault: {place} is not the text that was handed out.*nothing was taken in"):
        import_ratings(review, [file])
    assert not (review / RATINGS).exists()


def test_texts_may_be_laid_out_otherwise_or_be_absent(review, tmp_path):
    file = label_studio(review, tmp_path / "export.json", "json")
    tasks = json.loads(file.read_text())
    tasks[0]["data"]["report_a"] = "  " + tasks[0]["data"]["report_a"].replace(" ", "\r\n")
    del tasks[1]["data"]["report_b"]
    file.write_text(json.dumps(tasks))
    assert import_ratings(review, [file])[0].new == 11


def test_importing_again_changes_nothing(review):
    given = [fill(sheet, said) for sheet in sheets(review)]
    import_ratings(review, given)
    before = (review / RATINGS).read_bytes()
    again = import_ratings(review, given)
    assert [(one.new, one.same, one.replaced) for one in again] == [(0, 5, 0), (0, 6, 0)]
    assert (review / RATINGS).read_bytes() == before


def test_a_second_thought_needs_to_be_asked_for(review):
    sheet = sheets(review)[0]
    import_ratings(review, [fill(sheet, said)])
    fill(sheet, lambda *_: "major")
    with pytest.raises(DataError, match=r"equivalence-001: ann said minor in equivalence.csv, now major.*--replace"):
        import_ratings(review, [sheet])
    assert {one.value for one in read_ratings(review)} == {"equivalent", "minor", "major"}
    assert import_ratings(review, [sheet], replace_earlier=True)[0].replaced == 4
    assert {one.value for one in read_ratings(review)} == {"major"}


def test_labels_are_read_in_any_case(review):
    import_ratings(review, [fill(sheets(review)[0], lambda *_: " MINOR discrepancy ")])
    assert {one.value for one in read_ratings(review)} == {"minor"}


@pytest.mark.parametrize(("change", "form"), [("\ufeff", "utf-8"), ("", "latin-1"), ("", "utf-16")])
def test_sheets_as_spreadsheets_save_them(review, change, form):
    sheet = fill(sheets(review)[0], lambda *_: ("minor", "Röntgen"))
    sheet.write_bytes((change + sheet.read_text()).encode(form))
    if form == "utf-8":
        assert import_ratings(review, [sheet])[0].new == 6
    else:
        with pytest.raises(DataError, match=r"Save (the file|it) as UTF-8"):
            import_ratings(review, [sheet])


def test_semicolons_are_named(review):
    sheet = fill(sheets(review)[0], said)
    sheet.write_text("study;task;item;rating\na;b;c;d\n")
    with pytest.raises(DataError, match="semicolons"):
        import_ratings(review, [sheet])


def test_a_number_with_a_decimal_is_that_number(tmp_path):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], 2)
    export_review(pairs, tmp_path / "r", tasks=["realism"], raters=["ann", "bob"])
    import_ratings(tmp_path / "r", [fill(sheets(tmp_path / "r")[0], lambda *_: "3.0")])
    assert {one.value for one in read_ratings(tmp_path / "r")} == {"3"}


def edited(review, change):
    sheet = fill(sheets(review)[0], said)
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows = change(rows) or rows
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return sheet


def put(place, **values):
    def change(rows):
        rows[place].update(values)

    return change


FAULTS = {
    "another study": (put(0, study="deadbeef00"), r"is of another study: it says .*deadbeef00"),
    "unknown item": (put(0, item="equivalence-0001"), r"no item 'equivalence-0001' in equivalence; did you mean"),
    "unknown task": (put(0, task="realism"), r"task is 'realism', this review has equivalence"),
    "outside the schema": (put(0, rating="maybe"), r"rating is 'maybe', expected one of equivalent, minor, major"),
    "two ratings": (put(0, rating="minor, major"), r"rating is 'minor, major', expected one of"),
    "not dealt": (put(0, rater="eve"), r"it was not dealt to eve but to ann, bob"),
    "no rater": (put(0, rater=""), r"no rater is named; say who it was with --rater"),
    "bad rater": (put(0, rater="../ann"), r"rater is '../ann'; expected letters"),
    "rated twice": (
        lambda rows: [*rows, {**rows[0], "rating": "major"}],
        r"record 7 \(equivalence-001\): ann rated it twice, minor and major; keep one",
    ),
    "all open": (lambda rows: [{**row, "rating": ""} for row in rows], r"holds no rating: all 6 rows are left open"),
    "wrong columns": (
        lambda rows: [{"case": row["item"], "label": row["rating"]} for row in rows],
        r"has no column study, task, item, rating; it has case, label",
    ),
}


@pytest.mark.parametrize(("change", "told"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_and_nothing_is_kept(review, change, told):
    good = fill(sheets(review)[1], said)
    bad = edited(review, change)
    with pytest.raises(DataError, match=told):
        import_ratings(review, [good, bad])
    assert not (review / RATINGS).exists()


def test_the_same_rating_twice_counts_once(review):
    sheet = edited(review, lambda rows: [*rows, rows[0]])
    assert import_ratings(review, [sheet])[0].new == 5


def test_many_faults_are_told_together(review):
    sheet = edited(review, lambda rows: [{**row, "rating": "maybe"} for row in rows] * 3)
    with pytest.raises(DataError, match=r"18 faults.*and 8 more"):
        import_ratings(review, [sheet])


def test_rater_of_a_sheet_and_of_the_command_must_agree(review):
    sheet = fill(sheets(review)[0], said)
    with pytest.raises(DataError, match="rater is 'ann', --rater says bob"):
        import_ratings(review, [sheet], rater="bob")
    with pytest.raises(UsageError, match="No file was given"):
        import_ratings(review, [])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('[{"annotations": [], "data": {"text": "x"}}]', "task 1, data: found text, expected study, task, item"),
        ('[{"annotations": 3, "data": {"study": "s", "task": "t", "item": "i"}}]', "annotations: found '3'"),
        ('[{"annotations": [{"result": 3}], "data": {"study": "s", "task": "t", "item": "i"}}]', "without a list"),
        ('[{"annotations": [', "malformed JSON"),
        ('[{"data": {"study": "s"}}]', "has no column study"),
        ("[]", "has no column study"),
    ],
)
def test_label_studio_files_that_are_none(review, tmp_path, content, told):
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises(DataError, match=told):
        import_ratings(review, [tmp_path / "bad.json"])


def test_two_annotators_of_one_open_project(open_review, tmp_path):
    tasks = json.loads((open_review / "round-1" / "everybody" / "label_studio" / "equivalence.json").read_text())
    for task in tasks:
        task["annotations"] = [
            {
                "completed_by": {"email": f"{who}@x.org"},
                "created_at": f"2026-01-0{day}",
                "result": [{"from_name": "rating", "value": {"choices": [value]}}],
            }
            for who, day, value in (("cy", 3, "minor"), ("bob", 2, "equivalent"), ("ann", 1, "minor"))
        ]
    (tmp_path / "project.json").write_text(json.dumps(tasks))
    assert import_ratings(open_review, [tmp_path / "project.json"])[0].raters == ("ann@x.org", "bob@x.org", "cy@x.org")
    for each in summarise(open_review, resamples=20).settled:
        # In the order of their making: minor, equivalent, then a third that nobody had to ask for.
        assert (each.values, each.value, each.how) == (("minor", "equivalent", "minor"), "minor", "majority")


def test_a_sheet_that_is_open_to_all_needs_a_name(open_review):
    sheet = fill(sheets(open_review)[0], lambda *_: "minor")
    with pytest.raises(DataError, match="no rater is named"):
        import_ratings(open_review, [sheet])
    assert import_ratings(open_review, [sheet], rater="ann")[0].new == 4
    import_ratings(open_review, [sheet], rater="bob")
    assert {each.how for each in summarise(open_review, resamples=20).settled} == {"unanimous"}


def test_folders_that_are_no_review(tmp_path, review):
    with pytest.raises(DataError, match=r"key.json was looked for"):
        read_study(tmp_path)
    (tmp_path / "key.json").write_text("{}")
    with pytest.raises(DataError, match="is not the key of a review"):
        read_study(tmp_path)
    key = json.loads((review / "key.json").read_text())
    del key["pairs"]
    (review / "key.json").write_text(json.dumps(key))
    with pytest.raises(DataError, match="is damaged"):
        read_study(review)


def test_items_do_not_tell_their_pair(review):
    assert [place for place, _ in places(review, "equivalence").values()] != list(range(6))
