"""Screens for shortcut cues of question items, their prevalence, and the dictionary of cues they cover.

Examples
--------
>>> from perimetry.screening import screens
>>> screens().get("large-gap").layer
'option form'
"""

from perimetry.screening.appendix import APPENDIX_F, Cue, checklist
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Region, Severity, Span
from perimetry.screening.item import Choice, Item
from perimetry.screening.output import ScreenResult, count_judging, screen
from perimetry.screening.registry import chosen_screens, screens
from perimetry.screening.run import Screening, screen_cases, screen_items
from perimetry.screening.screen import Layer, Screen, Unit

__all__ = [
    "APPENDIX_F",
    "Choice",
    "Cue",
    "DatasetStatistics",
    "Finding",
    "Item",
    "Layer",
    "Region",
    "Screen",
    "ScreenResult",
    "Screening",
    "Severity",
    "Span",
    "Unit",
    "checklist",
    "chosen_screens",
    "count_judging",
    "screen",
    "screen_cases",
    "screen_items",
    "screens",
]
