"""The sheet of `perimetry montage`: one row a class, the placements of an audit, and clear refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage
from typer.testing import CliRunner

from perimetry.cases import UsageError
from perimetry.cases.box_sizes import box_sizes
from perimetry.cases.errors import UnknownNameError
from perimetry.cases.examined import examine
from perimetry.cli.app import app
from perimetry.conditions import Surroundings
from perimetry.phantoms import population
from perimetry.protocols.montage import montage
from perimetry.reports.montage import PANEL, draw_montage, montage_conditions

DATA = "phantom-studies:n=20,cooccurrence=0.8"
PEOPLE = population(20, cooccurrence=0.8)
STUDY = max(PEOPLE.studies, key=lambda study: len({name for box in study.boxes for name in box.classes}))
CLASSES = sorted({name for box in STUDY.boxes for name in box.classes})
TOP, LEFT, STEP = 190, 28, 314
"""Where the first picture of a sheet begins, and how far it is to the next, in pixels."""


def opened(path: Path) -> np.ndarray:
    with PillowImage.open(path) as image:
        return np.asarray(image)


def test_the_sheet_shows_each_class_under_each_condition(tmp_path: Path) -> None:
    assert len(CLASSES) > 1
    made = montage(DATA, [STUDY.id], tmp_path / "sheet.png")
    assert set(made.rows) == {f"{STUDY.id}#{name}" for name in CLASSES}
    assert made.data_use == "open"
    sheet = opened(made.path)
    cases = examine([STUDY], min_images=1, absent=False).cases
    surroundings = Surroundings(box_sizes={STUDY.dataset: box_sizes(PEOPLE.studies)})
    assert np.array_equal(
        sheet, draw_montage(cases, montage_conditions(), surroundings, "phantom: what each condition covers")
    )
    assert sheet.shape[1] > 6 * PANEL and sheet.shape[0] > len(CLASSES) * PANEL


def test_panels_of_a_case_go_on_below_where_they_do_not_fit_beside() -> None:
    (case,) = examine([STUDY], classes=CLASSES[:1], min_images=1, absent=False).cases
    surroundings = Surroundings(box_sizes={STUDY.dataset: box_sizes(PEOPLE.studies)})
    beside, below = (draw_montage([case], montage_conditions(), surroundings, "t", columns=it) for it in (None, 3))
    height = round(PANEL * case.images[0].source.shape[0] / case.images[0].source.shape[1])
    places = []
    for number in range(6):
        picture = beside[TOP : TOP + height, LEFT + number * STEP :][:, :PANEL]
        strip = below[:, LEFT + number % 3 * STEP :][:, :PANEL]
        found = [y for y in range(len(strip) - height + 1) if np.array_equal(strip[y : y + height], picture)]
        assert len(found) == 1
        places += found
    assert places[:3] == [TOP] * 3
    assert min(places[3:]) == max(places[3:]) > TOP + height
    assert below.shape[1] == LEFT + 2 * STEP + PANEL + LEFT


def test_one_class_and_another_strength(tmp_path: Path) -> None:
    full = opened(montage(DATA, [STUDY.id], tmp_path / "a.png", classes=CLASSES[:1]).path)
    faint = opened(montage(DATA, [STUDY.id], tmp_path / "b.png", classes=CLASSES[:1], strength=20).path)
    assert full.shape == faint.shape
    assert not np.array_equal(full, faint)
    for fill in ("inpaint", "blur"):
        assert montage(DATA, [STUDY.id], tmp_path / "c.png", classes=CLASSES[:1], fill=fill).rows


def test_a_condition_that_does_not_apply_is_an_empty_field() -> None:
    alone = next(study for study in population(20, prevalence=0.0).studies if len(study.boxes) == 1)
    (case,) = examine([alone], min_images=1, absent=False).cases
    surroundings = Surroundings(box_sizes={alone.dataset: box_sizes([alone])})
    sheet = draw_montage([case], montage_conditions(), surroundings, "title")
    empty = (sheet == (0xF2, 0xF4, 0xF6)).all(axis=2).sum()
    assert empty == PANEL * PANEL


def test_refusals(tmp_path: Path) -> None:
    out = tmp_path / "sheet.png"
    with pytest.raises(UnknownNameError, match="no study of phantom called 'nobody'"):
        montage(DATA, ["nobody"], out)
    missing = next(name for name in ("Fracture", "Pneumothorax", "Edema") if name not in CLASSES)
    with pytest.raises(UsageError, match=f"has no box of {missing}; its boxes are of {CLASSES[0]}"):
        montage(DATA, [STUDY.id], out, classes=[missing])
    with pytest.raises(UsageError, match="holds no studies"):
        montage("phantom:n=4", ["x"], out)
    with pytest.raises(UsageError, match=r"ends in \.png"):
        montage(DATA, [STUDY.id], tmp_path / "sheet.jpg")
    with pytest.raises(UsageError, match="strength is 0"):
        montage(DATA, [STUDY.id], out, strength=0)
    assert not out.exists()


def test_the_command_writes_and_tells(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "sheet.png"
    arguments = ["montage", "--data", DATA, "--case", STUDY.id, "--out", str(out), "--classes", CLASSES[0], "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output) == {"path": str(out), "rows": [f"{STUDY.id}#{CLASSES[0]}"], "data_use": "open"}
    assert opened(out).shape[2] == 3
