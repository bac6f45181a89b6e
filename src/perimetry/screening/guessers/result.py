"""What guessing gives."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases.funnel import Funnel
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.screening.guessers.crossfit import CrossFit
from perimetry.screening.guessers.encoding import GUESSERS
from perimetry.screening.guessers.leakage import Overlap
from perimetry.screening.guessers.null import CHANCE, SHUFFLED
from perimetry.statistics import excludes_zero

__all__ = ["GuessResult", "Reading", "readings"]

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Reading:
    """How one guesser does on one data set.

    Parameters
    ----------
    guesser, dataset : str
    accuracy, chance, gain : Estimate
        ``gain`` is accuracy less chance.
    shuffled : Estimate or None
        Accuracy less chance where keys were drawn at random.
    """

    guesser: str
    dataset: str
    accuracy: Estimate
    chance: Estimate
    gain: Estimate
    shuffled: Estimate | None = None

    @property
    def verdict(self) -> str:
        """``above chance``, ``not above chance`` or ``below chance``.

        The interval of the gain has to exclude zero and p to be at most 0.05.
        """
        if not excludes_zero(self.gain.ci_low, self.gain.ci_high) or self.gain.p_value > SIGNIFICANT:
            return "not above chance"
        return "above chance" if self.gain.value > 0 else "below chance"

    @property
    def sane(self) -> bool | None:
        """Whether shuffled keys are guessed at chance within the interval; None where none were drawn."""
        return None if self.shuffled is None else not excludes_zero(self.shuffled.ci_low, self.shuffled.ci_high)


@dataclass(frozen=True, slots=True, eq=False)
class GuessResult:
    """Predictions, estimates and the leakage proof.

    Parameters
    ----------
    fit : CrossFit
    estimates : tuple of Estimate
    overlap : tuple of Overlap
    funnels : tuple of Funnel
        Of each data set: from its cases to the items that could be guessed.
    notes : tuple of str
        What a reader has to know.
    path : Path or None
        Output folder.
    loads : tuple of Funnel
        Of each data set: from its records to its cases.
    """

    fit: CrossFit
    estimates: tuple[Estimate, ...]
    overlap: tuple[Overlap, ...]
    funnels: tuple[Funnel, ...]
    notes: tuple[str, ...] = ()
    path: Path | None = None
    loads: tuple[Funnel, ...] = ()

    @property
    def predictions(self) -> pl.DataFrame:
        """Every guess, also those under shuffled keys; see `PREDICTIONS`."""
        return self.fit.predictions

    @property
    def readings(self) -> tuple[Reading, ...]:
        """One a guesser and data set, averages included."""
        return readings(self.estimates)

    @property
    def frame(self) -> pl.DataFrame:
        """The tidy table of estimates."""
        return estimate_frame(self.estimates)

    @property
    def leaked(self) -> int:
        """Identity values on both sides of any fold, over all kinds: 0."""
        return sum(one.overlap for one in self.overlap)

    def to_dict(self) -> dict[str, Any]:
        """As plain data for ``--json``."""
        return {
            "out": None if self.path is None else str(self.path),
            "page": None if self.path is None else str(self.path / "report" / "index.html"),
            "items": len(self.fit.items),
            "folds": len(self.fit.trained),
            "overlap": [asdict(one) for one in self.overlap],
            "readings": [
                {
                    "guesser": one.guesser,
                    "dataset": one.dataset,
                    "verdict": one.verdict,
                    "sane": one.sane,
                    "accuracy": [one.accuracy.value, one.accuracy.ci_low, one.accuracy.ci_high],
                    "chance": one.chance.value,
                    "n": one.accuracy.n,
                    "groups": one.accuracy.groups,
                    "gain": [one.gain.value, one.gain.ci_low, one.gain.ci_high],
                    "p_value": one.gain.p_value,
                }
                for one in self.readings
            ],
            "loaded": [funnel.to_dict() for funnel in self.loads],
            "left_out": {
                funnel.dataset: {step.reason: step.removed for step in funnel.steps} for funnel in self.funnels
            },
            "notes": list(self.notes),
        }


def readings(estimates: tuple[Estimate, ...]) -> tuple[Reading, ...]:
    """Pick what a reader wants to know first; the mean over data sets is left out where there is only one."""
    whole = [row for row in estimates if row.stratum == "all"]
    known = {(row.model, row.metric, row.comparator, row.dataset): row for row in whole}
    names = [row.dataset for row in whole if row.model == CHANCE]
    if len(names) == 2:
        names = names[:1]
    found = []
    for guesser in GUESSERS.values():
        for name in names:
            accuracy = known.get((guesser.model, "accuracy", "", name))
            if accuracy is not None:
                found.append(
                    Reading(
                        guesser.name,
                        name,
                        accuracy,
                        known[CHANCE, "accuracy", "", name],
                        known[guesser.model, "accuracy", CHANCE, name],
                        known.get((guesser.model, SHUFFLED, CHANCE, name)),
                    )
                )
    return tuple(found)
