"""The tables of finding names: what every row must have, and what the packaged ones say."""

from __future__ import annotations

import pytest

from perimetry.cases import DataError, Funnel
from perimetry.cases.chexpert import CHEXPERT_ORDER
from perimetry.cases.tables import FindingTable, NameCounts, finding_table

NIH_BOXED = ("Atelectasis", "Cardiomegaly", "Effusion", "Infiltrate", "Mass", "Nodule", "Pneumonia", "Pneumothorax")


@pytest.mark.parametrize("name", ["nih_cxr14", "padchest_gr", "chest_imagenome"])
def test_every_row_has_a_reason_and_classes_that_exist(name):
    table = finding_table(name)
    assert len({row.finding.casefold() for row in table.rows}) == len(table.rows)
    for row in table.rows:
        assert len(row.reason.split()) >= 3, row
        assert row.reason.endswith("."), row
        assert set(row.classes) <= set(CHEXPERT_ORDER)


def test_nih_boxes_have_the_classes_of_the_definition():
    table = finding_table("nih_cxr14")
    assert [table.classes(name) for name in NIH_BOXED] == [
        ("Atelectasis",),
        ("Cardiomegaly",),
        ("Pleural Effusion",),
        ("Lung Opacity",),
        ("Lung Lesion",),
        ("Lung Lesion",),
        ("Pneumonia",),
        ("Pneumothorax",),
    ]


@pytest.mark.parametrize("name", ["padchest_gr", "chest_imagenome"])
def test_the_same_finding_has_the_same_class_in_both_tables(name):
    other = finding_table("chest_imagenome" if name == "padchest_gr" else "padchest_gr")
    shared = [row for row in finding_table(name).rows if other.row(row.finding)]
    assert len(shared) >= 10
    for row in shared:
        assert other.classes(row.finding) == row.classes, row.finding


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("finding,class\na,Edema\n", "the column 'reason' is missing"),
        ("finding,class,reason\na,Oedema,fluid\n", "line 2: 'Oedema' is no CheXpert class"),
        ("finding,class,reason\na,Edema,\n", "line 2: the reason is empty"),
        ("finding,class,reason\na,Edema,b\n A ,Edema,b\n", "line 3: the finding 'A' stands twice"),
    ],
)
def test_tables_that_are_not_as_they_must_be(tmp_path, content, message):
    path = tmp_path / "mine.csv"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        FindingTable.read(path)


def test_names_are_counted_and_the_commonest_unknown_ones_told():
    counts = NameCounts(finding_table("nih_cxr14"))
    funnel = Funnel("mine")
    counts.note(funnel)
    assert funnel.notes == []
    for number in range(12):
        for _ in range(number + 1):
            counts.classes(f"new {number}")
    counts.classes("effusion")
    counts.note(funnel)
    assert funnel.notes[0].startswith(
        "12 finding names are not in the table nih_cxr14 and give no class: 'new 11' (12)"
    )
    assert funnel.notes[0].endswith("and 2 more")
    assert counts.to_dict()["mapped"] == {"Effusion": 1}
