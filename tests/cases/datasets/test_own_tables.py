"""A user's own tables and hub snapshots, as they are and through a mapping file."""

from __future__ import annotations

import base64
import csv
import json
import sys
import tracemalloc

import numpy as np
import polars as pl
import pytest

from perimetry.cases import Box, DataError, FileSource, Image, Study, UsageError, load
from perimetry.cases.png import encode_png
from perimetry.cases.records import study_record

PICTURE = np.full((3, 4), 90, np.uint8)
MAP = """
id = "{exam}/{n}"
stem = "Prompt text"
options = {A = "opt_a", B = "opt_b", C = "opt_c"}
answer = "key"
answer_type = "choice"
images = ["frontal", "lateral"]
group = "exam"
"""


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_a_mapped_csv(tmp_path, file_keys):
    row = {"exam": "e1", "n": "1", "Prompt text": "Which?", "opt_a": "lung", "opt_b": "heart", "opt_c": ""}
    rows = [
        {**row, "key": "heart", "frontal": "a.png", "lateral": "b.png", "rationale": "secret"},
        {**row, "n": "2", "key": "A", "frontal": "a.png", "lateral": "", "rationale": ""},
        {**row, "n": "3", "key": "C", "frontal": "", "lateral": "", "rationale": ""},
    ]
    write_csv(tmp_path / "items.csv", rows)
    (tmp_path / "map.toml").write_text(MAP)
    (tmp_path / "a.png").write_bytes(encode_png(PICTURE))
    loaded = load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml")
    first, second = loaded.questions
    assert (first.id, first.answer, first.labels, first.group) == ("e1/1", "B", ("A", "B"), "e1")
    assert file_keys(first) == ["a.png", "b.png"]
    assert np.array_equal(second.images[0].pixels(), PICTURE)
    assert len(second.images) == 1
    assert first.hidden == {"rationale": "secret"}
    assert loaded.funnel.steps[0].reason == "answer not among the options"


def test_misspelt_columns_of_a_mapping(tmp_path):
    write_csv(tmp_path / "items.csv", [{"exam": "e1", "Text": "Which?", "key": "yes"}])
    (tmp_path / "map.toml").write_text('stem = "text"\nanswer = "key"')
    with pytest.raises(DataError, match=r"map\.toml, field 'stem': 'text' is no column.*Did you mean 'Text'"):
        load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml")
    (tmp_path / "map.toml").write_text('answer = "key"')
    with pytest.raises(DataError, match=r"map\.toml gives answer; a question needs stem"):
        load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml")


@pytest.mark.parametrize("field", ["findings", "impression", "indication", "group", "id", "labels", "boxes"])
def test_a_misspelt_column_of_a_study(tmp_path, field):
    write_csv(tmp_path / "items.csv", [{"study_id": "s1", "reference": "Clear lungs.", "words": "Clear lungs."}])
    (tmp_path / "map.toml").write_text(f'technique = "words"\n{field} = "refrence"')
    with pytest.raises(DataError, match=rf"field '{field}': 'refrence' is no column.*Did you mean 'reference'"):
        load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml")


def test_a_line_for_no_field_and_metadata_of_ones_own(tmp_path):
    write_csv(tmp_path / "items.csv", [{"study_id": "s1", "reference": "Clear lungs.", "ward": "3"}])
    (tmp_path / "map.toml").write_text('id = "study_id"\nfindings = "reference"\nfidnings = "reference"')
    with pytest.raises(DataError, match=r"map\.toml: there is no field 'fidnings'\. Did you mean findings"):
        load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml")
    (tmp_path / "map.toml").write_text('id = "study_id"\nfindings = "reference"\nhidden = {place = "ward"}')
    (study,) = load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml").cases
    assert study.hidden["place"] == "3"


def test_a_table_that_is_not_there_names_nothing_of_other_people(tmp_path):
    for name in ("reports.jsonl", "reports.csv", "salaries.jsonl"):
        (tmp_path / name).write_text("")
    with pytest.raises(DataError) as told:
        load(f"table:{tmp_path / 'report.jsonl'}")
    assert str(told.value).endswith(f"Did you mean {tmp_path / 'reports.jsonl'}?")
    assert "csv?" not in str(told.value)
    assert "salaries" not in str(told.value)
    tmp_path.chmod(0o1777)  # as /tmp
    with pytest.raises(DataError) as told:
        load(f"table:{tmp_path / 'report.jsonl'}")
    assert str(tmp_path / "reports.jsonl") not in str(told.value)
    with pytest.raises(DataError, match=r"The folder .*gone does not exist\."):
        load(f"table:{tmp_path / 'gone' / 'report.jsonl'}")


