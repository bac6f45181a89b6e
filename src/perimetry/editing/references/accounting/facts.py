"""What a report states, as facts that can be held against those of another report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from perimetry.editing.references.accounting.lexicon import Word, words_of
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.sentences import bare, heading_of, split_sentences, unnumbered

__all__ = ["Fact", "facts_of", "report_facts"]

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
        "soft",
        "tissues",
    }
)
# With one of these "no" does not say that a finding is absent: "no improvement of the edema".
_COURSES = frozenset(
    {"improved", "worse", "resolved", "increased", "decreased", "stable", "persistent", "again", "interval", "prior"}
)
_NORMAL = frozenset({"normal", "clear", "expanded", "midline", "sharp", "smooth", "negative"})
_JOINERS = frozenset({"and", "or", "with", "as", "plus"})
# Say nothing about a finding's place that the finding does not say itself.
_SINGLE = frozenset(
    {
        "svc", "ivc", "cavoatrial", "right_atrium", "right_ventricle", "carina", "trachea", "stomach", "duodenum",
        "esophagus", "mediastinum", "heart", "aorta", "aortic_arch", "aortic_knob", "abdomen", "pylorus",
    }
)  # fmt: skip
_IMPLIED = {"congestion": frozenset({"vessel"}), "osteopenia": frozenset({"bone"})}
_WIDE = frozenset({"lung", "chest", "pleura"})


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
    """

    kind: str
    name: str
    of: str = ""
    denied: bool = False
    doubt: str = ""
    sides: frozenset[str] = frozenset()
    benign: bool = field(default=False, compare=False)
    said: str = field(default="", compare=False)


@dataclass(slots=True)
class _Part:
    """Words between commas and joiners."""

    heads: list[tuple[str, str, bool, str, str]] = field(default_factory=list)
    states: list[tuple[str, bool, str]] = field(default_factory=list)
    places: list[tuple[str, frozenset[str] | None]] = field(default_factory=list)
    sides: dict[str, None] = field(default_factory=dict)
    qualities: list[tuple[str, bool]] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    denied: bool = False

    @property
    def empty(self) -> bool:
        return not (self.heads or self.states or self.places or self.sides or self.telling or self.numbers)

    @property
    def telling(self) -> list[tuple[str, bool]]:
        """Qualities but the "or" that stands before a part."""
        return [quality for quality in self.qualities if quality[0] != "or"]


def report_facts(report: ReportText) -> frozenset[Fact]:
    """Facts of both sections.

    Examples
    --------
    >>> sorted(fact.name for fact in report_facts(ReportText("No effusion.", "Clear lungs.")))
    ['clear', 'effusion']
    """
    return frozenset(facts_of(report.findings)) | frozenset(facts_of(report.impression))


def facts_of(text: str) -> Iterator[Fact]:
    """Facts of a section.

    Examples
    --------
    >>> [(fact.name, fact.denied, sorted(fact.sides)) for fact in facts_of("No left effusion or pneumothorax.")]
    [('effusion', True, ['left']), ('pneumothorax', True, [])]
    """
    subject: tuple[str, ...] = ()
    for sentence in split_sentences(text):
        body = unnumbered(sentence)
        heading = heading_of(sentence)
        named = words_of(heading)
        if heading and all(map(_heads_only, named)):
            subject = tuple(word.meaning for word in named if word.kind == "place")
            body = bare(sentence)
        carried = subject
        for clause in _clauses(words_of(body)):
            yield from _clause_facts(clause, carried)
            # "The lungs are hyperinflated but clear": what comes after the break is said of the same place.
            carried = tuple(word.meaning for word in clause if word.kind == "place") or carried


def _heads_only(word: Word) -> bool:
    """Whether a word of a heading only names what follows: "LUNGS AND PLEURA" does, "Left pneumothorax" tells."""
    return word.kind in ("place", "filler", "comma") or word.said in _HEADINGS


def _clauses(words: Sequence[Word]) -> Iterator[list[Word]]:
    held: list[Word] = []
    for word in words:
        if word.kind == "break":
            yield held
            held = []
        else:
            held.append(word)
    yield held


def _clause_facts(words: Sequence[Word], subject: tuple[str, ...]) -> Iterator[Fact]:
    parts = list(_merged(_parts(words)))
    if not parts:
        return
    if subject and any(part.states for part in parts) and not any(part.places or part.heads for part in parts):
        parts[0].places.extend((place, None) for place in subject)
    _share_places(parts)
    waiting: list[_Part] = []
    told: list[Fact] = []
    stated: _Part | None = None
    for part in parts:
        if part.states:
            told += _state_facts(part, [place for other in waiting for place, _ in other.places])
            waiting = []
            stated = part
        if part.heads:
            told += _head_facts(part)
            stated = None
        elif not part.states:
            if stated is not None and part.places and stated.denied == part.denied:
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
    # A place that "free of infiltrates" is said of goes with what is denied there.
    benign = bool(told) and all(fact.benign for fact in told)
    for part in waiting:
        yield from _loose_facts(part, benign)


def _share_places(parts: Sequence[_Part]) -> None:
    """Give a state without a place that of its neighbour: "the lungs are expanded and clear"."""
    for place, part in enumerate(parts):
        if not part.states or part.places or part.heads:
            continue
        if place and not (parts[place - 1].states or parts[place - 1].heads):
            continue  # "Heart and lungs, normal": what waits there is what it is said of.
        near = [*reversed(parts[:place]), *parts[place + 1 :]]
        source = next((other for other in near if other.states and other.places), None)
        if source is not None:
            part.places = list(source.places)
            part.sides = part.sides or dict(source.sides)


