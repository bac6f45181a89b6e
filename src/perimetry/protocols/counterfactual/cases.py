"""The cases that the counterfactual report shows, and what makes each worth a look."""

from __future__ import annotations

import numpy as np

from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.question_browser import question_browser
from perimetry.reports import Browser
from perimetry.runs.cube import Cube, Flags

__all__ = ["browser"]

RIGHT_ONLY_SHUFFLED = "right when shuffled, wrong as it is"
NEEDS_IMAGE = "right only with the image"
SAME_ANSWER = "same answer whatever is shown"
UNPARSED = "answer not read"
FAILED = "request failed"


def browser(store: RequestStore, analysis: Analysis) -> Browser:
    """The case browser: images of every condition side by side, answers, rules and flags."""
    flags = [_flags(analysis, model) for model in analysis.models]
    names = (RIGHT_ONLY_SHUFFLED, NEEDS_IMAGE, UNPARSED, FAILED, SAME_ANSWER)
    return question_browser(store, analysis, flags, names)


def _flags(analysis: Analysis, model: str) -> dict[str, Flags]:
    """Which items carry which flag, for one model (first repeat)."""
    cube = Cube.from_outcomes(analysis.outcomes[model], analysis.preparation.plan.conditions)
    answered, correct, answers = cube.answered[:, :, 0], cube.correct[:, :, 0], cube.answers[:, :, 0]
    found: dict[str, Flags] = {
        UNPARSED: np.asarray((answered & (answers < 0)).any(axis=1), dtype=bool),
        FAILED: np.asarray((cube.applies & ~answered).any(axis=1), dtype=bool),
    }
    real, shuffle, noimage = cube.index("real"), cube.index("shuffle"), cube.index("noimage")
    if real is not None and shuffle is not None:
        both = answered[:, real] & answered[:, shuffle]
        found[RIGHT_ONLY_SHUFFLED] = both & correct[:, shuffle] & ~correct[:, real]
    if real is not None and noimage is not None:
        both = answered[:, real] & answered[:, noimage]
        found[NEEDS_IMAGE] = both & correct[:, real] & ~correct[:, noimage]
    if real is not None:
        same = (answers == answers[:, [real]]) & (answers >= 0)
        found[SAME_ANSWER] = (same | ~answered).all(axis=1) & answered[:, real]
    return found
