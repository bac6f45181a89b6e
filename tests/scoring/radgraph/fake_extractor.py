"""An extractor that knows one thing (every alphabetic word is an observation) and fails as it is told.

Standard library only; run as a command by the tests. A report's words decide what happens to it: CRASH ends the
process, ONCE does so the first time (a file remembers), HANG is silent, ERROR is an error, OTHER is answered with
another text, WRONG with another id, SPLIT cuts decimals, FLOOD talks for a megabyte first.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path


def say(record: object) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def answer(request: dict[str, object], state: Path) -> None:
    text = str(request["text"])
    with (state / "asked.txt").open("a") as log:
        log.write(json.dumps(text) + "\n")
    tokens = request.get("tokens")
    words = [str(token) for token in tokens] if isinstance(tokens, list) else re.findall(r"\w+|[^\w\s]", text)
    if "CRASH" in words:
        sys.stderr.write("segmentation fault, for example\n")
        sys.stderr.flush()
        sys.exit(3)
    if "ONCE" in words and not (state / "crashed").exists():
        (state / "crashed").touch()
        sys.exit(4)
    if "HANG" in words:
        time.sleep(600)
    if "FLOOD" in words:
        sys.stdout.write("talk " * 200_000 + "\n{not json\n")
        sys.stderr.write("more talk\n" * 100_000)
    if "ERROR" in words:
        say({"id": request["id"], "error": "no model for this"})
        return
    if "SPLIT" in words:
        words = re.findall(r"\w+|[^\w\s]", text)
    entities = {
        str(at + 1): {"tokens": word, "label": "OBS-DP", "start_ix": at, "end_ix": at, "relations": []}
        for at, word in enumerate(words)
        if word.isalpha()
    }
    told = "something else" if "OTHER" in words else " ".join(words)
    say({"id": "no such id" if "WRONG" in words else request["id"], "text": told, "entities": entities})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--model", default="radgraph-xl")
    parser.add_argument("--start", default="well")
    given = parser.parse_args()
    with (given.state / "starts.txt").open("a") as log:
        log.write("start\n")
    starts = (given.state / "starts.txt").read_text().count("start")
    if given.start == "never" or (given.start == "first" and starts > 1):
        sys.stderr.write("the weights are not there\n")
        sys.exit(1)
    if given.start == "mute":
        time.sleep(600)
    sys.stdout.write("loading weights\n")
    say({"ready": True, "model": given.model})
    for line in sys.stdin:
        answer(json.loads(line), given.state)


if __name__ == "__main__":
    main()
