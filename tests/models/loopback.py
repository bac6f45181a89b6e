"""A scripted OpenAI-compatible server on 127.0.0.1, for tests and benchmarks.

    with LoopbackServer("yes") as server:
        ... ask server.url ...
        assert server.count == 1
        assert server.requests[0].text == "Is there an effusion?"

A script is one reply for all requests, a sequence of replies (the last one repeats), or a function of the recorded
request. A reply is a text (the answer), or a `Reply` made by `answer`, `error`, `raw` or `hang_up`. With
``process=True`` the server runs in a process of its own, so that its work is not charged to the client; a script
then has to be picklable by value: no functions.
"""

from __future__ import annotations

import asyncio
import json
import pickle
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeAlias

Record: TypeAlias = Literal["all", "texts", "count"]


@dataclass(frozen=True)
class Recorded:
    """One request as it arrived: index (from 0), path, headers (lower-case names) and raw body."""

    index: int
    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        """The JSON body."""
        return dict(json.loads(self.raw))

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Content parts of the last message; plain text becomes one text part."""
        content = self.body["messages"][-1]["content"]
        return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)

    @property
    def text(self) -> str:
        """All text of the last message, joined by line breaks."""
        return "\n".join(part["text"] for part in self.parts if part["type"] == "text")

    @property
    def images(self) -> list[str]:
        """Data URLs of the last message's images."""
        return [part["image_url"]["url"] for part in self.parts if part["type"] == "image_url"]


