"""Conditions: what is changed about a case, as named, seeded, pure changes with a stable spelling."""

from perimetry.conditions.condition import Condition, Neighbour, NeighbourTable, Surroundings
from perimetry.conditions.imagery import ImageCondition
from perimetry.conditions.kind import ConditionKind, Spelled
from perimetry.conditions.parameters import Parameter, integer, number, word
from perimetry.conditions.registry import (
    DEFAULT_CONDITIONS,
    condition_names,
    conditions,
    parse_condition,
    parse_conditions,
)

__all__ = [
    "DEFAULT_CONDITIONS",
    "Condition",
    "ConditionKind",
    "ImageCondition",
    "Neighbour",
    "NeighbourTable",
    "Parameter",
    "Spelled",
    "Surroundings",
    "condition_names",
    "conditions",
    "integer",
    "number",
    "parse_condition",
    "parse_conditions",
    "word",
]
