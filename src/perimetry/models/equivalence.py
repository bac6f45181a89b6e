"""Which conditions are one request, by their spelling alone."""

from __future__ import annotations

from perimetry.cases.errors import PerimetryError
from perimetry.conditions import ImageCondition, parse_condition
from perimetry.conditions.kinds.occlusion import RegionCondition

__all__ = ["SAME_REQUEST", "canonical_condition", "known_condition"]

SAME_REQUEST = {"full": "real", "textonly": "noimage"}
"""Conditions that two audits name differently and that show a model the same."""


def known_condition(spelling: str) -> bool:
    """Whether any run could ask under that condition."""
    try:
        parse_condition(spelling)
    except PerimetryError:
        return False
    return True


def canonical_condition(spelling: str) -> str:
    """One spelling for all conditions that are the same request.

    Default parameters are left out, strength 0 is ``real``, image conditions that lay the same operations are one.
    A spelling that no registered condition has is kept as it stands.

    Examples
    --------
    >>> [canonical_condition(name) for name in ("full", "textonly", "hardneg(rank=1)", "gridmask(0)", "mine")]
    ['real', 'noimage', 'hardneg', 'real', 'mine']
    >>> canonical_condition("oco@0"), canonical_condition("ro@060")
    ('real', 'ro@60')
    >>> canonical_condition("gridmask(1)") == canonical_condition("blank")
    True
    """
    try:
        condition = parse_condition(spelling)
    except PerimetryError:
        return spelling.strip()
    if isinstance(condition, RegionCondition) and condition.strength == 0:
        return "real"
    if isinstance(condition, ImageCondition):
        operations = condition.operations(0)
        if not operations:
            return "real"
        return "|".join((f"images:{condition.scope}", *(operation.spelling for operation in operations)))
    return SAME_REQUEST.get(condition.spelling, condition.spelling)
