"""Built studies: what comes back, where images are looked for, whose data they are."""

from __future__ import annotations

import json

import pytest
from tests.builders.miniature import grey_png, nih_folder

from perimetry.cases import DataError, UsageError, data_use_of, load
from perimetry.cases.records import study_record

BOX = {"image": 0, "x": 10, "y": 20, "width": 30, "height": 40, "classes": ["Edema"], "finding": "hazy"}


def record(identity="s1", **more):
    return {
        "id": identity,
        "group": "p1",
        "images": [{"path": "a/one.png", "view": "PA"}],
        "sections": {"findings": "Hazy lungs."},
        "boxes": [BOX],
        "labels": {"Edema": 1.0},
        **more,
    }


def written(folder, *records, **sidecar):
    folder.mkdir(exist_ok=True)
    (folder / "studies.jsonl").write_text("\n".join(map(json.dumps, records)))
    if sidecar:
        (folder / "funnel.json").write_text(json.dumps(sidecar))
    return folder


def test_studies_of_a_loader_come_back(tmp_path):
    nih = load(f"nih-cxr14:{nih_folder(tmp_path / 'nih')}").studies
    folder = written(tmp_path / "out", *map(study_record, nih))
    loaded = load(f"studies:{folder}", images=tmp_path / "nih" / "images_001" / "images")
    assert [study.digest for study in loaded.studies[:2]] == [study.digest for study in nih[:2]]
    assert [study.boxes for study in loaded.studies] == [study.boxes for study in nih]
    assert (loaded.name, loaded.data_use, loaded.studies[0].group) == ("nih-cxr14", "open", "1")


def test_images_lie_beside_it_where_the_sidecar_says_or_where_the_user_says(tmp_path):
    grey_png(tmp_path / "out" / "a" / "one.png", 100, 200, 10)
    grey_png(tmp_path / "far" / "a" / "one.png", 100, 200, 20)
    grey_png(tmp_path / "user" / "a" / "one.png", 100, 200, 30)
    folder = written(tmp_path / "out", record())

    def tone(**more):
        return int(load(f"studies:{folder},data_use=open", **more).studies[0].images[0].pixels()[0, 0])

    assert tone() == 10
    written(tmp_path / "out", record(), dataset="d", data_use="open", images="../far")
    assert tone() == 20
    written(tmp_path / "out", record(), dataset="d", data_use="open", images=str(tmp_path / "far"))
    assert tone() == 20
    assert tone(images=tmp_path / "user") == 30
    study = load(f"studies:{folder / 'studies.jsonl'}").studies[0]
    assert (study.images[0].view, study.dataset, study.sections["findings"]) == ("PA", "d", "Hazy lungs.")


def test_a_credentialed_source_stays_credentialed(tmp_path):
    folder = written(tmp_path, record(), dataset="mimic-cxr", data_use="credentialed", licence="by agreement")
    assert data_use_of(f"studies:{folder}") == ("mimic-cxr", "credentialed")
    loaded = load(f"studies:{folder}")
    assert (loaded.name, loaded.data_use, loaded.licence) == ("mimic-cxr", "credentialed", "by agreement")
    with pytest.raises(UsageError, match=r"whose terms stand in funnel.json beside it. Read it as studies:"):
        load(f"table:{folder / 'studies.jsonl'}")
    with pytest.raises(UsageError, match="data_use=open is looser than what is known"):
        load(f"studies:{folder},data_use=open")


def test_terms_without_a_sidecar(tmp_path):
    folder = written(tmp_path, record(dataset="nih-cxr14"))
    assert data_use_of(f"studies:{folder}") == ("nih-cxr14", "open")
    assert data_use_of(f"studies:{folder},data_use=restricted") == ("nih-cxr14", "restricted")
    written(tmp_path, record())
    assert data_use_of(f"studies:{folder}") == ("studies", "credentialed")
    assert data_use_of(f"studies:{folder},data_use=open") == ("studies", "open")
    with pytest.raises(UsageError, match="data_use=free is not one of open, restricted, credentialed"):
        load(f"studies:{folder},data_use=free")
    written(tmp_path, record(), dataset="mine")
    with pytest.raises(DataError, match=r"funnel.json: data_use is None"):
        load(f"studies:{folder}")


def test_terms_of_another_data_set_are_not_taken(tmp_path):
    folder = written(tmp_path, record(dataset="mimic-cxr"), dataset="nih-cxr14", data_use="open")
    with pytest.raises(DataError, match=r"studies.jsonl is of mimic-cxr, but funnel.json beside it of nih-cxr14"):
        data_use_of(f"studies:{folder}")


def test_boxes_that_cannot_be_are_counted(tmp_path):
    grey_png(tmp_path / "a" / "one.png", 100, 200)
    wrong = [
        {**BOX, "width": 0},
        {**BOX, "x": 0.1, "y": 0.1, "width": 0.2, "height": 0.2},
        {**BOX, "x": 500},
        {**BOX, "height": "tall"},
    ]
    beyond = {**BOX, "x": 80}
    loaded = load(f"studies:{written(tmp_path, record(boxes=[BOX, beyond, *wrong]))},data_use=open")
    (study,) = loaded.studies
    assert [(box.x, box.width) for box in study.boxes] == [(10, 30), (80, 20)]
    note, cut = loaded.funnel.notes
    assert cut.startswith("1 of 6 boxes mended: 1 cut at the edge of the image (s1")
    assert note.startswith("4 of 6 boxes left out: 1 a box without area")
    for reason in ("in fractions of the image", "1 a box outside its image", "1 a box that is not four numbers"):
        assert reason in note


def test_one_bad_line_leaves_alone(tmp_path):
    bad = record("s2", boxes=[{**BOX, "image": 4}])
    loaded = load(f"studies:{written(tmp_path, record(), bad, record('s1'))},data_use=open")
    assert [study.id for study in loaded.studies] == ["s1"]
    assert {step.reason: step.examples for step in loaded.funnel.steps} == {
        "a field that cannot be understood": ("s2: a box lies on image 4; the study has 1",),
        "duplicate id (the first one is kept)": ("s1",),
    }
    assert "image files are missing" in loaded.funnel.notes[0]


def test_what_is_no_such_file(tmp_path):
    with pytest.raises(DataError, match=r"studies: studies.jsonl was looked for"):
        load(f"studies:{tmp_path}")
    with pytest.raises(DataError, match=r"there is no|There is no"):
        load(f"studies:{tmp_path / 'gone'}")
    written(tmp_path)
    with pytest.raises(DataError, match="is empty; one study a line was expected"):
        load(f"studies:{tmp_path},data_use=open")
