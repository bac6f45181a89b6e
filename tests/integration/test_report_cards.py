"""The occlusion audit of a model with a card: it is asked in its profile's words, and the run holds them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.models.loopback import LoopbackServer

from perimetry.cases.errors import UsageError
from perimetry.phantoms import population
from perimetry.protocols.audit import audit

CARD = """
name = "mine"
title = "Mine"
family = "any"
licence = "MIT"
served = "mine"

[profiles.shovir]
summary = "Its own prompt."
report_prompt = "Describe this film."
sampling = { max_new_tokens = 77 }
"""

DATA = "phantom-studies:n=12,cooccurrence=0.5,prevalence=0.4,seed=5"


def run(card: Path, url: str, out: Path) -> None:
    audit(
        "occlusion",
        data=DATA,
        models=f"card:{card}/shovir@{url}",
        out=out,
        strengths=(0, 100),
        min_images=1,
        classes=("Cardiomegaly", "Edema"),
    )


@pytest.mark.usefixtures("pageless")
def test_reports_are_asked_for_in_the_cards_words_and_a_changed_card_is_refused(tmp_path: Path) -> None:
    card = tmp_path / "mine.toml"
    card.write_text(CARD, encoding="utf-8")
    with LoopbackServer("FINDINGS: The heart is enlarged.") as server:
        run(card, server.url, tmp_path / "run")
        asked = len(server.requests)
        assert asked > 24
        assert {request.text for request in server.requests} == {"Describe this film."}
        assert {len(request.images) for request in server.requests} == {1}
        assert {request.body["max_tokens"] for request in server.requests} == {77}
        whole = b"".join(request.raw for request in server.requests)
        for study in population(n=12, cooccurrence=0.5, prevalence=0.4, seed=5).studies:
            assert study.sections["findings"].encode() not in whole
        run(card, server.url, tmp_path / "run")
        assert len(server.requests) == asked
        card.write_text(CARD.replace("this film", "this picture"), encoding="utf-8")
        with pytest.raises(UsageError, match="report_pro"):
            run(card, server.url, tmp_path / "run")
        assert len(server.requests) == asked
