"""What a report states, as facts that can be held against those of another report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from perimetry.editing.references.accounting.lexicon import Word, words_of
from perimetry.editing.references.accounting.parts import VERBS, Part, parts_of, share_places
from perimetry.editing.references.accounting.turning import turned
from perimetry.editing.references.kept import SECTIONS, SENTENCES
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.sentences import bare, heading_of, split_sentences, unnumbered

__all__ = ["Fact", "facts_of", "headed_places", "report_facts", "sentences_of"]

_HEADINGS = frozenset(
    {
        "findings",
        "impression",
        "other",
        "and",
        "devices",
        "lines",
        "tubes",
        "support",
        "miscellaneous",
        "technique",
        "musculoskeletal",
        "cardiovascular",
        "airway",
        "airways",
        "soft",
        "tissues",
    }
)
# With one of these "no" does not say that a finding is absent: "no improvement of the edema".
_COURSES = frozenset(
    {"improved", "worse", "resolved", "increased", "decreased", "stable", "persistent", "again", "interval", "prior"}
)
_DEGREES = frozenset(
    {"minimal", "slight", "mild", "moderate", "severe", "trace", "tiny", "small", "large", "extensive"}
)
_NORMAL = frozenset({"normal", "clear", "expanded", "midline", "sharp", "smooth", "negative"})
_NAMED = ("finding", "device", "word")
# Say nothing about a finding's place that the finding does not say itself.
_SINGLE = frozenset(
    {
        "svc", "ivc", "cavoatrial", "right_atrium", "right_ventricle", "carina", "trachea", "stomach", "duodenum",
        "esophagus", "mediastinum", "heart", "aorta", "aortic_arch", "aortic_knob", "abdomen", "pylorus",
    }
)  # fmt: skip
_IMPLIED = {"congestion": frozenset({"vessel"}), "osteopenia": frozenset({"bone"})}
_WIDE = frozenset({"lung", "chest", "pleura"})
_PAIRED = frozenset({"hilum", "diaphragm", "costophrenic", "clavicle", "shoulder"})
# Of the thorax these are of its spine.
_SPINAL = frozenset({"spondylosis", "scoliosis", "kyphosis", "kyphoscoliosis", "osteophyte", "dextroscoliosi"})
# So does any change, between then and now.
_CHANGES = frozenset({"increased", "decreased", "worse", "improved", "resolved", "resolving", "new"})
_SINCE = frozenset({"interval"})
_ONWARD = frozenset({"and", ","})
_NAMING = frozenset({"finding", "device", "word", "state"})
# "No acute disease" denies what "no acute abnormality" and "no acute process" deny.
_OF_NOW = frozenset({"acute", "active"})
_UNNAMED = {"disease": "abnormality"}
# "Unchanged" says that it was there before.
_BEFORE = frozenset({"again", "prior", "interval", "persistent"})
PRODUCT = 2000
"""Findings of a part times what is said of them, up to which each is said of each."""
WITH = 12
"""Findings of a part up to which each is held to go with the others; more are a list."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is stated.

    Parameters
    ----------
    kind : str
        ``finding``, ``device``, ``word`` (outside the lexicon), ``place``, ``state``, ``quality``, ``number``.
    name : str
        Canonical name.
    of : str
        What it is said of, for places, states, qualities and numbers; empty where it stands alone.
    denied : bool
    doubt : str
        Degree of doubt; empty for none.
    sides : frozenset of str
    benign : bool
        Whether it says that something is normal or absent. No part of what is compared.
    said : str
        The word as it stands in the text, for messages. No part of what is compared.
    bound : frozenset of (kind, value)
        Of a finding or state: what is said together with it, see `bound.swapped`. No part of what is compared.
    """

    kind: str
    name: str
    of: str = ""
    denied: bool = False
    doubt: str = ""
    sides: frozenset[str] = frozenset()
    benign: bool = field(default=False, compare=False)
    said: str = field(default="", compare=False)
    bound: frozenset[tuple[str, str]] = field(default=frozenset(), compare=False)


def report_facts(report: ReportText) -> frozenset[Fact]:
    """Facts of both sections.

    Examples
    --------
    >>> sorted(fact.name for fact in report_facts(ReportText("No effusion.", "Clear lungs.")))
    ['clear', 'effusion']
    """
    return _section_facts(report.findings) | _section_facts(report.impression)


@lru_cache(maxsize=SECTIONS)
def sentences_of(text: str) -> tuple[str, ...]:
    """`split_sentences`, kept at hand: every form of a report is held against the same original, more than once."""
    return tuple(split_sentences(text))


@lru_cache(maxsize=SECTIONS)
def _section_facts(text: str) -> frozenset[Fact]:
    return frozenset(facts_of(text))


def facts_of(text: str) -> Iterator[Fact]:
    """Facts of a section.

    Examples
    --------
    >>> [(fact.name, fact.denied, sorted(fact.sides)) for fact in facts_of("No left effusion or pneumothorax.")]
    [('effusion', True, ['left']), ('pneumothorax', True, [])]
    """
    subject: tuple[str, ...] = ()
    for sentence in sentences_of(text):
        facts, subject = _sentence_facts(sentence, subject)
        yield from facts


def headed_places(report: ReportText) -> frozenset[tuple[str, str, frozenset[str]]]:
    """What stands under a heading with the places that the heading names, which a sentence without it may name.

    Examples
    --------
    >>> headed_places(ReportText("SOFT TISSUES: No calcification."))
    frozenset({('soft_tissue', 'calcification', frozenset())})
    """
    found: set[tuple[str, str, frozenset[str]]] = set()
    for name in report.sections:
        subject: tuple[str, ...] = ()
        for sentence in sentences_of(report.get(name)):
            facts, subject = _sentence_facts(sentence, subject)
            found |= {(place, fact.name, fact.sides) for fact in facts for place in subject if fact.kind in _NAMED}
    return frozenset(found)


# Most sentences stand in a report and in each of its alternatives, and many in more reports than one.
@lru_cache(maxsize=SENTENCES)
def _sentence_facts(sentence: str, subject: tuple[str, ...]) -> tuple[tuple[Fact, ...], tuple[str, ...]]:
    """Facts of a sentence, and the places of the heading that it and those after it stand under."""
    body = unnumbered(sentence)
    heading = heading_of(sentence)
    named = words_of(heading)
    headed = bool(heading) and all(map(_heads_only, named))
    if headed:
        subject = tuple(word.meaning for word in named if word.kind == "place")
        body = bare(sentence)
        said = {word.kind for word in words_of(body)}
        if "before" in said and said <= {"before", "filler", "comma"}:
            # "DEVICES: None." denies what its heading names.
            body = f"{body.rstrip(' .')} {heading}"
    carried = subject
    facts: list[Fact] = []
    for clause in (clause for part in turned(body) for clause in _clauses(words_of(part))):
        # "The heart is enlarged but stable": so is what a quality after the break is said of.
        facts += _clause_facts(clause, carried, headed=headed or bool(facts))
        # "The lungs are hyperinflated but clear": what comes after the break is said of the same place.
        carried = tuple(word.meaning for word in clause if word.kind == "place") or carried
    return tuple(facts), subject


def _heads_only(word: Word) -> bool:
    """Whether a word of a heading only names what follows: "LUNGS AND PLEURA" does, "Left pneumothorax" tells."""
    return word.kind in ("place", "filler", "comma") or word.said in _HEADINGS


def _clauses(words: Sequence[Word]) -> Iterator[list[Word]]:
    held: list[Word] = []
    for word in words:
        if word.kind == "break":
            yield from _told_apart(held)
            held = []
        else:
            held.append(word)
    yield from _told_apart(held)


def _told_apart(words: Sequence[Word]) -> Iterator[list[Word]]:
    """A clause, cut where one of its verbs denies and another does not: "A is seen and B is not seen"."""
    if not any(word.kind == "after" for word in words):
        yield list(words)
        return
    held: list[Word] = []
    verb = False
    for place, word in enumerate(words):
        if verb and word.said in _ONWARD and any(map(_is_verb, words[place + 1 :])):
            yield held
            held, verb = [], False
        else:
            held.append(word)
            verb = verb or _is_verb(word)
    yield held


def _is_verb(word: Word) -> bool:
    return word.kind == "after" or (word.kind == "filler" and word.said in VERBS)


def _clause_facts(words: Sequence[Word], subject: tuple[str, ...], *, headed: bool) -> Iterator[Fact]:
    parts = parts_of(words)
    if not parts:
        return
    telling = any(part.states or (headed and part.telling) for part in parts)
    if subject and telling and not any(part.places or part.heads for part in parts):
        parts[0].places.extend((place, None) for place in subject)
    share_places(parts)
    for part in parts:
        _as_adenopathy(part)
        said = {quality for quality, denied in part.qualities if denied == part.denied}
        implied = _BEFORE if "stable" in said else _SINCE if said & _CHANGES or _removed(part) else frozenset()
        part.qualities = [each for each in part.qualities if each[0] not in implied]
    waiting: list[Part] = []
    told: list[Fact] = []
    stated: Part | None = None
    for before, part in zip([None, *parts], parts, strict=False):
        if part.states:
            told += _state_facts(part, [place for other in waiting for place, _ in other.places])
            waiting = []
            stated = part
        if part.heads:
            # "A and B have been removed": so have both.
            listed = before is not None and len(before.heads) == 1 and part.verb and not before.verb
            told += _head_facts(part, before.heads[0][1] if before is not None and listed else "")
            stated = None
        elif not part.states:
            listed = part.joined != "with" and not part.telling
            if stated is not None and listed and part.places and stated.denied == part.denied:
                # "Normal heart and mediastinum": what is said of the first is said of the second.
                part.states = stated.states
                told += _state_facts(part, ())
            else:
                for other in waiting:
                    if other.places and not other.qualities:
                        # "Cardiac and mediastinal contours are stable": so are both.
                        other.qualities = part.qualities
                waiting.append(part)
    yield from told
    yield from _idle_doubts(words)
    # A place that "free of infiltrates" is said of goes with what is denied there.
    benign = bool(told) and all(fact.benign for fact in told)
    for part in waiting:
        yield from _loose_facts(part, benign)


def _head_facts(part: Part, beside: str = "") -> Iterator[Fact]:
    sides = frozenset(part.sides)
    if not sides and any(place == "lingula" for place, _ in part.places):
        sides = frozenset({"left"})  # The right lung has none.
    if part.denied and any(quality in _OF_NOW for quality, _ in part.qualities):
        part.heads = [
            (kind, _UNNAMED.get(name, name), denied, doubt, said) for kind, name, denied, doubt, said in part.heads
        ]
    if part.heads and all(name in _SPINAL for _, name, *_ in part.heads):
        part.places = [("t_spine" if place == "chest" else place, own) for place, own in part.places]
    benign = all(denied and not doubt for _, _, denied, doubt, _ in part.heads) and not any(
        quality in _COURSES for quality, _ in part.qualities
    )
    of_it = _bound(part, sides)
    for kind, name, denied, doubt, said in part.heads:
        bound = of_it | {("denied", str(denied)), ("doubt", doubt or "sure")}
        if 1 < len(part.heads) <= WITH:
            others = {beside, *(other for _, other, *_ in part.heads)} - {"", name}
            bound |= {("with", other) for other in others}
        yield Fact(kind, name, denied=denied, doubt=doubt, sides=sides, benign=benign, said=said, bound=bound)
    names = list(dict.fromkeys(name for _, name, *_ in part.heads))
    if len(names) * (len(part.places) + len(part.qualities) + len(part.numbers)) > PRODUCT:
        names = [" ".join(names)]  # No sentence that anybody would write: all is said of all, in linear time.
    for of in names:
        if not part.states:
            for place, own in part.places:
                if place in _WIDE or place in _IMPLIED.get(of, ()):
                    continue
                # "A left catheter ends in the vein" is "a left catheter in the vein": a side that is named once.
                where = sides if own is None or (len(sides) == 1 and own <= sides) else own
                yield Fact("place", place, of, part.denied, sides=_sides_of(place, where), benign=benign)
        for quality, denied in part.qualities:
            yield Fact("quality", quality, of, denied, benign=benign)
        for number in part.numbers:
            yield Fact("number", number, of, part.denied, benign=benign)
        for one, other in pairwise(part.numbers):
            # "From 3 to 5 cm" is not "from 5 to 3 cm".
            yield Fact("number", f"{one} then {other}", of, part.denied, benign=benign)
        if {"left", "right"} <= part.sides.keys():
            # "Larger on the left than on the right".
            yield Fact("quality", " then ".join(part.sides), of, part.denied, benign=benign)
            degrees = [quality for quality, _ in part.qualities if quality in _DEGREES]
            if len(degrees) > 1:
                # "Mild on the left, moderate on the right".
                yield Fact("quality", " then ".join(degrees), of, part.denied, benign=benign)


def _bound(part: Part, sides: frozenset[str]) -> frozenset[tuple[str, str]]:
    """What a part says together of each thing that it names."""
    bound = {("place", " ".join((*sorted(own or ()), place))) for place, own in part.places if place not in _WIDE}
    bound |= {("quality", f"no {quality}" if denied else quality) for quality, denied in part.telling}
    bound |= {("number", number) for number in part.numbers}
    return frozenset(bound | {("side", " ".join(sorted(sides)))} if sides else bound)


def _removed(part: Part) -> bool:
    return any(name == "remov" for _, name, *_ in part.heads)


def _as_adenopathy(part: Part) -> None:
    """Enlarged lymph nodes are adenopathy."""
    if any(place == "lymph_node" for place, _ in part.places):
        for state, denied, doubt in part.states:
            if state == "enlarged":
                part.heads.append(("finding", "adenopathy", denied, doubt, "enlarged"))
                part.states = [each for each in part.states if each[0] != "enlarged"]
                part.places = [each for each in part.places if each[0] != "lymph_node"]
                return


def _idle_doubts(words: Sequence[Word]) -> Iterator[Fact]:
    """Doubt about something that is not named: "compatible with remote XXXX"."""
    telling = [word for word in words if word.kind not in ("filler", "comma")]
    if telling and telling[-1].kind == "doubt" and any(word.kind in _NAMING for word in telling):
        telling.pop()  # It goes back over what the clause names.
    for word in reversed(telling):
        if word.kind in _NAMING:
            return
        if word.kind == "doubt":
            yield Fact("quality", word.meaning, "doubt")


def _sides_of(place: str, sides: frozenset[str]) -> frozenset[str]:
    """Sides of a place: of a left catheter that ends in the superior vena cava, none."""
    return frozenset() if place in _SINGLE else sides


def _sides_of_state(place: str, sides: frozenset[str]) -> frozenset[str]:
    """Sides of what is normal or not: the lungs are both lungs, and there is one heart."""
    if place == "" or (sides == {"both"} and (place in _WIDE or place in _SINGLE or place in _PAIRED)):
        return frozenset()
    return sides


def _state_facts(part: Part, waiting: Sequence[str]) -> Iterator[Fact]:
    sides = frozenset(part.sides)
    places = dict.fromkeys([*waiting, *(place for place, _ in part.places)]) or {"": None}
    of_it = frozenset(each for each in _bound(part, sides) if each[0] != "place")
    for state, denied, doubt in part.states:
        benign = not doubt and ((state in _NORMAL) != denied)
        bound = of_it | {("denied", str(denied)), ("doubt", doubt or "sure"), ("state", state)}
        for place in places:
            yield Fact("state", state, place, denied, doubt, _sides_of_state(place, sides), benign, bound=bound)
            if not part.heads:
                for quality, refused in part.qualities:
                    yield Fact("quality", quality, place or state, refused, benign=benign)
                for number in part.numbers:
                    yield Fact("number", number, place or state, denied, benign=benign)


def _loose_facts(part: Part, benign: bool) -> Iterator[Fact]:
    """Qualities and numbers with nothing but a place, or nothing at all, to be said of."""
    for place in [place for place, _ in part.places] or [""]:
        for quality, denied in part.qualities:
            yield Fact("quality", quality, place, denied, sides=frozenset(part.sides), benign=benign)
        for number in part.numbers:
            yield Fact("number", number, place, part.denied, sides=frozenset(part.sides), benign=benign)
        if not (part.qualities or part.numbers) and (place not in _WIDE or part.sides):
            yield Fact("place", place, "", part.denied, sides=frozenset(part.sides), benign=benign)
