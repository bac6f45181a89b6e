"""What was read in an image: lines of text with their places."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Frame", "Reading", "TextLine"]


@dataclass(frozen=True, slots=True)
class Frame:
    """An upright rectangle in pixels of its image.

    Parameters
    ----------
    x, y : int
        Left upper corner.
    width, height : int
        At least 1.

    Examples
    --------
    >>> Frame(0, 0, 10, 10).share_in(Frame(5, 0, 20, 20))
    0.5
    """

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """First column beyond it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """First row beyond it."""
        return self.y + self.height

    @property
    def area(self) -> int:
        """Pixels."""
        return self.width * self.height

    def meet(self, other: Frame) -> int:
        """Pixels that lie in both."""
        across = min(self.right, other.right) - max(self.x, other.x)
        down = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(across, 0) * max(down, 0)

    def share_in(self, other: Frame) -> float:
        """Share of this frame, 0 to 1, that lies in the other."""
        return self.meet(other) / self.area

    def union(self, other: Frame) -> Frame:
        """The smallest frame that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Frame(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def grown(self, margin: int) -> Frame:
        """The frame with a margin on every side; its corner may leave the image."""
        return Frame(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of visible text.

    Parameters
    ----------
    text : str
        As it was read, without blanks at its ends.
    frame : Frame
    score : float
        The recogniser's mean confidence over characters, 0 to 1.
    """

    text: str
    frame: Frame
    score: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one image.

    Parameters
    ----------
    lines : tuple of TextLine
        From top to bottom, then from left to right.
    error : str, default ""
        Why the image could not be read; `lines` is empty then.

    Examples
    --------
    >>> Reading((TextLine("CT", Frame(0, 0, 9, 9), 0.9), TextLine("head", Frame(12, 0, 9, 9), 0.9))).text
    'CT head'
    """

    lines: tuple[TextLine, ...] = ()
    error: str = ""

    @property
    def text(self) -> str:
        """All lines, joined by blanks."""
        return " ".join(line.text for line in self.lines)
