"""Natural clinical context in the stem, by category; each category is a screen."""

from __future__ import annotations

from functools import cache, lru_cache

from perimetry.screening.context_words import CATEGORIES, FALSE_FRIENDS
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Item
from perimetry.screening.lexicon import Hit, Lexicon
from perimetry.screening.screen import Find, Screen
from perimetry.screening.words import words

__all__ = ["SCREENS", "context_of"]


@cache
def _lexicon() -> Lexicon:
    return Lexicon({category.name: category.phrases for category in CATEGORIES}, FALSE_FRIENDS)


def context_of(item: Item) -> tuple[Hit, ...]:
    """Every context phrase of the stem, with its category as the label.

    Examples
    --------
    >>> item = Item("1", "mine", "g", "A Chinese farmer with black stool.", "open")
    >>> [(hit.label, item.stem[hit.start : hit.end]) for hit in context_of(item)]
    [('race-ethnicity-origin', 'Chinese'), ('occupation', 'farmer')]
    """
    return _hits(item.stem)


# All categories are read in one pass, and each of their screens asks for it.
@lru_cache(maxsize=64)
def _hits(stem: str) -> tuple[Hit, ...]:
    return _lexicon().find(words(stem))


def _find(category: str) -> Find:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        spans = tuple(
            Span("stem", hit.start, hit.end, item.stem[hit.start : hit.end].lower())
            for hit in context_of(item)
            if hit.label == category
        )
        return Finding((), spans, "low", ", ".join(dict.fromkeys(span.label for span in spans))) if spans else None

    return find


SCREENS = tuple(
    Screen(
        f"context-{category.name}",
        category.title,
        "context",
        "item",
        category.looks_at,
        _find(category.name),
        "MedQA-MM, Section 3.5 and Appendices C.3 and F",
        english=True,
        options=False,
    )
    for category in CATEGORIES
)
