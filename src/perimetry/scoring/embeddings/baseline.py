"""Baselines that spread BERTScores out: a score of unrelated sentences becomes 0, and 1 stays 1."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from perimetry.cases.errors import DataError
from perimetry.scoring.embeddings.greedy import Match

__all__ = ["Baseline", "read_baseline"]

_COLUMNS = ("LAYER", "P", "R", "F")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What unrelated sentences score under one model and layer.

    Parameters
    ----------
    precision, recall, f1 : float
        Below 1.

    References
    ----------
    Zhang et al. 2020, "BERTScore", section 3, baseline rescaling.

    Examples
    --------
    >>> Baseline(0.5, 0.5, 0.8).rescaled(Match(1.0, 0.5, 0.9)).f1
    0.5
    """

    precision: float
    recall: float
    f1: float

    def rescaled(self, match: Match) -> Match:
        """Each of the three as ``(value - baseline) / (1 - baseline)``."""
        base = Match(self.precision, self.recall, self.f1)
        return Match(*((value - low) / (1.0 - low) for value, low in zip(match, base, strict=True)))


def read_baseline(path: Path, layer: int) -> Baseline:
    """Read the row of a layer from a file with the columns LAYER, P, R and F.

    Parameters
    ----------
    path : Path
        As published with BERTScore: values by commas, one row a layer, layer 0 for the input embeddings.

    Raises
    ------
    DataError
        When the file cannot be read, is laid out otherwise, lacks the layer, or a value is none below 1.
    """
    expected = f"Expected a file of values separated by commas, with the columns {','.join(_COLUMNS)}."
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
            columns = tuple((rows[0] if rows else {}).keys())
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"baseline {path}: cannot be read ({error}). {expected}") from error
    if not set(_COLUMNS) <= set(columns):
        raise DataError(f"baseline {path}: found the columns {','.join(map(str, columns)) or 'none'}. {expected}")
    found = [row for row in rows if (row["LAYER"] or "").strip() == str(layer)]
    if len(found) != 1:
        raise DataError(
            f"baseline {path}: {len(found)} rows for layer {layer} among {len(rows)}. Give the file of this very "
            "model, or another layer."
        )
    return Baseline(*(_below_one(path, layer, name, found[0][name]) for name in _COLUMNS[1:]))


def _below_one(path: Path, layer: int, name: str, text: str | None) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not -1.0 <= value < 1.0:
        raise DataError(f"baseline {path}: {name} of layer {layer} is {text!r}; expected a number from -1 to below 1.")
    return value
