"""Asking whatever shape a model comes in."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

from perimetry.inference.batches import drive_batches
from perimetry.inference.building import Build
from perimetry.inference.monitor import Monitor
from perimetry.inference.shard import ShardTask
from perimetry.inference.store import RequestStore
from perimetry.inference.window import drive_window
from perimetry.models.model import BatchModel, EndpointModel, Model

__all__ = ["drive"]


def drive(
    model: Model,
    build: Build,
    tasks: Iterable[ShardTask],
    store: RequestStore,
    monitor: Monitor,
    in_flight: int,
    grace: float,
) -> None:
    """Ask everything that some tasks hold, or until the monitor says stop.

    Shards that were finished are parts afterwards; one that was under way when the monitor stopped keeps its journal.

    Parameters
    ----------
    model : Model
    build : callable, int -> Request
    tasks : iterable of ShardTask
        Drawn from one by one.
    store : RequestStore
    monitor : Monitor
    in_flight : int
        Window of an endpoint.
    grace : float
        Seconds that requests in flight have once the monitor stops.

    Raises
    ------
    StoreError
        When the store cannot be written.
    """
    try:
        if isinstance(model, BatchModel):
            drive_batches(model, build, tasks, store, monitor)
        elif isinstance(model, EndpointModel):
            _run(drive_window(model, build, tasks, store, monitor, in_flight, grace))
        else:
            raise TypeError(f"{type(model).__name__} is neither a BatchModel nor an EndpointModel.")
    finally:
        monitor.flush()


def _run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine, also where an event loop runs already (notebooks)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(coroutine)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result()
