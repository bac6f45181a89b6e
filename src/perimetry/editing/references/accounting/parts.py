"""A clause cut into parts: words between commas and joiners that are said together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from perimetry.editing.references.accounting.lexicon import Word

__all__ = ["VERBS", "Part", "parts_of", "share_places"]

_JOINERS = frozenset({"and", "or", "with", "as", "plus"})
# Between an effect and its cause.
_CAUSED = frozenset({"by", "due", "secondary", "because", "caused", "causing", "causes"})
# Stems of acts of one finding on another, or on a place.
_ACTS = frozenset(
    {
        "obscur",
        "deviat",
        "exagger",
        "simul",
        "accentu",
        "displac",
        "mimic",
        "compress",
        "surround",
        "limit",
        "silhouett",
    }
)
_STANDS_FOR = frozenset({"represent", "represents", "representing", "reflect", "reflects", "reflecting"})
# "Not normal and clear" denies both; "no effusion and clear lungs" does not.
_PREDICATIVE = frozenset({"not", "never", "nor", "neither", "cannot see"})
_CALLED = frozenset({"normal", "clear", "expanded", "upper_normal"})
VERBS = frozenset({"is", "are", "was", "were", "has", "have"})


@dataclass(slots=True)
class Part:
    """Words between commas and joiners.

    Parameters
    ----------
    heads : list of (kind, name, denied, doubt, said)
        Findings, devices and words that the lexicon does not have.
    states : list of (name, denied, doubt)
    places : list of (name, sides)
        None for the sides of the part.
    sides, qualities, numbers
        In the order of the text; a quality with whether it is denied.
    denied : bool
    nominal : bool
        Whether "no" or "without" denies it, and not "is not".
    joined : str
        What it begins with: a joiner, a comma, "no" for a denial of its own.
    verb, tells : bool
        Whether a verb stands in it, and whether something is said after it: then it is a clause of its own.
    large : bool
        Whether it says "enlarged".
    """

    heads: list[tuple[str, str, bool, str, str]] = field(default_factory=list)
    states: list[tuple[str, bool, str]] = field(default_factory=list)
    places: list[tuple[str, frozenset[str] | None]] = field(default_factory=list)
    sides: dict[str, None] = field(default_factory=dict)
    qualities: list[tuple[str, bool]] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    denied: bool = False
    nominal: bool = False
    joined: str = ""
    verb: bool = False
    tells: bool = False
    large: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        return not (self.heads or self.states or self.places or self.sides or self.telling or self.numbers)

    @property
    def telling(self) -> list[tuple[str, bool]]:
        """Qualities but the "or" that stands before a part."""
        return [quality for quality in self.qualities if quality[0] != "or"]


def share_places(parts: Sequence[Part]) -> None:
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


def _parts(words: Sequence[Word]) -> Iterator[Part]:
    """Cut a clause into parts; what is denied or doubted goes from its cue to the clause's end, or back over it."""
    denied = any(word.kind == "after" for word in words)
    doubt = _trailing_doubt(words) or next((word.meaning for word in words if word.kind == "doubt_back"), "")
    part = Part(denied=denied)
    doubted = nominal = False
    for word in words:
        if word.kind == "doubt_back":
            # "Failure is suggested by effusions": what follows is as certain as it stands.
            yield part
            part = Part(denied=denied)
            doubt = ""
            continue
        if word.kind == "doubt":
            # "May be compatible with" is less than either of its halves.
            doubt = f"{doubt}, {word.meaning}" if doubted else word.meaning
            doubted = True
            if [head[1:2] + head[4:] for head in part.heads] == [("abnormality", "findings")] and not part.telling:
                part.heads = []  # "Findings suggest emphysema": so does what was told before.
            if part.heads or (part.states and part.places):
                # "Left opacity, likely atelectasis": where the opacity is, is said of the opacity.
                yield part
                part = Part(denied=denied)
            continue
        doubted = doubted and word.kind == "filler"
        if word.kind == "filler" and word.said in _STANDS_FOR and part.heads:
            # "Opacity representing atelectasis or scar": each is said of by itself, in any order.
            yield part
            part = Part(denied=denied, nominal=part.nominal)
            continue
        if word.kind == "word" and word.meaning in _ACTS and not part.denied:
            # "A obscures B" and "B is obscured by A": neither has the other's places and sides.
            yield part
            part = Part(denied=denied)
            _add(part, word, denied, doubt)
            yield part
            part = Part(denied=denied)
            continue
        if word.kind == "comma" or word.said in _CAUSED or (word.kind == "word" and word.said in _JOINERS):
            if word.said == "or" and not denied and part.heads:
                part.qualities.append(("or", False))
            yield part
            if word.said == "with" and denied:
                denied = False
            part = Part(denied=denied, nominal=nominal and denied, joined=word.said)
            if word.said == "or" and not denied:
                part.qualities.append(("or", False))  # "Nodule or mass" is less than both.
        elif word.kind == "before":
            if not part.empty:
                yield part
            denied = True
            nominal = word.said not in _PREDICATIVE
            part = Part(denied=denied, nominal=nominal, joined="no")
        else:
            _add(part, word, denied, doubt)
    yield part


