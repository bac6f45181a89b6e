"""Asking: a plain loop for models in this process, a sliding window for endpoints."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from time import perf_counter
from typing import Any

from perimetry.cases.errors import ImageError, PerimetryError
from perimetry.inference.monitor import Monitor
from perimetry.inference.shard import Shard, ShardTask, open_shard
from perimetry.inference.store import RequestStore
from perimetry.models.model import BatchModel, EndpointModel, Model
from perimetry.models.request import Failure, Request, Response

__all__ = ["drive"]

Build = Callable[[int], Request]


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
            _drive_batches(model, build, tasks, store, monitor)
        elif isinstance(model, EndpointModel):
            _run(_drive_endpoint(model, build, tasks, store, monitor, in_flight, grace))
        else:
            raise TypeError(f"{type(model).__name__} is neither a BatchModel nor an EndpointModel.")
    finally:
        monitor.flush()


def _drive_batches(
    model: BatchModel, build: Build, tasks: Iterable[ShardTask], store: RequestStore, monitor: Monitor
) -> None:
    size = max(1, model.batch_size)
    for task in tasks:
        if monitor.stopping():
            return
        shard = open_shard(store, model.name, task)
        try:
            for start in range(0, len(shard.todo), size):
                for request_id, response in _batch(model, build, shard.todo[start : start + size]):
                    monitor.record(shard.write(response, request_id))
                    if monitor.stopping():
                        break
                if monitor.stopping():
                    break
            if shard.left == 0:
                shard.finish()
        finally:
            shard.close()


def _batch(model: BatchModel, build: Build, todo: Sequence[tuple[int, str]]) -> Iterator[tuple[str, Response]]:
    """Responses to some requests: those that cannot be built first, then the model's in order."""
    requests: list[Request] = []
    for position, request_id in todo:
        built = _build(build, position, request_id)
        if isinstance(built, Request):
            requests.append(built)
        else:
            yield request_id, built
    given = 0
    try:
        for request, response in zip(requests, model.answer(requests), strict=False):
            yield request.id, response
            given += 1
    except Exception as error:  # named below: a model that breaks on one request must not take the others with it
        if len(requests) == 1:
            yield requests[0].id, crashed(requests[0].id, error)
            return
    # The model broke or fell silent: the rest one by one, so that only the request at fault fails.
    rest = requests[given:]
    for request in rest:
        if len(requests) == 1:
            yield request.id, _silent(request.id)
        else:
            yield from _alone(model, request)


def _alone(model: BatchModel, request: Request) -> Iterator[tuple[str, Response]]:
    try:
        response = next(iter(model.answer([request])), None)
    except Exception as error:  # becomes a failure with the kind `crashed`
        response = crashed(request.id, error)
    yield request.id, response if response is not None else _silent(request.id)


def _silent(request_id: str) -> Response:
    return Response(request_id, None, Failure("invalid_response", "The model gave no response to this request."))


def crashed(request_id: str, error: BaseException) -> Response:
    """Failure of a request whose model or builder raised."""
    return Response(request_id, None, Failure("crashed", f"{type(error).__name__}: {error}"))


def _build(build: Build, position: int, request_id: str) -> Request | Response:
    try:
        request = build(position)
    except ImageError as error:
        return Response(request_id, None, Failure("unreadable_image", str(error)))
    except PerimetryError as error:
        return Response(request_id, None, Failure("bad_request", str(error)))
    except Exception as error:  # becomes a failure with the kind `crashed`
        return crashed(request_id, error)
    if request.id != request_id:
        found = f"The plan says {request_id!r} at position {position}, its builder made {request.id!r}."
        return Response(request_id, None, Failure("bad_request", found))
    return request


async def _drive_endpoint(
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
        if not monitor.stopping():
            monitor.flush()
        elif not deadline:
            deadline = perf_counter() + grace
        elif perf_counter() >= deadline:
            return


async def _ask(model: EndpointModel, build: Build, position: int, request_id: str) -> Response:
    built = _build(build, position, request_id)
    if isinstance(built, Response):
        return built
    try:
        return await model.ask(built)
    except Exception as error:  # becomes a failure with the kind `crashed`
        return crashed(request_id, error)


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
