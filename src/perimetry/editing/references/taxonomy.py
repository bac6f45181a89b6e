"""The axes of reporting style (reref.txt, section 2.1), each read from a data file of our own wording."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from perimetry.cases.errors import UnknownNameError, UsageError

__all__ = ["AXES", "Axis", "Target", "Variation", "axes", "parse_targets", "targets"]

AXES = (
    "structure",
    "section_assignment",
    "findings_scope",
    "anatomical_granularity",
    "quantitative_granularity",
    "terminology",
    "hedging",
    "negation",
)
"""In the paper's order."""

# Nearly always impossible without making measurements up; the paper evaluates the other twelve (appendix A.1.5).
_NOT_EVALUATED = ("quantitative_granularity:high",)

_BUILT_FREE_TEXT = "structure:structured+structure:free_text"


@dataclass(frozen=True, slots=True)
class Variation:
    """One form that an axis can take."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Axis:
    """One way in which reports of the same content differ.

    Parameters
    ----------
    name, dimension : str
    kind : {"absolute", "relative"}
        Absolute: a report has one of the forms by itself. Relative: an alternative differs from its original.
    description : str
    variations : tuple of Variation
    examples : tuple of mapping
        Form (or ``original``) to text.
    constraints : tuple of str
    """

    name: str
    dimension: str
    kind: Literal["absolute", "relative"]
    description: str
    variations: tuple[Variation, ...]
    examples: tuple[Mapping[str, str], ...]
    constraints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Target:
    """An axis and the variation to reach.

    Examples
    --------
    >>> targets("negation")[1].spelling
    'negation:implicit'
    """

    axis: Axis
    variation: Variation

    @property
    def spelling(self) -> str:
        """``axis:variation``, as tables and files have it."""
        return f"{self.axis.name}:{self.variation.name}"


@cache
def axes() -> Mapping[str, Axis]:
    """All axes by name, in the paper's order.

    Examples
    --------
    >>> len(axes()), axes()["hedging"].kind
    (8, 'relative')
    """
    return {name: _read(name) for name in AXES}


def targets(axis: str) -> tuple[Target, ...]:
    """Every evaluated variation of an axis.

    Raises
    ------
    UnknownNameError
    """
    if axis not in AXES:
        raise UnknownNameError("axis", axis, AXES)
    held = axes()[axis]
    every = (Target(held, variation) for variation in held.variations)
    return tuple(target for target in every if target.spelling not in _NOT_EVALUATED)


def parse_targets(asked: Sequence[str], *, by_rules: bool = False) -> tuple[tuple[Target, ...], ...]:
    """What ``--axes`` names: ``all``, axes, ``axis:variation``, and compounds joined by ``+``.

    Parameters
    ----------
    asked : sequence of str
        Each may hold several, separated by commas.
    by_rules : bool, default False
        Whether rules rewrite. They find no list or heading to undo in a report that is prose, so that ``all`` then
        also builds free text from the structured forms, as a compound.

    Returns
    -------
    tuple of tuple of Target
        One inner tuple a wanted alternative: the steps of a compound in their order, else one target.

    Raises
    ------
    UsageError
        For a name that is none, a compound step without a variation where the axis has two, or nothing at all.

    Examples
    --------
    >>> [[step.spelling for step in steps] for steps in parse_targets(["hedging,negation:implicit+terminology"])]
    [['hedging:alternative'], ['negation:implicit', 'terminology:alternative']]
    >>> len(parse_targets(["all"])), len(parse_targets(["all"], by_rules=True))
    (12, 13)
    """
    names = [part.strip() for each in asked for part in each.split(",") if part.strip()]
    if not names:
        raise UsageError(f"--axes names no axis; expected all, or some of {', '.join(AXES)}.")
    found: dict[tuple[str, ...], tuple[Target, ...]] = {}
    for name in names:
        for steps in _steps(name, by_rules=by_rules):
            found.setdefault(tuple(step.spelling for step in steps), steps)
    return tuple(found.values())


def _steps(name: str, *, by_rules: bool) -> list[tuple[Target, ...]]:
    if name == "all":
        every: list[tuple[Target, ...]] = [(target,) for axis in AXES for target in targets(axis)]
        return [*every, *_steps(_BUILT_FREE_TEXT, by_rules=False)] if by_rules else every
    if "+" not in name:
        return [(target,) for target in _named(name)]
    steps = []
    for part in name.split("+"):
        several = _named(part.strip())
        if len(several) > 1:
            forms = " or ".join(target.spelling for target in several)
            raise UsageError(f"--axes {name}: the step {part.strip()!r} leaves the form open; write {forms}.")
        steps.append(several[0])
    return [tuple(steps)]


def _named(name: str) -> tuple[Target, ...]:
    axis, _, form = name.partition(":")
    if axis not in AXES:
        raise UnknownNameError("axis", axis, ("all", *AXES))
    if not form:
        return targets(axis)
    for variation in axes()[axis].variations:
        if variation.name == form:
            return (Target(axes()[axis], variation),)
    raise UnknownNameError(f"variation of {axis}", form, [each.name for each in axes()[axis].variations])


def _read(name: str) -> Axis:
    text = (files("perimetry.editing.references") / "axes" / f"{name}.toml").read_text(encoding="utf-8")
    held: dict[str, Any] = tomllib.loads(text)
    return Axis(
        held["name"],
        held["dimension"],
        held["kind"],
        held["description"],
        tuple(Variation(each["name"], each["description"]) for each in held["variations"]),
        tuple(held["examples"]),
        tuple(held["constraints"]),
    )
