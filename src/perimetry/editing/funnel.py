"""How many edits were tried, how each ended, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from perimetry.editing.edit import STATUSES, Edit

__all__ = ["EditFunnel", "edit_funnels"]

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
        Every status, also those that did not occur.
    waiting : int
        Of the failed ones, those that the same command would ask again.
    reasons : tuple of (status, by, reason, int, examples)
        Everything but ``accepted``, the most frequent first.
    rounds : tuple of (int, int)
        Rounds used, and by how many accepted edits.
    """

    kind: str
    tasks: int
    proposed: int
    endings: tuple[tuple[str, int], ...]
    waiting: int
    reasons: tuple[tuple[str, str, str, int, tuple[str, ...]], ...]
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
                {"status": status, "by": by, "reason": reason, "edits": count, "examples": list(examples)}
                for status, by, reason, count, examples in self.reasons
            ],
        }


def edit_funnels(edits: Iterable[Edit[Any]], kinds: Sequence[str] = ()) -> tuple[EditFunnel, ...]:
    """The funnel of every kind, in the order of `kinds`, then of first occurrence.

    Examples
    --------
    >>> from perimetry.editing.edit import Task
    >>> funnel, = edit_funnels([Edit(Task("1", "loud", "no"), (), "infeasible", "rules", "nothing to say")])
    >>> funnel.tasks, dict(funnel.endings)["infeasible"], funnel.reasons[0][2]
    (1, 1, 'nothing to say')
    """
    held: dict[str, list[Edit[Any]]] = {kind: [] for kind in kinds}
    for edit in edits:
        held.setdefault(edit.task.kind, []).append(edit)
    return tuple(_funnel(kind, of_kind) for kind, of_kind in held.items())


def _funnel(kind: str, edits: Sequence[Edit[Any]]) -> EditFunnel:
    endings = Counter(edit.status for edit in edits)
    why: dict[tuple[str, str, str], list[str]] = {}
    for edit in edits:
        if edit.status != "accepted":
            # What follows a colon names the case's own words: reasons are counted without it.
            why.setdefault((edit.status, edit.by, edit.reason.partition(":")[0]), []).append(edit.task.target)
    ordered = sorted(why.items(), key=lambda item: (-len(item[1]), item[0]))
    return EditFunnel(
        kind,
        len(edits),
        sum(edit.last is not None for edit in edits),
        tuple((status, endings[status]) for status in STATUSES),
        sum(edit.waiting for edit in edits),
        tuple((*key, len(targets), tuple(targets[:EXAMPLES])) for key, targets in ordered),
        tuple(sorted(Counter(len(edit.rounds) for edit in edits if edit.status == "accepted").items())),
    )
