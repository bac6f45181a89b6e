"""Estimates to charts, tables and one self-contained site."""

from perimetry.reports.blocks import Block, ChartBlock, Column, PictureBlock, TableBlock, TextBlock
from perimetry.reports.browser import Browser, BrowserAnswer, BrowserCase, Flag
from perimetry.reports.build import build_site
from perimetry.reports.numbers import interval_text, number_text, p_text, resolved
from perimetry.reports.passages import Chip, Marked, Passage, PassageGroup, PassagesBlock
from perimetry.reports.site import FailureRow, Figure, Reproduce, Section, Site, Verdict
from perimetry.reports.tables import write_table

__all__ = [
    "Block",
    "Browser",
    "BrowserAnswer",
    "BrowserCase",
    "ChartBlock",
    "Chip",
    "Column",
    "FailureRow",
    "Figure",
    "Flag",
    "Marked",
    "Passage",
    "PassageGroup",
    "PassagesBlock",
    "PictureBlock",
    "Reproduce",
    "Section",
    "Site",
    "TableBlock",
    "TextBlock",
    "Verdict",
    "build_site",
    "interval_text",
    "number_text",
    "p_text",
    "resolved",
    "write_table",
]
