"""Real reports: cut, written in the RadGraph format, and found again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from perimetry.scoring.radgraph import FileAnnotations, RadGraphF1
from perimetry.scoring.radgraph.texts import cut_decimal, whole_tokens

SYSTEMS = ("fixed_template", "sentence_fusion", "llm_sft_beam3", "retrieval_oracle")


@pytest.fixture(scope="module")
def rows(shared_data: Path) -> list[dict[str, str]]:
    path = shared_data / "iu_generated" / "reports.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def annotated(rows: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file as an extractor would write it: every alphabetic word is an entity of its own."""
    texts = dict.fromkeys(row[name] for row in rows for name in ("reference", *SYSTEMS))
    records = {}
    for at, text in enumerate(texts):
        words = whole_tokens(text, "radgraph")
        assert cut_decimal(text, words) == ""
        entities = {
            str(place): {"tokens": word, "label": "OBS-DP", "start_ix": place, "end_ix": place, "relations": []}
            for place, word in enumerate(words)
            if word.isalpha()
        }
        records[str(at)] = {"text": " ".join(words), "entities": entities}
    path = tmp_path_factory.mktemp("annotations") / "iu.json"
    path.write_text(json.dumps(records))
    return path


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_report_is_found_and_its_f1_is_that_of_its_words(
    rows: list[dict[str, str]], annotated: Path, system: str
) -> None:
    told, meant = [row[system] for row in rows], [row["reference"] for row in rows]
    metric = RadGraphF1(FileAnnotations(annotated), "simple")
    table = metric.score(told, meant)
    for ours, theirs, value, reason in zip(told, meant, table.values.tolist(), table.reasons, strict=True):
        left, right = ({word for word in whole_tokens(text, "radgraph") if word.isalpha()} for text in (ours, theirs))
        if not left and not right:
            assert reason
            continue
        assert value == pytest.approx(2 * len(left & right) / (len(left) + len(right)), abs=1e-12)
    backwards = metric.score(told[::-1], meant[::-1])
    assert np.array_equal(backwards.values[::-1], table.values, equal_nan=True)
