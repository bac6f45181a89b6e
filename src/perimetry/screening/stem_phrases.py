"""Screens of phrases in the stem: by a pattern, or by a lexicon."""

from __future__ import annotations

import re

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Severity, Span
from perimetry.screening.item import Item
from perimetry.screening.lexicon import Lexicon
from perimetry.screening.screen import MEDQA_MM, Find, Screen

__all__ = ["stem_lexicon", "stem_pattern", "stem_screen", "triggers"]

BEFORE = 60


def triggers(text: str) -> tuple[str, ...]:
    """Parts of words between bars, in lower case.

    Examples
    --------
    >>> triggers("histor|known")
    ('histor', 'known')
    """
    return tuple(text.split("|"))


def stem_pattern(
    pattern: re.Pattern[str], severity: Severity, wanted: tuple[str, ...], before: re.Pattern[str] | None = None
) -> Find:
    """A screen of passages of the stem, without those that a negation before them takes back.

    Only a stem that holds one of the wanted parts is searched: a pattern of many branches is slow.
    """

    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        if not any(trigger in item.stem_lower for trigger in wanted):
            return None
        spans = tuple(
            Span("stem", match.start(), match.end(), match[0].lower())
            for match in pattern.finditer(item.stem)
            if not (before and before.search(item.stem[max(0, match.start() - BEFORE) : match.start()]))
        )
        return Finding((), spans, severity) if spans else None

    return find


def stem_lexicon(lexicon: Lexicon, severity: Severity) -> Find:
    """A screen of the lexicon's phrases in the stem."""

    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        hits = lexicon.find(item.stem_words)
        spans = tuple(Span("stem", hit.start, hit.end, item.stem[hit.start : hit.end].lower()) for hit in hits)
        return Finding((), spans, severity) if spans else None

    return find


def stem_screen(name: str, title: str, looks_at: str, find: Find) -> Screen:
    """A screen of English words of the stem, whatever the options."""
    return Screen(name, title, "stem", "item", looks_at, find, MEDQA_MM, english=True, options=False)
