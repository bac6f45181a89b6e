"""Every image replaced by one grey level."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.cases.image import Operation
from perimetry.conditions import pixels
from perimetry.conditions.imagery import SCOPE, ImageCondition
from perimetry.conditions.parameters import Parameter, Value

__all__ = ["KINDS", "Blank"]


def _read_level(text: str) -> Value:
    if text == "mean":
        return text
    level = int(text)
    if not 0 <= level <= 255:
        raise ValueError(text)
    return level


@dataclass(frozen=True)
class Blank(ImageCondition):
    """Every image replaced by one grey level of the same size (CORAL section 3.2).

    Parameters
    ----------
    level : int in 0..255 or "mean", default 127
        ``"mean"`` keeps each image's own mean brightness.

    Examples
    --------
    >>> Blank().spelling, Blank(0).spelling
    ('blank', 'blank(0)')
    """

    name = "blank"
    summary = "every image replaced by one grey level, same size"
    parameters = (
        Parameter("level", "an integer from 0 to 255 or mean", _read_level, 127, "positional"),
        SCOPE,
    )

    level: int | str = 127

    def operations(self, seed: int) -> tuple[Operation, ...]:  # noqa: ARG002 - nothing is drawn
        """One `pixels.Blank`."""
        return (pixels.Blank("mean" if isinstance(self.level, str) else self.level),)


KINDS = (Blank.kind(),)
