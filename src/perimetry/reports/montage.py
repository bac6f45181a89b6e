"""Studies under all conditions of the occlusion audit, side by side with their boxes, on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from perimetry.cases.image import Pixels
from perimetry.cases.study import Box, Study
from perimetry.conditions import Condition, Surroundings, parse_condition
from perimetry.conditions.kinds.occlusion import RegionCondition
from perimetry.reports.charts.theme import GREEN, INK, MUTED, SKY, SURFACE, VERMILLION

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

__all__ = ["draw_montage", "montage_conditions"]

PANEL = 300
"""Width of a panel in pixels."""

_MARGIN, _GAP = 28, 14
_HEADER, _ROW_HEAD, _LABEL = 78, 40, 44
_TITLE, _TEXT, _SMALL = 24, 16, 13

_DESCRIBED = {
    "real": "as it is",
    "fullnoise": "the whole image",
    "oco": "the finding",
    "doco": "other findings",
    "ro": "random regions",
    "romatched": "random, equal area",
}

_LEGEND = ((VERMILLION, "boxes of the finding"), (SKY, "boxes of other findings"), (GREEN, "control regions"))


@dataclass(frozen=True, slots=True)
class _Panel:
    """A condition on a study: its picture, or None where it does not apply."""

    label: str
    note: str
    pixels: Pixels | None
    control: tuple[Box, ...] = ()


def montage_conditions(strength: int = 100, fill: str = "noise") -> tuple[Condition, ...]:
    """The conditions of a sheet, in the order of its columns.

    Examples
    --------
    >>> [one.spelling for one in montage_conditions(60)]
    ['real', 'fullnoise', 'oco@60', 'doco@60', 'ro@60', 'romatched@60']
    """
    filled = "" if fill == "noise" else f"(fill={fill})"
    # A whole image cannot be painted in from what is around it.
    whole = "" if fill in ("noise", "inpaint") else filled
    regions = (f"{name}@{strength}{filled}" for name in ("oco", "doco", "ro", "romatched"))
    return tuple(parse_condition(spelling) for spelling in ("real", f"fullnoise{whole}", *regions))


def draw_montage(
    cases: Sequence[Study],
    conditions: Sequence[Condition],
    surroundings: Surroundings,
    title: str,
    columns: int | None = None,
) -> Pixels:
    """Draw one row a case and one panel a condition.

    Parameters
    ----------
    cases : sequence of Study
        With a class under examination each. Not empty.
    conditions : sequence of Condition
        As `montage_conditions` gives them.
    surroundings : Surroundings
        With the box sizes of the data set.
    title : str
    columns : int, optional
        Panels side by side; the others of a case go on below. All of them if not given.

    Returns
    -------
    uint8 array, (height, width, 3)

    Raises
    ------
    ImageError
        When an image cannot be read.
    """
    from PIL import Image, ImageDraw, ImageFont

    # The default font of Pillow comes with it: no font of the machine is asked for.
    title_font, text_font, small_font = (ImageFont.load_default(size) for size in (_TITLE, _TEXT, _SMALL))
    rows = [(case, _panels(case, conditions, surroundings)) for case in cases]
    columns = min(columns or len(conditions), len(conditions))
    lines = -(-len(conditions) // columns)
    heights = [_ROW_HEAD + lines * (_LABEL + _height(case) + _GAP) for case, _ in rows]
    width = 2 * _MARGIN + columns * (PANEL + _GAP) - _GAP
    sheet = Image.new("RGB", (width, _MARGIN + _HEADER + sum(heights) + _MARGIN), SURFACE)
    draw = ImageDraw.Draw(sheet)
    draw.text((_MARGIN, _MARGIN), title, fill=INK, font=title_font)
    left = _MARGIN
    for colour, words in _LEGEND:
        draw.rectangle((left, _MARGIN + 43, left + 18, _MARGIN + 57), outline=colour, width=3)
        draw.text((left + 26, _MARGIN + 40), words, fill=MUTED, font=text_font)
        left += 26 + round(draw.textlength(words, font=text_font)) + 28
    top = _MARGIN + _HEADER
    for (case, panels), height in zip(rows, heights, strict=True):
        draw.line((_MARGIN, top, width - _MARGIN, top), fill="#d5dae0")
        draw.text((_MARGIN, top + 12), _heading(case), fill=INK, font=text_font)
        for number, panel in enumerate(panels):
            line, column = divmod(number, columns)
            below = line * (_LABEL + _height(case) + _GAP)
            corner = (_MARGIN + column * (PANEL + _GAP), top + _ROW_HEAD + below)
            draw.text(corner, panel.label, fill=INK, font=text_font)
            draw.text((corner[0], corner[1] + 21), panel.note, fill=MUTED, font=small_font)
            _lay(sheet, draw, case, panel, (corner[0], corner[1] + _LABEL))
        top += height
    return np.asarray(sheet, dtype=np.uint8)


def _panels(case: Study, conditions: Sequence[Condition], surroundings: Surroundings) -> list[_Panel]:
    panels = []
    for condition in conditions:
        name = condition.spelling.partition("@")[0].partition("(")[0]
        changed = condition.apply(case, surroundings)
        if not isinstance(changed, Study):
            panels.append(_Panel(condition.spelling, "does not apply", None))
            continue
        note = _DESCRIBED.get(name, "")
        control: tuple[Box, ...] = ()
        if isinstance(condition, RegionCondition):
            measured = condition.measure(case, surroundings)
            if measured is not None:
                note = f"{note}, {measured.area_share:.2f} of the finding's area"
            if name in ("ro", "romatched"):
                control = condition.boxes(case, surroundings) or ()
        panels.append(_Panel(condition.spelling, note, changed.images[_shown(case)].pixels(), control))
    return panels


def _shown(case: Study) -> int:
    """The image that the first box of the class lies on."""
    return case.examined.boxes[0].image if case.examined is not None and case.examined.boxes else 0


def _height(case: Study) -> int:
    height, width = case.images[_shown(case)].source.shape
    return max(1, round(height * PANEL / width))


def _heading(case: Study) -> str:
    if case.examined is None:
        return case.id
    kind = "" if case.examined.present else f", absent: boxes of {case.examined.donor} laid on"
    return f"{case.examined.study}  ·  {case.examined.finding}{kind}"


def _lay(sheet: Image.Image, draw: ImageDraw.ImageDraw, case: Study, panel: _Panel, corner: tuple[int, int]) -> None:
    """One picture with its frames, or an empty field."""
    from PIL import Image

    size = (PANEL, _height(case))
    if panel.pixels is None:
        draw.rectangle((*corner, corner[0] + size[0] - 1, corner[1] + size[1] - 1), fill="#f2f4f6")
        return
    picture = Image.fromarray(np.ascontiguousarray(panel.pixels)).convert("RGB")
    sheet.paste(picture.resize(size, Image.Resampling.LANCZOS), corner)
    if case.examined is None:
        return
    scale = PANEL / panel.pixels.shape[1]
    layers = ((case.examined.others, SKY), (case.examined.boxes, VERMILLION), (panel.control, GREEN))
    for boxes, colour in layers:
        for box in boxes:
            if box.image == _shown(case):
                _frame(draw, box, scale, corner, colour)


def _frame(draw: ImageDraw.ImageDraw, box: Box, scale: float, corner: tuple[int, int], colour: str) -> None:
    left, top = corner[0] + box.x * scale, corner[1] + box.y * scale
    right, bottom = left + box.width * scale, top + box.height * scale
    # A dark edge keeps the frame visible on noise and on bone.
    draw.rectangle((left - 1, top - 1, max(right + 1, left), max(bottom + 1, top)), outline="#101418", width=4)
    draw.rectangle((left, top, max(right, left), max(bottom, top)), outline=colour, width=2)
