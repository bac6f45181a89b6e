"""The demo's page answers, before anything else, what each reader's score rests on."""

from __future__ import annotations

import pytest

from perimetry.protocols.demo import DEMO_READERS, run_demo

pytestmark = pytest.mark.long


def test_the_demo_finds_every_reader_out(tmp_path):
    run = run_demo(tmp_path / "demo").run
    verdicts = {model: verdict["verdict"] for model, verdict in run.verdicts.items()}
    assert list(verdicts) == list(DEMO_READERS)
    assert verdicts["reader:grounded"] == verdicts["reader:naive"] == "uses the image"
    assert verdicts["reader:mixed(0.3)"] == "uses the image"
    assert verdicts["reader:blind"] == verdicts["reader:constant"] == "does not use the image"
    assert verdicts["reader:random"] not in ("uses the image", "marginal use")
    page = run.page.read_text(encoding="utf-8")
    head = page[: page.index("Accuracy under each change", page.index("What does the score rest on?"))]
    assert all(model in head for model in DEMO_READERS)
