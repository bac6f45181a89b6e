"""An edit: what was to be changed, everything that was proposed for it, and how it ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeAlias, TypeVar

__all__ = [
    "STATUSES",
    "Edit",
    "Outcome",
    "Proposal",
    "Proposer",
    "Round",
    "Status",
    "Task",
    "Trial",
    "Verdict",
    "Verifier",
]

T = TypeVar("T")

Status = Literal["accepted", "infeasible", "already_in_form", "rejected", "failed"]
Outcome = Literal["accepted", "infeasible", "already_in_form", "rejected", "failed"]

STATUSES: tuple[Status, ...] = ("accepted", "infeasible", "already_in_form", "rejected", "failed")


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """One thing to be edited in one way.

    Parameters
    ----------
    target : str
        Id of the case.
    kind : str
        What kind of edit, for example ``"structure:structured"``.
    original : T
        Text, options, or an image with its mask; anything with equality.
    """

    target: str
    kind: str
    original: T

    @property
    def id(self) -> str:
        """Target and kind.

        Examples
        --------
        >>> Task("s1", "negation:implicit", "No effusion.").id
        's1#negation:implicit'
        """
        return f"{self.target}#{self.kind}"


@dataclass(frozen=True, slots=True)
class Proposal(Generic[T]):
    """What a proposer came back with: a candidate, or why there is none.

    Parameters
    ----------
    by : str
        Who proposed.
    content : T or None
        None where there is no candidate.
    declined : {"", "infeasible", "already_in_form", "failed"}
        Why there is none; empty where there is one.
    reason : str
    raw : str
        What was answered, where it could not be read.
    request_id : str
        In the request store; empty for rules.
    temperature : float or None
    passing : bool
        Whether asking again can help (an endpoint that is down, a budget that is used up): the edit then waits.
    """

    by: str
    content: T | None = None
    declined: Literal["", "infeasible", "already_in_form", "failed"] = ""
    reason: str = ""
    raw: str = ""
    request_id: str = ""
    temperature: float | None = None
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says of a candidate.

    Parameters
    ----------
    by : str
    outcome : Outcome
        ``failed``: the verifier gave no verdict that can be read.
    reason : str
    answers : tuple of (question, bool)
        What it answered, where it was asked questions.
    request_id : str
    passing : bool
        As in `Proposal`.
    """

    by: str
    outcome: Outcome
    reason: str = ""
    answers: tuple[tuple[str, bool], ...] = ()
    request_id: str = ""
    raw: str = ""
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Trial(Generic[T]):
    """A proposal with the verdicts on it, in the order of the chain, which ends at the first that does not accept."""

    proposal: Proposal[T]
    verdicts: tuple[Verdict, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether there is a candidate and every verifier accepts it."""
        return (
            self.proposal.content is not None
            and bool(self.verdicts)
            and all(verdict.outcome == "accepted" for verdict in self.verdicts)
        )

    @property
    def ending(self) -> tuple[Outcome, str, str]:
        """Outcome, who decided it, and why."""
        if self.proposal.declined:
            return self.proposal.declined, self.proposal.by, self.proposal.reason
        if not self.verdicts:
            return "failed", "", "no verifier looked at it"
        last = self.verdicts[-1]
        return last.outcome, last.by, last.reason

    @property
    def passing(self) -> bool:
        """Whether it waits for an answer."""
        return self.proposal.passing or any(verdict.passing for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Round(Generic[T]):
    """All candidates of one round.

    Parameters
    ----------
    number : int
        From 1.
    trials : tuple of Trial
    chosen : int or None
        Place of the accepted candidate.
    """

    number: int
    trials: tuple[Trial[T], ...]
    chosen: int | None = None


@dataclass(frozen=True, slots=True)
class Edit(Generic[T]):
    """A task with every round and its ending: evidence, and therefore never cut.

    Parameters
    ----------
    task : Task
    rounds : tuple of Round
    status : Status
    by, reason : str
        Who decided it and why, for everything but ``accepted``.
    waiting : bool
        Whether it ended only because an answer did not come: the same command goes on from there.

    Examples
    --------
    >>> task = Task("s1", "terminology:alternative", "Cardiomegaly.")
    >>> Edit(task, (), "infeasible", "rules", "no term is known").result is None
    True
    """

    task: Task[T]
    rounds: tuple[Round[T], ...]
    status: Status
    by: str = ""
    reason: str = ""
    waiting: bool = False

    @property
    def result(self) -> T | None:
        """The accepted candidate."""
        for each in self.rounds:
            if each.chosen is not None:
                return each.trials[each.chosen].proposal.content
        return None

    @property
    def last(self) -> T | None:
        """The last candidate that anybody proposed, accepted or not."""
        for each in reversed(self.rounds):
            for trial in reversed(each.trials):
                if trial.proposal.content is not None:
                    return trial.proposal.content
        return None


Proposer: TypeAlias = Callable[[Sequence[Task[T]], int], Sequence[Sequence[Proposal[T]]]]
"""Candidates of every task for a round (from 1); all of a round are asked for at once."""

Verifier: TypeAlias = Callable[[Sequence[tuple[Task[T], T]], int], Sequence[Verdict]]
"""A verdict on every candidate of a round."""
