"""Pairs of options: complements, near duplicates, one inside another, the same twice."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.detectors.overlap import is_reference
from perimetry.screening.finding import Finding, Severity, Span
from perimetry.screening.item import Choice, Item
from perimetry.screening.screen import HALADYNA, MEDQA_MM, Find, Screen
from perimetry.screening.words import STOP_WORDS, find_run, word_set

__all__ = ["SCREENS", "complementary"]

NEGATIONS = word_set("no not non without never absent negative absence lack cannot isn't doesn't")
OPPOSITES = (
    ("increase", "decrease"),
    ("increased", "decreased"),
    ("increasing", "decreasing"),
    ("elevated", "reduced"),
    ("higher", "lower"),
    ("high", "low"),
    ("upper", "lower"),
    ("left", "right"),
    ("benign", "malignant"),
    ("acute", "chronic"),
    ("open", "closed"),
    ("anterior", "posterior"),
    ("medial", "lateral"),
    ("proximal", "distal"),
    ("superior", "inferior"),
    ("dorsal", "ventral"),
    ("internal", "external"),
    ("primary", "secondary"),
    ("positive", "negative"),
    ("present", "absent"),
    ("with", "without"),
    ("flexion", "extension"),
    ("abduction", "adduction"),
    ("pronation", "supination"),
    ("true", "false"),
    ("yes", "no"),
    ("complete", "incomplete"),
    ("complete", "partial"),
    ("stable", "unstable"),
    ("operative", "nonoperative"),
    ("surgical", "nonsurgical"),
    ("systolic", "diastolic"),
    ("inspiration", "expiration"),
    ("dominant", "recessive"),
    ("agonist", "antagonist"),
    ("male", "female"),
)
_OPPOSITE = {(one, other) for one, other in OPPOSITES} | {(other, one) for one, other in OPPOSITES}
_PREFIXES = (
    ("hyper", "hypo"),
    ("intra", "extra"),
    ("pre", "post"),
    ("un", ""),
    ("non", ""),
    ("in", ""),
    ("im", ""),
    ("ab", ""),
)
SHORTEST = 4


def complementary(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two runs of words say the opposite: they differ in one pair of opposites, or in a negation.

    Examples
    --------
    >>> complementary(("increased", "flow"), ("decreased", "flow")), complementary(("not", "seen"), ("seen",))
    (True, True)
    >>> complementary(("left", "lung"), ("right", "kidney"))
    False
    """
    if len(one) == len(other):
        differing = [(first, second) for first, second in zip(one, other, strict=True) if first != second]
        return len(differing) == 1 and _opposed(*differing[0])
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    plain = tuple(word for word in longer if word not in NEGATIONS)
    return len(plain) < len(longer) and plain == tuple(word for word in shorter if word not in NEGATIONS) == shorter


def _opposed(one: str, other: str) -> bool:
    if (one, other) in _OPPOSITE:
        return True
    for first, second in _PREFIXES:
        for here, there in ((one, other), (other, one)):
            rest = here.removeprefix(first)
            if rest != here and len(rest) > SHORTEST and there == second + rest:
                return True
    return False


def _complement(one: Choice, other: Choice) -> bool:
    return complementary(one.folded, other.folded)


def _near(one: Choice, other: Choice) -> bool:
    """Three or more words, one of them exchanged or added; the same is another cue."""
    first, second = one.folded, other.folded
    longer = max(len(first), len(second))
    if longer < 3 or first == second:
        return False
    if len(first) == len(second):
        return sum(here != there for here, there in zip(first, second, strict=True)) == 1
    more, fewer = (first, second) if len(first) > len(second) else (second, first)
    if len(more) - len(fewer) != 1 or len(fewer) < 3:
        return False
    return any(more[:place] + more[place + 1 :] == fewer for place in range(len(more)))


def _nested(one: Choice, other: Choice) -> bool:
    """The words of one stand in the other, which says more."""
    inner, outer = (one, other) if len(one.folded) < len(other.folded) else (other, one)
    if len(inner.folded) == len(outer.folded):
        return False
    content = any(len(word) >= SHORTEST and word not in STOP_WORDS for word in inner.folded)
    return content and find_run(inner.folded, outer.folded) >= 0


def _same(one: Choice, other: Choice) -> bool:
    return bool(one.folded) and one.folded == other.folded and one.visible.casefold() == other.visible.casefold()


def _pairs(alike: Callable[[Choice, Choice], bool], severity: Severity, fewest: int = 3) -> Find:
    """A screen of pairs; where every option has a partner the options are parallel, and no pair stands out."""

    def find(item: Item, _: DatasetStatistics) -> Finding | None:
        if len(item.options) < fewest:
            return None
        options = [option for option in item.options if not is_reference(option)]
        found = [pair for pair in combinations(options, 2) if alike(*pair)]
        members = {option.label for pair in found for option in pair}
        if not members or (fewest > 2 and len(members) == len(item.options)):
            return None
        labels = tuple(option.label for option in item.options if option.label in members)
        spans = tuple(
            Span(option.label, 0, len(option.text), "pair") for option in item.options if option.label in members
        )
        note = ", ".join(f"{one.label}/{other.label}" for one, other in found[:6])
        return Finding(labels, spans, severity, note)

    return find


SCREENS = (
    Screen(
        "complement-pair",
        "Complement pair",
        "option form",
        "option",
        "two options that differ in one pair of opposites or in a negation, where others have no such partner",
        _pairs(_complement, "medium"),
        HALADYNA,
        english=True,
    ),
    Screen(
        "near-duplicate-options",
        "Near-duplicate pair",
        "option form",
        "option",
        "two options of three or more words that differ in one word, where others have no such partner",
        _pairs(_near, "medium"),
        HALADYNA,
    ),
    Screen(
        "nested-options",
        "Nested options",
        "option form",
        "option",
        "two options of which one holds all the words of the other in their order",
        _pairs(_nested, "medium"),
        HALADYNA,
    ),
    Screen(
        "duplicate-options",
        "The same option twice",
        "option form",
        "option",
        "options of the same text",
        _pairs(_same, "high", 2),
        MEDQA_MM,
    ),
)
