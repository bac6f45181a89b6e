"""CheXpert Plus and ReXGradient-160K, written here with the official field names."""

from __future__ import annotations

import pytest
from tests.builders.miniature import grey_png, write_csv, write_json

from perimetry.cases import DataError, load

PLUS_HEADER = (
    *("path_to_image", "frontal_lateral", "ap_pa", "deid_patient_id", "section_history", "section_clinical_history"),
    *("section_comparison", "section_findings", "section_impression", "split"),
)


def plus_rows():
    first = "valid/patient1/study1/view1_frontal.jpg"
    return [
        (first, "Frontal", "AP", "p1", "old", "new", "None.", "Clear\nlungs.", "Normal.", "valid"),
        ("valid/patient1/study1/view2_lateral.jpg", "Lateral", "", "p1", "", "", "", "", "", "valid"),
        ("valid/patient2/study1/view1_lateral.jpg", "Lateral", "", "p2", "", "", "", "", "Normal.", "valid"),
        ("valid/patient3/study2/view1_frontal.jpg", "Frontal", "PA", "p3", "", "", "", "", "", "valid"),
        ("train/patient4/study1/view1_frontal.jpg", "Frontal", "PA", "p4", "", "", "", "Clear.", "", "train"),
    ]


@pytest.mark.parametrize("end", ["", ".gz"])
def test_chexpert_plus(tmp_path, file_keys, end):
    write_csv(tmp_path / f"df_chexpert_plus_240401.csv{end}", PLUS_HEADER, plus_rows())
    grey_png(tmp_path / "PNG" / "valid" / "patient1" / "study1" / "view1_frontal.png", 8, 6)
    loaded = load(f"chexpert-plus:{tmp_path}")
    (study,) = loaded.studies
    assert (study.id, study.group, study.images[0].view) == ("patient1/study1", "p1", "AP")
    assert study.sections == {
        "findings": "Clear lungs.",
        "impression": "Normal.",
        "indication": "new",
        "comparison": "None.",
    }
    assert file_keys(study) == ["valid/patient1/study1/view1_frontal.png"]
    assert study.images[0].pixels().shape == (6, 8)
    assert {step.reason: step.examples for step in loaded.funnel.steps} == {
        "no frontal image (views=all keeps it)": ("patient2/study1",),
        "a report without findings and impression": ("patient3/study2",),
    }
    assert loaded.data_use == "credentialed"
    everything = load(f"chexpert-plus:{tmp_path},views=all").studies
    assert [[image.view for image in study.images] for study in everything] == [["AP", "lateral"], ["lateral"]]
    assert [study.id for study in load(f"chexpert-plus:{tmp_path}", split="train").studies] == ["patient4/study1"]


def test_chexpert_plus_of_another_release(tmp_path):
    with pytest.raises(DataError, match=r"df_chexpert_plus_240401.csv was looked for"):
        load(f"chexpert-plus:{tmp_path}")
    write_csv(tmp_path / "df_chexpert_plus_240401.csv", ("path_to_image", "report", "split"), [])
    with pytest.raises(DataError, match="has no column 'section_findings'; it has path_to_image, report, split"):
        load(f"chexpert-plus:{tmp_path}")


def gradient(**more):
    image = "../deid_png/GRDNA/GRDNB/studies/1/series/2/instances/3.png"
    return {
        "PatientID": "GRDNA",
        "Findings": "Clear lungs.",
        "Impression": "Normal.",
        "Indication": "Cough",
        "Comparison": "None",
        "ImagePath": [image, image.replace("3.png", "4.png")],
        "ImageViewPosition": ["POSTERO_ANTERIOR", "LATERAL"],
        **more,
    }


def test_rexgradient(tmp_path, file_keys):
    content = {
        "a": gradient(),
        "b": gradient(Findings=None, Impression="None"),
        "c": gradient(ImageViewPosition=["LATERAL"], PatientID=None),
        "d": gradient(ImagePath=None),
    }
    write_json(tmp_path / "metadata" / "test_metadata_view_position.json", content)
    grey_png(tmp_path / "deid_png" / "GRDNA/GRDNB/studies/1/series/2/instances/3.png", 8, 6)
    loaded = load(f"rexgradient:{tmp_path}")
    (study,) = loaded.studies
    assert (study.id, study.group, study.images[0].view) == ("a", "GRDNA", "PA")
    # "None" under Comparison says that there is nothing to say.
    assert study.sections == {"findings": "Clear lungs.", "impression": "Normal.", "indication": "Cough"}
    assert file_keys(study) == ["GRDNA/GRDNB/studies/1/series/2/instances/3.png"]
    assert study.images[0].pixels().shape == (6, 8)
    assert {step.reason: step.examples for step in loaded.funnel.steps} == {
        "a report without findings and impression": ("b",),
        "no frontal image (views=all keeps it)": ("c", "d"),
    }
    everything = load(f"rexgradient:{tmp_path},views=all").studies
    assert [[image.view for image in study.images] for study in everything] == [["PA", "lateral"], ["lateral", ""]]
    assert everything[1].group == "GRDNA"
    with pytest.raises(DataError, match=r"metadata/valid_metadata_view_position.json was looked for"):
        load(f"rexgradient:{tmp_path}", split="validation")


def test_rexgradient_of_another_release(tmp_path):
    write_json(tmp_path / "test_metadata_view_position.json", {"a": {"findings": "x"}})
    with pytest.raises(DataError, match="has no field 'ImagePath'; its first record has findings"):
        load(f"rexgradient:{tmp_path}")
