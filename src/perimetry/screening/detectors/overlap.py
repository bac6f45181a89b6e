"""Words that stem and option share: clang, the option inside the stem, abbreviations."""

from __future__ import annotations

import re

from perimetry.screening.asymmetry import asymmetric
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Choice, Item
from perimetry.screening.screen import SCHUWIRTH, Screen
from perimetry.screening.words import STOP_WORDS, find_run, fold, word_set

__all__ = ["GENERIC", "SCREENS", "is_reference"]

DISTINCTIVE = 0.05
"""A word is distinctive where at most this share of the stems holds it, or at most `FEWEST_STEMS`."""
FEWEST_STEMS = 3
SHORTEST = 4
ABBREVIATION = re.compile(r"\b(?:[A-Z][A-Za-z]?[A-Z][A-Za-z0-9]*|[A-Z]+\d+[A-Z]*|[A-Z]{2,})\b")
EXPANDED = re.compile(
    r"[(\[]\s*([A-Z][A-Za-z]?[A-Z][A-Za-z0-9]*)\s*[)\]]|\b([A-Z][A-Za-z]?[A-Z]+)\s*[(\[][a-z][a-z ,-]{5,}[)\]]"
)
REFERENCE = re.compile(
    r"^\W*(?:(?:figure|fig|image|panel|graph|picture|option|letter|label|arrow|structure|plot|curve|slide|area"
    r"|region|point)s?\W*)?"
    r"(?:[A-Z]|[IVX]+|\d+)(?:\W+(?:and|or|,)?\W*(?:[A-Z]|[IVX]+|\d+))*\W*$",
    re.IGNORECASE,
)
GENERIC = STOP_WORDS | word_set(
    "left right upper lower both only patient disease syndrome treatment therapy finding image figure type day"
    " week month year yes true false none all above increased decreased normal high low first second third one two"
    " three"
)


def is_reference(option: Choice) -> bool:
    """Whether an option only points at something: ``Figure C``, ``B``, ``I and II``.

    Examples
    --------
    >>> is_reference(Choice("A", "Figure C")), is_reference(Choice("A", "Figure-of-eight"))
    (True, False)
    """
    return bool(REFERENCE.match(option.visible))


def _clang(item: Item, known: DatasetStatistics) -> Finding | None:
    most = max(FEWEST_STEMS, DISTINCTIVE * known.items)
    carried: dict[str, list[Span]] = {}
    for option in item.options:
        if is_reference(option):
            continue
        for word in option.words:
            folded = fold(word.lower)
            short = len(folded) < SHORTEST and not ABBREVIATION.fullmatch(word.text)
            if short or folded in GENERIC or folded.isdigit() or folded not in item.stem_places:
                continue
            if known.stems_with(folded) <= most:
                carried.setdefault(option.label, []).append(Span(option.label, word.start, word.end, "in the stem"))
    found = asymmetric(item, carried, "high")
    return None if found is None else _with_stem(item, found)


def _with_stem(item: Item, found: Finding) -> Finding:
    """The finding with the places of the shared words in the stem."""
    texts = {option.label: option.text for option in item.options}
    shared = dict.fromkeys(fold(texts[span.field][span.start : span.end].lower()) for span in found.spans)
    stem = tuple(
        Span("stem", word.start, word.end, "in an option")
        for folded, word in item.stem_places.items()
        if folded in shared
    )
    return Finding(found.options, (*stem, *found.spans), found.severity, ", ".join(shared))


def _answer_in_stem(item: Item, _: DatasetStatistics) -> Finding | None:
    carried: dict[str, list[Span]] = {}
    for option in item.options:
        content = [
            word for word in option.folded if len(word) >= SHORTEST and word not in GENERIC and not word.isdigit()
        ]
        if not content or is_reference(option):
            continue
        place = find_run(option.folded, item.stem_folded)
        if place >= 0:
            first, last = item.stem_words[place], item.stem_words[place + len(option.folded) - 1]
            carried[option.label] = [
                Span("stem", first.start, last.end, f"option {option.label}"),
                Span(option.label, 0, len(option.text), "in the stem"),
            ]
        elif len(content) >= 3 and all(word in item.stem_places for word in content):
            carried[option.label] = [
                *(
                    Span("stem", item.stem_places[word].start, item.stem_places[word].end, "word of an option")
                    for word in content
                ),
                Span(option.label, 0, len(option.text), "all its words are in the stem"),
            ]
    return asymmetric(item, carried, "high")


def _abbreviation(item: Item, _: DatasetStatistics) -> Finding | None:
    in_stem = {match[0] for match in ABBREVIATION.finditer(item.stem)}
    carried: dict[str, list[Span]] = {}
    for option in item.options:
        if is_reference(option):
            continue
        expanded = [
            Span(option.label, match.start(), match.end(), "with its expansion")
            for match in EXPANDED.finditer(option.text)
        ]
        known_ones = [
            Span(option.label, match.start(), match.end(), "abbreviation of the stem")
            for match in ABBREVIATION.finditer(option.text)
            if match[0] in in_stem
        ]
        carried[option.label] = expanded or known_ones
    having = [label for label, spans in carried.items() if spans]
    return asymmetric(item, carried, "medium") if len(having) == 1 else None


SCREENS = (
    Screen(
        "clang",
        "Distinctive word shared with the stem",
        "option form",
        "option",
        "options that repeat a word or abbreviation of the stem which at most 5% of the data set's stems hold",
        _clang,
        SCHUWIRTH,
    ),
    Screen(
        "answer-in-stem",
        "Option stands in the stem",
        "stem",
        "option",
        "options whose words stand in the stem in their order, or three or more words in any order",
        _answer_in_stem,
    ),
    Screen(
        "abbreviation",
        "Abbreviation",
        "option form",
        "option",
        "an option that alone has an abbreviation with its expansion, or one of the stem",
        _abbreviation,
    ),
)
