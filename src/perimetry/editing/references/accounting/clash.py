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
# What a part of a lung has and the whole of it has not: "status post resection of the left lung" is another operation.
_OF_THE_WHOLE = re.compile(
    r"\b(?:resect\w*|\w*(?:lob|segment|pneumon)ectom\w*|excis\w+|remov(?:ed|al)|amputat\w*|transplant\w*|"
    r"absent|absence of (?:the )?(?:right|left)|missing|lack(?:s|ing)?|collaps\w*|volume loss|"
    r"loss of (?:\w+ )?volume|syndrome|entire\w*|whole|total(?:ly)?(?! of)|majority|half|most of|much of|all of|"
    r"throughout|occup\w+|replac\w+|obliterat\w*|destr(?:oy|uct)\w*|fill(?:s|ed|ing)|white(?:d|-|\s)?out|opaque|"
    r"opacified|(?<!partial )opacification of|consolidated|consolidation of|aerat\w+|"
    r"postoperative (?:left|right)|"
    r"not (?:well |fully |entirely |completely )?(?:imaged|included|visuali[sz]ed|seen|evaluated|assessed)|"
    r"excluded|cut off|clipped|collimat\w+|obscur\w+)\b",
    re.IGNORECASE,
)
_A_LOT = r"(?:clear\w*|normal\w*|unremarkable|hyper\w+|well[- ]expanded|fully expanded|re-?expanded|expanded)"
_LUNG_PART = (
    r"(?:(?:upper|lower|middle|mid)[ -]?(?:lobes?|lungs?|zones?)(?: zones?)?"
    r"|bases?|apex|apices|lingula|segments?|lobes?)"
)
_LEADS_TO_IT = r"(?:(?:of|the|both|right|left|bilateral|lung) ){0,4}"
# What is said of the whole of a part: "the right base is clear", "hyperlucent left upper lobe".
_SAID_OF_IT = re.compile(
    rf"\b{_LUNG_PART} (?:(?:is|are|was|were|appears?|remains?|looks?|otherwise|grossly|both|again|now) ){{1,3}}"
    rf"{_A_LOT}\b|\b{_A_LOT} {_LEADS_TO_IT}{_LUNG_PART}\b(?! (?:opaci|atelec|scar|granul|nodul))",
    re.IGNORECASE,
)
# "Near the apex" is within the lung, "near the lung" is not.
_BESIDE = re.compile(
    rf"\b(?:near|next to|adjacent to|outside|levels? of|above|below|beneath|behind)"
    rf" {_LEADS_TO_IT}(?:{_LUNG_PART}|aortic (?:arch|knob))\b",
    re.IGNORECASE,
)
# "Most prominent in the lower lobes": without a side or a part of the lungs there is no most.
_FOREMOST = re.compile(
    rf"\b(?:most|more|predominantly|mainly|mostly|especially|particularly|greatest|greater|worst|worse|largely)"
    rf" (?:\w+ ){{0,2}}?(?:in|at|within|involving|towards?) (?:(?:the|both|bilateral|lung) ){{0,3}}{_LUNG_PART}\b",
    re.IGNORECASE,
)
# The bronchus of a lobe is another one than that of its lung.
_NAMED_BY_IT = re.compile(
    rf"\b{_LUNG_PART} (?:pulmonary )?(?:bronch(?:us|i)\b|arter\w+|veins?\b|fissures?\b)", re.IGNORECASE
)
_PART_OF_LUNG = frozenset(
    {
        "upper_lobe", "lower_lobe", "middle_lobe", "upper_lung", "lower_lung", "mid_lung", "base", "apex", "perihilar",
        "lingula", "segment", "aortic_arch", "aortic_knob",
    }
)  # fmt: skip
_BETWEEN = frozenset({"than", "to", "into", "toward", "towards", "from", "versus", "vs", "whereas", "while", "unlike"})
_UP = frozenset({"increased", "worse", "new"})
_DOWN = frozenset({"decreased", "improved", "resolved"})
_NORMAL = frozenset({"normal", "clear", "expanded"})


@dataclass(frozen=True, slots=True)
class _Fine:
    """A fine place of a sentence with the side before it and where it stands."""

    name: str
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
    >>> clash(ReportText("Status post resection of the left upper lobe."))
    'a part of a lung is told to have what the whole of it has not: resection'
    >>> clash(ReportText("No nodule in the right upper lobe."))
    'a coarser place would be denied more than its part: nodule'
    >>> clash(ReportText("Nodule in the left lower lobe. No effusion."))
    ''
    """
    whole = ""
    for sentence in (each for name in report.sections for each in split_sentences(report.get(name))):
        words = words_of(sentence)
        places = list(_fine_places(words))
        apart = _APART.search(sentence) if places else None
        if apart:
            said = apart.group().lower()
            return f"a place is set apart from others that a coarser one would name, too: {said}"
        if any(place.name in _PART_OF_LUNG for place in places):
            whole = whole or _told_of_the_whole(sentence)
        for one, other in pairwise(places):
            said = _divided(words[one.at + 1 : other.at])
            if said and one.coarse & other.coarse and _meet(one.side, other.side):
                return f"two places are held against each other that a coarser one would name both: {said}"
    contradicted = _contradicted(report_facts(report))
    if whole and not contradicted:
        return f"a part of a lung is told to have what the whole of it has not: {whole}"
    return contradicted


def _fine_places(words: Sequence[Word]) -> Iterator[_Fine]:
    side: frozenset[str] = frozenset()
    numbered = any(word.kind == "number" for word in words)
    for at, word in enumerate(words):
        if word.kind == "side":
            side = frozenset({word.meaning})
        # A rib stands for itself: only its number makes it one of several.
        if word.kind == "place" and coarse_names(word.meaning) and (numbered or word.meaning != "rib"):
            yield _Fine(word.meaning, coarse_names(word.meaning), side, at)


def _told_of_the_whole(sentence: str) -> str:
    """What would be said of a lung that is true of a part of it only."""
    tried = (pattern.search(sentence) for pattern in (_OF_THE_WHOLE, _SAID_OF_IT, _BESIDE, _FOREMOST, _NAMED_BY_IT))
    return next((found.group().lower() for found in tried if found), "")


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
    for place in fine:
        # That a lobe has no nodule does not say that its lung has none.
        if place.denied and place.name in _PART_OF_LUNG:
            return f"a coarser place would be denied more than its part: {place.of.replace('_', ' ')}"
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
