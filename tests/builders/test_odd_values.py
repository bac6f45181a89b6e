"""Any value of an official file may be anything: one record falls, or one clear error is raised."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
from tests.builders import miniature

from perimetry.builders import build_mimic_cxr, build_padchest_gr
from perimetry.cases import PerimetryError, load

ODD: tuple[Any, ...] = (
    None,
    "",
    0,
    -1,
    1e300,
    float("nan"),
    "x" * 50,
    [],
    {},
    [[]],
    {"a": 1},
    True,
    "[1",
    "\ud800",
    "no\0nul",
    ["a", None],
)
ROUNDS = 40


def places(value, path=()):
    """Every place in a nested value, the value itself included."""
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


def replaced(value, dice):
    """The value with one place of it, drawn at random, replaced by an odd one."""
    *way, last = dice.choice([path for path in places(value) if path])
    changed = target = copy.deepcopy(value)
    for key in way:
        target = target[key]
    target[last] = dice.choice(ODD)
    return changed


def attempt(act):
    """Only errors that a user can act on are errors of a file."""
    try:
        act()
    except PerimetryError as error:
        assert str(error)


@pytest.mark.parametrize("seed", [1, 2])
def test_padchest_gr(tmp_path, seed):
    dice = random.Random(seed)
    miniature.padchest_folder(tmp_path / "in")
    for _ in range(ROUNDS):
        records = replaced(miniature.padchest_records(), dice)
        miniature.write_json(tmp_path / "in" / "grounded_reports_20240819.json", records)
        attempt(lambda: build_padchest_gr(tmp_path / "in", tmp_path / "out", min_images=1))
        if (tmp_path / "out").exists():
            load(f"studies:{tmp_path / 'out'}")


def test_mimic_cxr(tmp_path):
    dice = random.Random(1)
    jpg, imagenome = miniature.mimic_folders(tmp_path)
    graphs = miniature.mimic_graphs()
    for _ in range(ROUNDS):
        name = dice.choice(["d1", "d2", "d7"])
        path = imagenome / "silver_dataset" / "scene_graph" / f"{name}_SceneGraph.json"
        miniature.write_json(path, replaced(graphs[name], dice))
        attempt(lambda: build_mimic_cxr(jpg, imagenome, tmp_path / "out"))
        miniature.write_json(path, graphs[name])


def test_studies(tmp_path):
    dice = random.Random(1)
    miniature.grey_png(tmp_path / "a.png", 50, 50)
    study = {
        "id": "s1",
        "group": "g",
        "images": [{"path": "a.png", "view": "PA"}],
        "sections": {"findings": "Clear."},
        "boxes": [{"image": 0, "x": 1, "y": 2, "width": 3, "height": 4, "classes": ["Edema"], "finding": "hazy"}],
        "labels": {"Edema": 1.0},
        "hidden": {"site": "A"},
        "origin": None,
    }
    for _ in range(4 * ROUNDS):
        (tmp_path / "studies.jsonl").write_text(json.dumps(replaced(study, dice)))
        attempt(lambda: [case.digest for case in load(f"studies:{tmp_path},data_use=open").cases])
