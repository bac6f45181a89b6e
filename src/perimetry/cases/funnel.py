"""The funnel of a load: how many records entered, how many were left out at each step, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Funnel", "FunnelStep"]

EXAMPLES_KEPT = 5


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """Records that one step left out.

    Parameters
    ----------
    reason : str
        Why, in a few words.
    removed : int
    examples : tuple of str
        The first few records concerned.
    """

    reason: str
    removed: int
    examples: tuple[str, ...] = ()


@dataclass(slots=True)
class Funnel:
    """Counts what a loader reads and what it leaves out; filled by the loader, read by reports.

    Examples
    --------
    >>> funnel = Funnel("mine")
    >>> funnel.enter(3)
    >>> funnel.leave_out("no answer", "item 7")
    >>> funnel.kept
    2
    """

    dataset: str
    entered: int = 0
    notes: list[str] = field(default_factory=list)
    _removed: Counter[str] = field(default_factory=Counter)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def enter(self, records: int = 1) -> None:
        """Count records that entered."""
        self.entered += records

    def leave_out(self, reason: str, example: str = "") -> None:
        """Count one record left out for a reason; the first few examples are kept."""
        self._removed[reason] += 1
        examples = self._examples.setdefault(reason, [])
        if example and len(examples) < EXAMPLES_KEPT:
            examples.append(example)

    def note(self, text: str) -> None:
        """Keep a remark that is not a removal (a dirty value that was mended, say)."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def steps(self) -> tuple[FunnelStep, ...]:
        """What was left out, in the order in which the reasons first occurred."""
        return tuple(
            FunnelStep(reason, count, tuple(self._examples.get(reason, ()))) for reason, count in self._removed.items()
        )

    @property
    def kept(self) -> int:
        """Records that became cases."""
        return self.entered - sum(self._removed.values())

    def to_dict(self) -> dict[str, object]:
        """As plain data, for run.toml, funnel.json and reports."""
        return {
            "dataset": self.dataset,
            "entered": self.entered,
            "kept": self.kept,
            "left_out": [
                {"reason": step.reason, "removed": step.removed, "examples": list(step.examples)} for step in self.steps
            ],
            "notes": list(self.notes),
        }
