"""The funnel of a load: how many records entered, how many were left out at each step, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from perimetry.cases.echo import echo

__all__ = ["Funnel", "FunnelStep"]

EXAMPLES_KEPT = 5
EXAMPLES_TOLD = 2
LONGEST_EXAMPLE = 300


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
    asked_for : bool, default False
        Whether the user chose it: another split, subject or answer type, or beyond the limit.
    """

    reason: str
    removed: int
    examples: tuple[str, ...] = ()
    asked_for: bool = False


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
    _asked_for: set[str] = field(default_factory=set)
    _mended: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def enter(self, records: int = 1) -> None:
        """Count records that entered."""
        self.entered += records

    def leave_out(self, reason: str, example: str = "", *, asked_for: bool = False) -> None:
        """Count one record left out for a reason; the first few examples are kept.

        What was `asked_for` (another split, beyond the limit) is told in reports, not on the terminal.
        """
        self._removed[reason] += 1
        if asked_for:
            self._asked_for.add(reason)
        examples = self._examples.setdefault(reason, [])
        if example and len(examples) < EXAMPLES_KEPT:
            examples.append(echo(example, LONGEST_EXAMPLE))

    def mend(self, what: str, example: str = "") -> None:
        """Count one record that was changed and kept; the first few examples are kept."""
        count, examples = self._mended.get(what, (0, ()))
        more = (echo(example, LONGEST_EXAMPLE),) if example and len(examples) < EXAMPLES_KEPT else ()
        self._mended[what] = (count + 1, examples + more)

    @property
    def mended(self) -> dict[str, tuple[int, tuple[str, ...]]]:
        """What was changed and kept: how often, and the first few examples."""
        return dict(self._mended)

    def note(self, text: str) -> None:
        """Keep a remark that is not a removal (a dirty value that was mended, say)."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def steps(self) -> tuple[FunnelStep, ...]:
        """What was left out, in the order in which the reasons first occurred."""
        return tuple(
            FunnelStep(reason, count, tuple(self._examples.get(reason, ())), reason in self._asked_for)
            for reason, count in self._removed.items()
        )

    @property
    def kept(self) -> int:
        """Records that became cases."""
        return self.entered - sum(self._removed.values())

    def summary_lines(self, name: str = "", *, quoting: bool = True) -> tuple[str, ...]:
        """What a user should hear before anything is asked: records left out against the wish, and the notes.

        Parameters
        ----------
        name : str, default ""
            The data set's name where it is not the funnel's.
        quoting : bool, default True
            Whether examples are given; they may quote fields of their records.

        Examples
        --------
        >>> funnel = Funnel("mine", entered=3)
        >>> funnel.leave_out("no answer", "item 7")
        >>> funnel.summary_lines()
        ('mine: 1 of 3 records left out: 1 no answer (item 7)',)
        """
        name = name or self.dataset
        steps = [step for step in self.steps if not step.asked_for]
        lines: list[str] = []
        if steps:
            told = "; ".join(_told(step, quoting=quoting) for step in steps)
            total = sum(step.removed for step in steps)
            lines.append(f"{name}: {total:,} of {self.entered:,} records left out: {told}")
        for what, (count, examples) in self._mended.items():
            told = _told(FunnelStep(what, count, examples), quoting=quoting)
            lines.append(f"{name}: {count:,} of {self.entered:,} records mended: {told}")
        return (*lines, *(f"{name}: {note}" for note in self.notes))

    def to_dict(self) -> dict[str, object]:
        """As plain data, for run.toml, funnel.json and reports."""
        mended = [
            {"what": what, "records": count, "examples": list(examples)}
            for what, (count, examples) in self._mended.items()
        ]
        return {
            "dataset": self.dataset,
            "entered": self.entered,
            "kept": self.kept,
            "left_out": [
                {"reason": step.reason, "removed": step.removed, "examples": list(step.examples)} for step in self.steps
            ],
            **({"mended": mended} if mended else {}),
            "notes": list(self.notes),
        }


def _told(step: FunnelStep, *, quoting: bool) -> str:
    """A step in one line, with the first examples."""
    told = f"{step.removed:,} {step.reason}"
    if not (quoting and step.examples):
        return told
    more = "; ..." if step.removed > EXAMPLES_TOLD else ""
    return f"{told} ({'; '.join(step.examples[:EXAMPLES_TOLD])}{more})"
