"""How many edits were tried, how each ended, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from perimetry.editing.edit import STATUSES, Edit

__all__ = ["EditFunnel", "FunnelCount", "edit_funnels"]

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class EditFunnel:
    """The edits of one kind.

    Parameters
    ----------
    kind : str
    tasks : int
        How many were tried.
    proposed : int
        For how many there was a candidate at all.
    endings : tuple of (status, int)
        Every status, also those that did not occur, of the edits that do not wait.
    waiting : int
        Those whose answer did not come: the same command would ask again. With the endings they add up to the tasks.
    reasons : tuple of (status, by, reason, int, examples)
        Everything but ``accepted``, the most frequent first; the status may be ``waiting``.
    details : tuple of str
        For each of these the whole reason of the first edit, with the words of its case.
    rounds : tuple of (int, int)
        Rounds used, and by how many accepted edits.
    """

    kind: str
    tasks: int
    proposed: int
    endings: tuple[tuple[str, int], ...]
    waiting: int
    reasons: tuple[tuple[str, str, str, int, tuple[str, ...]], ...]
    details: tuple[str, ...]
    rounds: tuple[tuple[int, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for funnel.json."""
        return {
            "kind": self.kind,
            "tasks": self.tasks,
            "proposed": self.proposed,
            **dict(self.endings),
            "waiting": self.waiting,
            "rounds_to_acceptance": {str(number): count for number, count in self.rounds},
            "reasons": [
                {
                    "status": status,
                    "by": by,
                    "reason": reason,
                    "detail": detail,
                    "edits": count,
                    "examples": list(examples),
                }
                for (status, by, reason, count, examples), detail in zip(self.reasons, self.details, strict=True)
            ],
        }


class FunnelCount:
    """The funnel of one kind, counted edit by edit: nothing of an edit is held on to but its reason.

    Parameters
    ----------
    kind : str

    Examples
    --------
    >>> from perimetry.editing.edit import Task
    >>> count = FunnelCount("loud")
    >>> count.add(Edit(Task("1", "loud", "no"), (), "infeasible", "rules", "nothing to say: no"))
    >>> count.funnel.reasons
    (('infeasible', 'rules', 'nothing to say', 1, ('1',)),)
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._tasks = self._proposed = self._waiting = 0
        self._endings: Counter[str] = Counter()
        self._rounds: Counter[int] = Counter()
        self._why: Counter[tuple[str, str, str]] = Counter()
        self._examples: dict[tuple[str, str, str], list[str]] = {}
        self._details: dict[tuple[str, str, str], str] = {}

    def add(self, edit: Edit[Any]) -> None:
        """Count one edit."""
        self._tasks += 1
        self._proposed += edit.last is not None
        self._waiting += edit.waiting
        self._endings[edit.status] += not edit.waiting
        if edit.status == "accepted":
            self._rounds[len(edit.rounds)] += 1
            return
        # What follows a colon names the case's own words: reasons are counted without it.
        why = ("waiting" if edit.waiting else edit.status, edit.by, edit.reason.partition(":")[0])
        self._why[why] += 1
        self._details.setdefault(why, edit.reason)
        examples = self._examples.setdefault(why, [])
        if len(examples) < EXAMPLES:
            examples.append(edit.task.target)

    @property
    def funnel(self) -> EditFunnel:
        """What was counted so far."""
        ordered = sorted(self._why.items(), key=lambda item: (-item[1], item[0]))
        return EditFunnel(
            self._kind,
            self._tasks,
            self._proposed,
            tuple((status, self._endings[status]) for status in STATUSES),
            self._waiting,
            tuple((*why, count, tuple(self._examples[why])) for why, count in ordered),
            tuple(self._details[why] for why, _ in ordered),
            tuple(sorted(self._rounds.items())),
        )


def edit_funnels(edits: Iterable[Edit[Any]], kinds: Sequence[str] = ()) -> tuple[EditFunnel, ...]:
    """The funnel of every kind, in the order of `kinds`, then of first occurrence.

    Examples
    --------
    >>> from perimetry.editing.edit import Task
    >>> funnel, = edit_funnels([Edit(Task("1", "loud", "no"), (), "infeasible", "rules", "nothing to say")])
    >>> funnel.tasks, dict(funnel.endings)["infeasible"], funnel.reasons[0][2]
    (1, 1, 'nothing to say')
    """
    counts = {kind: FunnelCount(kind) for kind in kinds}
    for edit in edits:
        counts.setdefault(edit.task.kind, FunnelCount(edit.task.kind)).add(edit)
    return tuple(count.funnel for count in counts.values())
