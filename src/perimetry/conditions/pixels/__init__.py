"""Pixel operations: pure, seeded by (seed, stream name, image digest), the same on every machine."""

from perimetry.conditions.pixels.blank import Blank
from perimetry.conditions.pixels.blur import Blur
from perimetry.conditions.pixels.contrast import Contrast
from perimetry.conditions.pixels.fills import Fill
from perimetry.conditions.pixels.gridmask import GridMask
from perimetry.conditions.pixels.jpeg import Jpeg
from perimetry.conditions.pixels.noise import AddNoise, normal_field
from perimetry.conditions.pixels.occlude import Occlude
from perimetry.conditions.pixels.resample import box_average
from perimetry.conditions.pixels.resolution import Resolution
from perimetry.conditions.pixels.shuffle import PatchShuffle, Shuffle

__all__ = [
    "AddNoise",
    "Blank",
    "Blur",
    "Contrast",
    "Fill",
    "GridMask",
    "Jpeg",
    "Occlude",
    "PatchShuffle",
    "Resolution",
    "Shuffle",
    "box_average",
    "normal_field",
]
