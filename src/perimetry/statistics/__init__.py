"""Statistics of an audit: paired bootstraps, exact tests, agreement and ranking. Pure numpy.

Examples
--------
>>> from perimetry.statistics import Resampling, bootstrap_difference
>>> plan = Resampling.from_groups(["image1", "image1", "image2", "image3"])
>>> bootstrap_difference(plan, [1, 1, 1, 0], [0, 1, 0, 0]).value
0.5
"""

from perimetry.statistics.arrays import ROUND_OFF
from perimetry.statistics.bootstrap import bootstrap_difference, bootstrap_mean, configuration_mean
from perimetry.statistics.columns import average_repeats, mean_columns, paired_columns
from perimetry.statistics.errors import StatisticsError
from perimetry.statistics.finishes import (
    Rate,
    difference,
    divide,
    f1,
    f1_macro,
    f1_micro,
    macro,
    mean_of,
    pooled,
    ratio,
)
from perimetry.statistics.interval import (
    BootstrapResult,
    Distribution,
    excludes_zero,
    interval,
    probability_positive,
    two_sided_p,
)
from perimetry.statistics.resampling import Resampling
from perimetry.statistics.streams import (
    below,
    derangement,
    permutation,
    philox,
    raw_integers,
    stream_key,
    uniform,
)
from perimetry.statistics.sums import Finish, ResampledSums

__all__ = [
    "ROUND_OFF",
    "BootstrapResult",
    "Distribution",
    "Finish",
    "Rate",
    "ResampledSums",
    "Resampling",
    "StatisticsError",
    "average_repeats",
    "below",
    "bootstrap_difference",
    "bootstrap_mean",
    "configuration_mean",
    "derangement",
    "difference",
    "divide",
    "excludes_zero",
    "f1",
    "f1_macro",
    "f1_micro",
    "interval",
    "macro",
    "mean_columns",
    "mean_of",
    "paired_columns",
    "permutation",
    "philox",
    "pooled",
    "probability_positive",
    "ratio",
    "raw_integers",
    "stream_key",
    "two_sided_p",
    "uniform",
]
