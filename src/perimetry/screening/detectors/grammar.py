"""Options that alone complete the stem: article, number, verb form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from perimetry.screening.asymmetry import asymmetric, whole
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.detectors.overlap import is_reference
from perimetry.screening.finding import Finding
from perimetry.screening.item import Choice, Item
from perimetry.screening.screen import HALADYNA, Screen
from perimetry.screening.words import fold, visible, word_set

__all__ = ["SCREENS"]

# The last word of an unfinished stem; what stands behind it (a colon, a line to fill in) is no word.
LAST = re.compile(
    r"\b(a|an|a\(n\)|is|are|was|were|to|this|these|those|several|two|three)\b[\s:;.…_–-]*$", re.IGNORECASE
)
VOWEL = re.compile(r"^[^\w]*(?:[aeio]|u(?!ni|se|re(?:a|t)|ti)|hono|hour|[AEFHILMNORSX](?=[A-Z]{1,4}\b))", re.IGNORECASE)
LETTER_AS_VOWEL = re.compile(r"^[^\w]*[AEFHILMNORSX][A-Z]{1,5}\b")
LETTER_AS_CONSONANT = re.compile(r"^[^\w]*[BCDGJKPQTUVWYZ][A-Z]{1,5}\b")
ARTICLE = re.compile(r"^\W*(?:a|an|the)\s", re.IGNORECASE)
GERUND = re.compile(r"^\W*(?!Cushing)[A-Za-z]{3,}ing\b(?![\"'’]s)")
INFINITIVE = re.compile(
    r"^\W*(?:perform|obtain|give|administer|place|remove|start|stop|repeat|refer|admit|discharge|prescribe|treat"
    r"|observe|order"
    r"|continue|increase|decrease|reduce|repair|proceed|initiate|reassure|evaluate|assess|prevent|provide|measure"
    r"|improve)\b",
    re.IGNORECASE,
)
NO_SINGULARS = word_set("pelvis diagnosis series species diabetes herpes rabies mumps measles")


def _article(last: str) -> Callable[[Choice], bool]:
    wants_vowel = last == "an"

    def agrees(option: Choice) -> bool:
        text = option.visible
        said = LETTER_AS_VOWEL.match(text) or VOWEL.match(text)
        vowel = bool(said) and not LETTER_AS_CONSONANT.match(text)
        return vowel == wants_vowel and not ARTICLE.match(text)

    return agrees


def _plural(option: Choice) -> bool:
    """Whether the head of the option's first noun phrase is a plural, or two things are joined."""
    head = re.split(r"\b(?:of|in|with|for|from|to|at|by|on|due)\b|[,;(]", option.visible, maxsplit=1)[0]
    if re.search(r"\band\b", head):
        return True
    found = re.findall(r"[A-Za-z]+", head)
    return bool(found) and found[-1].lower() not in NO_SINGULARS and fold(found[-1].lower()) != found[-1].lower()


def _singular(option: Choice) -> bool:
    return not _plural(option)


RULES: Mapping[str, Callable[[Choice], bool]] = {
    "a": _article("a"),
    "an": _article("an"),
    "this": _singular,
    "these": _plural,
    "those": _plural,
    "several": _plural,
    "two": _plural,
    "three": _plural,
    "are": _plural,
    "were": _plural,
    "to": lambda option: bool(INFINITIVE.match(option.visible)),
}


def _agreement(item: Item, _: DatasetStatistics) -> Finding | None:
    match = LAST.search(visible(item.stem))
    if match is None or any(is_reference(option) for option in item.options):
        return None
    last = match[1].lower()
    rule = RULES.get(last)
    if rule is None:
        return None
    carried = {option.label: [whole(option, f"completes “… {last}”")] for option in item.options if rule(option)}
    return asymmetric(item, carried, "high", f"the stem ends in “{last}”")


def _verb_form(item: Item, _: DatasetStatistics) -> Finding | None:
    """One option that alone begins with a verb in -ing, an order, or an article, or alone does not."""
    if len(item.options) < 3 or any(is_reference(option) for option in item.options):
        return None
    for form, pattern in (("a verb in -ing", GERUND), ("an order", INFINITIVE), ("an article", ARTICLE)):
        having = [option for option in item.options if pattern.match(option.visible)]
        lone = having if len(having) == 1 else [option for option in item.options if option not in having]
        if len(lone) == 1:
            label = f"alone {'' if lone == having else 'not '}with {form}"
            return asymmetric(item, {lone[0].label: [whole(lone[0], label)]}, "medium", label)
    return None


SCREENS = (
    Screen(
        "grammatical-agreement",
        "Completes the stem's grammar",
        "option form",
        "option",
        "options that fit the last word of an unfinished stem (a, an, are, these, to ...), where others do not",
        _agreement,
        HALADYNA,
        english=True,
    ),
    Screen(
        "verb-form-outlier",
        "Part of speech of its own",
        "option form",
        "option",
        "one of three or more options that alone begins (or alone does not begin) with a verb in -ing, an order,"
        " or an "
        "article",
        _verb_form,
        HALADYNA,
        english=True,
    ),
)
