"""Headings: where the findings begin, and where they end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from perimetry.scoring.report_text.window import Window, says_something, trimmed

__all__ = ["from_heading", "to_next_heading"]

Kind = Literal["findings", "report", "summary", "after"]

_KINDS: tuple[tuple[Kind, str], ...] = (
    (
        "findings",
        r"(?:(?:key|main|radiographic|radiologic(?:al)?|imaging|image|chest (?:x-?ray|radiograph))\s)?findings?"
        r"(?: section|(?: ?[/&] ?| and )impressions?)?",
    ),
    ("report", r"(?:final |(?:chest )?(?:x-?ray|radiograph|radiography) |radiology )?report"),
    ("summary", r"(?:overall |final )?impressions?|conclusions?|opinion|interpretation|summary"),
    ("after", r"recommendations?|advice|disclaimer|limitations?|differential diagnos[ei]s|next steps|follow[- ]up"),
)
_NAMES = "|".join(f"(?P<{kind}>{names})" for kind, names in _KINDS)

# At the start of a line: hashes, a number, stars or underscores around the name, a colon before or after the stars.
_LINE = re.compile(
    r"^[ \t>]{0,8}(?P<hash>#{1,6}[ \t]{0,4})?(?:\d{1,2}[.)][ \t]{1,4})?(?P<star>[*_]{1,3})?[ \t]{0,2}"
    r"(?:" + _NAMES + r")[ \t]{0,2}(?P<colon>:)?(?P<close>[*_]{1,3})?[ \t]{0,2}(?P<late>:)?(?:[*_]{1,3}(?=\s))?"
    r"(?P<alone>[ \t]*$(?:\n[ \t]{0,4}[=-]{3,}[ \t]*$)?)?",
    re.IGNORECASE | re.MULTILINE,
)
# Within a line: after the end of a sentence, as reports in one paragraph have them.
_INLINE = re.compile(r"(?<=[.!?;:])[ \t]{1,4}(?:" + _NAMES + r"):", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Heading:
    kind: Kind
    start: int
    end: int


def _headings(text: str, window: Window) -> list[_Heading]:
    """All headings of a window, in order."""
    found: list[_Heading] = []
    offset = window[0]
    part = text[offset : window[1]]  # its start counts as the start of a line, wherever it stands in the text
    for match in _LINE.finditer(part):
        # A line of prose may begin with the word: it is a heading with a colon, in markdown, or alone on its line.
        marked = match["colon"] or match["late"] or (match["star"] and match["close"])
        if marked or (match["alone"] is not None and (match["hash"] or not match["star"])):
            found.append(_Heading(_kind(match), offset + match.start(), offset + match.end()))
    found += [_Heading(_kind(each), offset + each.start(), offset + each.end()) for each in _INLINE.finditer(part)]
    return sorted(found, key=lambda heading: heading.start)


def _kind(match: re.Match[str]) -> Kind:
    return next(kind for kind, _ in _KINDS if match[kind] is not None)


def from_heading(text: str, window: Window) -> Window | None:
    """The window from its first heading of findings on, without the heading; None where there is none.

    What stands before it is no part of the findings: examination, indication, technique, words to the user. An
    impression that stands first belongs to the report. Without a heading of findings a heading "Report" will do.
    """
    headings = _headings(text, window)
    for wanted in ("findings", "report"):
        first = next((heading for heading in headings if heading.kind == wanted), None)
        if first is None:
            continue
        earlier = next((each for each in headings if each.kind == "summary" and each.start < first.start), None)
        cut = trimmed(text, (earlier.start if earlier else first.end, window[1]))
        # A heading at the end of a text opens nothing; it ends what stands before it.
        if says_something(text, cut) or not says_something(text, (window[0], first.start)):
            return cut
    return None


def to_next_heading(text: str, window: Window) -> Window | None:
    """The window up to its first heading of another section; None where there is none, or nothing before it."""
    for heading in _headings(text, window):
        if heading.kind in ("summary", "after"):
            cut = trimmed(text, (window[0], heading.start))
            if says_something(text, cut):
                return cut
    return None
