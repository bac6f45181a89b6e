"""Cutting a rationale into sentences."""

from __future__ import annotations

import re

__all__ = ["sentences"]

_SHORT = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|vs|dr|fig|figs|approx|no|cf|al|st|mr|mrs|ca|resp|incl|[A-Za-z]|\d{1,2})$", re.IGNORECASE
)
_END = re.compile(r"[.!?]+[\"'”’)\]*_]{0,4}(?=\s|$)|[。！？]|\n+")
_BULLET = re.compile(r"^[\s>#*•–-]*(?:\d{1,2}[.)](?=\s)|\([0-9a-zA-Z]\)(?=\s))?[\s*_#•–-]*")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u4e00-\u9fff]")


def sentences(text: str) -> tuple[str, ...]:
    r"""Sentences in order, without list marks; pieces without a word are left out.

    Line ends end a sentence; stops after abbreviations, initials and list numbers do not, nor do decimal points.

    Examples
    --------
    >>> sentences("1. The mass is 3.4 cm, e.g. large. It enhances.\n- No edema")
    ('The mass is 3.4 cm, e.g. large.', 'It enhances.', 'No edema')
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end.group()[0] == "." and _SHORT.search(text, max(start, end.start() - 12), end.start()):
            continue
        found.append(text[start : end.end()])
        start = end.end()
    found.append(text[start:])
    stripped = (_BULLET.sub("", piece, count=1).strip() for piece in found)
    return tuple(piece for piece in stripped if _WORD.search(piece))
