"""Intervals as the occlusion page shows them: where a bootstrap has nothing to vary, it is not precise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from perimetry.builders.review.summary import wilson
from perimetry.runs.estimates import Estimate

__all__ = ["WIDTH_TOLD", "shown"]

_RATES = frozenset({"false_statement_rate", "flip_rate", "reverse_flip_rate", "reference_agreement"})
_F1 = frozenset({"f1", "mu_f1"})
_TINY = 1e-12

WIDTH_TOLD = (
    "Where all patients are alike, every resample gives the same number. That does not make it exact: such a number "
    "stands without an interval, and F1 and rates at 0 or 100 with the Wilson interval over patients. estimates.csv "
    "has what the bootstrap gave."
)
"""What the page says when it shows an interval that is not the one of the estimates."""


def shown(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Estimates whose intervals of no width are replaced by honest ones, or left out.

    A share of 0 or 1 gets the Wilson interval with the groups as cases. F1 on studies that all show the class is
    ``2 r / (1 + r)`` of the recall ``r``, and the interval of the recall goes the same way. Every other interval
    without width (a difference of two equal columns, a mean of equal values) is left out.

    Parameters
    ----------
    estimates : sequence of Estimate

    Examples
    --------
    >>> row = Estimate("occlusion", "d", "m", "flip_rate", value=1.0, ci_low=1.0, ci_high=1.0, n=5, groups=5)
    >>> [round(end, 3) for end in (shown([row])[0].ci_low, shown([row])[0].ci_high)]
    [0.566, 1.0]
    """
    return [_honest(row) for row in estimates]


def _honest(row: Estimate) -> Estimate:
    if math.isnan(row.value) or row.ci_high - row.ci_low > _TINY:
        return row
    rate = row.metric in _RATES or row.metric in _F1
    edge = abs(row.value) < _TINY or abs(row.value - 1.0) < _TINY
    if rate and edge and row.groups > 0 and not row.comparator.startswith("model:"):
        low, high = wilson(row.groups if row.value > 0.5 else 0, row.groups, row.level)
        if row.metric in _F1:
            low, high = 2 * low / (1 + low), 2 * high / (1 + high)
        return replace(row, ci_low=low, ci_high=high, method=f"{row.method}; at 0 and 1 Wilson over groups")
    return row if math.isnan(row.ci_low) else replace(row, ci_low=math.nan, ci_high=math.nan)
