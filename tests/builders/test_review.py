"""The radiologist's check: what is drawn, what stays hidden, and what is made of her answers."""

from __future__ import annotations

import csv
import json
import re
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image as PillowImage
from statsmodels.stats.proportion import proportion_confint
from tests.builders.miniature import grey_png, nih_folder, padchest_folder

from perimetry.builders import build_padchest_gr
from perimetry.builders.review import draw_cases, hand_over, read_review
from perimetry.builders.review.summary import wilson
from perimetry.cases import Box, DataError, Study, UsageError, load


def studies(count=30):
    names = ("Edema", "Fracture", "Pneumonia")
    return [
        Study(
            f"s{number:02d}",
            "mine",
            f"p{number}",
            boxes=(
                Box(0, 1, 1, 5, 5, frozenset({names[number % 3]}), f"sentence {number}"),
                Box(0, 2, 2, 5, 5, frozenset({"Edema"}), "other") if number % 5 == 0 else Box(0, 3, 3, 1, 1),
            ),
        )
        for number in range(count)
    ]


@pytest.fixture
def review(tmp_path):
    """The review of a built data set, and its folder."""
    build_padchest_gr(padchest_folder(tmp_path / "in"), tmp_path / "built", min_images=1)
    handed = hand_over(load(f"studies:{tmp_path / 'built'}"), tmp_path / "out")
    return handed, tmp_path / "out"


def fill(folder, given, name="filled.csv"):
    path = folder / name
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("case", "label", "comment"))
        writer.writerows(given)
    return path


def test_the_draw_takes_classes_evenly_and_does_not_depend_on_the_order():
    drawn = draw_cases(studies(), 4, seed=1)
    assert draw_cases(studies()[::-1], 4, seed=1) == drawn
    assert draw_cases(studies(), 4, seed=2) != drawn
    by_class: dict[str, list[str]] = {}
    for case in drawn:
        by_class.setdefault(case.finding, []).append(case.study.id)
        assert case.finding in case.box.classes
    assert {name: len(set(ids)) for name, ids in by_class.items()} == {"Edema": 4, "Fracture": 4, "Pneumonia": 4}
    # The order mixes the classes: they do not stand in blocks.
    order = [case.finding for case in drawn]
    assert sum(one != two for one, two in pairwise(order)) > 2
    assert [case.case for case in drawn] == [f"case-{number:03d}" for number in range(1, 13)]


def test_what_is_handed_over_does_not_tell_the_mapped_class(review):
    handed, out = review
    assert handed.per_class == {"Pleural Effusion": 2, "Cardiomegaly": 1, "Pneumothorax": 1}
    page = (out / "review" / "review.html").read_text()
    # Classes occur in the choices, once a case, and in no other place but the reports' own words.
    assert page.count("Pleural Effusion") == page.count("<option>Pleural Effusion</option>") == 4
    assert page.count("There is a small left pleural effusion.") >= 2
    assert not re.findall(r"(src|href)=[\"'](?!data:)", page)
    assert sorted(path.name for path in (out / "review" / "images").iterdir()) == [
        f"case-{number:03d}.jpg" for number in (1, 2, 3, 4)
    ]
    assert (out / "review" / "cases.csv").read_text().splitlines() == ["case,label,comment"] + [
        f"case-{number:03d},," for number in (1, 2, 3, 4)
    ]
    assert "credentialed" in handed.warning
    assert "credentialed" in page
    assert "finding,class,reason,agree,proposed,comment" in (out / "afterwards" / "mapping.csv").read_text()


def test_the_box_is_drawn_where_it_is(review):
    _, out = review
    key = json.loads((out / "key.json").read_text())["cases"]
    (case,) = [name for name, said in key.items() if said["class"] == "Cardiomegaly"]
    with PillowImage.open(out / "review" / "images" / f"{case}.jpg") as image:
        assert image.size == (40, 20)
        colours = np.asarray(image.convert("RGB")).astype(int)
    assert colours[5, 1, 0] - colours[5, 1, 2] > 60
    assert abs(colours[15, 35, 0] - colours[15, 35, 2]) < 30


def test_her_answers_are_summarised(review):
    _, out = review
    key = json.loads((out / "key.json").read_text())["cases"]
    labels = {name: said["class"] for name, said in key.items()}
    heart = next(name for name, label in labels.items() if label == "Cardiomegaly")
    air = next(name for name, label in labels.items() if label == "Pneumothorax")
    given = [(name, label.upper(), "") for name, label in labels.items() if name not in (heart, air)]
    sheet = fill(out, [*given, (heart, "None of these", "normal size"), (air, "", "")])
    summary = read_review(out, [sheet])
    counts = {each.name: (each.drawn, each.labelled, each.agreed, each.share) for each in summary.agreements}
    assert counts == {
        "Pleural Effusion": (2, 2, 2, 1.0),
        "Cardiomegaly": (1, 1, 0, 0.0),
        "Pneumothorax": (1, 0, 0, None),
        "all": (4, 3, 2, pytest.approx(2 / 3)),
    }
    (odd,) = summary.disagreements
    assert (odd.case, odd.study, odd.mapped, odd.given, odd.comment) == (
        heart,
        "st1",
        "Cardiomegaly",
        "None of these",
        "normal size",
    )
    assert json.loads(json.dumps(summary.to_dict()))["mapping"]["table"] == ""


