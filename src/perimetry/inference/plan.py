"""What is to be asked of one model: request ids in a column, and a way to build each request when its turn comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from perimetry.cases.errors import UsageError
from perimetry.models.request import Request

__all__ = ["RequestPlan"]


@dataclass(frozen=True, slots=True, eq=False)
class RequestPlan:
    """Ordered requests of one model.

    Parameters
    ----------
    ids : polars.Series of str, (n,)
        Unique request ids. The order is the order of asking; results do not depend on it.
    build : callable, int -> Request
        Builds the request at a position; called just before the model is asked, at most a few times a request, in
        any order and possibly in another process (then it must be picklable). A `PerimetryError` that it raises
        becomes the failure of that request alone.

    Examples
    --------
    >>> import polars as pl
    >>> from perimetry.models.request import Prompt, Request
    >>> plan = RequestPlan(pl.Series(["a", "b"]), lambda i: Request("ab"[i], "case", "set", "real", 0, 0, Prompt(())))
    >>> len(plan)
    2
    """

    ids: pl.Series
    build: Callable[[int], Request]

    def __post_init__(self) -> None:
        if len(self.ids) == 0:
            object.__setattr__(self, "ids", pl.Series("request_id", [], dtype=pl.String))
        if self.ids.dtype != pl.String or self.ids.null_count():
            raise UsageError(f"Request ids must be strings without gaps; found a column of {self.ids.dtype}.")
        object.__setattr__(self, "ids", self.ids.alias("request_id"))
        if self.ids.n_unique() != len(self.ids):
            doubled = self.ids.filter(self.ids.is_duplicated())[0]
            raise UsageError(f"Request {doubled!r} stands in the plan more than once; merge its trials first.")

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, requests: Iterable[Request]) -> RequestPlan:
        """Plan of requests that are at hand already (judges, rewriters, tests)."""
        held = tuple(requests)
        return cls(pl.Series("request_id", [request.id for request in held], dtype=pl.String), Held(held))


@dataclass(frozen=True, slots=True)
class Held:
    """Builder over requests in memory; a class rather than a closure, so that it can be pickled."""

    requests: Sequence[Request]

    def __call__(self, index: int) -> Request:
        return self.requests[index]
