"""The extractor script: as a plain file beside a stand-in for the public package, and its answers one by one."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from perimetry.scoring.radgraph import Annotation, ExtractorAnnotations, ExtractorSettings, RadGraphF1, extractor

SCRIPT = Path(extractor.__file__)

PACKAGE = """
print("talks on import")
from .radgraph import RadGraph
"""
# The stand-in has the public package's places: a module-wide cut, and a network that is called with reports.
MODULE = """
import re

def preprocess_reports(reports, model_type):
    return [{"doc_key": str(at), "sentences": [re.findall(r"\\\\w+|[^\\\\w\\\\s]+", report)], "dataset": model_type}
            for at, report in enumerate(reports)]

class RadGraph:
    def __init__(self, model_type, model_cache_dir, tokenizer_cache_dir, cuda):
        print("Using device", cuda)
        self.model_type = model_type
    def __call__(self, reports):
        (line,) = preprocess_reports(reports, self.model_type)
        words = line["sentences"][0]
        if "LATE" in words:
            raise RuntimeError("too late")
        if "BIG" in words:
            raise RuntimeError("CUDA out of memory")
        entities = {str(at + 1): {"tokens": word, "label": "OBS-DP", "start_ix": at, "end_ix": at, "relations": []}
                    for at, word in enumerate(words) if word[0].isdigit()}
        print("one more")
        return {"0": {"text": " ".join(words), "entities": entities, "data_source": None}}
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The script, run by this Python with a package of the public one's name on its path."""
    folder = tmp_path / "site" / "radgraph"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "radgraph.py").write_text(MODULE.replace("\\\\", "\\"))
    start = (
        "import sys, runpy; sys.path.append(sys.argv.pop(1)); sys.argv.pop(0); "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    return [sys.executable, "-S", "-c", start, str(folder.parent), str(SCRIPT)]


def test_the_whole_way_through(command: list[str]) -> None:
    source = ExtractorAnnotations(shlex.join([*command, "--model", "radgraph-xl"]), ExtractorSettings(timeout=30.0))
    table = RadGraphF1(source).score(["Tip 2.5 cm above.", "LATE 3."], ["Tip 2.5 cm below.", "Tip 3."])
    assert table.values[0] == 1.0
    assert table.reasons == ("", "hypothesis: the extractor could not read it: RuntimeError: too late")
    (read,) = source.annotate(["Tip 2.5 cm above."])
    source.close()
    assert isinstance(read, Annotation)
    assert [entity.tokens for entity in read.entities] == ["2.5"]


def test_upstream_tokens_are_the_package_s_own(command: list[str]) -> None:
    settings = ExtractorSettings(tokens="upstream", timeout=30.0)
    source = ExtractorAnnotations(shlex.join(command), settings)
    (read,) = source.annotate(["Tip 2.5 cm above."])
    source.close()
    assert isinstance(read, Annotation)
    assert [entity.tokens for entity in read.entities] == ["2", "5"]


def test_only_answers_stand_on_standard_output(command: list[str]) -> None:
    request = json.dumps({"id": "a", "text": "Tip 2.5", "tokens": ["Tip", "2.5"]})
    done = subprocess.run(
        [*command, "--most-words", "3"],
        input=f"{request}\n\nnot json\n" + json.dumps({"id": "b", "text": "one two three four"}) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    first, second, third, fourth = map(json.loads, done.stdout.splitlines())
    assert first == {"ready": True, "model": "radgraph-xl"}
    assert second["id"] == "a"
    assert second["text"] == "Tip 2.5"
    assert third["id"] is None
    assert "JSONDecodeError" in third["error"]
    assert fourth == {"id": "b", "error": "4 words are more than --most-words 3"}
    assert "Using device" in done.stderr
    assert "talks on import" in done.stderr


def test_memory_that_is_out_ends_the_process_so_that_a_new_one_may_try(command: list[str]) -> None:
    request = json.dumps({"id": "a", "text": "BIG", "tokens": ["BIG"]})
    done = subprocess.run(command, input=request + "\n", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert done.stdout.count("\n") == 1  # only that it was ready


def test_the_module_imports_without_the_package() -> None:
    code = "import sys, perimetry.scoring.radgraph.extractor; print('torch' in sys.modules, 'radgraph' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["False", "False"]
