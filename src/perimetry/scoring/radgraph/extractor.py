"""The extractor: annotates reports with the public ``radgraph`` package, JSON lines in and out.

Runs as a plain file, with the Python of an environment in which ``radgraph`` imports
(docs/radgraph-environment.txt says how to make one); it imports nothing of perimetry::

    ENV/bin/python extractor.py --model radgraph-xl --weights FOLDER

Needs Python 3.9 or newer. What it reads and writes is described in `perimetry.scoring.radgraph.extraction`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

__all__ = ["answer", "main"]

Extract = Callable[[str, "list[str] | None"], Mapping[str, Any]]
"""From a report and its tokens (None: cut it yourself) to its record."""

# The memory that pairs of spans take grows with the square of the words: about 5 GB for a thousand.
_MOST_WORDS = 1000


def load(model: str, weights: str | None, tokenizer: str | None, device: str) -> Extract:
    """Load a model of the public package; it fetches weights that ``weights`` does not hold."""
    # Beside this file lie modules whose names must not stand before those of the environment.
    here = str(Path(__file__).resolve().parent)
    sys.path[:] = [entry for entry in sys.path if entry and str(Path(entry).resolve()) != here]
    import importlib

    package: Any = importlib.import_module("radgraph")
    module: Any = importlib.import_module("radgraph.radgraph")
    own_way = module.preprocess_reports
    cuda = -1 if device == "cpu" else int(device.partition(":")[2] or 0)
    network = package.RadGraph(model_type=model, model_cache_dir=weights, tokenizer_cache_dir=tokenizer, cuda=cuda)

    def as_they_are(reports: Sequence[str], model_type: str) -> list[dict[str, Any]]:
        """Stand in for the package's own cut: the reports come as tokens joined by spaces."""
        return [
            {"doc_key": str(at), "sentences": [report.split()], "dataset": model_type}
            for at, report in enumerate(reports)
        ]

    def extract(text: str, tokens: list[str] | None) -> Mapping[str, Any]:
        module.preprocess_reports = own_way if tokens is None else as_they_are
        record: Mapping[str, Any] = network([text if tokens is None else " ".join(tokens)])["0"]
        return record

    return extract


def answer(line: str, extract: Extract, most_words: int) -> dict[str, Any]:
    """Answer one request; what fails becomes an ``error``."""
    request: Mapping[str, Any] = {}
    try:
        request = json.loads(line)
        text, tokens = request["text"], request.get("tokens")
        words = len(text.split() if tokens is None else tokens)
        if words > most_words:
            return {"id": request["id"], "error": f"{words} words are more than --most-words {most_words}"}
        record = extract(text, tokens)
        return {"id": request["id"], "text": record["text"], "entities": record["entities"]}
    # Whatever the network raises on a report is that report's failure, told to who asked.
    except Exception as error:
        if "out of memory" in str(error).lower():
            raise  # a new process may have room for it
        return {"id": request.get("id"), "error": f"{type(error).__name__}: {error}"}


def main(arguments: Sequence[str] | None = None, loader: Callable[..., Extract] = load) -> None:
    """Answer requests from standard input until it ends."""
    parser = argparse.ArgumentParser(description="Annotate reports with RadGraph; JSON lines in and out.")
    parser.add_argument("--model", default="radgraph-xl", help="radgraph, radgraph-xl or modern-radgraph-xl")
    parser.add_argument("--weights", help="folder that holds a folder MODEL with config.json, vocabulary/, weights.th")
    parser.add_argument("--tokenizer", help="folder of cached tokenizers")
    parser.add_argument("--device", default="cpu", help="cpu, cuda or cuda:N")
    parser.add_argument("--offline", action="store_true", help="fetch nothing")
    parser.add_argument("--most-words", type=int, default=_MOST_WORDS, help="longer reports are refused")
    given = parser.parse_args(arguments)
    if given.offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    answers = sys.stdout
    # The package and its libraries print as they work; only answers may stand on standard output.
    with contextlib.redirect_stdout(sys.stderr):
        extract = loader(given.model, given.weights, given.tokenizer, given.device)
        _write(answers, {"ready": True, "model": given.model})
        for line in sys.stdin:
            if line.strip():
                _write(answers, answer(line, extract, given.most_words))


def _write(answers: IO[str], record: Mapping[str, Any]) -> None:
    answers.write(json.dumps(record) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
