"""The options in another order: does the answer follow the option or its place?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from perimetry.cases.dataset import Case
from perimetry.cases.question import Option, Question
from perimetry.conditions.changes import with_order
from perimetry.conditions.condition import Surroundings
from perimetry.conditions.kind import Spelled
from perimetry.conditions.parameters import Parameter, integer
from perimetry.statistics.streams import permutation

__all__ = ["KINDS", "Order", "original_label", "shown_position"]

# An option that speaks of the options above it keeps its place; one that names them by letter fixes the whole order.
_OF_THE_OTHERS = re.compile(
    r"\b(?:all|none|neither|both|any|either|some)\s+of\s+(?:the\s+)?(?:above|these|those|options|choices|others?)\b"
    r"|\b(?:all|both|none|neither)\s+(?:the\s+)?(?:above|options|choices)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Order(Spelled):
    """The options in another order, labelled anew from the top, as a model is used to see them.

    A permutation of each item is drawn once from (seed, item); order k is its rotation by k, so that over as many
    orders as there are options every option stands once in every place. Where a rotation gives the data set's own
    order it is no other one, and the condition does not apply. The labels stay with the places: "A" is whatever option
    comes first. The shown question carries the key's new label, so that an answer is scored by what it meant. Options
    such as "all of the above" keep their place; does not apply to a question without labelled options, nor to one
    whose options name each other by letter ("both A and B").

    Parameters
    ----------
    number : int, from 1
        Which order.

    Examples
    --------
    >>> options = tuple(Option(label, text) for label, text in zip("ABC", ("one", "two", "three"), strict=True))
    >>> question = Question("1", "mine", "1", "How many?", "B", "choice", options)
    >>> orders = [Order(number).apply(question, Surroundings()) or question for number in (1, 2, 3)]
    >>> sorted(one.answer for one in orders)
    ['A', 'B', 'C']
    """

    name = "order"
    summary = "the options in another order, labelled anew"
    parameters: ClassVar[tuple[Parameter, ...]] = (integer("number", 1, default=1, style="at"),)

    number: int = 1

    def recipe(self, case: Case, surroundings: Surroundings) -> str | None:
        """The places from which the options come."""
        places = self._places(case, surroundings)
        return None if places is None else "order:" + ",".join(str(place) for place in places)

    def apply(self, case: Case, surroundings: Surroundings) -> Case | None:
        """The question with its options in the new order and its key under the new label."""
        places = self._places(case, surroundings)
        if places is None or not isinstance(case, Question):
            return None
        return with_order(case, places)

    def _places(self, case: Case, surroundings: Surroundings) -> tuple[int, ...] | None:
        """For every place of the new order the old place of its option; None where the condition does not apply."""
        if not isinstance(case, Question) or case.answer_type != "choice" or len(case.options) < 2:
            return None
        if _names_letters(case.options):
            return None
        free = [place for place, option in enumerate(case.options) if not _OF_THE_OTHERS.search(option.text)]
        if len(free) < 2:
            return None
        drawn = permutation(surroundings.seed, "order", case.dataset, case.id, size=len(free))
        turned = [int(drawn[(index + self.number) % len(free)]) for index in range(len(free))]
        places = list(range(len(case.options)))
        for place, index in zip(free, turned, strict=True):
            places[place] = free[index]
        return None if places == sorted(places) else tuple(places)


def original_label(shown: Question, original: Question, label: str) -> str:
    """The label that an option of the shown question has in the original one; the label itself if it is none.

    Options are told apart by their text and image; equal options are equal answers.

    Examples
    --------
    >>> options = (Option("A", "one"), Option("B", "two"))
    >>> question = Question("1", "mine", "1", "How many?", "B", "choice", options)
    >>> original_label(with_order(question, (1, 0)), question, "A")
    'B'
    """
    meant = next((option for option in shown.options if option.label == label), None)
    if meant is None:
        return label
    same = (option.label for option in original.options if (option.text, option.image) == (meant.text, meant.image))
    return next(same, label)


def shown_position(shown: Question, label: str) -> int | None:
    """Place of an option in the shown order, from 1; None if there is no such label."""
    return shown.labels.index(label) + 1 if label in shown.labels else None


def _names_letters(options: Sequence[Option]) -> bool:
    """Whether an option names others by their labels: "A and C", "both (A) and (B)"."""
    labels = "|".join(re.escape(option.label) for option in options if option.label)
    if not labels:
        return True
    one = rf"\(?(?:{labels})\)?"
    pattern = re.compile(
        rf"^\W*(?:both|either|neither|all|only|options?|choices?)?\s*{one}\s*(?:,\s*{one}\s*)*(?:,?\s*(?:and|or|&|nor)\s*{one})\W*(?:only)?\W*$"
        rf"|\b(?:options?|choices?|answers?)\s+{one}(?!\w)",
        re.IGNORECASE,
    )
    return any(pattern.search(option.text) for option in options)


KINDS = (Order.kind(),)
