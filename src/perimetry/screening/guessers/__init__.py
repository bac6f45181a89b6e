"""Diagnostic guessers: how far do artefacts of the text alone go? (MedQA-MM, Appendix B.1)."""

from perimetry.screening.guessers.crossfit import PREDICTIONS, CrossFit, cross_fit
from perimetry.screening.guessers.encoding import GUESSERS, Guesser
from perimetry.screening.guessers.estimates import estimate_guesses
from perimetry.screening.guessers.item import GuessItem, guess_item, guess_items
from perimetry.screening.guessers.leakage import Overlap, overlaps
from perimetry.screening.guessers.result import GuessResult, Reading
from perimetry.screening.guessers.run import guess, guess_cases

__all__ = [
    "GUESSERS",
    "PREDICTIONS",
    "CrossFit",
    "GuessItem",
    "GuessResult",
    "Guesser",
    "Overlap",
    "Reading",
    "cross_fit",
    "estimate_guesses",
    "guess",
    "guess_cases",
    "guess_item",
    "guess_items",
    "overlaps",
]
