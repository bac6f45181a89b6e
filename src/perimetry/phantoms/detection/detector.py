"""All detectors together: the scores of the thirteen findings on one picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import DataError
from perimetry.cases.image import Pixels
from perimetry.phantoms.detection.features import cell_features
from perimetry.phantoms.detection.template import WINDOWS, Template, Views
from perimetry.phantoms.vocabulary import FINDINGS

__all__ = ["WEIGHTS", "detect", "load_templates", "save_templates"]

WEIGHTS = Path(__file__).with_name("weights.npz")
"""Fitted by `perimetry.phantoms.fitting`."""

_FIELDS = ("places", "mean", "scale", "weights", "bias")


def detect(pixels: Pixels, readability: bool = True) -> dict[str, float]:
    """Score of each finding on a picture: above 0 it is seen, minus infinity where its anatomy cannot be read.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
        Any size; brought onto a 256 x 256 grid.
    readability : bool, default True
        Whether cells that are flat or noise are kept out of the scores.

    Examples
    --------
    >>> scores = detect(np.full((64, 64), 127, dtype=np.uint8))
    >>> max(scores.values())
    -inf
    """
    views = Views(cell_features(pixels), readability)
    return {name: template.score(views) for name, template in load_templates().items()}


@lru_cache(maxsize=1)
def load_templates(path: Path = WEIGHTS) -> Mapping[str, Template]:
    """The fitted detectors, in the order of `FINDINGS`; raises `DataError` if the file is absent or not whole."""
    try:
        with np.load(path, allow_pickle=False) as store:
            fields = {name: {field: store[f"{name}/{field}"] for field in _FIELDS} for name in FINDINGS}
    except (OSError, KeyError, ValueError) as error:
        raise DataError(
            f"Detector weights {path}: found {error}, expected the arrays of all thirteen findings. "
            "Fit them again with: python -m perimetry.phantoms.fitting"
        ) from error
    return MappingProxyType(
        {
            name: Template(
                window=WINDOWS[name],
                places=parts["places"],
                mean=parts["mean"],
                scale=parts["scale"],
                weights=parts["weights"],
                bias=float(parts["bias"]),
            )
            for name, parts in fields.items()
        }
    )


def save_templates(templates: Mapping[str, Template], path: Path) -> None:
    """Write detectors as an NPZ file of plain arrays."""
    arrays: dict[str, NDArray[Any]] = {
        f"{name}/{field}": np.asarray(getattr(template, field), dtype=np.int16 if field == "places" else np.float32)
        for name, template in templates.items()
        for field in _FIELDS
    }
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
