"""Fit the detectors' weights: ``python -m perimetry.phantoms.fitting [FILE]``.

Logistic regression on windows of fitting phantoms, with the windows that mislead the last round added to the next one.
The fitting phantoms have no co-occurrence (so that no detector can lean on a companion) and seeds of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from perimetry.phantoms.detection.detector import WEIGHTS, save_templates
from perimetry.phantoms.detection.features import CELLS, CellFeatures, cell_features
from perimetry.phantoms.detection.template import WINDOWS, Template, Views, Window, nearest_place, windows_of
from perimetry.phantoms.population import make_study, members
from perimetry.phantoms.settings import PopulationSettings
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.statistics.streams import below, raw_integers

__all__ = ["FITTING", "Example", "examples", "fit", "main"]

FITTING = PopulationSettings(n=1300, cooccurrence=0.0, prevalence=0.2, seed=1_000_003)
"""The population that the shipped weights are fitted on. Its seed is kept for this purpose."""

_ROUNDS = 3
_RIDGE = 3.0
_NEWTON_STEPS = 8

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A fitting phantom: its features, and the middles of its boxes by finding."""

    cells: CellFeatures
    middles: dict[str, list[tuple[float, float]]]


def examples(settings: PopulationSettings) -> list[Example]:
    """Draw a population and keep what fitting needs of it."""
    found = []
    for one in members(settings):
        study = make_study(settings, one)
        middles: dict[str, list[tuple[float, float]]] = {}
        unit = 256.0 / settings.size
        for box in study.boxes:
            for name in box.classes:
                middle = ((box.x + box.width / 2) * unit, (box.y + box.height / 2) * unit)
                middles.setdefault(name, []).append(middle)
        found.append(Example(cell_features(study.images[0].pixels()), middles))
    return found


def fit(name: str, shown: Sequence[Example]) -> Template:
    """Fit the detector of one finding."""
    window = WINDOWS[name]
    mirrors = (False, True) if window.mirrored else (False,)
    hits: list[tuple[NDArray[np.float32], int, int]] = []
    empty: list[NDArray[np.float32]] = []
    for example in shown:
        seen = Views(example.cells)
        views = [seen.values(window.pool, mirror) for mirror in mirrors]
        if name not in example.middles:
            empty.extend(views)
            continue
        for x, y in example.middles[name]:
            mirror = window.mirrored and x > 128.0
            row, column = nearest_place(window, 256.0 - x if mirror else x, y)
            hits.append((views[1] if mirror else views[0], row, column))
    places = _places(window, [(row, column) for _, row, column in hits])
    positives = np.concatenate(
        [windows_of(view, window, np.array([[row, column]], dtype=np.int16)) for view, row, column in hits]
    )
    picks = below(raw_integers(FITTING.seed, "phantom/fitting", name, size=2 * len(empty)), len(places))
    negatives = np.concatenate(
        [windows_of(view, window, places[picks[2 * i : 2 * i + 2]]) for i, view in enumerate(empty)]
    )
    mean = np.concatenate((positives, negatives)).mean(axis=0)
    scale = 1.0 / (np.concatenate((positives, negatives)).std(axis=0) + 0.5)
    template = _regress(window, places, mean, scale, positives, negatives)
    for _ in range(_ROUNDS):
        negatives = np.concatenate((negatives, np.stack([_best(template, view) for view in empty])))
        template = _regress(window, places, mean, scale, positives, negatives)
    return template


def _places(window: Window, seen: Sequence[tuple[int, int]]) -> NDArray[np.int16]:
    """Every place that was seen, and its neighbours."""
    around = {(r + i, c + j) for r, c in seen for i in (-1, 0, 1) for j in (-1, 0, 1)}
    inside = [(r, c) for r, c in around if 0 <= r <= CELLS - window.height and 0 <= c <= CELLS - window.width]
    return np.array(sorted(inside), dtype=np.int16)


def _best(template: Template, view: NDArray[np.float32]) -> NDArray[np.float32]:
    """The window of a picture that looks most like the finding."""
    rows = windows_of(view, template.window, template.places)
    scores = ((rows - template.mean) * template.scale) @ template.weights
    return np.asarray(rows[int(scores.argmax())], dtype=np.float32)


def _regress(
    window: Window,
    places: NDArray[np.int16],
    mean: NDArray[np.float32],
    scale: NDArray[np.float32],
    positives: NDArray[np.float32],
    negatives: NDArray[np.float32],
) -> Template:
    rows = (np.concatenate((positives, negatives)) - mean) * scale
    design = np.concatenate((rows, np.ones((len(rows), 1), dtype=np.float32)), axis=1).astype(np.float64)
    truth = np.concatenate((np.ones(len(positives)), np.zeros(len(negatives))))
    # Both sides weigh the same, however many windows they have.
    share = np.where(truth > 0, 0.5 / len(positives), 0.5 / len(negatives)) * len(truth)
    solution = _newton(design, truth, share)
    return Template(
        window=window,
        places=places,
        mean=np.asarray(mean, dtype=np.float32),
        scale=np.asarray(scale, dtype=np.float32),
        weights=solution[:-1].astype(np.float32),
        bias=float(np.float32(solution[-1])),
    )


def _newton(design: Doubles, truth: Doubles, share: Doubles) -> Doubles:
    """Weights of a ridge logistic regression."""
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[-1] = 1e-6
    solution = np.zeros(design.shape[1])
    for _ in range(_NEWTON_STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ solution, -30.0, 30.0)))
        slope = design.T @ (share * (truth - chance)) - penalty * solution
        curve = (design * (share * chance * (1.0 - chance))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        solution = solution + step
        if float(np.abs(step).max()) < 1e-4:
            break
    return solution


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit every detector and write the weights; the package's own file unless another is named."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    path = Path(given[0]) if given else WEIGHTS
    shown = examples(FITTING)
    save_templates({name: fit(name, shown) for name in FINDINGS}, path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
