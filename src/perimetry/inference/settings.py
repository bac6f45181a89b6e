"""How requests are to be executed; never what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from perimetry.cases.errors import UsageError

__all__ = ["Engine", "Settings"]

Engine = Literal["local", "ray"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How requests are executed. No setting changes a response.

    Parameters
    ----------
    shard_size : int, default 2000
        Requests of one model that share a journal and later a Parquet file. With several workers a shard is made
        smaller where there would be too few to go round.
    workers : int, default 1
        Worker processes (``local``) or actors (``ray``). 1 with the local engine runs in this process.
    concurrency : int or None, default None
        Requests in flight of an endpoint, over all workers; None takes the model's own number.
    max_requests : int or None, default None
        Requests that one invocation may ask, failures included; None means no bound.
    max_failures : int, default 100
        Stop after that many failures in a row with no answer between; 0 never stops. Failures that are final
        (``unreadable_image``, ``unaskable``, ``refused``, ``too_long``, ``not_recorded``) lie with the case and do not
        count.
    engine : {"local", "ray"}, default "local"
    ray_address : str, default ""
        Address of a running Ray cluster; empty starts one on this machine unless the process is connected already.
    gpus_per_worker : float, default 0
        GPUs that a Ray actor reserves.
    grace : float, default 30
        Seconds that requests in flight are given after the first Ctrl-C.

    Examples
    --------
    >>> Settings(workers=4).engine
    'local'
    """

    shard_size: int = 2000
    workers: int = 1
    concurrency: int | None = None
    max_requests: int | None = None
    max_failures: int = 100
    engine: Engine = "local"
    ray_address: str = ""
    gpus_per_worker: float = 0.0
    grace: float = 30.0

    def __post_init__(self) -> None:
        for name, least in (("shard_size", 1), ("workers", 1), ("concurrency", 1), ("max_requests", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UsageError(f"{name} is {value}; expected a whole number of at least {least}.")
        if self.max_failures < 0:
            raise UsageError(f"max_failures is {self.max_failures}; expected 0 (never stop) or more.")
        if self.engine not in ("local", "ray"):
            raise UsageError(f"There is no engine called {self.engine!r}; expected 'local' or 'ray'.")

    def in_flight(self, model_concurrency: int) -> int:
        """Requests that each worker keeps in flight: the bound holds for all workers together."""
        return max(1, (self.concurrency or model_concurrency) // self.workers)
