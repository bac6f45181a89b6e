"""The settings of a phantom population, and how they are read from text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from perimetry.cases.errors import UsageError
from perimetry.phantoms.radiograph import SIZES
from perimetry.phantoms.vocabulary import FINDINGS

__all__ = ["PopulationSettings"]

_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class PopulationSettings:
    """What a population is made from; equal settings make equal populations.

    Parameters
    ----------
    n : int, default 500
        Studies; each gives one question of each form.
    cooccurrence : float in [0, 1], default 0
        Probability that each companion of a study's main finding comes with it.
    prevalence : float in [0, 1], default 0.05
        Probability that any other finding is there by accident.
    textbias : float in [0, 1], default 0
        How well the question's words alone predict the answer: the blind accuracy is chance + textbias (1 - chance).
    overlap : bool, default False
        Whether boxes of different findings may meet.
    seed : int, default 42
    size : int, default 256
        Side of the pictures in pixels.
    options : int, default 4
        Options of a multiple-choice question, 2 to 6.

    Raises
    ------
    UsageError
        If a value is out of its range.
    """

    n: int = 500
    cooccurrence: float = 0.0
    prevalence: float = 0.05
    textbias: float = 0.0
    overlap: bool = False
    seed: int = 42
    size: int = 256
    options: int = 4

    def __post_init__(self) -> None:
        _within("n", self.n, 1, _LARGEST)
        _within("cooccurrence", self.cooccurrence, 0.0, 1.0)
        _within("prevalence", self.prevalence, 0.0, 1.0)
        _within("textbias", self.textbias, 0.0, 1.0)
        _within("size", self.size, *SIZES)
        _within("options", self.options, 2, len(FINDINGS) // 2)

    @classmethod
    def parse(cls, texts: Mapping[str, str]) -> PopulationSettings:
        """Settings from text, as they stand in ``--data phantom:n=500,cooccurrence=0.8``.

        Raises
        ------
        UsageError
            If a key is unknown, or a value cannot be read or is out of its range.

        Examples
        --------
        >>> PopulationSettings.parse({"n": "40", "cooccurrence": "0.8"}).cooccurrence
        0.8
        """
        values: dict[str, int | float | bool] = {}
        defaults = asdict(cls())
        for key, text in texts.items():
            if key not in defaults:
                raise UsageError(
                    f"Setting {key!r} of data set phantom: found {key}={text}, expected one of {', '.join(defaults)}."
                )
            values[key] = _parsed(key, text, defaults[key])
        return cls(**values)  # type: ignore[arg-type]  # each value has the type of its field's default


def _parsed(key: str, text: str, default: int | float | bool) -> int | float | bool:
    word = text.strip().lower()
    if isinstance(default, bool):
        if word in {"true", "yes", "1"}:
            return True
        if word in {"false", "no", "0"}:
            return False
        raise UsageError(f"Setting {key!r} of data set phantom: found {text!r}, expected true or false.")
    kind = int if isinstance(default, int) else float
    try:
        return kind(word)
    except ValueError as error:
        wanted = "a whole number" if kind is int else "a number"
        raise UsageError(f"Setting {key!r} of data set phantom: found {text!r}, expected {wanted}.") from error


def _within(key: str, value: float, low: float, high: float) -> None:
    if not (math.isfinite(value) and low <= value <= high):
        raise UsageError(f"Setting {key!r} of data set phantom: found {value}, expected {low} to {high}.")
