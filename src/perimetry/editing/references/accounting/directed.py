"""Words that say something else when what stands before them and what stands after them change places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from perimetry.editing.references.accounting.facts import sentences_of
from perimetry.editing.references.accounting.lexicon import words_of
from perimetry.editing.references.kept import REPORTS, SENTENCES
from perimetry.editing.references.report import ReportText

__all__ = ["reversed_order"]

_BE = r"(?:(?:is|are|was|were|has been|have been|had been) )?"
# Each kind with what is said one way and what is said the other way round: "A due to B" is "B causes A".
_KINDS: tuple[tuple[str, str, str], ...] = (
    (
        "cause",
        r"due to|secondary to|because of|owing to|as a (?:result|consequence) of|on account of|"
        rf"{_BE}(?:caused|produced|created|induced|explained) by|result(?:s|ed|ing)? from|aris(?:es|ing) from|"
        r"attribut(?:able|ed) to|related to|originating from|from",
        r"caus(?:es|ed|ing|e)|result(?:s|ed|ing)? in|lead(?:s|ing)? to|led to|produc(?:es|ed|ing)|"
        r"creat(?:es|ed|ing)|induc(?:es|ed|ing)|giv(?:es|ing) rise to|explains?|explaining|accounts? for",
    ),
    (
        "rather",
        r"rather than|instead of|in place of|as opposed to|more likely than|more than|over and above|and not|but not|"
        r"favou?red over|in preference to|not",
        r"less likely than|less than",
    ),
    (
        "then",
        rf"{_BE}(?:replaced|followed|succeeded|exchanged) (?:by|with|for)|gave way to|giving way to|given way to|"
        r"(?:has |have )?(?:evolved|turned|developed|changed|transformed|converted|progressed) (?:in)?to|"
        r"progressing to|became|(?:has |have )become|precedes?|preceded|preceding|prior to|before|then",
        r"(?:has |have )?replac(?:ed|es|ing)|follow(?:s|ing)|preceded by|after|in place of",
    ),
    ("than", r"\w+er than|more \w+ than|worse than|less \w+ than|greater than|than|exceeds?|outweighs?", r"(?!)"),
    ("compared", r"compared (?:with|to|against)|in comparison (?:with|to)|relative to|versus|unlike", r"(?!)"),
    (
        "act",
        r"obscur(?:es|ing|e)|displac(?:es|ing)|compress(?:es|ing)?|surround(?:s|ing)?|mimic(?:s|king)?|"
        r"simulat(?:es|ing)|silhouett(?:es|ing)|abut(?:s|ting)?|invad(?:es|ing)|erod(?:es|ing)|encas(?:es|ing)|"
        r"obstruct(?:s|ing)|narrow(?:s|ing)|hid(?:es|ing)|cover(?:s|ing)|deviat(?:es|ing)|extend(?:s|ing)? (?:in)?to|"
        r"complicat(?:es|ing)|contain(?:s|ing)?|overl(?:ies|ie|aps?)|overlying|drain(?:s|ing)|pierc(?:es|ing)|"
        r"penetrat(?:es|ing)|destroy(?:s|ing)?|suggest(?:s|ing)?|indicat(?:es|ing)",
        rf"{_BE}(?:obscured|displaced|compressed|surrounded|mimicked|simulated|silhouetted|abutted|invaded|eroded|"
        r"encased|obstructed|narrowed|hidden|covered|deviated|complicated|contained|overlain|overlapped|drained|"
        r"pierced|penetrated|destroyed|suggested|indicated) by",
    ),
    ("above", r"above|superior to|cephalad to|over|on top of", r"below|beneath|inferior to|caudal to|under(?:neath)?"),
    ("behind", r"behind|posterior to|dorsal to", r"in front of|anterior to|ventral to"),
    ("lateral", r"lateral to|peripheral to", r"medial to|central to"),
    ("proximal", r"proximal to", r"distal to"),
    ("into", r"into|onto|towards?|through|across|superimposed (?:up)?on", r"(?!)"),
    ("inside", r"inside|within", r"outside(?: of)?|around"),
)
_PATTERNS = tuple(
    (kind, turned, re.compile(rf"\b(?:{words})\b"))
    for kind, one, other in _KINDS
    for turned, words in ((False, one), (True, other))
)
_FROM_TO = re.compile(r"\bfrom (.+?) (?:in)?to (.+)")
_TO_FROM = re.compile(r"\b(?:in)?to (.+?) from (.+)")
# What a clause of its own is no side of: "a nodule, and the mass is below the hilum".
_CLAUSE = re.compile(r"[;.]|,? (?:but|while|whereas|although|though|however)\b")
_ITEMS = frozenset({"finding", "device", "word", "place", "side", "state", "number", "quality", "doubt"})
_HEADS = frozenset({"finding", "device", "place", "side"})
_FRAGMENT = re.compile(r"[,;:]|\b(?:and|or|with)\b")
LONGEST = 40
"""Words of a clause up to which it is looked at; longer ones hold lists."""
_Pair = tuple[str, str, str]


def reversed_order(original: ReportText, alternative: ReportText) -> str:
    """What changed places on both sides of a directed word; empty where nothing did.

    Examples
    --------
    >>> reversed_order(ReportText("Atelectasis due to a mass."), ReportText("A mass due to atelectasis."))
    'the order changed: atelectasis, mass (cause)'
    >>> reversed_order(ReportText("Atelectasis due to a mass."), ReportText("A mass causes atelectasis."))
    ''
    """
    before, after = _pairs(original), _pairs(alternative)
    for kind, one, other in sorted(before - after):
        turned = (kind, other, one)
        if turned in after and turned not in before:
            return f"the order changed: {one}, {other} ({kind})".replace("_", " ")
    return ""


@lru_cache(maxsize=REPORTS)
def _pairs(report: ReportText) -> frozenset[_Pair]:
    return frozenset(
        pair
        for name in report.sections
        for sentence in sentences_of(report.get(name))
        for clause in _CLAUSE.split(sentence.lower())
        if len(clause.split()) <= LONGEST
        for pair in _clause_pairs(clause)
    )


# Most sentences stand in a report and in each of its alternatives, and many in more reports than one.
@lru_cache(maxsize=SENTENCES)
def _clause_pairs(clause: str) -> frozenset[_Pair]:
    return frozenset(_of_clause(clause))


def _of_clause(clause: str) -> Iterator[_Pair]:
    for kind, turned, pattern in _PATTERNS:
        for found in pattern.finditer(clause):
            one, other = clause[: found.start()], clause[found.end() :]
            if not _items(one) and "," in other:
                other, _, one = other.partition(",")  # "Due to the mass, there is atelectasis."
            yield from _ordered(kind, other, one) if turned else _ordered(kind, one, other)
    yield from _by_verbs(clause)
    for turned, pattern in ((False, _FROM_TO), (True, _TO_FROM)):
        for found in pattern.finditer(clause):
            one, other = found.groups()
            yield from _ordered("from", other, one) if turned else _ordered("from", one, other)


def _by_verbs(clause: str) -> Iterator[_Pair]:
    """What stands before and after a verb that the lexicon does not know: "the catheter crosses the tube"."""
    for told in map(words_of, _FRAGMENT.split(clause)):
        for at, word in enumerate(told):
            if word.kind != "word" or not word.said.endswith(("s", "ing", "ed")):
                continue
            one, other = (
                frozenset(each.meaning for each in half if each.kind in _HEADS) for half in (told[:at], told[at + 1 :])
            )
            if word.said.endswith("ed") and any(each.said == "by" for each in told[at + 1 :]):
                one, other = other, one
            yield from ((word.said[:5], first, second) for first in one - other for second in other - one)


def _ordered(kind: str, one: str, other: str) -> Iterator[_Pair]:
    before, after = _items(one), _items(other)
    yield from ((kind, first, second) for first in before - after for second in after - before)


@lru_cache(maxsize=SENTENCES)
def _items(text: str) -> frozenset[str]:
    return frozenset(word.meaning for word in words_of(text) if word.kind in _ITEMS)
