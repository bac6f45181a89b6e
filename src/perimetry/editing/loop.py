"""Propose, verify, accept: round after round until a candidate passes or the rounds are used up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from perimetry.cases.errors import UsageError
from perimetry.editing.edit import Edit, Outcome, Proposer, Round, Status, Task, Trial, Verdict, Verifier

__all__ = ["ROUNDS", "Choice", "first_accepted", "run_loop"]

T = TypeVar("T")

ROUNDS = 5
"""Rounds at most (paper, appendix A.3)."""

Choice: TypeAlias = Callable[[Task[T], Sequence[Trial[T]]], int | None]
"""Which of a round's trials is taken: a place, or None; only an accepted one can be."""


def first_accepted(_task: Task[T], trials: Sequence[Trial[T]]) -> int | None:
    """The first candidate that every verifier accepts."""
    return next((place for place, trial in enumerate(trials) if trial.accepted), None)


def run_loop(
    tasks: Sequence[Task[T]],
    proposer: Proposer[T],
    verifiers: Sequence[Verifier[T]],
    *,
    rounds: int = ROUNDS,
    choice: Choice[T] = first_accepted,
) -> tuple[Edit[T], ...]:
    """Edit every task: at most `rounds` rounds of proposals, each candidate through the chain of verifiers.

    A round asks for all tasks that are still open at once, so that a back end can answer them together. A candidate
    goes down the chain until a verifier does not accept it: hard rules stand first, and what they reject no later
    verifier sees. A task ends when a candidate passes, when somebody says that the edit is not possible or not needed
    (asking again would not change that), or after the last round. One whose answer did not come waits: given again,
    the same call goes on from there, since what was answered is in the store.

    Parameters
    ----------
    tasks : sequence of Task
        With distinct ids.
    proposer : Proposer
    verifiers : sequence of Verifier
        At least one.
    rounds : int, default 5
    choice : Choice
        Which accepted candidate of a round is taken; the first by default.

    Returns
    -------
    tuple of Edit
        In the order of the tasks.

    Raises
    ------
    UsageError
        For tasks that occur twice, no verifier, or fewer rounds than one.

    Examples
    --------
    >>> from perimetry.editing.edit import Proposal, Verdict
    >>> louder = lambda tasks, number: [[Proposal("caps", task.original + "!" * number)] for task in tasks]
    >>> long = lambda pairs, number: [
    ...     Verdict("length", "accepted" if len(text) > 4 else "rejected", "too short") for _, text in pairs]
    >>> edit, = run_loop([Task("1", "loud", "no")], louder, [long])
    >>> edit.status, edit.result, len(edit.rounds)
    ('accepted', 'no!!!', 3)
    """
    if len({task.id for task in tasks}) != len(tasks):
        raise UsageError("Some tasks of an editing loop occur more than once; merge them first.")
    if not verifiers:
        raise UsageError("An editing loop needs at least one verifier: nothing is accepted unseen.")
    if rounds < 1:
        raise UsageError(f"rounds is {rounds}; expected at least 1.")
    kept: dict[str, list[Round[T]]] = {task.id: [] for task in tasks}
    done: dict[str, Edit[T]] = {}
    for number in range(1, rounds + 1):
        active = [task for task in tasks if task.id not in done]
        if not active:
            break
        for task, trials in zip(active, _trials(active, proposer, verifiers, number), strict=True):
            chosen = choice(task, trials)
            if chosen is not None and not trials[chosen].accepted:
                raise UsageError(f"The choice for {task.id} took a candidate that a verifier had not accepted.")
            kept[task.id].append(Round(number, trials, chosen))
            edit = _ended(task, tuple(kept[task.id]), number == rounds)
            if edit is not None:
                done[task.id] = edit
    return tuple(done[task.id] for task in tasks)


def _trials(
    tasks: Sequence[Task[T]], proposer: Proposer[T], verifiers: Sequence[Verifier[T]], number: int
) -> list[tuple[Trial[T], ...]]:
    """Proposals of a round, each with its verdicts."""
    proposals = [tuple(several) for several in proposer(tasks, number)]
    flat = [
        (place, candidate, task, proposal)
        for place, (task, several) in enumerate(zip(tasks, proposals, strict=True))
        for candidate, proposal in enumerate(several)
    ]
    verdicts: dict[tuple[int, int], list[Verdict]] = {(place, candidate): [] for place, candidate, _, _ in flat}
    open_pairs: list[tuple[int, int, Task[T], T]] = [
        (place, candidate, task, proposal.content)
        for place, candidate, task, proposal in flat
        if proposal.content is not None
    ]
    for verifier in verifiers:
        if not open_pairs:
            break
        given = verifier([(task, content) for _, _, task, content in open_pairs], number)
        following = []
        for pair, verdict in zip(open_pairs, given, strict=True):
            verdicts[pair[0], pair[1]].append(verdict)
            if verdict.outcome == "accepted":
                following.append(pair)
        open_pairs = following
    return [
        tuple(Trial(proposal, tuple(verdicts[place, candidate])) for candidate, proposal in enumerate(several))
        for place, several in enumerate(proposals)
    ]


def _ended(task: Task[T], rounds: tuple[Round[T], ...], last: bool) -> Edit[T] | None:
    """The edit, where this round ends it."""
    latest = rounds[-1]
    if latest.chosen is not None:
        return Edit(task, rounds, "accepted")
    endings = [trial.ending for trial in latest.trials]
    final: tuple[Status, ...] = ("infeasible", "already_in_form")
    for status in final:
        for outcome, by, reason in endings:
            if outcome == status:
                return Edit(task, rounds, status, by, reason)
    if any(trial.passing for trial in latest.trials):
        outcome, by, reason = next(trial.ending for trial in latest.trials if trial.passing)
        return Edit(task, rounds, "failed", by, reason, waiting=True)
    if not last:
        return None
    # One readable proposal that was turned down makes it a rejection; garbage from first to last is a failure.
    every = [trial.ending for each in rounds for trial in each.trials]
    return _exhausted(task, rounds, every)


def _exhausted(task: Task[T], rounds: tuple[Round[T], ...], every: Sequence[tuple[Outcome, str, str]]) -> Edit[T]:
    for status in ("rejected", "failed"):
        for outcome, by, reason in reversed(every):
            if outcome == status:
                return Edit(task, rounds, "rejected" if status == "rejected" else "failed", by, reason)
    return Edit(task, rounds, "failed", "", "no candidate was proposed")
