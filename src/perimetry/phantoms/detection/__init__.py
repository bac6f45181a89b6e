"""Detectors of the phantoms' findings: local features, readability, and one linear template a finding."""

from __future__ import annotations

from perimetry.phantoms.detection.detector import detect

__all__ = ["detect"]
