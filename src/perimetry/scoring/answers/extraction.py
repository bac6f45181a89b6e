"""What was read from a response: the answer with its rule and span, or nothing with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Denied", "Extraction", "Hit", "Policy", "Reading", "Reason", "Stop"]

Policy = Literal["strict", "lenient"]
"""Named rule sets; ``strict`` makes the headline, ``lenient`` shows how much hangs on the parser."""

Reason = Literal[
    "", "no_response", "empty", "unfinished_thinking", "contradiction", "several", "negated", "declined", "unmatched"
]
"""Why there is no answer; empty where there is one."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The answer of one response.

    Attributes
    ----------
    answer : str or None
        In the form in which answers are compared: the option's label as the question gives it; ``yes`` or ``no``;
        else the normalised text (`normalise`). None when no rule fits.
    rule : str
        Name of the rule that decided, also where it decided that the text contradicts itself; empty if none did.
    start, end : int
        ``text[start:end]`` of the raw response is what the rule read; both -1 without an answer.
    surface : str
        ``text[start:end]``, so that a table of outcomes can be read without the responses.
    reason : str
        Why there is no answer, one of `Reason`; empty where there is one.

    Examples
    --------
    >>> Extraction("B", "label", 0, 1, "B").found
    True
    """

    answer: str | None
    rule: str = ""
    start: int = -1
    end: int = -1
    surface: str = ""
    reason: Reason = ""

    @property
    def found(self) -> bool:
        """Whether there is an answer."""
        return self.answer is not None


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule read this answer at this span of the body."""

    answer: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Stop:
    """A rule found that the text gives no single answer: no later rule may read one into it."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Denied:
    """A statement says that this is *not* the answer (None: it denies something else)."""

    answer: str | None


Reading = Hit | Stop | Denied | None
"""None: nothing of this kind is here, let the next rule look."""