@dataclass(frozen=True)
class Reply:
    """What the server does with one request: status, body, headers, seconds to wait first; status 0 hangs up."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0

    @property
    def wire(self) -> bytes:
        """The reply as bytes of HTTP/1.1."""
        lines = [f"HTTP/1.1 {self.status} X", f"content-length: {len(self.body)}"]
        lines += [f"{name}: {value}" for name, value in {"content-type": "application/json", **self.headers}.items()]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + self.body


def answer(text: str | None, *, delay: float = 0.0, finish_reason: str = "stop", **message: Any) -> Reply:
    """A chat completion with that text; further fields of the message (`refusal`, `reasoning_content`) as given."""
    logprobs = message.pop("logprobs", None)
    body = {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": "loopback",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": text, **message},
                "logprobs": logprobs,
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }
    return Reply(200, json.dumps(body).encode(), delay=delay)


def error(
    status: int, message: str = "scripted", *, code: str | None = None, headers: dict[str, str] | None = None
) -> Reply:
    """An error in the shape of the API, for example ``error(429, headers={"retry-after": "0"})``."""
    body = {"error": {"message": message, "type": "scripted", "code": code, "param": None}}
    return Reply(status, json.dumps(body).encode(), headers or {})


def raw(body: bytes, status: int = 200, content_type: str = "application/json") -> Reply:
    """Any bytes."""
    return Reply(status, body, {"content-type": content_type})


def hang_up() -> Reply:
    """Close the connection without an answer."""
    return Reply(0)


def slow(seconds: float, text: str = "late") -> Reply:
    """An answer after some seconds."""
    return answer(text, delay=seconds)


Scripted: TypeAlias = "Reply | str"
Script: TypeAlias = "Scripted | Sequence[Scripted] | Callable[[Recorded], Scripted]"


class _State:
    """Script and records of one server."""

    def __init__(self, script: Script, record: Record) -> None:
        self.script = script
        self.record = record
        self.count = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.requests: list[Recorded] = []
        self.texts: list[str] = []
        self._wires: dict[int, tuple[float, bytes]] = {}

    def reply(self, path: str, head: bytes, body: bytes) -> tuple[float, bytes]:
        index = self.count
        self.count += 1
        request = Recorded(index, path, {}, body)
        if self.record != "count" or callable(self.script):
            headers = dict(line.split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:] if ": " in line)
            request = Recorded(index, path, {name.lower(): value for name, value in headers.items()}, body)
        if self.record == "all":
            self.requests.append(request)
        if self.record != "count":
            try:
                self.texts.append(request.text)
            except (ValueError, KeyError, TypeError):
                self.texts.append("")
        if callable(self.script):
            scripted = self.script(request)
            return self._wire(scripted)
        position = 0 if isinstance(self.script, str | Reply) else min(index, len(self.script) - 1)
        if position not in self._wires:
            scripted = self.script if isinstance(self.script, str | Reply) else self.script[position]
            self._wires[position] = self._wire(scripted)
        return self._wires[position]

    @staticmethod
    def _wire(scripted: Scripted) -> tuple[float, bytes]:
        reply = answer(scripted) if isinstance(scripted, str) else scripted
        return reply.delay, b"" if reply.status == 0 else reply.wire

    def control(self, path: str) -> bytes | None:
        """Answers to questions about the server itself; they are not counted."""
        if path == "/_count":
            return json.dumps([self.count, self.most_in_flight]).encode()
        if path == "/_texts":
            return json.dumps(self.texts).encode()
        if path == "/_requests":
            return pickle.dumps([(r.index, r.path, r.headers, r.raw) for r in self.requests])
        if path.endswith("/models"):
            return json.dumps({"object": "list", "data": [{"id": "loopback", "object": "model"}]}).encode()
        return None


class _Connection(asyncio.Protocol):
    """One kept-alive HTTP/1.1 connection; requests with a content length only, no pipelining."""

    def __init__(self, state: _State) -> None:
        self.state = state
        self.transport: asyncio.Transport | None = None
        self.buffer = bytearray()
        self.head = b""
        self.missing = -1

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.missing < 0:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            self.head = bytes(self.buffer[:end])
            del self.buffer[: end + 4]
            self.missing = 0
            for line in self.head.split(b"\r\n")[1:]:
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    self.missing = int(value)
        if len(self.buffer) >= self.missing:
            body = bytes(self.buffer[: self.missing])
            del self.buffer[: self.missing]
            self.missing = -1
            self._answer(body)

    def _answer(self, body: bytes) -> None:
        path = self.head.split(b" ", 2)[1].decode("latin-1")
        control = self.state.control(path)
        if control is not None:
            self._send(Reply(200, control).wire)
            return
        self.state.in_flight += 1
        self.state.most_in_flight = max(self.state.most_in_flight, self.state.in_flight)
        delay, wire = self.state.reply(path, self.head, body)
        if delay:
            asyncio.get_running_loop().call_later(delay, self._finish, wire)
        else:
            self._finish(wire)

    def _finish(self, wire: bytes) -> None:
        self.state.in_flight -= 1
        self._send(wire)

    def _send(self, wire: bytes) -> None:
        assert self.transport is not None
        if self.transport.is_closing():
            return
        if wire:
            self.transport.write(wire)
        else:
            self.transport.close()


async def _serve(state: _State, started: Callable[[int], None], stop: asyncio.Event) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: _Connection(state), "127.0.0.1", 0, backlog=1024)
    started(server.sockets[0].getsockname()[1])
    await stop.wait()
    server.close()


class LoopbackServer:
    """The server; a context manager.

    Parameters
    ----------
    script : reply, sequence of replies, or function of a `Recorded` giving a reply, default "yes"
    process : bool, default False
        Run in a process of its own instead of a thread.
    record : {"all", "texts", "count"}, default "all"
        What is kept of each request; ``count`` is the fastest and parses no body.
    """

    def __init__(self, script: Script = "yes", *, process: bool = False, record: Record = "all") -> None:
        if process and callable(script):
            raise TypeError("a server in its own process takes replies, not a function")
        self._state = _State(script, record)
        self._process_wanted = process
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """Base URL, ``http://127.0.0.1:PORT/v1``."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> LoopbackServer:
        if self._process_wanted:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).resolve())], stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            script = self._state.script
            assert not callable(script)
            replies = [script] if isinstance(script, str | Reply) else list(script)
            made = [answer(reply) if isinstance(reply, str) else reply for reply in replies]
            plain = [(reply.status, reply.body, reply.headers, reply.delay) for reply in made]
            # The pipe stays open: the server ends when it closes, even if this process is killed.
            pickle.dump((plain, self._state.record), self._process.stdin)
            self._process.stdin.flush()
            self.port = int(self._process.stdout.readline())
            return self
        ready = threading.Event()

        def started(port: int) -> None:
            self.port = port
            ready.set()

        async def run() -> None:
            self._loop = asyncio.get_running_loop()
            self._stop = asyncio.Event()
            await _serve(self._state, started, self._stop)

        self._thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
        self._thread.start()
        assert ready.wait(10), "the loopback server did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.close()
            self._process.wait(10)
            self._process.stdout.close()
        if self._loop is not None and self._stop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)

    def _fetch(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=30) as reply:
            return bytes(reply.read())

    @property
    def count(self) -> int:
        """How many requests arrived (completely)."""
        return int(json.loads(self._fetch("/_count"))[0]) if self._process else self._state.count

    @property
    def most_in_flight(self) -> int:
        """The most requests that were being answered at one time."""
        return int(json.loads(self._fetch("/_count"))[1]) if self._process else self._state.most_in_flight

    @property
    def texts(self) -> list[str]:
        """Text of each request's last message, in order of arrival (record "all" or "texts")."""
        return list(json.loads(self._fetch("/_texts"))) if self._process else list(self._state.texts)

    @property
    def requests(self) -> list[Recorded]:
        """Every request, in order of arrival (record "all")."""
        if self._process:
            return [Recorded(*row) for row in pickle.loads(self._fetch("/_requests"))]
        return list(self._state.requests)


def _main() -> None:
    plain, record = pickle.load(sys.stdin.buffer)
    state = _State([Reply(*row) for row in plain], record)

    async def run() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()

        def watch() -> None:
            sys.stdin.buffer.read()
            loop.call_soon_threadsafe(stop.set)

        threading.Thread(target=watch, daemon=True).start()

        def started(port: int) -> None:
            sys.stdout.write(f"{port}\n")
            sys.stdout.flush()

        await _serve(state, started, stop)

    asyncio.run(run())


if __name__ == "__main__":
    _main()
