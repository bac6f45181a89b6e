"""NIH ChestX-ray14: a made-up folder whose funnel is known, and the real boxes."""

from __future__ import annotations

import csv
import shutil

import pytest
from tests.builders.miniature import grey_png, nih_folder

from perimetry.cases import DataError, load


def test_the_made_up_folder_loads_with_its_funnel(tmp_path):
    loaded = load(f"nih-cxr14:{nih_folder(tmp_path)}")
    first, second, fourth = loaded.studies
    assert (first.id, first.group, first.images[0].view, first.dataset) == ("00000001_000", "1", "PA", "nih-cxr14")
    assert (second.group, second.images[0].view) == ("2", "")
    assert fourth.images[0].pixels().shape == (1024, 1024)
    assert loaded.funnel.entered == 5
    assert {step.reason: step.removed for step in loaded.funnel.steps} == {
        "its image is not in the folders of images": 1,
        "its image cannot be read": 1,
    }
    assert loaded.funnel.notes[0].startswith("1 images are not in the table of labels")
    note = loaded.funnel.notes[1]
    assert note.startswith("4 of 9 boxes left out: ")
    for reason in (
        "1 a box of the finding 'Gossypiboma' that is not known (00000001_000.png)",
        "1 a box without area (00000001_000.png: Nodule",
        "1 a box outside its image",
        "1 a box in fractions of the image where pixels were expected",
    ):
        assert reason in note
    assert loaded.data_use == "open"


def test_boxes_and_labels_of_the_made_up_folder(tmp_path):
    first, second, fourth = load(f"nih-cxr14:{nih_folder(tmp_path)}").studies
    (box,) = first.boxes
    assert (box.x, box.y, box.width, box.height, box.finding) == (900, 700.5, 124, 100, "Effusion")
    assert box.classes == {"Pleural Effusion"}
    # Drawn on 1024, the file has 512.
    (box,) = second.boxes
    assert (box.x, box.y, box.width, box.height) == (50.125, 100, 150, 200)
    assert second.labels == {"Lung Opacity": 1.0}
    (box,) = fourth.boxes
    # What lies inside keeps its very numbers.
    assert (box.x, box.y, box.width, box.height) == (
        225.084745762712,
        547.019216763771,
        86.7796610169491,
        79.1864406779661,
    )
    # The nodule is there although its box has no area.
    assert first.labels == {"Pleural Effusion": 1.0, "Lung Lesion": 1.0}
    assert first.hidden == {"labels": "Effusion|Emphysema"}
    shown = ("Consolidation", "Pleural Other", "Atelectasis", "Lung Lesion", "Pneumonia")
    assert fourth.labels == dict.fromkeys(shown, 1.0)


def test_images_without_boxes_when_asked_for(tmp_path):
    loaded = load(f"nih-cxr14:{nih_folder(tmp_path)},boxes=all")
    last = loaded.studies[-1]
    assert (last.id, last.group, last.boxes, last.labels) == ("00000006_000", "1", (), {"No Finding": 1.0})


def test_images_elsewhere(tmp_path):
    nih_folder(tmp_path / "a")
    shutil.move(tmp_path / "a" / "images_001", tmp_path / "b" / "images_001")
    assert len(load(f"nih-cxr14:{tmp_path / 'a'}").studies) == 1
    assert [study.id for study in load(f"nih-cxr14:{tmp_path / 'a'}", images=tmp_path / "b").studies] == [
        "00000001_000",
        "00000002_000",
    ]
    with pytest.raises(DataError, match="There is no image folder"):
        load(f"nih-cxr14:{tmp_path / 'a'}", images=tmp_path / "c")


def test_another_release_is_told_by_its_missing_column(tmp_path):
    nih_folder(tmp_path)
    entries = tmp_path / "Data_Entry_2017_v2020.csv"
    entries.write_text(entries.read_text().replace("Patient ID", "PatientId"))
    with pytest.raises(DataError, match=r"Data_Entry_2017_v2020.csv has no column 'Patient ID'; it has Image Index"):
        load(f"nih-cxr14:{tmp_path}")
    entries.unlink()
    with pytest.raises(DataError, match=r"nih-cxr14: Data_Entry_2017_v2020.csv was looked for. Found in"):
        load(f"nih-cxr14:{tmp_path}")


def test_every_real_box_is_as_the_list_has_it(shared_data):
    folder = shared_data / "nih_cxr14"
    loaded = load(f"nih-cxr14:{folder}")
    names = {path.name for path in (folder / "images").iterdir()}
    with (folder / "BBox_List_2017.csv").open(newline="") as file:
        rows = [row for row in csv.reader(file) if row[0] in names]
    listed = sorted((row[0], row[1], *map(float, row[2:6])) for row in rows)
    found = sorted(
        (f"{study.id}.png", box.finding, box.x, box.y, box.width, box.height)
        for study in loaded.studies
        for box in study.boxes
    )
    assert found == listed
    assert len(loaded.studies) == 22 == 880 - loaded.funnel.steps[0].removed
    assert all(study.images[0].view in ("AP", "PA") for study in loaded.studies)
    for study in loaded.studies:
        height, width = study.images[0].pixels().shape[:2]
        assert (height, width) == (1024, 1024)
        assert {each for box in study.boxes for each in box.classes} <= study.labels.keys()


def test_the_image_of_a_flat_folder_is_found(tmp_path):
    nih_folder(tmp_path)
    grey_png(tmp_path / "images" / "00000003_000.png", 1024, 1024)
    assert "00000003_000" in {study.id for study in load(f"nih-cxr14:{tmp_path}").studies}
