"""Projection markers among the lines of text: side, view, position, portable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from perimetry.screening.images.reading import Frame, TextLine

__all__ = ["Marker", "is_marker", "markers"]

MarkerKind = Literal["side", "view", "position", "portable"]

_SHORT: MappingProxyType[str, MarkerKind] = MappingProxyType(
    {
        **dict.fromkeys(("R", "L", "RT", "LT", "(R)", "(L)", "RIGHT", "LEFT"), "side"),
        **dict.fromkeys(("AP", "PA", "LAT", "OBL", "LPO", "RPO", "LAO", "RAO", "LL", "RL", "VIEW"), "view"),
        **dict.fromkeys(("SUP", "UP", "UPR", "DECUB", "EXP", "INSP", "WB"), "position"),
        **dict.fromkeys(("PORT", "MOBILE", "BEDSIDE"), "portable"),
    }
)
"""Markers that count where the whole line consists of markers."""

_LONG: MappingProxyType[str, MarkerKind] = MappingProxyType(
    {
        **dict.fromkeys(("LATERAL", "OBLIQUE", "FRONTAL"), "view"),
        **dict.fromkeys(
            ("SUPINE", "PRONE", "ERECT", "SEMIERECT", "UPRIGHT", "SEMIUPRIGHT", "SITTING", "STANDING", "DECUBITUS"),
            "position",
        ),
        **dict.fromkeys(("EXPIRATION", "INSPIRATION", "WEIGHTBEARING"), "position"),
        **dict.fromkeys(("PORTABLE", "MOBILE"), "portable"),
    }
)
"""Markers that count in any short line."""

_WORD = re.compile(r"\(?[A-Za-z]+(?:-[A-Za-z]+)*\)?|\d+")
FEW_WORDS = 4


@dataclass(frozen=True, slots=True)
class Marker:
    """A projection marker.

    Parameters
    ----------
    kind : {"side", "view", "position", "portable"}
    text : str
        In capitals, ``R`` for ``Rt``-like forms as they stand.
    frame : Frame
        Of its line.
    """

    kind: MarkerKind
    text: str
    frame: Frame


def markers(lines: Iterable[TextLine]) -> tuple[Marker, ...]:
    """Markers in the order of the lines.

    Examples
    --------
    >>> from perimetry.screening.images.reading import Frame, TextLine
    >>> [found.kind for found in markers([TextLine("AP Portable", Frame(0, 0, 90, 12), 0.99)])]
    ['view', 'portable']
    """
    return tuple(marker for line in lines for marker in _of_line(line))


def is_marker(line: TextLine) -> bool:
    """Whether a line holds markers only, numbers and initials apart."""
    tokens = _tokens(line)
    known = [token for token in tokens if token in _SHORT or token in _LONG]
    return bool(known) and all(token in known or token.isdigit() for token in tokens)


def _of_line(line: TextLine) -> Iterable[Marker]:
    tokens = _tokens(line)
    whole = is_marker(line)
    for token in tokens:
        kind = _LONG.get(token) if len(tokens) <= FEW_WORDS else None
        kind = kind or (_SHORT.get(token) if whole else None)
        if kind is not None:
            yield Marker(kind, token.strip("()"), line.frame)


def _tokens(line: TextLine) -> list[str]:
    return [token.upper().replace("-", "") for token in _WORD.findall(line.text)]
