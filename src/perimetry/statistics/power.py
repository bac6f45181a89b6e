"""What a sample can show: detectable differences, and how many items would resolve one.

Normal approximations; the power of a paired comparison of proportions follows Miettinen (1968) and Connor (1987).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from perimetry.statistics.arrays import ROUND_OFF, check_level
from perimetry.statistics.errors import StatisticsError

SMALLEST_MEANINGFUL = 0.05
"""Difference taken as the smallest that matters where the observed one is 0: the margin of the audit's verdicts."""


def _normal_points(power: float, level: float) -> tuple[float, float]:
    check_level(level)
    if not 0.5 <= power < 1.0:
        raise StatisticsError(f"power: found {power}, expected 0.5 to 1 such as 0.8")
    normal = NormalDist()
    return normal.inv_cdf((1.0 + level) / 2.0), normal.inv_cdf(power)


def detectable_difference(standard_error: float, *, power: float = 0.8, level: float = 0.95) -> float:
    """Return the smallest true difference that an interval of this standard error resolves with the given power.

    It serves any metric: take `BootstrapResult.standard_error`, which knows of groups.

    Parameters
    ----------
    standard_error
        0 or more, in the unit of the metric.
    power
        0.5 to 1, 0.8 by default.
    level
        Coverage of the interval.

    Returns
    -------
    float
        ``(z(level) + z(power)) * standard_error``: 2.8 standard errors by default.

    Raises
    ------
    StatisticsError
        If ``power`` or ``level`` is out of range.

    Examples
    --------
    >>> round(detectable_difference(0.01), 4)
    0.028
    """
    z_level, z_power = _normal_points(power, level)
    return (z_level + z_power) * standard_error


def minimum_detectable_difference(
    left_only: int, right_only: int, pairs: int, *, power: float = 0.8, level: float = 0.95
) -> float:
    """Return the smallest difference of two paired proportions that these pairs would detect, at their discordance.

    With discordance ``psi = (left_only + right_only) / pairs`` a difference ``d`` is detected with the power asked for
    where ``d sqrt(pairs) = z(level) sqrt(psi) + z(power) sqrt(psi - d^2)`` (Connor 1987). Without any discordant pair
    ``psi`` is taken as ``3 / pairs``, the upper 95% limit of a share of which no case was seen.

    Parameters
    ----------
    left_only, right_only
        Discordant pairs.
    pairs
        All complete pairs.
    power, level
        See `detectable_difference`.

    Returns
    -------
    float
        nan where no difference is detectable: a difference cannot exceed the discordance.

    Raises
    ------
    StatisticsError
        If the counts do not fit one another, or ``power`` or ``level`` is out of range.

    Examples
    --------
    >>> round(minimum_detectable_difference(30, 20, 400), 3)
    0.049
    """
    z_level, z_power = _normal_points(power, level)
    psi = _discordance(left_only, right_only, pairs)
    # The equation squared is quadratic in d; the root on the side of d = z(level) sqrt(psi / pairs) is the one meant.
    inside = psi * z_power**2 * (pairs - z_level**2 + z_power**2)
    if pairs == 0 or inside < 0.0:
        return math.nan
    value = (z_level * math.sqrt(pairs * psi) + math.sqrt(inside)) / (pairs + z_power**2)
    return value if value <= psi else math.nan


def pairs_to_resolve(
    left_only: int,
    right_only: int,
    pairs: int,
    *,
    smallest: float = SMALLEST_MEANINGFUL,
    power: float = 0.8,
    level: float = 0.95,
) -> int | None:
    """Return the pairs of binary outcomes at which the observed difference would be resolved, at their discordance.

    Parameters
    ----------
    left_only, right_only, pairs
        See `minimum_detectable_difference`.
    smallest
        Difference to plan for when the observed one is 0: above 0, 0.05 by default.
    power, level
        See `detectable_difference`.

    Returns
    -------
    int or None
        ``(z(level) sqrt(psi) + z(power) sqrt(psi - d^2))^2 / d^2`` rounded up; fewer than ``pairs`` where these are
        more than enough; None without pairs.

    Raises
    ------
    StatisticsError
        As `minimum_detectable_difference`, and if ``smallest`` is not above 0.

    Examples
    --------
    >>> pairs_to_resolve(30, 20, 400)
    1568
    """
    z_level, z_power = _normal_points(power, level)
    _check_smallest(smallest)
    psi = _discordance(left_only, right_only, pairs)
    if pairs == 0:
        return None
    wanted = abs(left_only - right_only) / pairs or smallest
    psi = max(psi, wanted)  # so many pairs must differ at least for the difference to be that large
    return math.ceil(((z_level * math.sqrt(psi) + z_power * math.sqrt(psi - wanted**2)) / wanted) ** 2)


def items_to_resolve(
    difference: float,
    standard_error: float,
    items: int,
    *,
    smallest: float = SMALLEST_MEANINGFUL,
    power: float = 0.8,
    level: float = 0.95,
) -> int | None:
    """Return the number of items at which an estimate's observed difference would be resolved.

    The variance of the bootstrap is scaled by the number of items, with as many items a group as now. Serves any
    metric, macro-means too (all data sets grow alike).

    Parameters
    ----------
    difference
        `BootstrapResult.value`.
    standard_error
        `BootstrapResult.standard_error`.
    items
        Items behind it.
    smallest, power, level
        See `pairs_to_resolve`.

    Returns
    -------
    int or None
        Rounded up; None where the estimate, or its standard error, is undefined or 0: nothing is known about the
        spread then.

    Raises
    ------
    StatisticsError
        If ``power``, ``level`` or ``smallest`` is out of range.

    Examples
    --------
    >>> items_to_resolve(0.02, 0.02, items=400)
    3140
    """
    z_level, z_power = _normal_points(power, level)
    _check_smallest(smallest)
    if items == 0 or math.isnan(difference) or math.isnan(standard_error) or standard_error <= 0.0:
        return None
    wanted = abs(difference) if abs(difference) > ROUND_OFF else smallest
    return math.ceil(items * ((z_level + z_power) * standard_error / wanted) ** 2)


def _discordance(left_only: int, right_only: int, pairs: int) -> float:
    if min(left_only, right_only, pairs) < 0 or left_only + right_only > pairs:
        raise StatisticsError(
            f"discordant pairs: found {left_only} and {right_only} of {pairs}, expected counts of 0 or more that are "
            "together no more than the pairs"
        )
    if pairs == 0:
        return 0.0
    return (left_only + right_only or min(3, pairs)) / pairs


def _check_smallest(smallest: float) -> None:
    if not 0.0 < smallest <= 1.0:
        raise StatisticsError(f"smallest: found {smallest}, expected a difference above 0 and at most 1")
