"""A regular grid of grey boxes over every image."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.cases.image import Operation
from perimetry.conditions import pixels
from perimetry.conditions.imagery import SCOPE, ImageCondition
from perimetry.conditions.parameters import integer, number

__all__ = ["KINDS", "GridMask"]


@dataclass(frozen=True, kw_only=True)
class GridMask(ImageCondition):
    """A share of every image covered by a regular grid of grey boxes (occlusion, CORAL section 4.2).

    Parameters
    ----------
    fraction : float in 0..1
        Share of the area that is covered. 0 is the real case, 1 the blank one.
    cells : int from 1, default 8
        Cells of the grid along the shorter side.
    """

    name = "gridmask"
    summary = "a share of every image covered by a grid of grey boxes"
    parameters = (number("fraction", 0, 1, style="positional"), integer("cells", 1, default=8), SCOPE)

    fraction: float
    cells: int = 8

    def operations(self, seed: int) -> tuple[Operation, ...]:  # noqa: ARG002 - nothing is drawn
        """One `pixels.GridMask`; none at 0, `pixels.Blank` at 1."""
        if self.fraction == 0:
            return ()
        if self.fraction == 1:
            return (pixels.Blank(),)
        return (pixels.GridMask(self.fraction, self.cells),)


KINDS = (GridMask.kind(),)
