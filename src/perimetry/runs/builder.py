"""Builds each request of a plan when its turn comes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.cases.dataset import Case, CaseSet
from perimetry.cases.errors import CaseError
from perimetry.conditions.condition import Condition, Surroundings
from perimetry.inference import RequestPlan
from perimetry.models.prompt import render_question
from perimetry.models.request import Decoding, Prompt, Request
from perimetry.runs.plan import Plan, requests_of
from perimetry.statistics.streams import stream_key

__all__ = ["RequestBuilder", "request_plan"]

_SEED_BITS = 0x7FFFFFFF


@dataclass(frozen=True, slots=True, eq=False)
class RequestBuilder:
    """Builds request number i: the case as its condition shows it, in the protocol's words. Reads no pixels.

    Picklable, so that a worker process can build the requests of its shards.
    """

    ids: pl.Series
    case: NDArray[np.uint32]
    condition: NDArray[np.uint16]
    repeat: NDArray[np.uint16]
    cases: tuple[Case, ...]
    conditions: tuple[Condition, ...]
    surroundings: Surroundings
    profile: Any
    decoding: Decoding
    render: Callable[[Any, Any], Prompt] = render_question

    def __call__(self, index: int) -> Request:
        """The request at a position of the plan."""
        original = self.cases[int(self.case[index])]
        condition = self.conditions[int(self.condition[index])]
        repeat = int(self.repeat[index])
        shown = condition.apply(original, self.surroundings)
        if shown is None:
            raise CaseError(
                f"{condition.spelling} was planned for case {original.id} but does not apply to it now. "
                "The data changed since the run was planned; start a new run."
            )
        return Request(
            id=self.ids[index],
            case_id=original.id,
            dataset=original.dataset,
            condition=condition.spelling,
            repeat=repeat,
            seed=stream_key(self.surroundings.seed, condition.repeat_stream, repeat) & _SEED_BITS,
            prompt=self.render(shown, self.profile),
            decoding=self.decoding,
        )


def request_plan(
    plan: Plan,
    case_sets: Sequence[CaseSet],
    conditions: Sequence[Condition],
    surroundings: Surroundings,
    profile: Any,
    decoding: Decoding,
    render: Callable[[Any, Any], Prompt] = render_question,
) -> RequestPlan:
    """The unique requests of a plan in the form in which `perimetry.inference` asks them."""
    unique = requests_of(plan)
    builder = RequestBuilder(
        ids=unique["request_id"],
        case=unique["case"].to_numpy(),
        condition=unique["condition"].to_numpy(),
        repeat=unique["repeat"].to_numpy(),
        cases=tuple(case for case_set in case_sets for case in case_set.cases),
        conditions=tuple(conditions),
        surroundings=surroundings,
        profile=profile,
        decoding=decoding,
        render=render,
    )
    return RequestPlan(unique["request_id"], builder)
