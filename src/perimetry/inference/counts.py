"""What came back so far: counted where the responses arrive, added up where the run is steered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from perimetry.models.request import Response

__all__ = ["Counts", "Tally"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Some responses, counted.

    Parameters
    ----------
    answered : int
    failed : tuple of (kind, count)
    streak : int
        Failures after the last answer, without those that are final: they lie with the case, or were foreseen, and
        say nothing about whether the model works.
    example : str
        Kind and message of the latest failure that counts towards a streak.
    examples : tuple of (kind, message)
        The latest message of each kind.
    """

    answered: int = 0
    failed: tuple[tuple[str, int], ...] = ()
    streak: int = 0
    example: str = ""
    examples: tuple[tuple[str, str], ...] = ()

    @property
    def failures(self) -> int:
        """All failures."""
        return sum(count for _, count in self.failed)

    @property
    def total(self) -> int:
        """All responses."""
        return self.answered + self.failures


class Tally:
    """Adds up responses one by one, or counts of a worker."""

    def __init__(self) -> None:
        self.answered = 0
        self.failed: Counter[str] = Counter()
        self.streak = 0
        self.example = ""
        self.examples: dict[str, str] = {}

    @property
    def total(self) -> int:
        """All responses."""
        return self.answered + self.failed.total()

    def add(self, response: Response) -> None:
        """Count one response."""
        failure = response.failure
        if failure is None:
            self.answered += 1
            self.streak = 0
            return
        self.failed[failure.kind] += 1
        self.examples[failure.kind] = failure.message
        if not failure.is_final:
            self.streak += 1
            self.example = f"{failure.kind}: {failure.message}"

    def merge(self, counts: Counts) -> None:
        """Count what a worker counted since it last told."""
        self.answered += counts.answered
        self.failed.update(dict(counts.failed))
        self.examples.update(counts.examples)
        self.streak = counts.streak if counts.answered else self.streak + counts.streak
        self.example = counts.example or self.example

    def drain(self) -> Counts:
        """What was counted since the last call; the streak starts again at 0."""
        counts = self.counts()
        self.answered, self.streak, self.example = 0, 0, ""
        self.failed.clear()
        self.examples.clear()
        return counts

    def counts(self) -> Counts:
        """A frozen copy."""
        failed, examples = tuple(sorted(self.failed.items())), tuple(sorted(self.examples.items()))
        return Counts(self.answered, failed, self.streak, self.example, examples)