def test_a_table_without_the_fields_says_what_it_has(tmp_path):
    write_csv(tmp_path / "items.csv", [{"exam": "e1", "Text": "Which?"}])
    with pytest.raises(DataError, match=r"items\.csv has exam, Text; a question needs .* --map FILE"):
        load(f"table:{tmp_path / 'items.csv'}")
    with pytest.raises(DataError, match=r"is a folder; a file \(\.jsonl.*Found in .*: items\.csv"):
        load(f"table:{tmp_path}")


def test_images_of_every_kind(tmp_path):
    data = encode_png(PICTURE)
    (tmp_path / "a.png").write_bytes(data)
    text = base64.b64encode(data).decode()
    rows = [
        {"id": 1, "question": "?", "answer": "yes", "images": ["a.png", "a.png"]},
        {"id": 2, "question": "?", "answer": "yes", "images": [{"path": "a.png", "view": "PA"}]},
        {"id": 3, "question": "?", "answer": "yes", "image": text},
        {"id": 4, "question": "?", "answer": "yes", "image": str(tmp_path / "a.png")},
        {"id": 5, "question": "?", "answer": "yes", "image": '["a.png"]'},
        {"id": 6, "question": "?", "answer": "yes", "image": None},
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    cases = load(f"table:{tmp_path / 'rows.jsonl'}").cases
    assert [len(case.images) for case in cases] == [2, 1, 1, 1, 1, 0]
    assert all(np.array_equal(image.pixels(), PICTURE) for case in cases for image in case.images)
    assert cases[1].images[0].view == "PA"
    assert len({image.digest for case in cases for image in case.images}) == 1


def test_splits_and_missing_ids(tmp_path):
    rows = [
        {"question": "?", "answer": "yes", "split": "test"},
        {"question": "?", "answer": "no", "split": "train"},
        {"question": "?", "answer": "no", "split": ""},
    ]
    write_csv(tmp_path / "items.csv", rows)
    loaded = load(f"table:{tmp_path / 'items.csv'}", split="test")
    assert [case.id for case in loaded.questions] == ["1", "3"]
    assert loaded.funnel.notes[0] == "rows without an id are named by their row number"
    assert len(load(f"table:{tmp_path / 'items.csv'}").cases) == 3
    write_csv(tmp_path / "plain.csv", [{"question": "?", "answer": "yes"}])
    with pytest.raises(UsageError, match=r"the split 'test' was asked for, but there is no column split"):
        load(f"table:{tmp_path / 'plain.csv'}", split="test")


def test_splits_have_synonyms(tmp_path):
    rows = [
        {"id": "1", "question": "?", "answer": "yes", "split": "val"},
        {"id": "2", "question": "?", "answer": "no", "split": "test"},
    ]
    write_csv(tmp_path / "items.csv", rows)
    for name in ("val", "validation", "valid"):
        assert [case.id for case in load(f"table:{tmp_path / 'items.csv'}", split=name).cases] == ["1"]


def test_a_case_is_small(tmp_path):
    """A hundred thousand cases must fit beside a model: what each one holds is bounded."""
    rows = [
        {"id": f"q{n}", "question": f"Is finding {n % 97} there?", "answer": "yes", "image": f"i{n // 4}.png"}
        for n in range(4000)
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    load(f"table:{tmp_path / 'rows.jsonl'}", limit=1)
    tracemalloc.start()
    loaded = load(f"table:{tmp_path / 'rows.jsonl'}")
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held / len(loaded.cases) < 1600
    assert peak < 2 * held


def test_studies_come_back_as_they_were_written(tmp_path):
    (tmp_path / "a.png").write_bytes(encode_png(np.zeros((20, 20), np.uint8)))
    study = Study(
        id="s1",
        dataset="table",
        group="p1",
        images=(Image(FileSource(tmp_path / "a.png", key=str(tmp_path / "a.png")), view="AP"),),
        sections={"findings": "Clear lungs.", "indication": "Cough."},
        boxes=(Box(0, 1.0, 2.5, 3.0, 4.0, frozenset({"Edema", "Pneumonia"}), "hazy"),),
        labels={"Edema": 1.0, "Pneumothorax": -1.0},
        hidden={"site": "A"},
    )
    (tmp_path / "studies.jsonl").write_text(json.dumps(study_record(study)))
    loaded = load(f"table:{tmp_path / 'studies.jsonl'}").studies[0]
    assert loaded == study
    assert loaded.hidden == study.hidden
    assert loaded.digest == study.digest


def test_studies_with_sections_as_columns_and_odd_boxes(tmp_path):
    box = {"image": 3, "x": 1, "y": 1, "width": 2, "height": 2}
    odd = {**box, "image": 0, "x": "left", "classes": ["edema"]}
    rows = [
        {"id": "s1", "findings": "Clear.", "impression": None, "image": "a.png"},
        {"id": "s2", "findings": "Clear.", "image": "a.png", "boxes": [box]},
        {"id": "s3", "findings": "Clear.", "image": "a.png", "boxes": [odd]},
    ]
    (tmp_path / "studies.jsonl").write_text("\n".join(map(json.dumps, rows)))
    loaded = load(f"table:{tmp_path / 'studies.jsonl'}")
    assert [case.id for case in loaded.studies] == ["s1", "s3"]
    assert [case.sections for case in loaded.studies] == [{"findings": "Clear."}] * 2
    assert loaded.funnel.steps[0].examples == ("s2: a box lies on image 3; the study has 1",)
    # The finding is there although its box cannot be used: no study without it.
    assert loaded.studies[1].labels == {"Edema": 1.0} and not loaded.studies[1].boxes
    assert any("1 a box that is not four numbers (s3" in note for note in loaded.funnel.notes)


def test_a_hub_snapshot_with_a_mapping(tmp_path):
    rows = [{"img": {"bytes": encode_png(PICTURE), "path": None}, "q": f"q{n}?", "a": "yes"} for n in range(5)]
    for config in ("main", "extra"):
        (tmp_path / config).mkdir()
        pl.DataFrame(rows[:3]).write_parquet(tmp_path / config / "test-00000-of-00002.parquet")
        pl.DataFrame(rows[3:]).write_parquet(tmp_path / config / "test-00001-of-00002.parquet")
    (tmp_path / "map.toml").write_text('stem = "q"\nanswer = "a"\nimages = "img"')
    loaded = load(f"hub:{tmp_path},config=main,name=mine", mapping=tmp_path / "map.toml")
    assert [case.id for case in loaded.questions] == ["1", "2", "3", "4", "5"]
    assert loaded.name == "mine"
    assert np.array_equal(loaded.questions[4].images[0].pixels(), PICTURE)
    with pytest.raises(UsageError, match=r"no split 'train' in .*; found: test"):
        load(f"hub:{tmp_path},config=main", split="train", mapping=tmp_path / "map.toml")


def test_downloads_are_asked_for_by_name_only(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(DataError, match=r"Downloading owner/name needs huggingface_hub"):
        load("hub:owner/name")
    with pytest.raises(DataError, match=r"Downloading owner/name needs huggingface_hub"):
        load("vqav2:hub=owner/name")
    with pytest.raises(DataError, match=r"no folder /no/such/folder, and it is no hub data set"):
        load("hub:/no/such/folder")
    # A mistyped path is never taken for a hub name.
    with pytest.raises(DataError, match=r"vqav2: there is no owner/name"):
        load("vqav2:owner/name")


def test_a_download_that_fails_is_explained(monkeypatch):
    class Offline:
        @staticmethod
        def snapshot_download(repository, **options):
            assert (repository, options) == ("owner/name", {"repo_type": "dataset", "revision": "abc"})
            raise OSError("no route")

    monkeypatch.setitem(sys.modules, "huggingface_hub", Offline)
    with pytest.raises(DataError, match=r"owner/name cannot be downloaded: no route\. Check its name"):
        load("hub:owner/name,revision=abc")


@pytest.mark.parametrize("column", ["imge", "Image", "img", "image_path", " image"])
def test_a_misspelt_image_column_is_told(tmp_path, column):
    write_csv(tmp_path / "items.csv", [{"question": "Is it?", "answer": "yes", "ward": "3", column: "a.png"}])
    notes = load(f"table:{tmp_path / 'items.csv'}").funnel.notes
    (near,) = [note for note in notes if "is not shown to any model" in note]
    assert near.startswith(f"the column {column!r}")
    assert "was image meant? Rename it, or map it with --map FILE" in near
    assert any(note.startswith("no case has an image") for note in notes)


def test_columns_that_are_read_or_far_from_a_field_are_not_suspected(tmp_path):
    (tmp_path / "a.png").write_bytes(encode_png(PICTURE))
    write_csv(
        tmp_path / "items.csv",
        [{"id": "1", "Imge": "a.png", "question": "Is it?", "answer": "yes", "images_seen": "2"}],
    )
    (tmp_path / "map.toml").write_text('image = "Imge"\nstem = "question"\nanswer = "answer"')
    assert load(f"table:{tmp_path / 'items.csv'}", mapping=tmp_path / "map.toml").funnel.notes == []


def test_a_misspelt_field_that_is_needed_is_named(tmp_path):
    write_csv(tmp_path / "items.csv", [{"question": "Is it?", "anwser": "yes"}])
    with pytest.raises(DataError, match="Is 'anwser' the answer"):
        load(f"table:{tmp_path / 'items.csv'}")


@pytest.mark.parametrize(
    "cell",
    ['["effusion", "nodule"]', "['effusion', 'nodule']", "effusion|nodule", " effusion | nodule", "effusion\nnodule"],
)
def test_options_in_one_cell(tmp_path, cell):
    write_csv(tmp_path / "items.csv", [{"id": "1", "question": "Which?", "answer": "nodule", "options": cell}])
    (question,) = load(f"table:{tmp_path / 'items.csv'}").questions
    assert [(option.label, option.text) for option in question.options] == [("A", "effusion"), ("B", "nodule")]
    assert question.answer == "B"


@pytest.mark.parametrize("cell", ["effusion; nodule", "effusion||nodule", "effusion"])
def test_options_that_could_be_read_in_two_ways_are_told(tmp_path, cell):
    good = {"id": "1", "question": "Which?", "answer": "yes", "options": ""}
    write_csv(tmp_path / "items.csv", [good, {**good, "id": "2", "options": cell}])
    (line, *_) = load(f"table:{tmp_path / 'items.csv'}").funnel.summary_lines()
    assert line.startswith("table: 1 of 2 records left out: 1 a field that cannot be understood (2: options: ")
    assert repr(cell) in line


def test_a_table_with_a_header_and_no_rows(tmp_path):
    (tmp_path / "items.csv").write_text("id,question,answer\n")
    with pytest.raises(DataError, match=r"items\.csv has the columns id, question, answer and no rows"):
        load(f"table:{tmp_path / 'items.csv'}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04\x14\x00\x08\x00rubbish", r"is no text: byte 6 is 0x00"),
        ("id,question,answer\n1,Is it?,yes".encode("utf-16"), "is text in UTF-16. Save it as UTF-8"),
        (b"id;question;answer\n1;Is it?;yes\n", "between semicolons. Save it with commas"),
        (b"id\tquestion\tanswer\n1\tIs it?\tyes\n", "between tabs. Save it with commas"),
        (b"\x1b[2J,\x07" + b"x" * 500 + b"\n1,2\n", r"has \\x1b\[2J, \\x07x{59}\.\.\.; a question needs"),
    ],
)
def test_what_is_no_comma_separated_text_is_told_in_printable_signs(tmp_path, content, message):
    (tmp_path / "items.csv").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        load(f"table:{tmp_path / 'items.csv'}")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("blank", ["", None, "absent"])
def test_a_blank_id_never_takes_the_name_of_another_row(tmp_path, blank):
    rows = [{"id": "2", "question": "One?", "answer": "yes"}, {"id": blank, "question": "Two?", "answer": "no"}]
    if blank == "absent":
        del rows[1]["id"]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    loaded = load(f"table:{path}")
    assert [(question.id, question.stem) for question in loaded.questions] == [("2", "One?")]
    (step,) = loaded.funnel.steps
    assert (step.reason, step.removed, step.examples) == ("no id in a table with ids", 1, ("row 2",))
