"""A table of items, and a judge that is a script."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.models.loopback import Recorded

from perimetry.screening.judging import judged_cues

SECRET = "XQZHIDDENMARKERZQX"

PEOPLE = ("man", "Chinese farmer")
OPTIONS = ("Sarcoid of the <i>femur</i>", "gout", "a broken violin")


def write_items(path: Path, number: int = 12, **fields: Any) -> Path:
    """Questions of three options; every second one tells of a farmer. What is hidden holds a mark."""
    rows = [
        {
            "id": f"q{place}",
            "stem": f"A {PEOPLE[place % 2]} with <b>lumps</b> limps since day {place}. What is it?",
            "answer": "A" if place % 3 else "C",
            "options": OPTIONS,
            "rationale": SECRET,
            **fields,
        }
        for place in range(number)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def cues_of(request: Recorded) -> list[str]:
    """What a request asks about."""
    return re.findall(r"^- ([a-z-]+)(?: \[\w+\])*: ", request.text, re.MULTILINE)


def saying(
    *, there: dict[str, dict[str, Any]] | None = None, without: tuple[str, ...] = ()
) -> Callable[[Recorded], str]:
    """A judge that finds these cues, and no others, in every item; it forgets those named last."""

    def reply(request: Recorded) -> str:
        said = {key: {"there": False, "options": [], "words": []} for key in cues_of(request) if key not in without}
        for key, entry in (there or {}).items():
            if key in said:
                said[key] = {"there": True, "options": [], "words": [], **entry}
        return json.dumps(said)

    return reply


VIOLIN = {"absurd-option": {"options": ["C"], "words": ["broken  VIOLIN"]}}


def keys(image: bool = False) -> set[str]:
    """Keys of the cues that are asked about without images, or with."""
    return {cue.key for cue in judged_cues() if image or not cue.image}
