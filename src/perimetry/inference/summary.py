"""How an asking ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from perimetry.inference.errors import Problem

__all__ = ["Stopped", "Summary"]

Stopped = Literal["", "budget", "failures", "interrupted", "workers"]


@dataclass(frozen=True, slots=True)
class Summary:
    """How an asking ended.

    Parameters
    ----------
    model : str
    planned : int
        Requests of the plan.
    stored : int
        Of these, with a final response before this invocation.
    answered : int
        Answers of this invocation.
    failed : tuple of (kind, count)
        Failures of this invocation.
    stopped : {"", "budget", "failures", "interrupted", "workers"}
        Why requests were left unasked: `Settings.max_requests`, `Settings.max_failures`, Ctrl-C, or worker
        processes that died again and again on the same shard.
    message : str
        What a user should be told; empty when all went well.
    seconds : float
    problems : tuple of Problem
        Damaged lines and files that were passed over.
    examples : tuple of (kind, message)
        What the latest failure of each kind said.
    """

    model: str
    planned: int
    stored: int
    answered: int
    failed: tuple[tuple[str, int], ...]
    stopped: Stopped
    message: str
    seconds: float
    problems: tuple[Problem, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def asked(self) -> int:
        """Requests that this invocation asked."""
        return self.answered + sum(count for _, count in self.failed)

    @property
    def unasked(self) -> int:
        """Requests that were neither stored before nor asked now."""
        return self.planned - self.stored - self.asked

    @property
    def complete(self) -> bool:
        """Whether every request was asked at least once."""
        return not self.stopped and self.unasked <= 0
