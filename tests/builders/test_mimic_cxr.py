"""MIMIC-CXR with Chest ImaGenome: made-up folders in the official layouts, whose funnel is known by construction."""

from __future__ import annotations

import pytest
from tests.builders.miniature import CHEXPERT_COLUMNS, mimic_folders, write_csv

from perimetry.builders import build_mimic_cxr
from perimetry.cases import DataError, load


@pytest.mark.parametrize("zipped", [False, True])
def test_the_funnel_is_the_one_that_was_made(tmp_path, zipped):
    built = build_mimic_cxr(*mimic_folders(tmp_path, zipped=zipped), tmp_path / "out")
    assert [(stage.images, stage.boxes, stage.paper) for stage in built.stages] == [
        (9, None, "3,858"),
        (8, None, ""),  # without the lateral one
        (6, None, "2,461"),  # d4 has none, that of d5 cannot be read
        (3, None, "2,229"),  # d3 No Finding, d6 nothing, d8 not listed
        (1, 2, "2,160"),  # d2 not affirmed, d7 without its image
    ]
    assert {step.reason: step.removed for step in built.funnel.steps} == {
        "not frontal (ViewPosition is neither AP nor PA)": 1,
        "no scene graph": 1,
        "its scene graph cannot be read": 1,
        "its only positive label is No Finding": 1,
        "no positive label at all": 1,
        "its study is not in the table of labels": 1,
        "a positive class that no region affirms": 1,
        "its image is missing or cannot be read": 1,
    }
    assert {step.reason: step.removed for step in built.boxes.steps} == {
        "a region without a box": 1,
        "a box outside its image": 1,
        "its image was left out": 1,
    }
    assert built.funnel.kept == 1
    assert built.boxes.kept == 2
    assert built.names is not None
    assert built.names.unknown == {"gossypiboma": 1}
    # d1 has both of its classes; d2 has an atelectasis for an effusion.
    agreement = built.measures["mapped against original labels"]
    assert agreement["f1"] == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert agreement["per class"]["Pleural Effusion"] == {
        "f1": pytest.approx(2 / 3),
        "both": 1,
        "mapped only": 0,
        "original only": 1,
    }


def test_the_studies_load_and_stay_credentialed(tmp_path):
    build_mimic_cxr(*mimic_folders(tmp_path), tmp_path / "out")
    loaded = load(f"studies:{tmp_path / 'out'}")
    (study,) = loaded.studies
    assert (loaded.name, loaded.data_use, study.id, study.group) == ("mimic-cxr", "credentialed", "d1", "p10000001")
    assert study.images[0].view == "PA"
    assert study.images[0].pixels().shape == (60, 80)
    assert study.sections == {
        "findings": "Moderate left pleural effusion. The heart is enlarged.",
        "impression": "Effusion and cardiomegaly.",
        "indication": "___-year-old with cough // fluid?",
        "comparison": "None.",
        "technique": "Chest PA and lateral",
    }
    angle, heart = study.boxes
    assert (angle.x, angle.y, angle.width, angle.height) == (40, 30, 30, 25)
    assert (set(angle.classes), angle.finding) == ({"Pleural Effusion"}, "Moderate left pleural effusion.")
    assert (set(heart.classes), heart.finding) == ({"Cardiomegaly"}, "The heart is enlarged.")
    assert study.labels == {"Cardiomegaly": 1.0, "Pleural Effusion": 1.0, "Pneumonia": -1.0, "Pneumothorax": 0.0}
    assert study.hidden == {"study": "s50000001", "split": "test"}


def test_other_splits_and_roots(tmp_path):
    jpg, imagenome = mimic_folders(tmp_path)
    built = build_mimic_cxr(jpg, imagenome / "silver_dataset" / "scene_graph", tmp_path / "train", split="train")
    assert dict(built.images_per_class) == {"Edema": 1}
    (jpg / "files").rename(tmp_path / "files")
    unread = "1 studies have no report that can be read: they are kept without sections"
    assert unread in build_mimic_cxr(jpg, imagenome, tmp_path / "out", images=tmp_path).funnel.notes
    built = build_mimic_cxr(jpg, imagenome, tmp_path / "out", images=tmp_path, reports=tmp_path)
    assert unread not in built.funnel.notes
    assert load(f"studies:{tmp_path / 'out'}").studies[0].sections["impression"] == "Effusion and cardiomegaly."


def test_files_of_another_release(tmp_path):
    jpg, imagenome = mimic_folders(tmp_path)
    with pytest.raises(DataError, match=r"There is no folder .*gone of reports \(--reports\)"):
        build_mimic_cxr(jpg, imagenome, tmp_path / "out", reports=tmp_path / "gone")
    with pytest.raises(DataError, match=r"silver_dataset/scene_graph/DICOM_SceneGraph.json was looked for"):
        build_mimic_cxr(jpg, jpg, tmp_path / "out")
    columns = [name for name in CHEXPERT_COLUMNS if name != "Edema"]
    write_csv(jpg / "mimic-cxr-2.0.0-chexpert.csv", ("subject_id", "study_id", *columns), [])
    with pytest.raises(DataError, match=r"mimic-cxr-2.0.0-chexpert.csv has no column 'Edema'"):
        build_mimic_cxr(jpg, imagenome, tmp_path / "out")
    (jpg / "mimic-cxr-2.0.0-chexpert.csv").unlink()
    with pytest.raises(DataError, match=r"mimic-cxr-2.0.0-chexpert.csv or mimic-cxr-2.0.0-chexpert.csv.gz was looked"):
        build_mimic_cxr(jpg, imagenome, tmp_path / "out")


def test_the_loader_joins_the_images_of_a_study(tmp_path):
    jpg, _ = mimic_folders(tmp_path)
    loaded = load(f"mimic-cxr:{jpg}")
    first = loaded.studies[0]
    assert (first.id, first.group, [image.view for image in first.images]) == ("s50000001", "p10000001", ["PA"])
    assert first.sections["technique"] == "Chest PA and lateral"
    assert loaded.funnel.notes[0].startswith("1 studies have no report that can be read")
    assert "image files are missing" in loaded.funnel.notes[1]
    everything = load(f"mimic-cxr:{jpg},views=all").studies[0]
    assert [image.view for image in everything.images] == ["PA", "LATERAL"]
    assert [study.id for study in load(f"mimic-cxr:{jpg}", split="train").studies] == ["s50000009"]
