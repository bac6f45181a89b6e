"""Reads GREEN's sectioned answer, strictly: what is not plainly a count is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from perimetry.scoring.judges.answer import sounds_like_refusal
from perimetry.scoring.judges.green_counts import GreenCounts, judged
from perimetry.scoring.judges.judgement import Missing, UnreadableAnswerError

__all__ = ["read_green_text"]

SIGNIFICANT = "clinically significant errors"
MATCHED = "matched findings"
_NAMES = rf"explanation|{SIGNIFICANT}|clinically insignificant errors|{MATCHED}|summary"
_MARKUP = r"[ \t>#*_`~-]{0,12}"
_NUMBER = r"(?:\d[.)][ \t]*)?"
# In brackets a heading may stand anywhere; without them it must open a line and end it or carry a colon.
_HEADING = re.compile(
    rf"(?:^[ \t]{{0,4}}{_NUMBER})?{_MARKUP}\[\s*(?P<bracketed>{_NAMES})\s*\]{_MARKUP}:?{_MARKUP}"
    rf"|^{_MARKUP}{_NUMBER}{_MARKUP}(?P<bare>{_NAMES}){_MARKUP}(?::{_MARKUP}|$)",
    re.IGNORECASE | re.MULTILINE,
)
_UNIT = r"(?:clinically\s+significant\s+|matched\s+)?(?:errors?|findings?)"
# "3." and "3" alone are counts; "3 mm nodule" and "2.5 cm" are not, and neither is "three".
_COUNT = re.compile(rf"(\d{{1,3}})(?:\s+{_UNIT})?\s*(?:\.(?!\d)|$)", re.IGNORECASE)
_NONE = re.compile(
    rf"(?:none|n/?a|nil|no\s+{_UNIT}(?:\s+(?:were|was|are|is))?(?:\s+(?:found|identified|detected|noted|present))?)\.?",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"[ \t>•-]*\(?([a-f])\)[ \t]*(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"[ \t>•-]*\(([1-6])\)[ \t]*(.*)")
# Categories that follow one another on one line: none of them may be lost as the words of another.
_FURTHER = re.compile(r"(?<=\S)[ \t]+(?=\([a-f1-6]\)[ \t]+[^:;()\n]{1,90}:[ \t]*\w)", re.IGNORECASE)
_MARKDOWN = re.compile(r"[*`]|(?<!\w)_+|_+(?!\w)")
_ASSISTANT = "<|assistant|>"


def read_green_text(text: str) -> GreenCounts | Missing:
    r"""Counts of an answer in GREEN's sections: explanation, errors (a) to (f) in two sections, matched findings.

    Order of the sections, Markdown around them and repetitions that agree do not matter. A section that is lost or
    stands twice with different counts, a count in words or without its dot, and an answer without sections are
    missing, each with its reason; so is an answer that counts neither a match nor an error. A category that a
    present section leaves out counts as no error, as in the original.

    Parameters
    ----------
    text : str
        The answer, without thinking.

    References
    ----------
    Ostmeier et al., GREEN, Findings of EMNLP 2024, sections 3 and 4.

    Examples
    --------
    >>> read_green_text("[Clinically Significant Errors]:\n(b) Missing: 1. x\n[Matched Findings]:\n3. a; b; c").value
    0.75
    """
    answer = text.rpartition(_ASSISTANT)[2].replace("</s>", "")
    try:
        sections = _sections(answer)
        if not sections and sounds_like_refusal(answer):
            return Missing("refused", "the judge declined in words")
        significant = _agreed(SIGNIFICANT, map(_errors, sections.get(SIGNIFICANT, ())))
        matched = _agreed(MATCHED, map(_matches, sections.get(MATCHED, ())))
    except UnreadableAnswerError as error:
        return Missing("unreadable", str(error))
    return judged(GreenCounts(matched[0], significant))


def _sections(text: str) -> dict[str, list[str]]:
    """Contents by heading, in lower case; a heading that stands twice has two."""
    found: dict[str, list[str]] = {}
    headings = list(_HEADING.finditer(text))
    for heading, following in zip_longest(headings, headings[1:]):
        end = following.start() if following else len(text)
        name = " ".join((heading["bracketed"] or heading["bare"]).lower().split())
        found.setdefault(name, []).append(_MARKDOWN.sub("", text[heading.end() : end]).strip())
    return found


def _agreed(name: str, contents: Iterator[tuple[int, ...]]) -> tuple[int, ...]:
    counts = set(contents)
    if not counts:
        raise UnreadableAnswerError(f"no section {name!r}")
    if len(counts) > 1:
        raise UnreadableAnswerError(f"section {name!r} stands twice with different counts")
    return counts.pop()


def _count(text: str, where: str) -> int:
    found = _COUNT.match(text)
    if found:
        return int(found.group(1))
    if _NONE.fullmatch(text):
        return 0
    raise UnreadableAnswerError(f"no count such as '2.' in {where}")


def _matches(content: str) -> tuple[int, ...]:
    return (_count(content.partition("\n")[0].strip(), f"section {MATCHED!r}"),)


def _errors(content: str) -> tuple[int, ...]:
    lines = [line for line in _FURTHER.sub("\n", content).splitlines() if line.strip()]
    labelled = [found.groups() for found in map(_LETTERED.match, lines) if found]
    if not labelled:
        labelled = [found.groups() for found in map(_NUMBERED.match, lines) if found]
    if not labelled:
        if len(lines) == 1 and (_NONE.fullmatch(lines[0].strip()) or lines[0].strip(" .") == "0"):
            return (0,) * 6
        raise UnreadableAnswerError(f"no category (a) to (f) in section {SIGNIFICANT!r}")
    rests: dict[int, str] = {}
    for label, rest in labelled:
        place = "abcdef".find(label.lower()) if label.isalpha() else int(label) - 1
        if rests.setdefault(place, rest) != rest:
            raise UnreadableAnswerError(f"category ({label}) stands twice in section {SIGNIFICANT!r}")
    counts = [0] * 6
    for place, rest in rests.items():
        name, colon, after = rest.partition(":")
        counts[place] = _count((after if colon else name).strip(), f"category ({'abcdef'[place]})")
    return tuple(counts)
