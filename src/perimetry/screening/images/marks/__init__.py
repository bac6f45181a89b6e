"""Marks that somebody drew on a picture."""

from __future__ import annotations

from collections.abc import Sequence

from perimetry.cases import Pixels
from perimetry.screening.images.luma import grey_levels, picture_kind
from perimetry.screening.images.marks.arrows import white_arrows
from perimetry.screening.images.marks.coloured import coloured_marks
from perimetry.screening.images.marks.mark import Mark, MarkKind, in_text
from perimetry.screening.images.marks.outlines import white_outlines
from perimetry.screening.images.reading import Frame

__all__ = ["Mark", "MarkKind", "drawn_marks", "in_text"]


def drawn_marks(pixels: Pixels, text: Sequence[Frame] = ()) -> tuple[Mark, ...]:
    """Coloured marks, white boxes, circles, arrows and arrowheads on a grey picture, from top to bottom.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
    text : sequence of Frame
        Lines of text that were read; letters are no marks.

    Returns
    -------
    tuple of Mark
        Empty for colour pictures and pages, where colour and white lines are the picture itself.
    """
    if picture_kind(pixels) not in ("grey", "grey with colour"):
        return ()
    grey = grey_levels(pixels)
    marks = (*coloured_marks(pixels, text), *white_outlines(grey, text), *white_arrows(grey, text))
    return tuple(sorted(marks, key=lambda mark: (mark.frame.y, mark.frame.x, mark.kind)))
