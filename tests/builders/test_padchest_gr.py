"""PadChest-GR: a made-up folder in the official layout, whose funnel is known by construction."""

from __future__ import annotations

import json

import pytest
from tests.builders.miniature import MASTER_HEADER, padchest_folder, write_csv

from perimetry.builders import build_padchest_gr
from perimetry.cases import DataError, UsageError, load


@pytest.mark.parametrize("zipped", [False, True])
def test_the_funnel_is_the_one_that_was_made(tmp_path, zipped):
    built = build_padchest_gr(padchest_folder(tmp_path / "in", zipped=zipped), tmp_path / "out", min_images=2)
    assert [(stage.images, stage.boxes, stage.classes) for stage in built.stages] == [
        (10, None, None),  # listed
        (7, None, None),  # loaded: without 7, 8 and 10
        (5, 8, None),  # with a box: 1, 2, 3, 4, 9
        (4, 6, 3),  # of a class: without 4
        (3, 5, 3),  # the sentence states it: without 3
        (2, 3, 1),  # Pleural Effusion alone has two images
    ]
    assert {step.reason: step.removed for step in built.funnel.steps} == {
        "its image is not in the folders of images": 1,
        "not in the master table": 1,
        "no StudyID, ImageID or list of findings": 1,
        "no box": 2,
        "no box of a CheXpert class": 1,
        "no box whose sentence states its class": 1,
        "only boxes of classes that fewer than 2 images show": 1,
    }
    assert {step.reason: step.removed for step in built.boxes.steps} == {
        "a box in pixels where fractions of the image were expected": 1,
        "a box without area": 1,
        "a box whose corners are the wrong way round": 1,
        "a box that is not four numbers": 1,
        "a box outside its image": 1,
        "no finding label of the box has a CheXpert class": 2,
        "the labeller does not find the class in the sentence": 1,
        "only of classes that fewer than 2 images show": 2,
    }
    assert built.boxes.kept == 3
    assert built.funnel.kept == 2
    assert built.measures["sentence check"]["share of boxes that fall"] == pytest.approx(1 / 6)
    assert built.measures["classes with too few images"] == {"Cardiomegaly": 1, "Pneumothorax": 1}
    assert built.names is not None
    assert built.names.unknown == {"gossypiboma": 1}
    assert built.names.unmapped == {"scoliosis": 1, "normal": 1}
    assert "'gossypiboma' (1)" in built.funnel.notes[0]


def test_the_studies_load_and_stay_credentialed(tmp_path):
    build_padchest_gr(padchest_folder(tmp_path / "in"), tmp_path / "out", min_images=1)
    loaded = load(f"studies:{tmp_path / 'out'}")
    assert (loaded.name, loaded.data_use) == ("padchest-gr", "credentialed")
    first, second, ninth = loaded.studies
    assert (first.id, first.group, second.group, first.images[0].view) == ("st1", "pat1", "pat2", "frontal")
    assert first.sections == {"findings": "There is a small left pleural effusion. The heart is enlarged."}
    effusion, heart = first.boxes
    assert (effusion.x, effusion.y, effusion.width, effusion.height) == (10, 10, 20, 10)
    assert (set(effusion.classes), effusion.finding) == (
        {"Pleural Effusion"},
        "There is a small left pleural effusion.",
    )
    assert (heart.x, heart.y, heart.width, heart.height) == (0, 0, 20, 10)
    # The label stands for two classes, the sentence states one of them.
    assert [box.classes for box in ninth.boxes] == [{"Pneumothorax"}]
    assert ninth.labels == {"Pleural Effusion": 1.0, "Pneumothorax": 1.0}
    assert first.hidden == {"labels": "pleural effusion|cardiomegaly", "previous": "st0"}
    assert first.images[0].pixels().shape == (20, 40)
    sidecar = json.loads((tmp_path / "out" / "funnel.json").read_text())
    assert sidecar["stages"][0] == {
        "name": "studies listed",
        "images": 10,
        "boxes": None,
        "classes": None,
        "paper": "4,555",
    }
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["funnel.json", "studies.jsonl"]


def test_the_loader_keeps_every_study_and_box(tmp_path):
    loaded = load(f"padchest-gr:{padchest_folder(tmp_path)}")
    assert [study.id for study in loaded.studies] == ["st1", "st2", "st3", "st4", "st5", "st6", "st9"]
    normal = loaded.studies[4]
    assert (normal.boxes, normal.labels) == ((), {"No Finding": 1.0})
    assert [box.classes for box in loaded.studies[3].boxes] == [frozenset(), frozenset()]
    assert [study.id for study in load(f"padchest-gr:{tmp_path}", split="test").studies] == ["st2"]
    assert any(note.startswith("5 of 13 boxes left out") for note in loaded.funnel.notes)


def test_files_of_another_release_and_labellers_that_cannot_run(tmp_path):
    folder = padchest_folder(tmp_path / "in")
    with pytest.raises(UsageError, match=r"--labeller chexbert:gone.pth cannot run: .* rules needs nothing"):
        build_padchest_gr(folder, tmp_path / "out", labeller="chexbert:gone.pth")
    with pytest.raises(UsageError, match="expected rules or chexbert:WEIGHTS"):
        build_padchest_gr(folder, tmp_path / "out", labeller="doctor")
    with pytest.raises(DataError, match=r"no study is left. studies listed: 10; .* Give --min-images below 40"):
        build_padchest_gr(folder, tmp_path / "out")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="is a file; a folder was expected"):
        build_padchest_gr(folder, tmp_path / "file", min_images=1)
    write_csv(folder / "master_table.csv", ("StudyID", "split", "Patient"), [])
    with pytest.raises(DataError, match=r"master_table.csv has no column 'PatientID'; it has StudyID, split, Patient"):
        build_padchest_gr(folder, tmp_path / "out")
    write_csv(folder / "master_table.csv", MASTER_HEADER, [])
    records = [{"study": 1, "ImageID": "a.png", "findings": []}]
    (folder / "grounded_reports_20240819.json").write_text(json.dumps(records))
    with pytest.raises(DataError, match=r"has no field 'StudyID'; its first record has study, ImageID, findings"):
        build_padchest_gr(folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_study_that_stands_twice_is_told(tmp_path):
    root = padchest_folder(tmp_path / "in")
    (path,) = root.glob("grounded_reports*.json")
    records = json.loads(path.read_text())
    records += [records[0], {**records[1], "findings": []}]
    path.write_text(json.dumps(records))
    built = build_padchest_gr(root, tmp_path / "out", min_images=1)
    reasons = {step.reason: (step.removed, step.examples) for step in built.funnel.steps}
    assert reasons["a further record of a study, equal to the first, which is kept"] == (1, ("st1",))
    assert reasons["a further record of a study, at odds with the first, which is kept"] == (1, ("st2",))
