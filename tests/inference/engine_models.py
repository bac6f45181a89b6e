"""Models and builders of the engine's tests; at module level, so that worker processes can unpickle them."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from perimetry.cases.errors import CaseError, ImageError
from perimetry.inference import RequestPlan, RequestStore
from perimetry.models.model import BatchModel, EndpointModel
from perimetry.models.request import Failure, FailureKind, Prompt, Request, Response, TextPart, Usage


def request_id(index: int) -> str:
    return hashlib.blake2b(str(index).encode(), digest_size=16).hexdigest()


def right_answer(identity: str) -> str:
    """What every model here answers: a function of the request alone, with text that needs escaping."""
    return f'"{identity[:4]}"\n\u00e9\u2028{identity[-2:]}'


@dataclass(frozen=True)
class Builder:
    """Builds request `index`; some cannot be built."""

    unreadable: frozenset[int] = frozenset()
    bad: frozenset[int] = frozenset()
    broken: frozenset[int] = frozenset()

    def __call__(self, index: int) -> Request:
        if index in self.unreadable:
            raise ImageError(f"image of case {index}: found 0 bytes, expected a PNG")
        if index in self.bad:
            raise CaseError(f"case {index} has no stem")
        if index in self.broken:
            raise ZeroDivisionError("a bug in a builder")
        prompt = Prompt((TextPart(f"question {index}"),))
        return Request(request_id(index), f"case-{index}", "set", "real", 0, index, prompt)


def failing(indexes: Iterable[int], kind: FailureKind) -> dict[str, FailureKind]:
    """For the field ``fail`` of the models below."""
    return {request_id(index): kind for index in indexes}


def plan_of(count: int, builder: Builder | None = None) -> RequestPlan:
    ids = pl.Series("request_id", [request_id(index) for index in range(count)], dtype=pl.String)
    return RequestPlan(ids, builder or Builder())


def reply(request: Request) -> Response:
    return Response(request.id, right_answer(request.id), None, "stop", Usage(11, 3), "", 0.25)


@dataclass
class Echo(BatchModel):
    """Right answers, except where told; notes in a file what it was asked, one line a request."""

    name: str = "test:echo"
    log: Path | None = None
    size: int = 7
    fail: dict[str, FailureKind] = field(default_factory=dict)
    raise_on: frozenset[str] = frozenset()
    silent_on: frozenset[str] = frozenset()
    mistake_on: frozenset[str] = frozenset()
    interrupt_on: frozenset[str] = frozenset()
    die_once: Path | None = None
    die_on: frozenset[str] = frozenset()
    pause: float = 0.0

    @property
    def batch_size(self) -> int:
        return self.size

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        for request in requests:
            self.note(request)
            if request.id in self.silent_on:
                return
            if self.pause:
                time.sleep(self.pause)
            if request.id in self.raise_on:
                raise RuntimeError(f"cannot answer {request.case_id}")
            if request.id in self.interrupt_on:
                os.kill(os.getpid(), signal.SIGINT)
            if request.id in self.die_on and (self.die_once is None or claim(self.die_once)):
                os.kill(os.getpid(), signal.SIGKILL)
            if request.id in self.fail:
                yield Response(request.id, None, Failure(self.fail[request.id], "as told"))
            elif request.id in self.mistake_on:
                yield Response("another", "A")
            else:
                yield reply(request)

    def note(self, request: Request) -> None:
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(request.id + "\n")


def claim(path: Path) -> bool:
    """True for the first caller only, over all processes."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@dataclass
class EchoEndpoint(EndpointModel):
    """Right answers after a moment that differs from request to request, so that they arrive out of order."""

    name: str = "test:endpoint"
    window: int = 8
    fail: dict[str, FailureKind] = field(default_factory=dict)
    raise_on: frozenset[str] = frozenset()
    hang_on: frozenset[str] = frozenset()
    interrupt_on: frozenset[str] = frozenset()
    pause: float = 0.0
    asked: list[str] = field(default_factory=list)
    in_flight: int = 0
    most: int = 0
    closed: int = 0

    @property
    def concurrency(self) -> int:
        return self.window

    async def ask(self, request: Request) -> Response:
        self.asked.append(request.id)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            if request.id in self.interrupt_on:
                os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(self.pause + (request.seed * 7 % 5) * 0.0005)
            if request.id in self.hang_on:
                await asyncio.sleep(3600)
            if request.id in self.raise_on:
                raise RuntimeError("connection pool is closed")
            if request.id in self.fail:
                return Response(request.id, None, Failure(self.fail[request.id], "as told"))
            return reply(request)
        finally:
            self.in_flight -= 1

    async def aclose(self) -> None:
        self.closed += 1


def stored(folder: Path, name: str) -> dict[str, str | None]:
    """All that counts in a store: text, or the failure's kind with a mark; fails on a request with two rows."""
    rows = RequestStore(folder).responses(name).collect()
    assert rows.get_column("request_id").is_unique().all()
    return {
        identity: text if kind is None else f"!{kind}"
        for identity, text, kind in rows.select("request_id", "text", "failure_kind").iter_rows()
    }


def right(count: int) -> dict[str, str | None]:
    return {request_id(index): right_answer(request_id(index)) for index in range(count)}
