"""What is said together of one mention of a finding, held against what goes together in another report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from perimetry.editing.references.accounting.facts import Fact, facts_of, sentences_of
from perimetry.editing.references.accounting.lexicon import Word, words_of
from perimetry.editing.references.kept import REPORTS, SENTENCES
from perimetry.editing.references.report import ReportText

__all__ = ["swapped"]

_NAMED = frozenset({"finding", "device", "word"})
# Compared where facts are.
_OF_A_FACT = frozenset({"denied", "doubt", "state"})
_ELSEWHERE = "what one sentence says is said in another"
_SILENT = frozenset({"filler", "comma", "break", "before", "after"})
_JOINERS = frozenset({"and", "or", "with", "as", "plus"})
_HALVES = re.compile(r";|, (?=(?:but|while|whereas|although)\b)")
_Said = tuple[str, str]
_Bonds = Mapping[tuple[str, _Said, str], frozenset[str]]


def swapped(original: ReportText, alternative: ReportText, *, fewer: bool = False) -> str:
    """What goes with something else than before; empty where all that was said together still is.

    A small effusion on the left and a large one on the right are not a large one on the left and a small one on the
    right, though the same is named. Of what a report mentions more than once, everything that is said of a mention
    (its sides, places, qualities, numbers, denial, doubt) is held against what else is said of it. What only one
    text says is no swap.

    Parameters
    ----------
    original, alternative : ReportText
    fewer : bool, default False
        Whether mentions may go, and what is said of them be told less finely.

    Examples
    --------
    >>> swapped(ReportText("Small left effusion. Large right effusion."),
    ...     ReportText("Large left effusion. Small right effusion."))
    'what is said of a finding changed: large (effusion)'
    >>> swapped(ReportText("Calcified nodule. Spiculated mass."),
    ...     ReportText("Spiculated nodule. Calcified mass."))[:36]
    'what goes with a finding changed: ca'
    """
    before, after = _bonds(original), _bonds(alternative)
    known = {(of, kind, value) for (of, _, kind), values in before.items() for value in values}
    for key in sorted(before.keys() & after.keys()):
        of, (kind, name), other = key
        # A coarser place than before is no other one.
        gained = {value for value in after[key] - before[key] if (of, other, value) in known}
        lost = before[key] - after[key]
        if gained or (lost and not fewer):
            told = name if kind != "denied" else next(iter(sorted(gained or lost)))
            return f"what is said of a finding changed: {told} ({of})".replace("_", " ")
    held, now = _together(original), _together(alternative)
    for name in sorted(held.keys() & now.keys()):
        if not held[name] & now[name]:
            return f"what goes with a finding changed: {name}".replace("_", " ")
    return "" if _apart(original) == _apart(alternative) or not _same_words(original, alternative) else _ELSEWHERE


def _same_words(original: ReportText, alternative: ReportText) -> bool:
    """Whether two reports tell the same in as many sentences."""
    before, after = _apart(original), _apart(alternative)
    return len(before) == len(after) and sorted(chain(*before)) == sorted(chain(*after))


@lru_cache(maxsize=REPORTS)
def _apart(report: ReportText) -> tuple[tuple[str, ...], ...]:
    """What each sentence names, in no order."""
    told = (
        _told(sentence)
        for name in report.sections
        for each in sentences_of(report.get(name))
        for sentence in _HALVES.split(each)
    )
    return tuple(sorted(each for each in told if each))


@lru_cache(maxsize=SENTENCES)
def _told(sentence: str) -> tuple[str, ...]:
    return tuple(sorted(f"{word.kind} {word.meaning}" for word in words_of(sentence) if _tells(word)))


def _tells(word: Word) -> bool:
    return word.kind not in _SILENT and word.said not in _JOINERS


@lru_cache(maxsize=REPORTS)
def _facts(report: ReportText) -> tuple[Fact, ...]:
    return tuple(fact for name in report.sections for fact in facts_of(report.get(name)))


@lru_cache(maxsize=REPORTS)
def _bonds(report: ReportText) -> _Bonds:
    """Of everything said of what is mentioned more than once, and a kind: what of this kind is said with it."""
    mentions: dict[str, set[frozenset[_Said]]] = {}
    for fact in _facts(report):
        if fact.bound:
            of = fact.of if fact.kind == "state" else fact.name
            mentions.setdefault(of, set()).add(fact.bound)
    bonds: dict[tuple[str, _Said, str], set[str]] = {}
    for of, held in mentions.items():
        if len(held) < 2:
            continue
        for one, (kind, value) in (pair for each in held for pair in _pairs(each)):
            bonds.setdefault((of, one, kind), set()).add(value)
    return {key: frozenset(values) for key, values in bonds.items()}


def _pairs(mention: frozenset[_Said]) -> Iterator[tuple[_Said, _Said]]:
    said = [each for each in mention if each[0] != "with"]
    for one in said:
        for other in said:
            # Places of one mention are told together and apart as it comes.
            if one != other and not one[0] == other[0] == "place" and not {one[0], other[0]} <= _OF_A_FACT:
                yield one, other


@lru_cache(maxsize=REPORTS)
def _together(report: ReportText) -> Mapping[str, frozenset[str]]:
    """What else is named in the part of a sentence that names something."""
    found: dict[str, set[str]] = {}
    for fact in _facts(report):
        if fact.kind in _NAMED:
            others = {value for kind, value in fact.bound if kind == "with"}
            if others:
                found.setdefault(fact.name, set()).update(others)
    return {name: frozenset(others) for name, others in found.items()}
