"""What makes a case usable; the rest is left out and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from perimetry.cases.dataset import Case
from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel
from perimetry.cases.key_fault import key_fault
from perimetry.cases.question import Question

__all__ = ["built", "checked", "fault"]

Built = TypeVar("Built")


def fault(case: Case) -> tuple[str, str] | None:
    """Why a case cannot be used and an example for the funnel, or None.

    Examples
    --------
    >>> fault(Question("7", "mine", "g", "What is shown?", "", "open"))
    ('no answer', '7')
    """
    if not case.id:
        return "no id", ""
    if not isinstance(case, Question):
        return None
    if not case.stem.strip() and not case.images:
        return "neither a question text nor an image", case.id
    if not case.answer:
        return "no answer", case.id
    if case.answer_type == "choice":
        if len(case.options) < 2:
            return "fewer than two options", f"{case.id} ({len(case.options)})"
        if len(set(case.labels)) < len(case.labels):
            return "an option label occurs twice", f"{case.id} ({', '.join(case.labels)})"
        if (reason := key_fault(case.answer, case.options)) is not None:
            return reason, f"{case.id} ({case.answer!r} of {', '.join(case.labels)})"
    return None


def checked(cases: Iterable[Case], funnel: Funnel) -> Iterator[Case]:
    """Pass usable cases on; count the others, and later ones with an id that was already there."""
    seen: set[str] = set()
    for case in cases:
        if (found := fault(case)) is not None:
            funnel.leave_out(*found)
        elif case.id in seen:
            funnel.leave_out("duplicate id (the first one is kept)", case.id)
        else:
            seen.add(case.id)
            yield case


def built(build: Callable[[], Built], identity: str, funnel: Funnel) -> Iterator[Built]:
    """Yield what `build` makes; nothing, and a count with the reason, when the record cannot become a case.

    Examples
    --------
    >>> list(built(lambda: 3, "item 1", Funnel("mine")))
    [3]
    """
    try:
        yield build()
    except CaseError as error:
        funnel.leave_out("a field that cannot be understood", f"{identity}: {error}")
