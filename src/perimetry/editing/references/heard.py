"""Which of the models that were asked said nothing that could be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from perimetry.editing.edit import Edit

__all__ = ["Heard"]


class Heard:
    """Counts, a rewriter or verifier, what could be used of its answers and what could not.

    Parameters
    ----------
    rewriter, verifier : str
        Names of the models; empty where rules do it.

    Examples
    --------
    >>> from perimetry.editing.edit import Proposal, Round, Task, Trial
    >>> heard = Heard("openai:m", "")
    >>> trial = Trial(Proposal("openai:m", declined="failed", reason="unreadable: no JSON"))
    >>> heard.add([Edit(Task("1", "loud", "no"), (Round(1, (trial,)),), "failed", "openai:m")])
    >>> heard.speechless
    ('openai:m',)
    """

    def __init__(self, rewriter: str, verifier: str) -> None:
        self._rewriter = rewriter
        self._verifier = verifier
        self._used: Counter[str] = Counter()
        self._useless: Counter[str] = Counter()

    def add(self, edits: Iterable[Edit[Any]]) -> None:
        """Count every answer of these edits; those that did not come are counted nowhere."""
        for edit in edits:
            for trial in (trial for each in edit.rounds for trial in each.trials):
                if trial.proposal.by == self._rewriter:
                    self._count("rewriter", trial.proposal.content is not None, trial.proposal.passing)
                for verdict in trial.verdicts:
                    if verdict.by == self._verifier:
                        self._count("verifier", verdict.outcome != "failed", verdict.passing)

    def _count(self, role: str, usable: bool, passing: bool) -> None:
        if usable:
            self._used[role] += 1
        elif not passing:
            self._useless[role] += 1

    @property
    def speechless(self) -> tuple[str, ...]:
        """Models that answered, in one of their tasks, and never with anything that could be used."""
        names = {"rewriter": self._rewriter, "verifier": self._verifier}
        return tuple(
            dict.fromkeys(name for role, name in names.items() if self._useless[role] and not self._used[role])
        )
