"""What a judge says of each cue of an item, read from its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perimetry.scoring.judges import Answer, Missing
from perimetry.scoring.judges.answer import readable
from perimetry.scoring.judges.judgement import UnreadableAnswerError
from perimetry.scoring.judges.loose_json import read_object, unreadable
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Choice, Item
from perimetry.screening.judging.cue import JudgedCue
from perimetry.screening.judging.words import located

__all__ = ["Verdict", "read_verdicts"]

LONGEST_NOTE = 300
"""Characters of what a judge says that it sees on an image."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one cue in one item.

    Parameters
    ----------
    cue : JudgedCue
    there : bool or None
        None: no verdict, which is never taken for a no.
    finding : Finding or None
        Where the cue is there.
    reason : str
        Why there is no verdict; kind and detail as in `perimetry.scoring.judges.Missing`.
    """

    cue: JudgedCue
    there: bool | None
    finding: Finding | None = None
    reason: str = ""


def read_verdicts(item: Item, cues: Sequence[JudgedCue], answer: Answer | None) -> tuple[Verdict, ...]:
    """One verdict a cue; those that cannot be read or shown are none, and the others stand all the same.

    Parameters
    ----------
    item : Item
    cues : sequence of JudgedCue
        What was asked.
    answer : Answer or None

    Examples
    --------
    >>> from perimetry.screening.judging.cue import judged_cues
    >>> item = Item("1", "mine", "g", "Why?", "open")
    >>> read_verdicts(item, judged_cues()[:1], None)[0].reason.split(":")[0]
    'not_asked'
    """
    text = readable(answer)
    if isinstance(text, Missing):
        return _none(cues, text.reason)
    keys = [cue.key for cue in cues]
    try:
        held = read_object(text, keys)
    except UnreadableAnswerError as error:
        return _none(cues, unreadable(text, error).reason)
    return tuple(_verdict(item, cue, held) for cue in cues)


def _none(cues: Sequence[JudgedCue], reason: str) -> tuple[Verdict, ...]:
    return tuple(Verdict(cue, None, reason=reason) for cue in cues)


def _verdict(item: Item, cue: JudgedCue, held: dict[str, Any]) -> Verdict:
    try:
        there, finding = _read(item, cue, held)
    except UnreadableAnswerError as error:
        return Verdict(cue, None, reason=f"unreadable: {error}")
    return Verdict(cue, there, finding)


def _read(item: Item, cue: JudgedCue, held: dict[str, Any]) -> tuple[bool, Finding | None]:
    entry = held.get(cue.key)
    if not isinstance(entry, dict):
        raise UnreadableAnswerError("nothing is said of the cue" if entry is None else "what is said is no object")
    there = entry.get("there")
    if not isinstance(there, bool):
        raise UnreadableAnswerError("'there' is neither true nor false")
    words = _texts(entry, "words")
    labels = _labels(item, _texts(entry, "options")) if cue.unit == "option" else ()
    if not there:
        if labels:
            raise UnreadableAnswerError("it says no and names options that carry the cue")
        return False, None
    if cue.unit == "option" and len(labels) < cue.least:
        named = f"{len(labels)} option{'s' * (len(labels) != 1)}"
        raise UnreadableAnswerError(f"it says yes and names {named}; at least {cue.least} had to be named")
    if cue.image:
        if not words:
            raise UnreadableAnswerError("it says yes and does not say what is seen")
        return True, Finding(labels, (), cue.severity, " ".join("; ".join(words).split())[:LONGEST_NOTE])
    return True, Finding(labels, _spans(item, labels, words), cue.severity)


def _spans(item: Item, labels: Sequence[str], words: Sequence[str]) -> tuple[Span, ...]:
    """Where the words stand; of an option that is named, and from which nothing is quoted, the whole."""
    found = [located(item, each, labels) for each in words]
    if None in found:
        raise UnreadableAnswerError("it shows words that do not stand in the item")
    spans = list(dict.fromkeys(span for span in found if span is not None))
    if not spans and not labels:
        raise UnreadableAnswerError("it says yes and shows no words")
    quoted = {span.field for span in spans}
    texts = {option.label: option.text for option in item.options}
    spans += [Span(label, 0, len(texts[label])) for label in labels if label not in quoted]
    return tuple(spans)


def _texts(entry: dict[str, Any], name: str) -> list[str]:
    value = entry.get(name, [])
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UnreadableAnswerError(f"{name!r} is no list of texts")
    return [each for each in value if each.strip()]


def _labels(item: Item, named: Sequence[str]) -> tuple[str, ...]:
    """Labels in the order of the options; ``b.`` and ``B. gout`` are read as ``B``, where one option alone fits."""
    known = [option.label for option in item.options]
    found = set()
    for name in named:
        fitting = [label for label in known if label == name] or [
            option.label for option in item.options if _bare(name) in _names(option)
        ]
        if len(fitting) != 1:
            raise UnreadableAnswerError("it names an option that there is none of")
        found.add(fitting[0])
    return tuple(label for label in known if label in found)


def _names(option: Choice) -> tuple[str, ...]:
    return tuple(map(_bare, (option.label, option.text, f"{option.label}. {option.text}")))


def _bare(name: str) -> str:
    return " ".join(name.lower().split()).strip(".():\"'")
