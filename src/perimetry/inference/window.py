"""Asking an endpoint: a sliding window of requests in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from time import perf_counter

from perimetry.inference.building import Build, build_request, crashed
from perimetry.inference.monitor import Monitor
from perimetry.inference.shard import Shard, ShardTask, open_shard
from perimetry.inference.store import RequestStore
from perimetry.models.model import EndpointModel
from perimetry.models.request import Response

__all__ = ["drive_window"]


async def drive_window(
    model: EndpointModel,
    build: Build,
    tasks: Iterable[ShardTask],
    store: RequestStore,
    monitor: Monitor,
    in_flight: int,
    grace: float,
) -> None:
    """Keep `in_flight` lanes busy over all shards: the tail of one shard overlaps with the head of the next."""
    opened: list[Shard] = []
    finishing: set[asyncio.Task[None]] = set()

    def pending() -> Iterator[tuple[Shard, int, str]]:
        for task in tasks:
            shard = open_shard(store, model.name, task)
            opened.append(shard)
            if not shard.todo:
                finishing.add(asyncio.create_task(asyncio.to_thread(shard.finish)))
                opened.remove(shard)
            for position, request_id in shard.todo:
                yield shard, position, request_id

    source = pending()

    async def lane() -> None:
        while not monitor.stopping():
            drawn = next(source, None)
            if drawn is None:
                return
            shard, position, request_id = drawn
            response = await _ask(model, build, position, request_id)
            monitor.record(shard.write(response, request_id))
            if shard.left == 0:
                opened.remove(shard)
                finishing.add(asyncio.create_task(asyncio.to_thread(shard.finish)))
                for task in [task for task in finishing if task.done()]:
                    finishing.discard(task)
                    task.result()

    lanes = [asyncio.create_task(lane()) for _ in range(in_flight)]
    try:
        await _watch(lanes, monitor, grace)
        await asyncio.gather(*finishing)
    finally:
        for running in (*lanes, *finishing):
            running.cancel()
        await asyncio.gather(*lanes, *finishing, return_exceptions=True)
        for shard in opened:
            shard.close()
        await model.aclose()


async def _watch(lanes: Sequence[asyncio.Task[None]], monitor: Monitor, grace: float) -> None:
    """Wait for all lanes; once the monitor stops they have `grace` seconds, then they are given up."""
    left: set[asyncio.Task[None]] = set(lanes)
    deadline = 0.0
    while left:
        done, left = await asyncio.wait(left, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
        if not left:
            return
        monitor.flush()
        if monitor.hurried():
            return
        if not monitor.stopping():
            continue
        if not deadline:
            deadline = perf_counter() + grace
        elif perf_counter() >= deadline:
            return


async def _ask(model: EndpointModel, build: Build, position: int, request_id: str) -> Response:
    built = build_request(build, position, request_id)
    if isinstance(built, Response):
        return built
    try:
        return await model.ask(built)
    except Exception as error:  # becomes a failure with the kind `crashed`
        return crashed(request_id, error)
