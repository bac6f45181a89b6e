"""One clinical error of a kind in a report's section, and everything else as it was."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any, TypeAlias

from perimetry.cases.digest import digest_parts
from perimetry.editing.references.accounting.facts import facts_of
from perimetry.editing.references.casing import Style
from perimetry.editing.references.layout import Layout
from perimetry.statistics.streams import below, raw_integers

__all__ = ["KINDS", "plant_errors"]

Draw: TypeAlias = Callable[[int], int]
"""A number below a bound."""

# A heart's right atrium is no side of the chest.
_SIDE = re.compile(r"\b(left|right)(?=\b|sided\b)(?! (?:heart|atri\w+|ventric\w+|main|mainstem)\b)", re.IGNORECASE)
_OTHER_SIDE = {"left": "right", "right": "left"}
_SIZE = re.compile(r"\b(\d+(?:\.\d+)?)(?=\s?-?(?:mm|cm|millimet|centimet))", re.IGNORECASE)
_TIMES = 3
_BOTH = re.compile(r"\b(?:both|bilateral\w*|right and left|left and right)\b", re.IGNORECASE)
_DENYING = re.compile(r"\b(?:no|not|nor|without|negative|free of|neither|none|never|cannot|absent)\b", re.IGNORECASE)
# What follows a denial that cannot be affirmed by leaving the denial out: "no longer seen", "no other finding".
_NO_FINDING = (
    r"(?!(?:longer|other|further|additional|more|such|prior|previous|comparison|comparisons|old|lateral|change|way|"
    r"need|doubt|specific|convincing|definitive|definitely|obvious|other|new change|or|and)\b)"
)
# Each is turned round by itself and whole: only the word that denies goes. What no pattern fits is not planted.
_DENIED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (rf"^no {_NO_FINDING}(?=[a-z])", ""),
        (rf"^(there (?:is|are)) no {_NO_FINDING}(?=[a-z])", r"\1 "),
        (r"^negative for ", "positive for "),
        (r"^without ", "with "),
    )
)
_COUNTED = r"(?:(?:an?|the|multiple|several|a few|few|many|numerous|two|three|some|both) )?"
# An adverb or a part of a verb follows: "there is no also a nodule".
_NO_NOUN = (
    r"(?!(?:no|not|again|also|now|still|only|been|at|in|on|more|less|likely|probably|possibly|otherwise|little|"
    r"interval|suggestion|\w+ly)\b)"
)
_AFFIRMED: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (rf"^(there (?:is|are)) {_NO_NOUN}{_COUNTED}{_NO_NOUN}(?!(?:an?|the) )(?=[a-z])", r"\1 no "),
        (r"\b(is|are) (present|seen|noted|identified|enlarged|elevated|visualized)\b", r"\1 not \2"),
    )
)
# One nodule that there is needs its article: "there is a nodule".
_ONE = re.compile(
    r"^(?P<there>there is )?(?P<words>(?:(?!evidence|signs?\b)[a-z-]+ ){0,4}?"
    r"(?:nodule|mass|lesion|fracture|abnormality|infiltrate|"
    r"process|granuloma|pneumothorax|effusion|cavity|deformity|finding|opacity|consolidation))\b(?! or | and |,)",
    re.IGNORECASE,
)
_VERB = re.compile(r" (?:is|was|has|can be)\b", re.IGNORECASE)
_THERE = re.compile(
    r"there (?P<verb>is|are) (?:[\w/-]+,? )*?(?P<noun>[\w-]+)"
    r"(?= (?:in|of|at|on|within|with|to|for|is|are|seen|identified|noted|present|or|and|over|causing|bilaterally)\b"
    r"|\s*[.,;:(]|\s*$)",
    re.IGNORECASE,
)
# What has come apart: a sentence that runs on into others, or turns round half way.
_RUN_ON = re.compile(r"\b(?:but|however|although|though|except|otherwise|which|that|unless|if)\b", re.IGNORECASE)
# After a denial something else is affirmed, or two things are where one would be denied.
_STATES = re.compile(r"\b(?:normal|clear|intact|unremarkable|stable|unchanged|within)\b", re.IGNORECASE)
_TWICE = re.compile(r"\b(?:is|are|was|were|has|have)\b.*\b(?:is|are|was|were|has|have|appears?)\b", re.IGNORECASE)


def plant_errors(text: str, seed: int = 42) -> dict[str, str]:
    """Plant one error of every kind that a text has a place for.

    Nothing but the error is changed: list marks, headings, line breaks, case and tokenisation stay. What is planted is
    checked by the facts of both texts, which must differ; which place is taken is drawn by the seed and the text.

    Parameters
    ----------
    text : str
        A section.
    seed : int, default 42

    Returns
    -------
    dict of str to str
        The text with the error, by kind, in the order of `KINDS`.

    Examples
    --------
    >>> errors = plant_errors("Mild cardiomegaly. 8 mm nodule in the left lung. No pleural effusion.")
    >>> errors["flipped_side"], errors["changed_number"][19:32]
    ('Mild cardiomegaly. 8 mm nodule in the right lung. No pleural effusion.', '24 mm nodule ')
    >>> errors["changed_severity"][:19], errors["flipped_negation"][-17:]
    ('Severe cardiomegaly', 'Pleural effusion.')
    """
    digest = digest_parts([text])
    layout = Layout.of(text)
    facts = frozenset(facts_of(text))
    found = {}
    for kind, plant in _PLANTERS.items():
        steps = count()

        def draw(bound: int, kind: str = kind, steps: Iterator[int] = steps) -> int:
            return int(below(raw_integers(seed, "planted error", kind, digest, next(steps), size=1), bound)[0])

        made = plant(layout, draw)
        if made and made != text and frozenset(facts_of(made)) != facts:
            found[kind] = made
    return found


def _dropped(layout: Layout, draw: Draw) -> str:
    """Leave a sentence out whose findings stand nowhere else."""
    groups = layout.groups
    named = [{fact.name for place in group for fact in facts_of(layout.said[place])} for group in groups]
    candidates = []
    for number, group in enumerate(groups):
        told = {
            fact.name
            for place in group
            for fact in facts_of(layout.said[place])
            if fact.kind in ("finding", "device") and not fact.benign and not fact.denied
        }
        elsewhere = {name for other, names in enumerate(named) if other != number for name in names}
        if told - elsewhere:
            candidates.append(group)
    if not candidates or len(groups) < 2:
        return ""
    return layout.without(candidates[draw(len(candidates))]).text


def _new(layout: Layout, draw: Draw) -> str:
    """Add a finding of which the text says nothing."""
    named = {fact.name for each in layout.said for fact in facts_of(each)}
    free = [each["text"] for each in _words()["new"] if named.isdisjoint(each["unless"])]
    if not free or not layout.statements:
        return ""
    return layout.with_added([Style.of(layout.text).styled(free[draw(len(free))])]).text


def _other_side(layout: Layout, draw: Draw) -> str:
    """Swap left and right in a sentence that names one of them."""

    def turned(body: str) -> Iterator[str]:
        sides = {side.lower() for side in _SIDE.findall(body)}
        if len(sides) == 1 and not _BOTH.search(body):
            yield _SIDE.sub(lambda match: _as(match.group(), _OTHER_SIDE[match.group().lower()]), body)

    return _one_changed(layout, turned, draw)


def _other_polarity(layout: Layout, draw: Draw) -> str:
    """Affirm what a sentence denies, or deny what it affirms."""

    def turned(body: str) -> Iterator[str]:
        denials = len(_DENYING.findall(body))
        if denials > 1 or _RUN_ON.search(body):
            return
        if (_STATES if denials else _TWICE).search(body) or _disagrees(body):
            return  # To turn one half of it would leave neither an error nor a sentence.
        for pattern, instead in _DENIED if denials else _AFFIRMED:
            new = pattern.sub(instead, body, count=1)
            if new != body:
                new = _with_article(new) if denials else new
                yield new[:1].upper() + new[1:] if body[:1].isupper() else new
                return

    return _one_changed(layout, turned, draw)


def _other_severity(layout: Layout, draw: Draw) -> str:
    """Change one degree of severity."""
    severity: Mapping[str, str] = _words()["severity"]
    pattern = _severities()

    def turned(body: str) -> Iterator[str]:
        for match in pattern.finditer(body):
            if _DENYING.search(body, 0, match.start()):
                continue  # "No large effusion" says nothing of how large one is.
            word = _as(match["word"], severity[match["word"].lower()])
            article = match["article"] or ""
            if article:
                an = "an" if word[0].lower() in "aeiou" else "a"
                article = f"{_as(article.rstrip(), an)}{article[len(article.rstrip()) :]}"
            yield f"{body[: match.start()]}{article}{word}{body[match.end() :]}"

    return _one_changed(layout, turned, draw)


def _other_number(layout: Layout, draw: Draw) -> str:
    """Make one measurement three times what it is."""

    def turned(body: str) -> Iterator[str]:
        for match in _SIZE.finditer(body):
            yield f"{body[: match.start()]}{float(match.group()) * _TIMES:g}{body[match.end() :]}"

    return _one_changed(layout, turned, draw)


_PLANTERS: Mapping[str, Callable[[Layout, Draw], str]] = {
    "dropped_finding": _dropped,
    "new_finding": _new,
    "flipped_side": _other_side,
    "flipped_negation": _other_polarity,
    "changed_severity": _other_severity,
    "changed_number": _other_number,
}

KINDS: tuple[str, ...] = tuple(_PLANTERS)
"""Kinds of error, in the order in which they are planted."""


def _one_changed(layout: Layout, turned: Callable[[str], Iterator[str]], draw: Draw) -> str:
    candidates = [
        (place, new) for place, each in enumerate(layout.statements) for new in turned(each.body) if new != each.body
    ]
    if not candidates:
        return ""
    place, new = candidates[draw(len(candidates))]
    return layout.changed({place: [new]}).text


def _disagrees(body: str) -> bool:
    """Whether "there is" tells of several, or "there are" of one: what is turned would read no better."""
    found = _THERE.match(body)
    if not found or "xxxx" in found["noun"].lower():
        return False
    several = re.search(r"(?:[^sui]s|ae|ia|thoraces|apices)$", found["noun"].lower()) is not None
    return several == (found["verb"].lower() == "is")


def _with_article(body: str) -> str:
    """A sentence that affirms one thing, with "a" before it; one that is short for a sentence needs none."""
    found = _ONE.match(body)
    if not found or not (found["there"] or _VERB.match(body, found.end())):
        return body
    words = found["words"]
    if found["there"] is None:
        words = words[0].lower() + words[1:]
    article = "an" if words[0].lower() in "aeiou" else "a"
    return f"{found['there'] or ''}{article} {words}{body[found.end() :]}"


def _as(word: str, other: str) -> str:
    """Another word in the case of a word."""
    if word.isupper() and len(word) > 1:
        return other.upper()
    return other[:1].upper() + other[1:] if word[:1].isupper() else other


@cache
def _words() -> Mapping[str, Any]:
    text = (files("perimetry.editing.references.planting") / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _severities() -> re.Pattern[str]:
    names: Sequence[str] = sorted(_words()["severity"], key=len, reverse=True)
    return re.compile(rf"\b(?P<article>an?\s+)?(?P<word>{'|'.join(names)})\b", re.IGNORECASE)
