"""The plan: one row a trial, many trials sharing a request."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.cases.dataset import CaseSet
from perimetry.cases.digest import DIGEST_BYTES
from perimetry.conditions.condition import Condition, Surroundings
from perimetry.models.request import Decoding
from perimetry.statistics.streams import uniform

__all__ = ["Plan", "build_plan", "requests_of"]

RETEST = "retest"


@dataclass(frozen=True, slots=True)
class Plan:
    """All trials of one model; every model of a run has the same ones.

    Parameters
    ----------
    trials : polars.DataFrame
        Columns ``case`` (index into `keys`), ``condition`` (index into `conditions`), ``repeat``, ``request_id``
        (null where the condition does not apply). Ordered by case, condition, repeat.
    keys : tuple of (dataset, case id)
    conditions : tuple of str
    """

    trials: pl.DataFrame
    keys: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]

    def table(self, models: Sequence[str]) -> pl.DataFrame:
        """plan.parquet: one row a trial, with names in place of indices."""
        trials = self._named()
        parts = [trials.with_columns(pl.lit(model).alias("model")) for model in models]
        return pl.concat(parts) if parts else trials.with_columns(pl.lit("").alias("model"))

    def not_applicable(self) -> pl.DataFrame:
        """Per data set and condition, how many trials do not apply."""
        return (
            self._named()
            .filter(pl.col("request_id").is_null())
            .group_by("dataset", "condition", maintain_order=True)
            .len("trials")
        )

    def _named(self) -> pl.DataFrame:
        datasets = np.array([dataset for dataset, _ in self.keys], dtype=object)
        ids = np.array([case_id for _, case_id in self.keys], dtype=object)
        names = np.array(self.conditions, dtype=object)
        case = self.trials["case"].to_numpy()
        return pl.DataFrame(
            {
                "dataset": pl.Series(datasets[case], dtype=pl.String),
                "case_id": pl.Series(ids[case], dtype=pl.String),
                "condition": pl.Series(names[self.trials["condition"].to_numpy()], dtype=pl.String),
                "repeat": self.trials["repeat"],
                "request_id": self.trials["request_id"],
            }
        )


def build_plan(
    case_sets: Sequence[CaseSet],
    conditions: Sequence[Condition],
    surroundings: Surroundings,
    profile: str,
    decoding: Decoding,
    repeats: int = 1,
    retest: float = 1.0,
) -> Plan:
    """Lay out every trial.

    A request is named by its recipe: case digest, normalised operations, prompt profile, decoding, and the stream
    and number of its repeat. Conditions whose recipes are equal share the request.

    Parameters
    ----------
    case_sets : sequence of CaseSet
    conditions : sequence of Condition
    surroundings : Surroundings
        Seed and neighbour tables.
    profile : str
        `PromptProfile.spelling`.
    decoding : Decoding
    repeats : int, default 1
    retest : float, default 1.0
        Share of the items that ``retest`` applies to, drawn per item from the run's seed.

    Returns
    -------
    Plan
    """
    keys: list[tuple[str, str]] = []
    total = sum(len(case_set.cases) for case_set in case_sets) * len(conditions) * repeats
    case_index: NDArray[np.uint32] = np.empty(total, dtype=np.uint32)
    condition_index: NDArray[np.uint16] = np.empty(total, dtype=np.uint16)
    repeat_index: NDArray[np.uint16] = np.empty(total, dtype=np.uint16)
    request_ids: list[str | None] = []
    suffixes = [
        [
            f"\x1f{profile}\x1f{decoding.spelling}\x1f{condition.repeat_stream}:{repeat}".encode()
            for repeat in range(repeats)
        ]
        for condition in conditions
    ]
    row = 0
    for case_set in case_sets:
        for case in case_set.cases:
            prefix = hashlib.blake2b(case.digest.encode() + b"\x1f", digest_size=DIGEST_BYTES)
            number = len(keys)
            keys.append((case_set.name, case.id))
            for index, condition in enumerate(conditions):
                recipe = condition.recipe(case, surroundings)
                if (
                    condition.spelling == RETEST
                    and retest < 1.0
                    and not _is_retested(case.digest, surroundings, retest)
                ):
                    recipe = None
                for repeat in range(repeats):
                    case_index[row] = number
                    condition_index[row] = index
                    repeat_index[row] = repeat
                    row += 1
                    if recipe is None:
                        request_ids.append(None)
                        continue
                    hasher = prefix.copy()
                    hasher.update(recipe.encode() + suffixes[index][repeat])
                    request_ids.append(hasher.hexdigest())
    trials = pl.DataFrame(
        {
            "case": case_index,
            "condition": condition_index,
            "repeat": repeat_index,
            "request_id": pl.Series(request_ids, dtype=pl.String),
        }
    )
    return Plan(trials, tuple(keys), tuple(condition.spelling for condition in conditions))


def _is_retested(digest: str, surroundings: Surroundings, share: float) -> bool:
    """Whether an item belongs to the share that is asked again; fixed per item and seed."""
    return bool(uniform(surroundings.seed, "retest", digest, size=1)[0] < share)


def requests_of(plan: Plan) -> pl.DataFrame:
    """The unique requests of a plan, in the order of the first trial that needs each.

    Returns
    -------
    polars.DataFrame
        Columns ``request_id``, ``case``, ``condition``, ``repeat``.
    """
    return (
        plan.trials.filter(pl.col("request_id").is_not_null())
        .unique(subset="request_id", keep="first", maintain_order=True)
        .select("request_id", "case", "condition", "repeat")
    )
