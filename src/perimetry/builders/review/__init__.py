"""A radiologist's check of built studies: cases drawn without their mapped label, and her answers read back.

References
----------
Ruffini et al., "ShoViR", section 3.1, "Radiologist validation": five cases a class, and the mapping tables.
"""

from perimetry.builders.review.answers import Answer, MappingAnswer, read_answers
from perimetry.builders.review.draw import PER_CLASS, Drawn, draw_cases
from perimetry.builders.review.folder import Handed, hand_over
from perimetry.builders.review.summary import ReviewSummary, read_review

__all__ = [
    "PER_CLASS",
    "Answer",
    "Drawn",
    "Handed",
    "MappingAnswer",
    "ReviewSummary",
    "draw_cases",
    "hand_over",
    "read_answers",
    "read_review",
]
