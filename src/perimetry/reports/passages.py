"""Texts side by side, with labels and marked passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

__all__ = ["MARK_SIGNS", "Chip", "Marked", "Passage", "PassageGroup", "PassagesBlock", "Segment", "segments"]

MarkKind: TypeAlias = Literal["positive", "negative", "uncertain"]

MARK_SIGNS = {"positive": "+", "negative": "−", "uncertain": "?"}
"""Each kind of mark has a sign beside its colour."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A part of a text and what was read from it.

    Parameters
    ----------
    start, end : int
        Characters of the text.
    label : str
    kind : {"positive", "negative", "uncertain"}
    """

    start: int
    end: int
    label: str
    kind: MarkKind = "positive"


@dataclass(frozen=True, slots=True)
class Chip:
    """A label of a whole text; `tone` says how it stands to the text it is held against.

    Parameters
    ----------
    text : str
    kind : {"positive", "negative", "uncertain"}
    tone : {"plain", "match", "extra", "lost"}
        ``match``: both state it; ``extra``: only this text; ``lost``: only the other one.
    """

    text: str
    kind: MarkKind = "positive"
    tone: Literal["plain", "match", "extra", "lost"] = "plain"


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of a group.

    Parameters
    ----------
    title : str
    text : str or None
        None where there is none.
    marks : tuple of Marked
    chips : tuple of Chip
    facts : tuple of (name, value)
        Shown under the title, for example scores.
    reference : bool, default False
        Whether it is what the others are held against.
    """

    title: str
    text: str | None
    marks: tuple[Marked, ...] = ()
    chips: tuple[Chip, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    reference: bool = False


@dataclass(frozen=True, slots=True)
class PassageGroup:
    """Texts about one case, side by side."""

    id: str
    note: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class PassagesBlock:
    """Groups of texts; the first ones are open, the others open on request. Nothing in a text is read as markup.

    Parameters
    ----------
    groups : tuple of PassageGroup
    caption : str
    title : str
    opened : int, default 3
        Groups that are open at first.
    """

    groups: tuple[PassageGroup, ...]
    caption: str
    title: str = ""
    opened: int = 3


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text under the same marks.

    Parameters
    ----------
    text : str
    label : str
        What the marks say; empty where there is none.
    kind : str
        The kind that is shown; empty where there is none.
    closes : bool, default True
        Whether what follows is shown in another kind.
    """

    text: str
    label: str
    kind: str
    closes: bool = True


def segments(text: str, marks: Sequence[Marked]) -> Iterator[Segment]:
    """Cut a text where marks begin and end; where marks overlap, positive is shown before uncertain before negative.

    Marks outside the text are cut to it; empty ones are left out.

    Examples
    --------
    >>> [(piece.text, piece.label) for piece in segments("no effusion seen", [Marked(3, 11, "Pleural Effusion")])]
    [('no ', ''), ('effusion', 'Pleural Effusion'), (' seen', '')]
    """
    inside = [mark for mark in marks if max(mark.start, 0) < min(mark.end, len(text))]
    edges = {0, len(text)} | {min(max(edge, 0), len(text)) for mark in inside for edge in (mark.start, mark.end)}
    order = sorted(edges)
    pieces: list[Segment] = []
    for start, end in pairwise(order):
        over = [mark for mark in inside if mark.start <= start and end <= mark.end]
        shown = next((kind for kind in ("positive", "uncertain", "negative") if any(m.kind == kind for m in over)), "")
        said = [mark.label if mark.kind == "positive" else f"{mark.label} ({mark.kind})" for mark in over]
        label = ", ".join(dict.fromkeys(said))
        pieces.append(Segment(text[start:end], label, shown))
    for piece, following in pairwise(pieces):
        yield replace(piece, closes=following.kind != piece.kind)
    yield from pieces[-1:]
