"""How the route audit fits into the frame of all audits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perimetry.cases import CaseSet, UsageError
from perimetry.conditions import parse_condition
from perimetry.conditions.kinds.order import Order
from perimetry.runs.asked import Asked
from perimetry.runs.design import LaidOut, as_loaded

__all__ = ["DEFAULT_ORDERS", "LATTICE", "check", "lay_out", "read_options", "route_conditions"]

LATTICE = ("full", "textonly", "optionsonly", "imageoptions")
"""The four settings of MedQA-MM's modality lattice."""

DEFAULT_ORDERS = 2


def route_conditions(orders: int = DEFAULT_ORDERS) -> tuple[str, ...]:
    """The lattice, and so many other orders of the options.

    Examples
    --------
    >>> route_conditions(2)
    ('full', 'textonly', 'optionsonly', 'imageoptions', 'order', 'order@2')
    """
    return (*LATTICE, *(Order(number).spelling for number in range(1, orders + 1)))


def read_options(
    given: Mapping[str, Any], conditions: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Conditions from what a user gave: the lattice and ``orders`` other orders of the options, or those named.

    Raises
    ------
    UsageError
        For an option that there is not, and for ``orders`` beside conditions.
    """
    for name in given:
        if name != "orders":
            raise UsageError(f"The route audit takes no option {name!r}. Its own option is 'orders'.")
    orders = given.get("orders")
    if conditions:
        if orders is not None:
            raise UsageError("orders is given beside conditions, which say it themselves (order@2). Leave one out.")
        return tuple(conditions), ()
    count = DEFAULT_ORDERS if orders is None else int(orders)
    if count < 0:
        raise UsageError(f"orders is {count}; expected 0 (the given order only) or more.")
    return route_conditions(count), ()


def check(asked: Asked) -> None:
    """Raise a `UsageError` for a condition that is neither a route nor an order of the options."""
    known = {*LATTICE, "noimage", "real"}
    for spelling in asked.conditions:
        if spelling not in known and not isinstance(parse_condition(spelling), Order):
            raise UsageError(
                f"{spelling} is no route. Give some of {', '.join(LATTICE)}, order@1, order@2 ...; "
                "`perimetry audit counterfactual` changes images in other ways."
            )


def lay_out(asked: Asked, case_sets: Sequence[CaseSet]) -> LaidOut:
    """Every question once; raises `UsageError` for a data set in which no question has options."""
    laid = as_loaded(asked, case_sets)
    for case_set in case_sets:
        if not any(question.options for question in case_set.questions):
            raise UsageError(
                f"No question of {case_set.name} has options, and the route audit asks multiple-choice items. "
                "`perimetry audit counterfactual` asks questions of any form."
            )
    return laid
