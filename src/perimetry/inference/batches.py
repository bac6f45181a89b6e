"""Asking a model in this process: a plain loop over batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from perimetry.inference.building import Build, build_request, crashed, is_unusable, silent
from perimetry.inference.monitor import Monitor
from perimetry.inference.shard import ShardTask, open_shard
from perimetry.inference.store import RequestStore
from perimetry.models.model import BatchModel
from perimetry.models.request import Request, Response

__all__ = ["drive_batches"]


def drive_batches(
    model: BatchModel, build: Build, tasks: Iterable[ShardTask], store: RequestStore, monitor: Monitor
) -> None:
    """Ask shard after shard, batch after batch; each response is journalled before the next is drawn."""
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
        built = build_request(build, position, request_id)
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
        if is_unusable(error):
            raise
        if len(requests) == 1:
            yield requests[0].id, crashed(requests[0].id, error)
            return
    # The model broke or fell silent: the rest one by one, so that only the request at fault fails.
    rest = requests[given:]
    for request in rest:
        if len(requests) == 1:
            yield request.id, silent(request.id)
        else:
            yield from _alone(model, request)


def _alone(model: BatchModel, request: Request) -> Iterator[tuple[str, Response]]:
    try:
        response = next(iter(model.answer([request])), None)
    except Exception as error:  # becomes a failure with the kind `crashed`
        if is_unusable(error):
            raise
        response = crashed(request.id, error)
    yield request.id, response if response is not None else silent(request.id)
