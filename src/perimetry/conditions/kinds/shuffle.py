"""All pixel positions, or tiles, in random order."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.cases.image import Operation
from perimetry.conditions import pixels
from perimetry.conditions.imagery import SCOPE, ImageCondition
from perimetry.conditions.parameters import integer

__all__ = ["KINDS", "Shuffle"]


@dataclass(frozen=True)
class Shuffle(ImageCondition):
    """All pixel positions permuted, channels together (CORAL section 3.2).

    Parameters
    ----------
    patch : int from 1, default 1
        Side of the tiles that are permuted; 1 permutes pixels.

    Examples
    --------
    >>> Shuffle().spelling, Shuffle(16).spelling
    ('shuffle', 'shuffle(patch=16)')
    """

    name = "shuffle"
    summary = "all pixel positions permuted, or tiles with patch=16"
    parameters = (integer("patch", 1, default=1), SCOPE)

    patch: int = 1

    def operations(self, seed: int) -> tuple[Operation, ...]:
        """One `pixels.Shuffle` or `pixels.PatchShuffle`."""
        if self.patch == 1:
            return (pixels.Shuffle(seed),)
        return (pixels.PatchShuffle(self.patch, seed),)


KINDS = (Shuffle.kind(),)
