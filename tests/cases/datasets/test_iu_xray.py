"""IU X-ray in its three releases."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from tests.builders.miniature import grey_png, write_json

from perimetry.cases import DataError, load


def rexrank(**more):
    return {
        "key_image_path": "CXR1_IM-0001/0.png",
        "image_path": ["CXR1_IM-0001/0.png", "CXR1_IM-0001/1.png"],
        "report": "Findings: Clear lungs. Impression: Normal chest.",
        "section_findings": "Clear lungs.",
        "section_impression": "Normal chest.",
        "split": "test",
        "frontal_lateral": ["Frontal", "Lateral"],
        "context": "Indication: Cough. Comparison: None.",
        **more,
    }


def test_rexrank(tmp_path, file_keys):
    odd = rexrank(frontal_lateral=["Frontal"], section_findings="", context="")
    empty = rexrank(section_findings=None, section_impression=" ")
    write_json(tmp_path / "ReXRank_IUXray_test.json", {"CXR1": rexrank(), "CXR2": odd, "CXR3": empty})
    grey_png(tmp_path / "images" / "CXR1_IM-0001" / "0.png", 9, 7)
    loaded = load(f"iu-xray:{tmp_path}")
    first, second = loaded.studies
    assert first.sections == {
        "findings": "Clear lungs.",
        "impression": "Normal chest.",
        "indication": "Cough.",
        "comparison": "None.",
    }
    assert [image.view for image in first.images] == ["frontal", "lateral"]
    assert file_keys(first) == ["CXR1_IM-0001/0.png", "CXR1_IM-0001/1.png"]
    assert first.images[0].pixels().shape == (7, 9)
    assert (first.group, loaded.data_use) == ("CXR1", "open")
    assert second.sections == {"impression": "Normal chest."}
    assert [image.view for image in second.images] == ["", ""]
    assert loaded.funnel.steps[0].reason == "a report without findings and impression"
    assert loaded.funnel.steps[0].examples == ("CXR3",)
    with pytest.raises(DataError, match=r"ReXRank_IUXray_valid.json was looked for, the split validation"):
        load(f"iu-xray:{tmp_path}", split="val")


def test_r2gen(tmp_path):
    record = {"id": "CXR7_IM-2", "report": "clear lungs .", "image_path": ["CXR7_IM-2/0.png", "CXR7_IM-2/1.png"]}
    write_json(tmp_path / "annotation.json", {"train": [], "val": [], "test": [record, 7, {**record, "image_path": 1}]})
    loaded = load(f"iu-xray:{tmp_path}")
    (study,) = loaded.studies
    assert loaded.funnel.steps[0].examples == (
        "test, item 2: id, report and image_path were expected",
        "test, item 3: a list was expected, found int",
    )
    assert (study.id, study.sections, len(study.images)) == ("CXR7_IM-2", {"findings": "clear lungs ."}, 2)
    write_json(tmp_path / "annotation.json", {"train": [], "dev": []})
    with pytest.raises(DataError, match=r"has no list 'test'; it has train, dev"):
        load(f"iu-xray:{tmp_path}")


XML = """<?xml version="1.0" encoding="utf-8"?>
<eCitation><uId id="CXR{number}"/><MedlineCitation><Article><Abstract>
<AbstractText Label="COMPARISON">None.</AbstractText>
<AbstractText Label="INDICATION">Positive TB test</AbstractText>
<AbstractText Label="FINDINGS">{findings}</AbstractText>
<AbstractText Label="IMPRESSION">Normal &amp; clear.</AbstractText>
</Abstract></Article></MedlineCitation><MeSH><major>normal</major></MeSH>
<parentImage id="CXR{number}_1_IM-0001-3001"><caption>Chest</caption></parentImage>
<parentImage id="CXR{number}_1_IM-0001-4001"/></eCitation>
"""


def test_openi(tmp_path, file_keys):
    folder = tmp_path / "ecgen-radiology"
    folder.mkdir()
    for number, findings in ((10, ""), (2, "The heart is <i>normal</i>.")):
        (folder / f"{number}.xml").write_text(XML.format(number=number, findings=findings))
    (folder / "3.xml").write_text("<eCitation>")
    (folder / "4.xml").write_text("<!DOCTYPE e [<!ENTITY a 'b'>]><e>&a;</e>")
    grey_png(tmp_path / "NLMCXR_png" / "CXR2_1_IM-0001-3001.png", 4, 4)
    loaded = load(f"iu-xray:{tmp_path}", split="all")
    second, tenth = loaded.studies
    assert (second.id, tenth.id) == ("CXR2", "CXR10")
    assert second.sections == {
        "findings": "The heart is normal.",
        "impression": "Normal & clear.",
        "indication": "Positive TB test",
        "comparison": "None.",
    }
    assert "findings" not in tenth.sections
    assert file_keys(second) == ["CXR2_1_IM-0001-3001.png", "CXR2_1_IM-0001-4001.png"]
    assert second.hidden == {"mesh": "normal"}
    assert {step.reason: step.removed for step in loaded.funnel.steps} == {
        "an XML file that cannot be read": 1,
        "an XML file with declarations, which those of iu-xray do not have": 1,
    }
    with pytest.raises(DataError, match="Open-i's release has no splits"):
        load(f"iu-xray:{tmp_path}")


def test_the_real_reports(shared_data):
    folder = shared_data / "rexrank_iu_xray"
    loaded = load(f"iu-xray:{folder}")
    records = json.loads((folder / "ReXRank_IUXray_test.json").read_text())
    assert {study.id: study.sections["findings"] for study in loaded.studies} == {
        key: record["section_findings"].strip() for key, record in records.items()
    }
    assert Counter("indication" in study.sections for study in loaded.studies) == {True: 582, False: 8}
    assert all("comparison" in study.sections for study in loaded.studies)
    assert len(load(f"iu-xray:{folder}", split="validation").studies) == 296


def test_what_is_no_release(tmp_path):
    with pytest.raises(DataError, match=r"annotation.json \(R2Gen\).* was looked for. The folder .* is empty"):
        load(f"iu-xray:{tmp_path}")
    write_json(tmp_path / "ReXRank_IUXray_test.json", {"CXR1": {"findings": "x"}})
    with pytest.raises(DataError, match="has no field 'section_findings'; its first record has findings"):
        load(f"iu-xray:{tmp_path}")