def test_her_word_on_the_mapping_table(review):
    _, out = review
    sheet = out / "mapping.csv"
    rows = list(csv.DictReader((out / "afterwards" / "mapping.csv").open()))
    for row in rows[:3]:
        row["agree"] = "Yes"
    rows[3] |= {"agree": "no", "proposed": "pneumonia", "comment": "too strict"}
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    summary = read_review(out, [sheet])
    assert (summary.table, summary.confirmed, summary.open_lines) == ("padchest_gr", 3, len(rows) - 4)
    ((finding, mapped, said),) = summary.objections
    assert (finding, mapped) == (rows[3]["finding"], rows[3]["class"])
    assert (said.proposed, said.comment) == ("Pneumonia", "too strict")
    rows[3]["agree"] = "perhaps"
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(DataError, match=r"mapping.csv, line 5: agree is 'perhaps'; yes or no was expected"):
        read_review(out, [sheet])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("case-001", "Oedema", "")], r"line 2: label is 'Oedema', which is neither .* Did you mean Edema\?"),
        ([("case-099", "Edema", "")], r"line 2: there is no case 'case-099' in this review. Did you mean case-00"),
        ([("case-001", "Edema", ""), ("case-001", "Fracture", "")], "line 3: case-001 is labelled twice"),
        ([("case-001", "", "")], "no label is filled in"),
    ],
)
def test_bad_fills_name_the_line(review, rows, message):
    _, out = review
    with pytest.raises(DataError, match=message):
        read_review(out, [fill(out, rows)])


def test_other_sheets_and_folders(review, tmp_path):
    _, out = review
    (tmp_path / "other.csv").write_text("name,verdict\na,b\n")
    with pytest.raises(DataError, match=r"other.csv has the columns name, verdict; case, label, comment"):
        read_review(out, [tmp_path / "other.csv"])
    sheet = fill(out, [("case-001", "Edema", "")])
    with pytest.raises(UsageError, match="one reviewer at a time"):
        read_review(out, [sheet, sheet])
    with pytest.raises(DataError, match=r"key\.json was looked for"):
        read_review(tmp_path / "in", [sheet])
    with pytest.raises(UsageError, match="is not empty"):
        hand_over(load(f"studies:{tmp_path / 'built'}"), out)


def test_names_that_are_the_label_are_not_shown_and_damaged_images_are_replaced(tmp_path):
    nih_folder(tmp_path / "in")
    loaded = load(f"nih-cxr14:{tmp_path / 'in'}")
    damaged = tmp_path / "in" / "images_001" / "images" / "00000002_000.png"
    damaged.write_bytes(damaged.read_bytes()[:400])
    handed = hand_over(loaded, tmp_path / "out")
    assert handed.unreadable == ("00000002_000",)
    assert handed.per_class == {"Pleural Effusion": 1, "Atelectasis": 1}
    assert handed.warning == ""
    page = (tmp_path / "out" / "review" / "review.html").read_text()
    assert page.count("Atelectasis") == page.count("<option>Atelectasis</option>") == 2
    assert "<blockquote>" not in page
    # Neither is there a sentence or a report, and nobody is told to read one.
    assert "sentence" not in page.partition("<script>")[0]
    assert "report" not in page.partition("<script>")[0]


def test_texts_of_the_data_are_escaped(tmp_path):
    grey_png(tmp_path / "a.png", 50, 50)
    record = {
        "id": "s1",
        "images": [{"path": "a.png"}],
        "sections": {"findings": "</dd><script>alert(1)</script>"},
        "boxes": [
            {"x": 5, "y": 5, "width": 9, "height": 9, "classes": ["Edema"], "finding": "<img src=x onerror=alert(1)>"}
        ],
    }
    (tmp_path / "studies.jsonl").write_text(json.dumps(record))
    hand_over(load(f"studies:{tmp_path},data_use=open"), tmp_path / "out")
    page = (tmp_path / "out" / "review" / "review.html").read_text()
    assert "<script>alert" not in page
    assert "<img src=x" not in page


@pytest.mark.parametrize(("agreed", "total"), [(0, 5), (3, 5), (5, 5), (31, 40)])
def test_wilson_against_another_implementation(agreed, total):
    assert wilson(agreed, total) == pytest.approx(proportion_confint(agreed, total, method="wilson"))
