"""Against the public package itself, where PERIMETRY_RADGRAPH_PYTHON names the Python of its environment.

docs/radgraph.md says how to make that environment. The weights are small and random: what is proved is the way through,
the cut into tokens and the arithmetic, not what the published models find.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perimetry.scoring.radgraph import (
    Annotation,
    ExtractorAnnotations,
    ExtractorSettings,
    RadGraphF1,
    elements,
    extractor,
    overlap,
    read_annotation,
    set_f1,
)
from perimetry.scoring.radgraph.texts import cut_decimal, same_form, whole_tokens
from perimetry.scoring.silence import silence

pytestmark = pytest.mark.long

HELPER = Path(__file__).with_name("public_package.py")


@pytest.fixture(scope="module")
def python() -> str:
    found = shutil.which(os.environ.get("PERIMETRY_RADGRAPH_PYTHON", ""))
    if not found:
        pytest.skip("PERIMETRY_RADGRAPH_PYTHON does not name a Python in which radgraph imports (docs/radgraph.md)")
    return found


def ask(python: str, task: str, given: object = None, *more: str) -> Any:
    done = subprocess.run(
        [python, str(HELPER), task, *more],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=280,
        check=True,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    return json.loads(done.stdout or "null")


def test_values_are_the_package_s(python: str) -> None:
    stream = np.random.Generator(np.random.Philox(17))
    pick = lambda entries: entries[stream.integers(len(entries))]  # noqa: E731

    def record() -> dict[str, Any]:
        count = int(stream.integers(0, 7))
        words = [pick(["heart", "Heart", "lung", "effusion", "Edema", "edema"]) for _ in range(count)]
        entities = {
            str(at + 1): {
                "tokens": word,
                "label": pick(["OBS-DP", "OBS-DA", "ANAT-DP"]),
                "start_ix": at,
                "end_ix": at,
                "relations": [
                    [pick(["modify", "located_at"]), str(int(stream.integers(count)) + 1)]
                    for _ in range(pick([0, 0, 1, 2]))
                ],
            }
            for at, word in enumerate(words)
        }
        return {"text": " ".join(words), "entities": entities}

    pairs = [(record(), record()) for _ in range(2_000)]
    for pair, expected in zip(pairs, ask(python, "rewards", pairs), strict=True):
        ours, theirs = (read_annotation(side, side["text"]) for side in pair)
        assert isinstance(ours, Annotation)
        assert isinstance(theirs, Annotation)
        for level, value in zip(("simple", "partial", "complete"), expected, strict=True):
            f1 = set_f1(overlap(elements(ours, level), elements(theirs, level)))  # type: ignore[arg-type]
            assert (0.0 if f1 is None else f1) == pytest.approx(value, abs=1e-12)


def test_the_cut_is_the_package_s_but_for_decimals(python: str, shared_data: Path) -> None:
    lines = (shared_data / "iu_generated" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    texts = sorted({text for row in rows for name, text in row.items() if name != "study_id" and not silence(text)})
    # Spelt as other reports are, and with decimals.
    texts += [text.replace(" .", ".").capitalize() + ' Tip 2.5-cm above "it" (4/5), 50%. Old?' for text in texts[:200]]
    for model, cuts in ask(python, "cuts", texts).items():
        for text, theirs in zip(texts, cuts, strict=True):
            ours = whole_tokens(text, model)
            assert same_form(" ".join(theirs)) == same_form(text)
            assert cut_decimal(text, ours) == ""
            split = " ".join(theirs)
            assert " ".join(ours) == split.replace("2 . 5", "2.5") or cut_decimal(
                text.replace("2.5", ""), tuple(theirs)
            )


@pytest.mark.parametrize("model", ["radgraph", "radgraph-xl"])
def test_the_whole_way_through(python: str, tmp_path: Path, model: str) -> None:
    ask(python, "weights", None, str(tmp_path), model)
    script = [python, extractor.__file__, "--offline", "--weights", str(tmp_path), "--model", model]
    source = ExtractorAnnotations(shlex.join(script), ExtractorSettings(model=model, start_timeout=120.0))
    told = ["ET tip 2.5 cm above the carina.", "word " * 1_500, 'lungs\n\x00clear "x" é 肺 . ok', ""]
    table = RadGraphF1(source, "complete").score(told, ["ET tip 2.5 cm above the carina."] * 4)
    (read,) = source.annotate(told[:1])
    source.close()
    assert isinstance(read, Annotation)
    assert table.reasons[1] == "hypothesis: the extractor could not read it: 1500 words are more than --most-words 1000"
    assert (table.reasons[0], table.reasons[2], table.reasons[3]) == ("", "", "")
    assert table.values[0] == 1.0
    assert table.values[3] == 0.0