def _parts(words: Sequence[Word]) -> Iterator[_Part]:
    """Cut a clause into parts; what is denied or doubted goes from its cue to the clause's end, or back over it."""
    denied = any(word.kind == "after" for word in words)
    doubt = _trailing_doubt(words)
    part = _Part(denied=denied)
    for word in words:
        if word.kind == "comma" or (word.kind == "word" and word.said in _JOINERS):
            yield part
            if word.said == "with" and denied:
                denied = False
            part = _Part(denied=denied)
            if word.said == "or" and not denied:
                part.qualities.append(("or", False))  # "Nodule or mass" is less than both.
        elif word.kind == "before":
            if not part.empty:
                yield part
            denied = True
            part = _Part(denied=denied)
        elif word.kind == "doubt":
            doubt = word.meaning
            if part.heads:
                # "Left opacity, likely atelectasis": where the opacity is, is said of the opacity.
                yield part
                part = _Part(denied=denied)
        else:
            _add(part, word, denied, doubt)
    yield part


def _trailing_doubt(words: Sequence[Word]) -> str:
    """Degree of a doubt that stands at the clause's end and so goes back over it."""
    telling = [word for word in words if word.kind not in ("filler", "comma")]
    return telling[-1].meaning if telling and telling[-1].kind == "doubt" else ""


def _add(part: _Part, word: Word, denied: bool, doubt: str) -> None:
    if word.kind in ("finding", "device", "word"):
        part.heads.append((word.kind, word.meaning, denied, doubt, word.said))
    elif word.kind == "state":
        part.states.append((word.meaning, denied, doubt))
    elif word.kind == "place":
        part.places.append((word.meaning, None))
    elif word.kind == "side":
        part.sides[word.meaning] = None
    elif word.kind == "quality":
        part.qualities.append((word.meaning, denied))
    elif word.kind == "number":
        part.numbers.append(word.meaning)


def _merged(parts: Iterable[_Part]) -> Iterator[_Part]:
    """Join parts that only qualify their neighbour: a place before a finding, a place after one."""
    held = [part for part in parts if not part.empty]
    for first, second in pairwise(held):
        if first.heads or first.states:
            continue
        # "The bones show no fracture" denies what "no fracture of the bones" denies.
        only_places = first.places and not (first.telling or first.numbers)
        if second.heads and (first.denied == second.denied or only_places):
            _take(second, first)
            first.places, first.sides, first.qualities, first.numbers = [], {}, [], []
    kept: list[_Part] = []
    for part in held:
        if part.empty:
            continue
        if kept and kept[-1].heads and not (part.heads or part.states) and part.denied == kept[-1].denied:
            _take(kept[-1], part)
        else:
            kept.append(part)
    yield from kept


def _take(part: _Part, other: _Part) -> None:
    # Each place keeps the sides of its own part: "right upper and left lower lobe".
    part.places = [*_with_sides(other), *_with_sides(part)]
    part.sides = {**other.sides, **part.sides}
    part.qualities = [*other.qualities, *part.qualities]
    part.numbers = [*other.numbers, *part.numbers]


def _with_sides(part: _Part) -> list[tuple[str, frozenset[str] | None]]:
    return [(place, frozenset(part.sides) if sides is None else sides) for place, sides in part.places]


def _head_facts(part: _Part) -> Iterator[Fact]:
    sides = frozenset(part.sides)
    benign = all(denied and not doubt for _, _, denied, doubt, _ in part.heads) and not any(
        quality in _COURSES for quality, _ in part.qualities
    )
    for kind, name, denied, doubt, said in part.heads:
        yield Fact(kind, name, denied=denied, doubt=doubt, sides=sides, benign=benign, said=said)
    for of in dict.fromkeys(name for _, name, *_ in part.heads):
        if not part.states:
            for place, own in part.places:
                if place in _WIDE or place in _IMPLIED.get(of, ()):
                    continue
                where = sides if own is None else own
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


def _sides_of(place: str, sides: frozenset[str]) -> frozenset[str]:
    """Sides of a place: of a left catheter that ends in the superior vena cava, none."""
    return frozenset() if place in _SINGLE else sides


def _state_facts(part: _Part, waiting: Sequence[str]) -> Iterator[Fact]:
    sides = frozenset(part.sides)
    places = dict.fromkeys([*waiting, *(place for place, _ in part.places)]) or {"": None}
    for state, denied, doubt in part.states:
        benign = not doubt and ((state in _NORMAL) != denied)
        for place in places:
            yield Fact("state", state, place, denied, doubt, sides if place != "" else frozenset(), benign=benign)
            if not part.heads:
                for quality, refused in part.qualities:
                    yield Fact("quality", quality, place or state, refused, benign=benign)
                for number in part.numbers:
                    yield Fact("number", number, place or state, denied, benign=benign)


def _loose_facts(part: _Part, benign: bool) -> Iterator[Fact]:
    """Qualities and numbers with nothing but a place, or nothing at all, to be said of."""
    for place in [place for place, _ in part.places] or [""]:
        for quality, denied in part.qualities:
            yield Fact("quality", quality, place, denied, sides=frozenset(part.sides), benign=benign)
        for number in part.numbers:
            yield Fact("number", number, place, part.denied, sides=frozenset(part.sides), benign=benign)
        if not (part.qualities or part.numbers) and (place not in _WIDE or part.sides):
            yield Fact("place", place, "", part.denied, sides=frozenset(part.sides), benign=benign)
