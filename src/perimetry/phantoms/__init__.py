"""Procedural chest radiographs, populations of them, and detectors for what they show: a phantom for calibration."""

from __future__ import annotations

from perimetry.phantoms.dataset import PHANTOM, PHANTOM_STUDIES
from perimetry.phantoms.population import Population, population
from perimetry.phantoms.radiograph import Radiograph, RadiographSpec, radiograph
from perimetry.phantoms.settings import PopulationSettings
from perimetry.phantoms.vocabulary import COMPANIONS, FINDINGS

__all__ = [
    "COMPANIONS",
    "FINDINGS",
    "PHANTOM",
    "PHANTOM_STUDIES",
    "Population",
    "PopulationSettings",
    "Radiograph",
    "RadiographSpec",
    "population",
    "radiograph",
]
