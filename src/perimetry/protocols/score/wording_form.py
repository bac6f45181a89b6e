"""The outer form of a set of reports, and other texts brought into it, so that formatting alone moves no score."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from perimetry.scoring.report_metric import Report

__all__ = ["WordingForm"]

_ENOUGH = 20
_NEARLY_ALL = 0.95
_MARK = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class WordingForm:
    """Case, punctuation and blanks of a set of reports.

    Public releases differ in them: one has running prose, another lower case with a blank before every full stop and
    no other mark. An alternative is scored in the form of its originals.

    Parameters
    ----------
    case : {"as_is", "lower", "upper"}
        ``lower`` where hardly any of the reports has a capital.
    dropped : bool
        Whether marks that no report has are taken out: only where there are twenty reports or more to judge by.
    marks : frozenset of str
        Punctuation that the reports have.
    spaced : frozenset of str
        Marks before which they leave a blank.
    lines : bool
        Whether they have line breaks.
    stop : bool
        Whether nearly all of them end with a full stop.

    Examples
    --------
    >>> form = WordingForm.of(["clear lungs . no effusion ."] * 20)
    >>> form.apply("Clear lungs; no effusion.")
    'clear lungs no effusion .'
    """

    case: Literal["as_is", "lower", "upper"]
    dropped: bool
    marks: frozenset[str]
    spaced: frozenset[str]
    lines: bool
    stop: bool

    @classmethod
    def of(cls, originals: Sequence[Report]) -> WordingForm:
        """Read the form from reports; empty ones say nothing."""
        texts = [text for text in originals if text and text.strip()]
        needed = _NEARLY_ALL * len(texts)
        lower = sum(text == text.lower() for text in texts)
        upper = sum(text == text.upper() for text in texts)
        joined = "\n\n".join(texts)
        marks = frozenset(_MARK.findall(joined))
        case: Literal["as_is", "lower", "upper"] = "as_is"
        if texts and lower >= needed:
            case = "lower"
        elif texts and upper >= needed:
            case = "upper"
        return cls(
            case,
            len(texts) >= _ENOUGH,
            marks,
            frozenset(mark for mark in marks if _is_spaced(mark, joined)),
            any("\n" in text.strip() for text in texts),
            bool(texts) and sum(text.rstrip().endswith(".") for text in texts) >= needed,
        )

    def apply(self, text: str) -> str:
        """A text in this form."""
        if self.case != "as_is":
            text = text.lower() if self.case == "lower" else text.upper()
        if self.dropped:
            text = _MARK.sub(lambda found: found.group() if found.group() in self.marks else " ", text)
        for mark in self.spaced:
            # Not inside numbers and words: 1.5, b-lines.
            text = re.sub(rf"(?<=[^\s]){re.escape(mark)}(?=\s|$)", f" {mark}", text)
        pieces = text.splitlines() if self.lines else [text]
        text = "\n".join(" ".join(piece.split()) for piece in pieces).strip()
        if self.stop and text and not text.endswith((".", "!", "?")):
            text += " ." if "." in self.spaced else "."
        return text


def _is_spaced(mark: str, joined: str) -> bool:
    """Whether nearly all marks that end something have a blank before them."""
    if mark not in ".,;:!?":
        return False
    total = len(re.findall(rf"{re.escape(mark)}(?=\s|$)", joined))
    apart = len(re.findall(rf"(?<=\s){re.escape(mark)}(?=\s|$)", joined))
    return total > 0 and apart >= _NEARLY_ALL * total
