"""Option length: longest, unique longest, the large gap, the shortest."""

from __future__ import annotations

from collections.abc import Callable

from perimetry.screening.asymmetry import whole
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Choice, Item
from perimetry.screening.screen import HALADYNA, Screen

__all__ = ["SCREENS"]

GAP_CHARACTERS = 30
GAP_WORDS = 4

TABLE_11 = "MedQA-MM, Table 11 and Appendix F; Haladyna et al. 2002"


def _extreme(item: Item, measure: Callable[[Choice], int], sign: int = 1) -> tuple[list[Choice], int]:
    """The options of the greatest measure, and how far they stand from the next ones."""
    sizes = sorted({sign * measure(option) for option in item.options}, reverse=True)
    first = [option for option in item.options if sign * measure(option) == sizes[0]]
    return first, sizes[0] - sizes[1] if len(sizes) > 1 else 0


def _longest(measure: Callable[[Choice], int], unit: str) -> Callable[[Item, DatasetStatistics], Finding | None]:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        first, gap = _extreme(item, measure)
        return Finding(tuple(option.label for option in first), note=f"{measure(first[0])} {unit}, next {gap} shorter")

    return find


def _unique(
    measure: Callable[[Choice], int], unit: str, sign: int = 1
) -> Callable[[Item, DatasetStatistics], Finding | None]:
    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        first, gap = _extreme(item, measure, sign)
        if len(first) > 1:
            return None
        spans = (whole(first[0], f"{measure(first[0])} {unit}"),)
        return Finding((first[0].label,), spans, note=f"gap of {gap} {unit}")

    return find


def _large_gap(item: Item, _: DatasetStatistics) -> Finding | None:
    first, gap = _extreme(item, _characters)
    if len(first) > 1 or gap < GAP_CHARACTERS:
        return None
    further = max(option.length for option in item.options if option is not first[0])
    words = first[0].length - further
    if words < GAP_WORDS:
        return None
    note = f"{gap} characters and {words} words more than any other option"
    return Finding((first[0].label,), (whole(first[0], note),), "high", note)


def _characters(option: Choice) -> int:
    return option.characters


def _length(option: Choice) -> int:
    return option.length


SCREENS = (
    Screen(
        "longest-option",
        "Longest option",
        "option form",
        "option",
        "the options with the most visible characters, ties counted",
        _longest(_characters, "characters"),
        TABLE_11,
    ),
    Screen(
        "unique-longest-option",
        "Unique longest option",
        "option form",
        "option",
        "the option with the most visible characters where no other has as many",
        _unique(_characters, "characters"),
        TABLE_11,
    ),
    Screen(
        "longest-option-by-words",
        "Longest option, by words",
        "option form",
        "option",
        "the options with the most words, ties counted",
        _longest(_length, "words"),
        HALADYNA,
    ),
    Screen(
        "unique-longest-option-by-words",
        "Unique longest option, by words",
        "option form",
        "option",
        "the option with the most words where no other has as many",
        _unique(_length, "words"),
        "MedQA-MM, Appendix B.4 and F",
    ),
    Screen(
        "large-gap",
        "Large length gap",
        "option form",
        "option",
        "the unique longest option where it is at least 30 characters and 4 words longer than every other one",
        _large_gap,
        TABLE_11,
    ),
    Screen(
        "unique-shortest-option",
        "Unique shortest option",
        "option form",
        "option",
        "the option with the fewest visible characters where no other has as few",
        _unique(_characters, "characters", -1),
        HALADYNA,
    ),
)
