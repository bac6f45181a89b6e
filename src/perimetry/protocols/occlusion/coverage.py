"""How much of a class's area each region condition covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from perimetry.cases import ImageError, Study
from perimetry.conditions import Condition
from perimetry.conditions.spelling import read_spelling
from perimetry.protocols.occlusion.layout import is_region
from perimetry.runs.preparation import Preparation

__all__ = ["coverage"]


def coverage(preparation: Preparation, studies: Sequence[Study]) -> pl.Series:
    """Covered area over the area of the examined class's boxes, one a trial; empty where no region is covered.

    It does not depend on the strength: each region of an examined study is measured once.
    """
    measured: dict[tuple[int, str], float | None] = {}
    plan = preparation.plan
    families = [_family(condition) for condition in preparation.conditions]
    values = np.full(plan.trials.height, np.nan)
    asked = plan.trials["request_id"].is_not_null().to_numpy()
    trials = zip(plan.trials["case"].to_numpy().tolist(), plan.trials["condition"].to_numpy().tolist(), strict=True)
    for row, (case, number) in enumerate(trials):
        family = families[number]
        if not family or not asked[row]:
            continue
        key = (case, family)
        if key not in measured:
            measured[key] = _area(preparation, preparation.conditions[number], studies[case])
        share = measured[key]
        values[row] = np.nan if share is None else share
    return pl.Series("area", values).fill_nan(None)


def _family(condition: Condition) -> str:
    """A region condition without its strength; empty for others."""
    if not is_region(condition.spelling):
        return ""
    spelling = read_spelling(condition.spelling)
    return f"{spelling.name}{spelling.arguments}"


def _area(preparation: Preparation, condition: Condition, study: Study) -> float | None:
    measure = getattr(condition, "measure", None)
    if measure is None:
        return None
    try:
        covered = measure(study, preparation.surroundings)
    except ImageError:
        return None
    return None if covered is None else float(covered.area_share)
