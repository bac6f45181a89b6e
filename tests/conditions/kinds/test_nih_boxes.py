"""Every box of the real radiographs under every condition, against the coordinates of the official table."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases import Study, load
from perimetry.cases.box_sizes import box_sizes
from perimetry.cases.examined import examine
from perimetry.conditions import Surroundings, parse_condition
from perimetry.conditions.kinds.occlusion import FILLS, RegionCondition

IMAGES = 22


@pytest.fixture(scope="module")
def studies(shared_data: Path) -> tuple[Study, ...]:
    folder = shared_data / "nih_cxr14"
    if not folder.is_dir():
        pytest.skip(f"no radiographs at {folder}")
    loaded = load(f"nih-cxr14:{folder}").cases
    return tuple(case for case in loaded if isinstance(case, Study) and case.boxes)


@pytest.fixture(scope="module")
def table(shared_data: Path) -> dict[str, set[tuple[float, ...]]]:
    rows: dict[str, set[tuple[float, ...]]] = {}
    with (shared_data / "nih_cxr14" / "BBox_List_2017.csv").open(encoding="utf-8", newline="") as file:
        for row in list(csv.reader(file))[1:]:
            rows.setdefault(row[0], set()).add(tuple(float(value) for value in row[2:6]))
    return rows


def file_name(study: Study) -> str:
    return Path(study.images[0].source.name).name


def mask_of(boxes: Collection[tuple[float, ...]], shape: tuple[int, int]) -> np.ndarray:
    """Every pixel that a box of the table touches; a hair is forgiven."""
    mask = np.zeros(shape, bool)
    for x, y, width, height in boxes:
        mask[
            math.floor(y + 1e-6) : math.ceil(y + height - 1e-6), math.floor(x + 1e-6) : math.ceil(x + width - 1e-6)
        ] = True
    return mask


def test_every_box_renders_under_every_condition(
    studies: tuple[Study, ...], table: dict[str, set[tuple[float, ...]]]
) -> None:
    assert len(studies) == IMAGES
    examination = examine(studies, min_images=1)
    assert not examination.faults and not examination.unknown
    surroundings = Surroundings(box_sizes={studies[0].dataset: box_sizes(studies)})
    seen: dict[str, set[tuple[float, ...]]] = {}
    for case in examination.cases:
        assert case.examined is not None
        own = {(box.x, box.y, box.width, box.height) for box in case.examined.boxes}
        if case.examined.present:
            assert own <= table[file_name(case)]
            seen.setdefault(file_name(case), set()).update(own)
        pixels = case.images[0].source.read()
        held = pixels.copy()
        for name in ("oco", "doco", "ro", "romatched"):
            condition = parse_condition(f"{name}@100(fill=black)")
            assert isinstance(condition, RegionCondition)
            changed = condition.apply(case, surroundings)
            boxes = condition.boxes(case, surroundings)
            assert (changed is None) == (boxes is None)
            if changed is None or boxes is None:
                continue
            (operation,) = changed.images[0].operations
            out = operation.apply(pixels, case.images[0].digest)
            covered = mask_of({(box.x, box.y, box.width, box.height) for box in boxes}, pixels.shape[:2])
            if name == "oco":
                assert np.array_equal(covered, mask_of(own, pixels.shape[:2]))
            assert (out[covered] == 0).all()
            assert np.array_equal(out[~covered], pixels[~covered])
        assert np.array_equal(pixels, held)
    # No box of the table that belongs to these images was left out.
    assert seen == {name: table[name] for name in seen} and len(seen) == IMAGES


def test_some_of_the_files_are_rgba_and_every_fill_renders_on_one(
    studies: tuple[Study, ...],
) -> None:
    from PIL import Image as PillowImage

    modes = {}
    for study in studies:
        with PillowImage.open(study.images[0].source.name) as image:
            modes[study.id] = image.mode
    rgba = [study for study in studies if modes[study.id] == "RGBA"]
    assert rgba
    surroundings = Surroundings(box_sizes={studies[0].dataset: box_sizes(studies)})
    case = examine(rgba, min_images=1, absent=False).cases[0]
    assert case.examined is not None
    pixels = case.images[0].source.read()
    covered = mask_of({(box.x, box.y, box.width, box.height) for box in case.examined.boxes}, pixels.shape[:2])
    for fill in FILLS:
        changed = parse_condition(f"oco@60(fill={fill})").apply(case, surroundings)
        assert changed is not None
        out = changed.images[0].operations[0].apply(pixels, case.images[0].digest)
        assert np.array_equal(out[~covered], pixels[~covered])
        assert not np.array_equal(out[covered], pixels[covered])
