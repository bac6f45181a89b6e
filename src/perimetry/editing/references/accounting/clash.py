"""Reports that would contradict themselves if their places were told less finely."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from perimetry.editing.references.accounting.differences import coarse_names
from perimetry.editing.references.accounting.facts import Fact, report_facts
from perimetry.editing.references.accounting.lexicon import Word, words_of
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.sentences import split_sentences

__all__ = ["clash"]

# What sets one place apart from the rest: without the place nothing is set apart.
_APART = re.compile(
    r"\b(?:except\w*|excluding|spar(?:ed|es|e|ing)|apart from|aside from|other than|with the exclusion|"
    r"but not|not (?:in|at|within|involving|the)|unlike|elsewhere|rather than|instead of|limited to|"
    r"confined to|only (?:in|at|the)|"
    r"(?:moved|migrat\w+|shift\w*|relocat\w+|spread|progress\w*|extend\w*) (?:\w+ ){0,2}(?:to|into|towards?|from))\b",
    re.IGNORECASE,
)
_BETWEEN = frozenset({"than", "to", "into", "toward", "towards", "from", "versus", "vs", "whereas", "while", "unlike"})
_UP = frozenset({"increased", "worse", "new"})
_DOWN = frozenset({"decreased", "improved", "resolved"})
_NORMAL = frozenset({"normal", "clear", "expanded"})


@dataclass(frozen=True, slots=True)
class _Fine:
    """A fine place of a sentence with the side before it and where it stands."""

    coarse: frozenset[str]
    side: frozenset[str]
    at: int


def clash(report: ReportText) -> str:
    """Why coarser places would make a report contradict itself, or say of a place what it says of another one.

    Parameters
    ----------
    report : ReportText
        The original, with its fine places.

    Returns
    -------
    str
        Empty where coarser places can stand.

    Examples
    --------
    >>> clash(ReportText("No nodule in the right upper lobe. Nodule in the right lower lobe."))
    'a coarser place would be said to have and not to have: nodule'
    >>> clash(ReportText("The lungs are clear except for the right base."))
    'a place is set apart from others that a coarser one would name, too: except'
    >>> clash(ReportText("No nodule in the right upper lobe. Nodule in the left lower lobe."))
    ''
    """
    for sentence in (each for name in report.sections for each in split_sentences(report.get(name))):
        words = words_of(sentence)
        places = list(_fine_places(words))
        apart = _APART.search(sentence) if places else None
        if apart:
            said = apart.group().lower()
            return f"a place is set apart from others that a coarser one would name, too: {said}"
        for one, other in pairwise(places):
            said = _divided(words[one.at + 1 : other.at])
            if said and one.coarse & other.coarse and _meet(one.side, other.side):
                return f"two places are held against each other that a coarser one would name both: {said}"
    return _contradicted(report_facts(report))


def _fine_places(words: Sequence[Word]) -> Iterator[_Fine]:
    side: frozenset[str] = frozenset()
    numbered = any(word.kind == "number" for word in words)
    for at, word in enumerate(words):
        if word.kind == "side":
            side = frozenset({word.meaning})
        # A rib stands for itself: only its number makes it one of several.
        if word.kind == "place" and coarse_names(word.meaning) and (numbered or word.meaning != "rib"):
            yield _Fine(coarse_names(word.meaning), side, at)


def _divided(words: Sequence[Word]) -> str:
    """A word that turns what is said, between two places."""
    return next((word.said for word in words if word.kind in ("before", "after") or word.said in _BETWEEN), "")


def _contradicted(facts: Collection[Fact]) -> str:
    numbered = {fact.of for fact in facts if fact.kind == "number"}
    fine = [
        fact
        for fact in facts
        if fact.kind == "place" and fact.of and coarse_names(fact.name) and (fact.name != "rib" or fact.of in numbered)
    ]
    heads = [fact for fact in facts if fact.kind in ("finding", "device", "word")]
    for place in fine:
        opposite = [head for head in heads if head.name == place.of and head.denied != place.denied]
        refused = place.denied or any(
            other.denied and other.of == place.of and coarse_names(other.name) & coarse_names(place.name)
            for other in fine
        )
        if refused and any(_meet(head.sides, place.sides) for head in opposite):
            return f"a coarser place would be said to have and not to have: {place.of.replace('_', ' ')}"
    for of in sorted({place.of for place in fine}):
        mine = [place for place in fine if place.of == of]
        met = any(
            one.name != other.name
            and coarse_names(one.name) & coarse_names(other.name)
            and _meet(one.sides, other.sides)
            for one in mine
            for other in mine
        )
        courses = {fact.name for fact in facts if fact.kind == "quality" and fact.of == of}
        if met and courses & _UP and courses & _DOWN:
            return f"a coarser place would be said to have become more and less: {of.replace('_', ' ')}"
    return _normal_and_not(facts, heads)


def _normal_and_not(facts: Collection[Fact], heads: Collection[Fact]) -> str:
    """A fine place called normal, where something is in the coarser one."""
    # "Left basilar atelectasis otherwise clear lungs" is read as a word on both places.
    whole = {(fact.name, fact.sides) for fact in facts if fact.kind == "state" and fact.of == "lung"}
    for fact in facts:
        if (fact.name, fact.sides) in whole:
            continue
        if fact.kind == "state" and fact.name in _NORMAL and not fact.denied and "lung" in coarse_names(fact.of):
            present = [head for head in heads if head.kind == "finding" and not head.benign and not head.denied]
            for head in present:
                if head.sides and _meet(head.sides, fact.sides):
                    return f"a coarser place would be called {fact.name} and have: {head.name.replace('_', ' ')}"
    return ""


def _meet(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sides may be the same; one that is not named may be either."""
    return not one or not other or bool(one & other) or "both" in one | other
