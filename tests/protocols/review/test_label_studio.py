"""Against Label Studio's own SDK, where PERIMETRY_LABEL_STUDIO_PYTHON names the Python of an environment with it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.editing.helpers import write_reports
from tests.editing.reports import composed

from perimetry.cli import main

pytestmark = pytest.mark.long

RATERS = ("--rater", "ann", "--rater", "bob")
HELPER = Path(__file__).with_name("label_studio.py")


@pytest.fixture(scope="module")
def python() -> str:
    found = shutil.which(os.environ.get("PERIMETRY_LABEL_STUDIO_PYTHON", ""))
    if not found:
        pytest.skip("PERIMETRY_LABEL_STUDIO_PYTHON does not name a Python with label-studio-sdk (docs/review.md)")
    return found


def test_hand_outs_are_valid_and_what_comes_back_is_read(python, tmp_path, capsys):
    data = write_reports(tmp_path / "data", composed(12))
    assert main(["rewrite", "--data", data, "--axes", "all", "--out", str(tmp_path / "rewritten")]) == 0
    review = tmp_path / "review"
    assert main(["review", "export", str(tmp_path / "rewritten"), "--out", str(review), *RATERS]) == 0
    back = []
    for config in sorted(review.glob("round-1/*/label_studio/*.xml")):
        out = tmp_path / f"{config.parent.parent.name}-{config.stem}.json"
        done = subprocess.run(
            [python, str(HELPER), str(config), str(config.with_suffix(".json")), str(out)],
            capture_output=True,
            text=True,
            timeout=280,
            check=True,
        )
        told = json.loads(done.stdout)
        assert told["valid"] == told["tasks"] > 0
        back.append(out)
    assert len(back) == 4  # two tasks, two raters
    capsys.readouterr()
    assert main(["review", "import", str(review), *map(str, back), "--json"]) == 0
    new = sum(one["new"] for one in json.loads(capsys.readouterr().out))
    assert new == sum(len(json.loads(out.read_text(encoding="utf-8"))) for out in back)
