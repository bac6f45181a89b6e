"""Text to outcomes."""

from perimetry.scoring.answers import Extraction, extract, is_right

__all__ = ["Extraction", "extract", "is_right"]
