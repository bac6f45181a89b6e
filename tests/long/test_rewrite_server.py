"""A real server with a model that knows nothing: everything it proposes is turned down, and the funnel says so."""

from __future__ import annotations

import json

import pytest
from tests.editing.helpers import write_reports
from tests.long.test_llava_server import folder, server  # noqa: F401 - fixtures

from perimetry.editing.references import rewrite
from perimetry.models import ModelContext

pytestmark = pytest.mark.long


def test_random_words_are_never_accepted(server, folder, tmp_path):  # noqa: F811
    spec = f"openai:{folder}@{server}"
    done = rewrite(
        write_reports(tmp_path / "data"),
        out=tmp_path / "out",
        axes=["terminology", "negation:implicit", "structure:structured"],
        rewriter=spec,
        verifier=spec,
        rounds=3,
        tokens=24,
        structured=False,
        options=ModelContext(max_retries=0, timeout=120, concurrency=1),
    )
    assert [(each.status, each.rounds) for each in done.records()] == [("failed", 3)] * 3
    assert done.waiting == 0
    funnel = json.loads((tmp_path / "out" / "funnel.json").read_text())
    assert all(axis["accepted"] == 0 and axis["failed"] == 1 for axis in funnel["axes"])
    assert all(axis["reasons"][0]["reason"] in ("unreadable", "cut_off") for axis in funnel["axes"])
    assert "0 alternatives" in (tmp_path / "out" / "report" / "index.html").read_text()
