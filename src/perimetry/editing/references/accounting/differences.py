"""Where two reports differ in what they state, and which of that an axis forgives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from perimetry.editing.references.accounting.bound import swapped
from perimetry.editing.references.accounting.directed import reversed_order
from perimetry.editing.references.accounting.facts import Fact, headed_places, report_facts
from perimetry.editing.references.report import ReportText

__all__ = ["FINE_QUALITIES", "Differences", "coarse_names", "differences"]

_VERTEBRA = re.compile(r"[tlc]\d{1,2}$")
_WITHOUT_HEADINGS = frozenset({"structure:free_text", "section_assignment:alternative"})
FINE_QUALITIES = frozenset(
    {"upper", "lower", "mid", "lateral", "medial", "anterior", "posterior", "proximal", "distal"}
)


@dataclass(frozen=True, slots=True)
class Differences:
    """Facts of one report that the other does not have, once the axis has forgiven what it is about.

    Parameters
    ----------
    lost : frozenset of Fact
        Only in the original.
    added : frozenset of Fact
        Only in the alternative.
    swapped : str
        Why what both state is bound together otherwise; empty where it is not.
    """

    lost: frozenset[Fact]
    added: frozenset[Fact]
    swapped: str = ""

    @property
    def explained(self) -> str:
        """What changed, in one line; empty where nothing did.

        Examples
        --------
        >>> one = differences(ReportText("Left effusion."), ReportText("Right effusion."), "terminology:alternative")
        >>> one.explained
        'a side changed: effusion'
        """
        if not (self.lost or self.added):
            return self.swapped
        lost, added = sorted(self.lost, key=_weight), sorted(self.added, key=_weight)
        for fact in lost:
            for other in added:
                if (fact.kind, fact.name) == (other.kind, other.name):
                    what = _changed(fact, other)
                    if what:
                        return f"{what}: {_called(fact)}"
        if any(fact.kind == "number" for fact in (*lost, *added)) and not _heavy(lost) and not _heavy(added):
            return f"a number changed: {', '.join(_called(fact) for fact in (*lost, *added) if fact.kind == 'number')}"
        if added and (not lost or _weight(added[0]) <= _weight(lost[0])):
            return f"{_KINDS[added[0].kind]} was added: {_called(added[0])}"
        return f"{_KINDS[lost[0].kind]} was lost: {_called(lost[0])}"


_KINDS: Mapping[str, str] = {
    "finding": "a finding",
    "device": "a device",
    "word": "a content word",
    "state": "a statement of state",
    "place": "a place",
    "quality": "a quality",
    "number": "a number",
}
_ORDER = tuple(_KINDS)


def differences(original: ReportText, alternative: ReportText, target: str) -> Differences:
    """What differs between a report and its alternative beyond what the axis is about.

    Parameters
    ----------
    original, alternative : ReportText
    target : str
        ``axis:variation``.

    Examples
    --------
    >>> before = ReportText("No effusion. No pneumothorax. Small nodule.")
    >>> differences(before, ReportText("Small nodule."), "findings_scope:minimal").explained
    ''
    >>> differences(before, ReportText("No effusion. No pneumothorax."), "findings_scope:minimal").explained
    'a finding was lost: nodule'
    """
    before, after = report_facts(original), report_facts(alternative)
    if not target.startswith(("negation:", "findings_scope:")):
        before, after = frozenset(map(_as_normal, before)), frozenset(map(_as_normal, after))
    raw = Differences(before - after, after - before)
    if target in _WITHOUT_HEADINGS and raw.added:
        named = headed_places(original)
        raw = Differences(raw.lost, frozenset(each for each in raw.added if not _was_headed(each, named)))
    forgive = _FORGIVING.get(target)
    left = forgive(raw, before, after) if forgive else raw
    if left.lost or left.added:
        return left
    why = swapped(original, alternative, fewer=target in _FORGIVING) or reversed_order(original, alternative)
    return replace(left, swapped=why)


def _as_normal(fact: Fact) -> Fact:
    """A heart that is not enlarged is one of normal size, where the axis is not about how this is said."""
    enlarged = (fact.kind, fact.name, fact.of, fact.denied, fact.doubt) == ("state", "enlarged", "heart", True, "")
    return replace(fact, name="normal", denied=False) if enlarged else fact


def _was_headed(fact: Fact, named: Collection[tuple[str, str, frozenset[str]]]) -> bool:
    """Whether a place is said of what stood under a heading that names it."""
    return fact.kind == "place" and (fact.name, fact.of, fact.sides) in named


def _weight(fact: Fact) -> tuple[int, str, str]:
    return _ORDER.index(fact.kind), fact.name, fact.of


def _heavy(facts: Collection[Fact]) -> bool:
    return any(fact.kind in ("finding", "device", "word", "state") for fact in facts)


def _called(fact: Fact) -> str:
    name = fact.said if fact.kind == "word" else fact.name.replace("_", " ")
    return f"{name} ({fact.of.replace('_', ' ')})" if fact.of else name


def _changed(fact: Fact, other: Fact) -> str:
    if fact.kind in ("quality", "number") and fact.of != other.of:
        return ""
    if fact.denied != other.denied:
        return "a negation changed"
    if fact.sides != other.sides:
        return "a side changed"
    if fact.doubt != other.doubt:
        return "the certainty changed"
    return ""


def _minimal(raw: Differences, before: frozenset[Fact], after: frozenset[Fact]) -> Differences:
    """What is normal or absent may go; a quality or a place goes with its finding."""
    gone = {fact.name for fact in raw.lost if fact.benign and fact.kind in ("finding", "device", "word", "state")}
    kept = {fact.name for fact in after}
    return Differences(
        frozenset(
            fact
            for fact in raw.lost
            if not fact.benign and not (fact.of in gone and fact.of not in kept) and not _about_normal(fact, before)
        ),
        raw.added,
    )


def _about_normal(fact: Fact, before: frozenset[Fact]) -> bool:
    """Whether a place or quality stands in a statement that something is normal."""
    if fact.kind not in ("quality", "place", "number") or not fact.of:
        return False
    return any(other.kind == "state" and other.benign and fact.of in (other.of, other.name) for other in before)


def _exhaustive(raw: Differences, before: frozenset[Fact], _after: frozenset[Fact]) -> Differences:
    """Absences that a normal region covers may be named; a normal region may be named where its absences are."""
    return _explicit(_implicit(raw, before, _after), before, _after)


def _implicit(raw: Differences, before: frozenset[Fact], after: frozenset[Fact]) -> Differences:
    """Absent findings may give way to a state of their region that covers them."""
    lost, added = set(raw.lost), set(raw.added)
    for region in _regions():
        # "Pulmonary vascularity is normal" stood there before, and says nothing of what else was denied of the lungs.
        stated = [
            fact for fact in after if _calls_normal(fact, region) and (fact.name != "normal" or fact in raw.added)
        ]
        denied = {_key(fact) for fact in before if _is_absence(fact)}
        if not stated or not all(denied & set(group) for group in region["needs"]):
            continue
        covered = {fact for fact in lost if _is_absence(fact) and _key(fact) in region["covers"]}
        named = {fact.of or fact.name for fact in covered}
        lost -= covered
        lost = {fact for fact in lost if not (fact.benign and fact.of in named)}
        added -= set(stated)
    return Differences(frozenset(lost), frozenset(added))


def _explicit(raw: Differences, before: frozenset[Fact], after: frozenset[Fact]) -> Differences:
    """A region called normal may give way to the absence of the findings that this covers."""
    lost, added = set(raw.lost), set(raw.added)
    for region in _regions():
        stated = {fact for fact in before if _calls_normal(fact, region)}
        denied = {_key(fact) for fact in after if _is_absence(fact)}
        if not stated or not all(denied & set(group) for group in region["needs"]):
            continue
        named_too = {*region["covers"], *region.get("rest", ())}
        covered = {fact for fact in added if _is_absence(fact) and _key(fact) in named_too}
        added -= covered
        if denied & set(region.get("rest", ())):
            added = {fact for fact in added if not (fact.kind == "word" and fact.name == "other" and fact.denied)}
        named = {fact.name for fact in covered}
        added = {fact for fact in added if not (fact.benign and fact.of in named and fact.name == "focal")}
        lost -= stated
    return Differences(frozenset(lost), frozenset(added))


def _coarser(raw: Differences, before: frozenset[Fact], _after: frozenset[Fact]) -> Differences:
    """A fine place may go, or give way to one that it lies in; sides and all else stay."""
    ribs = {fact.of for fact in before if fact.kind == "place" and fact.name == "rib"}
    fine = {fact for fact in raw.lost if fact.kind == "place" and coarse_names(fact.name)}
    coarse = {name for fact in fine for name in coarse_names(fact.name)}
    exact = {
        fact
        for fact in raw.lost
        if (fact.kind == "quality" and fact.name in FINE_QUALITIES)
        or (fact.kind == "number" and fact.of in ribs and (" then " in fact.name or " " not in fact.name))
    }
    return Differences(
        raw.lost - fine - exact,
        frozenset(fact for fact in raw.added if not (fact.kind == "place" and fact.name in coarse)),
    )


def coarse_names(place: str) -> frozenset[str]:
    """Places that may stand for a finer one; none for a place that is not fine.

    Examples
    --------
    >>> sorted(coarse_names("upper_lobe")), sorted(coarse_names("lung"))
    (['lung'], [])
    """
    if _VERTEBRA.match(place):
        return frozenset({"t_vertebra", "vertebra", "chest"})
    return frozenset(_parents().get(place, ()))


def _unmeasured(raw: Differences, _before: frozenset[Fact], _after: frozenset[Fact]) -> Differences:
    """Measurements may go."""
    return Differences(
        frozenset(fact for fact in raw.lost if not (fact.kind == "number" and " " in fact.name)), raw.added
    )


_FORGIVING: Mapping[str, Callable[[Differences, frozenset[Fact], frozenset[Fact]], Differences]] = {
    "findings_scope:minimal": _minimal,
    "findings_scope:exhaustive": _exhaustive,
    "negation:implicit": _implicit,
    "negation:explicit": _explicit,
    "anatomical_granularity:low": _coarser,
    "quantitative_granularity:low": _unmeasured,
}


def _key(fact: Fact) -> str:
    return f"{fact.name}@{fact.of}" if fact.kind == "state" else fact.name


def _is_absence(fact: Fact) -> bool:
    return fact.denied and not fact.doubt and not fact.sides and fact.kind in ("finding", "state")


def _calls_normal(fact: Fact, region: Mapping[str, Any]) -> bool:
    return (
        fact.kind == "state"
        and not fact.denied
        and not fact.doubt
        and fact.of in region["places"]
        and fact.name in region["states"]
        and not fact.sides - {"both"}
    )


@cache
def _regions() -> tuple[Mapping[str, Any], ...]:
    return tuple(_data("regions.toml").values())


@cache
def _parents() -> Mapping[str, list[str]]:
    return _data("places.toml")


def _data(name: str) -> dict[str, Any]:
    text = (files("perimetry.editing.references.accounting") / name).read_text(encoding="utf-8")
    return tomllib.loads(text)
