"""MedXpertQA-MM: the real items, and the hub's other spelling of the same."""

from __future__ import annotations

import json
from collections import Counter

import polars as pl

from perimetry.cases import load


def test_the_real_items(shared_data, file_keys):
    folder = shared_data / "medxpertqa_mm"
    records = [json.loads(line) for line in (folder / "medxpertqa_mm_input.jsonl").read_text("utf-8").splitlines()]
    loaded = load(f"medxpertqa-mm:{folder}")
    assert len(loaded.cases) == 2000
    assert sum(len(case.images) > 1 for case in loaded.questions) == 419
    for case, record in zip(loaded.questions, records, strict=True):
        assert case.id == record["id"]
        assert [case.answer] == record["label"]
        assert [(o.label, o.text) for o in case.options] == [(o["letter"], o["content"]) for o in record["options"]]
        assert file_keys(case) == [image["image_path"] for image in record["images"]]
        assert "Answer Choices" not in case.stem
        assert record["question"].startswith(case.stem)
        # Nothing but the repeated options was cut off.
        tail = record["question"][len(case.stem) :].split()
        assert tail[:2] == ["Answer", "Choices:"]
        assert " ".join(tail[2:]) == " ".join(" ".join(f"({o.label}) {o.text}" for o in case.options).split())
    assert set(loaded.questions[0].hidden) == {"id", "medical_task", "body_system", "question_type"}
    assert Counter(case.hidden["medical_task"] for case in loaded.questions)["Diagnosis"] == 1199


def test_the_hub_layout(tmp_path, file_keys):
    row = {
        "id": "MM-1",
        "question": "What is shown?\nAnswer Choices: (A) lung (B) heart",
        "options": {"A": "lung", "B": "heart"},
        "label": "B",
        "images": ["MM-1-a.png"],
        "medical_task": "Diagnosis",
    }
    (tmp_path / "MM").mkdir()
    pl.DataFrame([row]).write_parquet(tmp_path / "MM" / "test-00000-of-00001.parquet")
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "MM-1-a.png").write_bytes(b"x")
    case = load(f"medxpertqa-mm:{tmp_path}").questions[0]
    assert (case.stem, case.answer, case.labels) == ("What is shown?", "B", ("A", "B"))
    assert file_keys(case) == ["MM-1-a.png"]
    assert case.images[0].source.name.endswith("images/MM-1-a.png")
    # One that keeps both answers accepts both.
    (tmp_path / "MM" / "dev.jsonl").write_text(json.dumps({**row, "label": ["B", "A"]}))
    case = load(f"medxpertqa-mm:{tmp_path}", split="dev").questions[0]
    assert case.accepted == ("B", "A")
