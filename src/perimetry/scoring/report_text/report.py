r"""Cuts what a model wrote to the report in it, by ordered rules that never guess.

In this order, each on what the ones before it left:

1. ``thinking``: reasoning blocks go (``<think>`` and its kin; a closing mark alone closes a thought that the prompt
   opened). The last stretch that says something outside them is read. A block that is still open at the end leaves no
   report.
2. ``boxed``: the last ``\boxed{}`` with something in it, braces balanced, without a ``\text{}`` around all of it; else
   ``tag``: the last ``<answer>``, ``<report>`` or ``<findings>`` block. ``boxed_open`` and ``tag_open`` say that the
   frame was never closed: the report is what there is of it.
3. ``end_mark``: a code fence around it, tokens that end a turn.
4. ``opening``: a first phrase that announces the report ("Here is the report:").
5. ``heading``: everything before a heading of findings (``FINDINGS:``, ``**Findings**``, ``## Findings``) goes, and the
   heading. An impression that stands before the findings stays. ``section`` (style ``findings``): everything from the
   next heading on goes.
6. ``closing``: last lines that speak of the model or to its user (disclaimers, offers of help). Recommendations stay.

No rule applies: the text is the report as it stands (``as_written``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from perimetry.cases.errors import UnknownNameError
from perimetry.scoring.answers.thinking import cut_thinking
from perimetry.scoring.report_text.asides import without_closing, without_end_marks, without_opening
from perimetry.scoring.report_text.frames import boxed, tagged
from perimetry.scoring.report_text.headings import from_heading, to_next_heading
from perimetry.scoring.report_text.style import STYLES, Style
from perimetry.scoring.report_text.window import Window, says_something, trimmed

__all__ = ["REPORT_TEXT_VERSION", "ReportText", "report_of"]

REPORT_TEXT_VERSION = "1"
"""Changes whenever the same text may give another report."""

AS_WRITTEN = "as_written"
_AT_THE_LIMIT = frozenset({"length", "max_tokens"})

Reason = Literal["", "no_response", "empty", "only_thinking", "unfinished_thinking", "empty_frame"]


@dataclass(frozen=True, slots=True)
class ReportText:
    """A report and how it was found.

    Parameters
    ----------
    text : str
        The report: always ``response[start:end]``; empty where there is none.
    rule : str
        Names of the rules that cut, joined by ``+``; ``as_written`` where none did; empty where there was no response.
    start, end : int
        Where it stands in the model's response.
    reason : str
        Why there is no report: ``no_response``, ``empty``, ``only_thinking``, ``unfinished_thinking``, ``empty_frame``;
        empty where there is one.
    truncated : bool
        Whether the model was stopped before it had finished: at its token limit, or inside an open frame.
    """

    text: str
    rule: str
    start: int
    end: int
    reason: Reason = ""
    truncated: bool = False


def report_of(text: str | None, style: str = "report", finish_reason: str = "") -> ReportText:
    r"""Cut a response to its report.

    Parameters
    ----------
    text : str or None
        What the model wrote; None where its request failed.
    style : {"report", "findings", "whole"}, default "report"
        Which rules; a card may name another than the default.
    finish_reason : str, default ""
        As the server named it; ``length`` marks a report that was cut off at the token limit.

    Returns
    -------
    ReportText
        Never invents a word: the report is a stretch of the response, or empty with a reason.

    Raises
    ------
    UnknownNameError
        For a style that is not known.

    Examples
    --------
    >>> found = report_of("<think>Large heart?</think>Sure, here is the report:\n**FINDINGS:** The heart is enlarged.")
    >>> found.text, found.rule
    ('The heart is enlarged.', 'thinking+opening+heading')
    >>> report_of(r"So it is. \boxed{No effusion.}").text
    'No effusion.'
    >>> report_of("<think>The heart").reason
    'unfinished_thinking'
    """
    if style not in STYLES:
        raise UnknownNameError("style of report text", style, tuple(STYLES))
    at_the_limit = finish_reason in _AT_THE_LIMIT
    if text is None:
        return ReportText("", "", 0, 0, "no_response")
    if not says_something(text, (0, len(text))):
        return ReportText("", AS_WRITTEN, 0, 0, "empty", at_the_limit)
    rules: list[str] = []
    thinking = cut_thinking(text)
    if not thinking.finished:
        return ReportText("", "thinking", len(text), len(text), "unfinished_thinking", True)
    window = trimmed(text, (0, len(text)))
    if thinking.blocks:
        rules.append("thinking")
        outside = _outside(thinking.body, thinking.blocks)
        if outside is None:
            return ReportText("", "thinking", len(text), len(text), "only_thinking", at_the_limit)
        window = outside
    window, open_frame = _framed(text, window, STYLES[style], rules)
    if not says_something(text, window):
        return ReportText("", "+".join(rules), window[0], window[0], "empty_frame", at_the_limit or open_frame)
    for name, rule in _cuts(STYLES[style]):
        cut = rule(text, window)
        if cut is not None:
            rules.append(name)
            window = cut
    truncated = at_the_limit or open_frame
    start, end = window
    if not says_something(text, window):
        return ReportText("", "+".join(rules), start, start, "empty", truncated)
    return ReportText(text[start:end], "+".join(rules) or AS_WRITTEN, start, end, "", truncated)


def _outside(body: str, blocks: tuple[tuple[int, int], ...]) -> Window | None:
    """The last stretch between the thoughts, or around them, that says something; marks are blank in `body`."""
    edges = [0, *(edge for block in blocks for edge in block), len(body)]
    for start, end in reversed(list(zip(edges[::2], edges[1::2], strict=True))):
        if says_something(body, (start, end)):
            return trimmed(body, (start, end))
    return None


def _framed(text: str, window: Window, style: Style, rules: list[str]) -> tuple[Window, bool]:
    """The content of the last frame, and whether it was left open."""
    if style.frames:
        for name, find in (("boxed", boxed), ("tag", tagged)):
            frame = find(text, window)
            if frame is not None:
                inner, closed = frame
                rules.append(name if closed else f"{name}_open")
                return inner, not closed
    return window, False


def _cuts(style: Style) -> list[tuple[str, Callable[[str, Window], Window | None]]]:
    """The further rules of a style, in order."""
    cuts: list[tuple[str, Callable[[str, Window], Window | None]]] = [
        ("end_mark", without_end_marks),
        ("opening", without_opening),
    ]
    if style.headings:
        cuts.append(("heading", from_heading))
    if style.one_section:
        cuts.append(("section", to_next_heading))
    return [*cuts, ("closing", without_closing)]
