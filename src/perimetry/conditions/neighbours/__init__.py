"""Neighbours: hard negatives, mismatches, and the overlap between pools."""

from perimetry.conditions.neighbours.build import build_neighbours
from perimetry.conditions.neighbours.embedder import Embedder, PixelEmbedder, parse_embedder
from perimetry.conditions.neighbours.index import Match, NeighbourIndex
from perimetry.conditions.neighbours.overlap import OverlapMatch, OverlapTable, overlap
from perimetry.conditions.neighbours.pool import Progress
from perimetry.conditions.neighbours.search import TWIN

__all__ = [
    "TWIN",
    "Embedder",
    "Match",
    "NeighbourIndex",
    "OverlapMatch",
    "OverlapTable",
    "PixelEmbedder",
    "Progress",
    "build_neighbours",
    "overlap",
    "parse_embedder",
]