def _trailing_doubt(words: Sequence[Word]) -> str:
    """Degree of a doubt that stands at the clause's end and so goes back over it."""
    telling = [word for word in words if word.kind not in ("filler", "comma")]
    return telling[-1].meaning if telling and telling[-1].kind == "doubt" else ""


def _apart(parts: Iterable[Part]) -> Iterator[Part]:
    """End what "no" denies at "no effusion and normal heart", and at "no effusion, and the heart is large"."""
    ended = False
    for part in parts:
        if part.joined == "no":
            ended = False
        normal = bool(part.states) and not part.heads and all(state in _CALLED for state, *_ in part.states)
        normal = normal or part.large
        ended = ended or bool(
            part.joined in ("and", ",") and part.nominal and (part.tells or (normal and part.joined == "and"))
        )
        if ended and part.nominal:
            part.denied = False
            part.heads = [(kind, name, False, doubt, said) for kind, name, _, doubt, said in part.heads]
            part.states = [(state, False, doubt) for state, _, doubt in part.states]
            part.qualities = [(quality, False) for quality, _ in part.qualities]
        yield part


def _add(part: Part, word: Word, denied: bool, doubt: str) -> None:
    if word.kind == "filler":
        if word.said == "which" and part.joined == "," and part.empty:
            part.joined = "which"  # "A nodule, which is new, and a mass": not the mass is.
        part.verb = part.verb or (word.said in VERBS and not part.empty)
    elif part.verb and word.kind in ("finding", "state", "quality"):
        part.tells = True
    # "No effusion and enlarged heart": a cardiomegaly would be denied there.
    part.large = part.large or word.said == "enlarged"
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


def _merged(parts: Iterable[Part]) -> Iterator[Part]:
    """Join parts that only qualify their neighbour: a place before a finding, a place after one."""
    held = [part for part in parts if not part.empty]
    for first, second in pairwise(held):
        if first.heads or first.states or first.joined == "which":
            continue
        # "The bones show no fracture" denies what "no fracture of the bones" denies.
        only_places = first.places and not (first.telling or first.numbers)
        if second.heads and (first.denied == second.denied or only_places):
            _take(second, first)
            first.places, first.sides, first.qualities, first.numbers = [], {}, [], []
    kept: list[Part] = []
    for part in held:
        if part.empty:
            continue
        # "Cardiomegaly is moderate and unchanged": what names no place of its own is said of what went before.
        open_to = kept and (kept[-1].heads or (kept[-1].states and not part.places))
        if open_to and not (part.heads or part.states) and part.denied == kept[-1].denied:
            _take(kept[-1], part)
        else:
            kept.append(part)
    yield from kept


def _take(part: Part, other: Part) -> None:
    # Each place keeps the sides of its own part: "right upper and left lower lobe".
    part.places = [*_with_sides(other), *_with_sides(part)]
    part.sides = {**other.sides, **part.sides}
    part.qualities = [*other.qualities, *part.qualities]
    part.numbers = [*other.numbers, *part.numbers]


def _with_sides(part: Part) -> list[tuple[str, frozenset[str] | None]]:
    return [(place, frozenset(part.sides) if sides is None else sides) for place, sides in part.places]


def parts_of(words: Sequence[Word]) -> list[Part]:
    """Parts of a clause, those that only qualify a neighbour joined to it.

    Examples
    --------
    >>> from perimetry.editing.references.accounting.lexicon import words_of
    >>> [[head[1] for head in part.heads] for part in parts_of(words_of("small effusion and left nodule"))]
    [['effusion'], ['nodule']]
    """
    return list(_merged(_apart(_parts(words))))
