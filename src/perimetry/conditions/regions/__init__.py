"""Which pixels the region conditions of the occlusion audit cover."""

from perimetry.conditions.regions.controls import matched_control, random_control
from perimetry.conditions.regions.covered import Covered, Regions, UnreadableError, covered, find_regions
from perimetry.conditions.regions.rectangles import canonical, clusters, disjoint
from perimetry.conditions.regions.room import place

__all__ = [
    "Covered",
    "Regions",
    "UnreadableError",
    "canonical",
    "clusters",
    "covered",
    "disjoint",
    "find_regions",
    "matched_control",
    "place",
    "random_control",
]
