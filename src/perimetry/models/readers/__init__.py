"""Readers: models whose habits are known, for calibrating the audits."""

from __future__ import annotations

from perimetry.models.readers.build import READER_NAMES, build_reader

__all__ = ["READER_NAMES", "build_reader"]
