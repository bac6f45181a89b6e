"""What the trials of an audit are made of: kind of case, how cases are laid out, and how each is put into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Structural

from perimetry.cases import CaseSet, Question, UsageError
from perimetry.cases.dataset import Case
from perimetry.conditions import Condition
from perimetry.models.request import Prompt
from perimetry.runs.asked import Asked

__all__ = ["Design", "LaidOut", "Profile", "as_loaded", "every_condition", "questions_of"]


class Profile(Structural):
    """The words of an audit, whatever they are put around."""

    @property
    def spelling(self) -> str:
        """Name and a digest of the words; part of every request's identity."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LaidOut:
    """The cases of a plan.

    Parameters
    ----------
    case_sets : tuple of CaseSet
        Those that were loaded, each with the cases of the plan in place of its own.
    findings : object
        What the layout has to tell the page; the protocol knows its type.
    """

    case_sets: tuple[CaseSet, ...]
    findings: Any = None

    @property
    def cases(self) -> tuple[Case, ...]:
        """All cases in the order of the plan."""
        return tuple(case for case_set in self.case_sets for case in case_set.cases)


def questions_of(cases: Sequence[object]) -> tuple[Question, ...]:
    """The questions among some cases; raises `UsageError` where a study is among them."""
    for case in cases:
        if not isinstance(case, Question):
            raise UsageError(
                f"Case {getattr(case, 'id', case)!r} is a study, and this audit asks questions. "
                "Give a data set of questions; `perimetry datasets` says which is which."
            )
    return tuple(case for case in cases if isinstance(case, Question))


def as_loaded(asked: Asked, case_sets: Sequence[CaseSet]) -> LaidOut:  # noqa: ARG001 - every layout is asked alike
    """Every question once, as it was loaded; raises `UsageError` where a study is among them."""
    for case_set in case_sets:
        questions_of(case_set.cases)
    return LaidOut(tuple(case_sets))


def every_condition(case: Case, condition: Condition) -> bool:  # noqa: ARG001 - every case under every condition
    """Every case stands under every condition of the run."""
    return True


@dataclass(frozen=True, slots=True)
class Design:
    """What the trials of an audit are made of.

    Parameters
    ----------
    profile : Profile
        The words in which every case is put.
    render : callable
        From a case as its condition shows it, and the profile, to the prompt. A function of a module: worker processes
        get it pickled.
    lay_out : callable, default `as_loaded`
        From what was asked and loaded to the cases of the plan.
    concerns : callable, default `every_condition`
        Whether a case has a trial under a condition at all. What it refuses is no trial, and is not counted as one to
        which its condition does not apply.
    """

    profile: Any
    render: Callable[[Any, Any], Prompt]
    lay_out: Callable[[Asked, Sequence[CaseSet]], LaidOut] = as_loaded
    concerns: Callable[[Case, Condition], bool] = every_condition
