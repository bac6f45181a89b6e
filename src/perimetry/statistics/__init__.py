"""Statistics of an audit: paired bootstraps, exact tests, agreement and ranking. Pure numpy.

Examples
--------
>>> from perimetry.statistics import Resampling, bootstrap_difference
>>> plan = Resampling.from_groups(["image1", "image1", "image2", "image3"])
>>> bootstrap_difference(plan, [1, 1, 1, 0], [0, 1, 0, 0]).value
0.5
"""

from perimetry.statistics.agreement import (
    Consensus,
    agreement_columns,
    cohen_kappa,
    consensus,
    kappa,
    percent_agreement,
)
from perimetry.statistics.arrays import ROUND_OFF
from perimetry.statistics.bootstrap import bootstrap_difference, bootstrap_mean, configuration_mean
from perimetry.statistics.columns import average_repeats, mean_columns, paired_columns
from perimetry.statistics.comparisons import Comparison, Reversals, Verdict, compare_models, kendall_tau, reversals
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
from perimetry.statistics.odds import OddsRatio, mantel_haenszel, odds_columns, option_tables
from perimetry.statistics.paired import Discordance, discordance, holm, mcnemar
from perimetry.statistics.power import (
    SMALLEST_MEANINGFUL,
    detectable_difference,
    items_to_resolve,
    minimum_detectable_difference,
    pairs_to_resolve,
)
from perimetry.statistics.ranking import RankSummary, rank_models, ranks
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
    "SMALLEST_MEANINGFUL",
    "BootstrapResult",
    "Comparison",
    "Consensus",
    "Discordance",
    "Distribution",
    "Finish",
    "OddsRatio",
    "RankSummary",
    "Rate",
    "ResampledSums",
    "Resampling",
    "Reversals",
    "StatisticsError",
    "Verdict",
    "agreement_columns",
    "average_repeats",
    "below",
    "bootstrap_difference",
    "bootstrap_mean",
    "cohen_kappa",
    "compare_models",
    "configuration_mean",
    "consensus",
    "derangement",
    "detectable_difference",
    "difference",
    "discordance",
    "divide",
    "excludes_zero",
    "f1",
    "f1_macro",
    "f1_micro",
    "holm",
    "interval",
    "items_to_resolve",
    "kappa",
    "kendall_tau",
    "macro",
    "mantel_haenszel",
    "mcnemar",
    "mean_columns",
    "mean_of",
    "minimum_detectable_difference",
    "odds_columns",
    "option_tables",
    "paired_columns",
    "pairs_to_resolve",
    "percent_agreement",
    "permutation",
    "philox",
    "pooled",
    "probability_positive",
    "rank_models",
    "ranks",
    "ratio",
    "raw_integers",
    "reversals",
    "stream_key",
    "two_sided_p",
    "uniform",
]
