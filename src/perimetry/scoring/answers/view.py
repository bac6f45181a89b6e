"""What a rule looks at: the part of a response that can hold the answer."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.scoring.answers.space import AnswerSpace

__all__ = ["DRESS", "View", "lines_of", "trim"]

DRESS = " \t\n*_`\"'$\\#~|{}<>"
"""Characters that dress an answer without being part of it: spaces, Markdown, quotes, LaTeX."""


@dataclass(frozen=True, slots=True)
class View:
    """A folded response without its thinking, and what may be answered.

    Attributes
    ----------
    body : str
        Folded text; same length as the raw response, so that indices into it are indices into the response.
    start, end : int
        The window that rules may read.
    space : AnswerSpace
    """

    body: str
    start: int
    end: int
    space: AnswerSpace

    def narrowed(self, start: int, end: int) -> View:
        """The same view of a smaller window."""
        return View(self.body, max(start, self.start), min(end, self.end), self.space)


def trim(body: str, start: int, end: int, extra: str = "") -> tuple[int, int]:
    """Shrink a window by the dress (and `extra` characters) at both ends.

    Examples
    --------
    >>> trim("**B**", 0, 5)
    (2, 3)
    """
    away = DRESS + extra
    while start < end and body[start] in away:
        start += 1
    while end > start and body[end - 1] in away:
        end -= 1
    return start, end


def lines_of(view: View) -> list[tuple[int, int]]:
    """Windows of the lines that hold more than dress, in order."""
    found: list[tuple[int, int]] = []
    place = view.start
    while place < view.end:
        stop = view.body.find("\n", place, view.end)
        stop = view.end if stop < 0 else stop
        first, last = trim(view.body, place, stop)
        if first < last:
            found.append((place, stop))
        place = stop + 1
    return found
