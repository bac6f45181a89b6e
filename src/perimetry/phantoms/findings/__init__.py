"""The thirteen findings, one file each: where each may lie and how it looks."""

from __future__ import annotations

from types import MappingProxyType

from perimetry.phantoms.findings.atelectasis import ATELECTASIS
from perimetry.phantoms.findings.consolidation import CONSOLIDATION
from perimetry.phantoms.findings.device import SUPPORT_DEVICES
from perimetry.phantoms.findings.edema import EDEMA
from perimetry.phantoms.findings.effusion import PLEURAL_EFFUSION
from perimetry.phantoms.findings.fracture import FRACTURE
from perimetry.phantoms.findings.heart import CARDIOMEGALY
from perimetry.phantoms.findings.lesion import LUNG_LESION
from perimetry.phantoms.findings.mediastinum import ENLARGED_CARDIOMEDIASTINUM
from perimetry.phantoms.findings.opacity import LUNG_OPACITY
from perimetry.phantoms.findings.place import Finding, Place, Rect
from perimetry.phantoms.findings.pleura import PLEURAL_OTHER
from perimetry.phantoms.findings.pneumonia import PNEUMONIA
from perimetry.phantoms.findings.pneumothorax import PNEUMOTHORAX

__all__ = ["DRAWINGS", "Finding", "Place", "Rect"]

DRAWINGS = MappingProxyType(
    {
        finding.name: finding
        for finding in (
            ENLARGED_CARDIOMEDIASTINUM,
            CARDIOMEGALY,
            LUNG_OPACITY,
            LUNG_LESION,
            EDEMA,
            CONSOLIDATION,
            PNEUMONIA,
            ATELECTASIS,
            PNEUMOTHORAX,
            PLEURAL_EFFUSION,
            PLEURAL_OTHER,
            FRACTURE,
            SUPPORT_DEVICES,
        )
    }
)
"""Every finding by its CheXpert class, in the order of `perimetry.phantoms.vocabulary.FINDINGS`."""
