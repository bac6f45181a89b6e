"""Progress of a long screening of texts, and what an interrupted one says."""

import json
import time

import perimetry.screening
from perimetry.cli import main
from perimetry.cli.item_count import ItemCount
from perimetry.screening.output import screen


def test_each_step_and_data_set_has_its_own_rate(capsys, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    told = ItemCount()
    for step, pace in (("counted", 1.0), ("screened", 2.0)):
        for done in range(1, 8):
            told(step, done, 20)
            clock[0] += pace
    assert capsys.readouterr().err.splitlines() == [
        "items: 6 of 20 counted, 1.2/s, 12 s left",
        "items: 4 of 20 screened, 0.7/s, 24 s left",
        "items: 7 of 20 screened, 0.6/s, 22 s left",
    ]


def test_screening_tells_every_item_of_both_passes(tmp_path):
    path = tmp_path / "mine.jsonl"
    rows = [{"id": str(one), "question": "Why?", "options": ["gout", "node"], "answer": "A"} for one in range(3)]
    path.write_text("\n".join(map(json.dumps, rows)))
    told = []
    screen([f"table:{path}"], item_progress=lambda *heard: told.append(heard))
    assert told == [(step, done, 3) for step in ("counted", "screened") for done in (1, 2, 3)]


def test_an_interrupted_screening_promises_nothing(capsys, monkeypatch, tmp_path):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(perimetry.screening, "screen", interrupted)
    assert main(["screen", "--data", "phantom:n=3", "--out", str(tmp_path / "out")]) == 130
    said = capsys.readouterr().err
    assert "begins again" in said and "Nothing stored is lost" not in said and "Images" not in said
