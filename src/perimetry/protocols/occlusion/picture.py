"""One study under every condition at its highest strength, with its boxes drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from perimetry.cases import ImageError, Study
from perimetry.cases.image import Pixels
from perimetry.cases.study import Box
from perimetry.conditions import Condition
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.occlusion.family import families_of
from perimetry.reports import PictureBlock
from perimetry.statistics import permutation

if TYPE_CHECKING:
    from PIL import ImageDraw

__all__ = ["montage_of"]

_EDGE = 340
_GAP = 12
_LINE = 24
_LOOKED_AT = 200
"""Examined studies that are tried for one to which every condition applies."""

_CLASS = (213, 94, 0)
_OTHER = (86, 180, 233)
_TITLES = {
    "real": "as it is",
    "fullnoise": "noise all over",
    "oco": "the finding covered",
    "doco": "other findings covered",
    "ro": "random cover",
    "romatched": "random cover of equal area",
}


def montage_of(analysis: Analysis) -> PictureBlock | None:
    """A study that shows a class beside others, under every condition at its highest strength.

    Returns
    -------
    PictureBlock or None
        None where no picture may be shown (terms of use) or none can be read.
    """
    preparation = analysis.preparation
    conditions = _conditions(preparation.conditions, preparation.plan.conditions)
    study = _chosen(analysis, [condition for _, condition in conditions])
    if study is None or study.examined is None:
        return None
    panels: list[tuple[str, Pixels]] = []
    for title, condition in conditions:
        changed = condition.apply(study, preparation.surroundings)
        if changed is None:
            continue
        try:
            panels.append((title, changed.images[_image(study)].pixels()))
        except ImageError:
            return None
    if not panels:
        return None
    pixels = _drawn(panels, study.examined.boxes, study.examined.others, _image(study))
    return PictureBlock(
        pixels,
        f"{study.id}. Orange: boxes of {study.examined.finding}; blue: boxes of other findings; what a control covers "
        "has no frame.",
        "montage",
        f"Study {study.id} under {', '.join(title for title, _ in panels)}.",
        study.examined.finding,
    )


def _conditions(conditions: Sequence[Condition], names: Sequence[str]) -> list[tuple[str, Condition]]:
    """Panels with their titles, the unchanged image first."""
    wanted = [(name, name) for name in ("real", "fullnoise") if name in names]
    families = families_of(names)
    wanted += [(family.region, names[family.top[1]]) for family in families if family.fill == families[0].fill]
    return [(f"{_TITLES[kind]} ({name})", conditions[list(names).index(name)]) for kind, name in wanted]


def _chosen(analysis: Analysis, conditions: Sequence[Condition]) -> Study | None:
    """The first study in a seeded order to which most conditions apply and whose image can be read."""
    preparation = analysis.preparation
    cases = preparation.cases
    best: tuple[int, Study] | None = None
    looked = 0
    for item in permutation(preparation.asked.seed, "montage", size=len(cases)).tolist():
        study = cases[item]
        if not isinstance(study, Study) or study.examined is None or not study.examined.present:
            continue
        if preparation.plan.keys[item][0] in preparation.withheld:
            continue
        looked += 1
        applied = sum(one.apply(study, preparation.surroundings) is not None for one in conditions)
        if best is None or applied > best[0]:
            best = (applied, study)
        if applied == len(conditions) or looked == _LOOKED_AT:
            break
    return None if best is None else best[1]


def _image(study: Study) -> int:
    return study.examined.boxes[0].image if study.examined else 0


def _drawn(panels: Sequence[tuple[str, Pixels]], boxes: Sequence[Box], others: Sequence[Box], image: int) -> Pixels:
    """All panels on one white sheet, three in a row."""
    from PIL import Image, ImageDraw, ImageFont

    height, width = panels[0][1].shape[:2]
    scale = _EDGE / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    step = (size[0] + _GAP, size[1] + _LINE + _GAP)
    sheet = Image.new("RGB", (columns * step[0] - _GAP, rows * step[1] - _GAP), "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(14)
    for number, (title, pixels) in enumerate(panels):
        left, top = (number % columns) * step[0], (number // columns) * step[1]
        draw.text((left, top + 2), title, fill=(27, 31, 36), font=font)
        picture = Image.fromarray(np.ascontiguousarray(pixels)).convert("RGB").resize(size, Image.Resampling.LANCZOS)
        sheet.paste(picture, (left, top + _LINE))
        for drawn, colour in ((others, _OTHER), (boxes, _CLASS)):
            for box in drawn:
                if box.image == image:
                    _frame(draw, box, scale, (left, top + _LINE), colour)
    return np.asarray(sheet, dtype=np.uint8)


def _frame(
    draw: ImageDraw.ImageDraw, box: Box, scale: float, corner: tuple[int, int], colour: tuple[int, int, int]
) -> None:
    left, top = corner[0] + box.x * scale, corner[1] + box.y * scale
    draw.rectangle([left, top, left + box.width * scale, top + box.height * scale], outline=colour, width=2)
