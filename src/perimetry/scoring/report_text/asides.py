"""Asides: what a model says to its user before and after the report, and marks that a decoder left at its end."""

from __future__ import annotations

import re

from perimetry.scoring.report_text.window import Window, says_something, trimmed

__all__ = ["without_closing", "without_end_marks", "without_opening"]

_OPENING = re.compile(
    r"(?:(?:sure|certainly|of course|absolutely|okay|ok|yes|great)\b[ ,.!]{0,3}\s{0,2})?"
    r"(?:based on (?:the|this|your)[^\n:.]{0,80}, )?"
    r"(?:here(?:'s|\u2019s| is| are)|below is|the following is|this is)\s"
    r"(?:the|a|an|my|your|some)?[^\n:.]{0,120}:[*_ ]{0,4}(?=\s)",
    re.IGNORECASE,
)

_CLOSING = re.compile(
    r"[ \t>*_#(\[-]{0,8}(?:"
    r"(?:important |please )?(?:note|disclaimer)s?\b[ *_:]{0,6}$"
    r"|disclaimer\b[ *_]{0,4}:"
    r"|(?:(?:important |please )?note(?: that)?[ *_:,-]{0,6})?(?:i am|i'm|i\u2019m|as) (?:just |only )?an? "
    r"(?:ai\b|artificial intelligence|language model|large language model)"
    r"|i am not (?:a |an |able to )?(?:medical |licensed |qualified )?(?:professional|doctor|physician|radiologist)"
    r"|(?:(?:important |please )?note(?: that)?[ *_:,-]{0,6})?(?:this|the above)(?: \w+){0,3} (?:is|was|should|does)"
    r"(?: [\w-]+){0,6} (?:by an? ai\b|ai-generated|(?:medical|professional) (?:advice|diagnosis)|substitute for"
    r"|(?:informational|educational) purposes|replace (?:a|the|professional))"
    r"|(?:please )?(?:let me know|feel free)\b"
    r"|(?:would you like|do you want) (?:me )?to\b"
    r"|(?:please |always |(?:it is|it's|it\u2019s) (?:important|essential|crucial) to )?"
    r"consult (?:with )?(?:a|an|your) (?:\w+ ){0,2}(?:professional|doctor|physician|radiologist|provider)"
    r"|i hope this helps"
    r")",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[ \t]*(?:[-*_=]{3,}|`{3,}\w*)[ \t]*")
_END_MARK = re.compile(r"(?:<\|?/?[a-z_]{1,24}\|?>|</s>|\[/?INST\]|`{3,})\s*\Z", re.IGNORECASE)
_END_NAMES = re.compile(r"</s>|<\|[a-z_]+\|>|<(?:end_of_turn|eos|pad|end_of_utterance)>|\[/INST\]|`{3,}", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}\w{0,12}[ \t]*\n")


def without_end_marks(text: str, window: Window) -> Window | None:
    """The window without a code fence around it and without the tokens that end a turn; None where there are none."""
    start, end = window
    fence = _FENCE.match(text, start, end)
    if fence is not None:
        start = fence.end()
    while (mark := _END_MARK.search(text, max(start, end - 64), end)) is not None:
        if _END_NAMES.match(mark.group().strip()) is None:
            break
        end = mark.start()
        start, end = trimmed(text, (start, end))
    return None if (start, end) == window else trimmed(text, (start, end))


def without_opening(text: str, window: Window) -> Window | None:
    """The window without a first phrase that announces the report ("Here is the report:"); None where there is none."""
    opening = _OPENING.match(text, *window)
    if opening is None:
        return None
    cut = trimmed(text, (opening.end(), window[1]))
    return cut if says_something(text, cut) else None


def without_closing(text: str, window: Window) -> Window | None:
    """The window without closing lines that speak of the model or to its user, not of the image; None without such.

    Only whole lines at the end go, and only while something is left: recommendations of a radiologist stay, since
    they are part of a report.
    """
    start, end = window
    while True:
        line = text.rfind("\n", start, end) + 1
        if line <= start:
            break
        last = trimmed(text, (line, end))
        if _SEPARATOR.fullmatch(text, *last) is None and _CLOSING.match(text, *last) is None:
            break
        rest = trimmed(text, (start, line))
        if not says_something(text, rest):
            break
        end = rest[1]
    return None if end == window[1] else (start, end)
