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
