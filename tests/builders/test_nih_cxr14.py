"""The boxed part of NIH ChestX-ray14: made up, and real."""

from __future__ import annotations

import pytest
from tests.builders.miniature import nih_folder

from perimetry.builders import build_nih_cxr14
from perimetry.cases import DataError, load


def test_the_funnel_is_the_one_that_was_made(tmp_path):
    built = build_nih_cxr14(nih_folder(tmp_path / "in"), tmp_path / "out")
    assert [(stage.images, stage.boxes) for stage in built.stages] == [(5, 9), (3, None), (3, 3), (3, 3)]
    assert built.boxes.kept == 3
    assert dict(built.images_per_class) == {"Pleural Effusion": 1, "Lung Opacity": 1, "Atelectasis": 1}
    loaded = load(f"studies:{tmp_path / 'out'}")
    original = load(f"nih-cxr14:{tmp_path / 'in'}")
    assert [study.digest for study in loaded.studies] == [study.digest for study in original.studies]
    assert [study.boxes for study in loaded.studies] == [study.boxes for study in original.studies]
    with pytest.raises(DataError, match=r"no study is left. images in the list of boxes: 5"):
        build_nih_cxr14(tmp_path / "in", tmp_path / "out", min_images=2)


def test_the_real_boxes_survive(shared_data, tmp_path):
    folder = shared_data / "nih_cxr14"
    built = build_nih_cxr14(folder, tmp_path)
    assert [(stage.images, stage.boxes) for stage in built.stages] == [(880, 984), (22, None), (22, 33), (22, 33)]
    loaded = load(f"studies:{tmp_path}").studies
    original = load(f"nih-cxr14:{folder}").studies
    assert [(study.digest, study.boxes) for study in loaded] == [(study.digest, study.boxes) for study in original]


def test_rows_that_stand_twice_and_boxes_that_were_cut_are_told(tmp_path):
    folder = nih_folder(tmp_path / "in")
    with (folder / "BBox_List_2017.csv").open("a") as file:
        file.write("00000002_000.png,Infiltrate,100.25,200,300,400,,,\n")
    with (folder / "Data_Entry_2017_v2020.csv").open("a") as file:
        file.write("00000001_000.png,Hernia,0,1,57,M,PA,2682,2749,0.143,0.143,\n")
    built = build_nih_cxr14(folder, tmp_path / "out")
    assert built.boxes.kept == 3 and dict(built.boxes_per_class)["Lung Opacity"] == 1
    told = "\n".join((*built.boxes.summary_lines(), *built.funnel.summary_lines()))
    assert "1 a row that is there already" in told and "1 images have rows of labels that contradict" in told
    assert "1 cut at the edge of the image (00000001_000.png: Effusion" in told
