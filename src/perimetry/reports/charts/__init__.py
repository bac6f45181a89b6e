"""Charts, drawn from estimates with Altair: one file an audit, over pieces that know no audit."""

from perimetry.reports.charts.counterfactual import (
    accuracy_by_condition,
    blank_drop_radar,
    hard_negative_pool,
    metric_forest,
    model_comparison,
    noise_floor,
)
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.radar import Spoke, radar_chart
from perimetry.reports.charts.selection import Estimate, select_estimates

__all__ = [
    "Estimate",
    "Mark",
    "Spoke",
    "accuracy_by_condition",
    "blank_drop_radar",
    "hard_negative_pool",
    "interval_chart",
    "metric_forest",
    "model_comparison",
    "noise_floor",
    "radar_chart",
    "select_estimates",
]
