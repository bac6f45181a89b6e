"""The one place that asks a model: request store, journals, local and Ray execution, budgets and the data-use guard."""

from perimetry.inference.ask import ask
from perimetry.inference.budget import Budget
from perimetry.inference.errors import Problem, StoreError
from perimetry.inference.guard import check_data_use
from perimetry.inference.lock import RunLock
from perimetry.inference.plan import RequestPlan
from perimetry.inference.progress import LineProgress, Progress, RichProgress, SilentProgress, choose_progress
from perimetry.inference.repair import quarantine
from perimetry.inference.settings import Settings
from perimetry.inference.store import RequestStore
from perimetry.inference.summary import Summary

__all__ = [
    "Budget",
    "LineProgress",
    "Problem",
    "Progress",
    "RequestPlan",
    "RequestStore",
    "RichProgress",
    "RunLock",
    "Settings",
    "SilentProgress",
    "StoreError",
    "Summary",
    "ask",
    "check_data_use",
    "choose_progress",
    "quarantine",
]
