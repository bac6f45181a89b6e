"""The endpoint against a scripted server: what is sent, what comes back, what every failure is called."""

from __future__ import annotations

import asyncio
import base64
import errno
import io
import json
import pickle
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.models.loopback import LoopbackServer, Recorded, Reply, answer, error, hang_up, raw, slow

from perimetry.cases.digest import digest_bytes
from perimetry.cases.errors import ImageError, UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.models.chat.address import Address
from perimetry.models.openai_endpoint import OpenAIEndpoint, _why
from perimetry.models.registry import ModelContext
from perimetry.models.rendering import ImagePolicy
from perimetry.models.request import Decoding, ImagePart, Prompt, Request, Response, TextPart
from perimetry.models.spec import resolve_model

SECRET = "sekret-4711-of-the-test"
PIXELS: Pixels = np.random.default_rng(5).integers(0, 256, (24, 31), dtype=np.uint8)


@dataclass(frozen=True)
class Memory:
    """An image source in memory."""

    pixels: Pixels
    file: tuple[bytes, str] | None = None
    broken: bool = False
    name: str = "memory"

    @property
    def digest(self) -> str:
        return "broken" if self.broken else digest_bytes(self.pixels.tobytes() + str(self.pixels.shape).encode())

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        if self.broken:
            raise ImageError("memory: found nothing, expected an image. Restore the file.")
        return self.pixels

    def encoded(self) -> tuple[bytes, str] | None:
        return self.file


@dataclass(frozen=True)
class Invert:
    spelling: str = "invert"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        return 255 - pixels


def request(*parts: TextPart | ImagePart, identity: str = "r", system: str = "", seed: int = 3) -> Request:
    return Request(identity, "case", "mine", "real", 0, seed, Prompt(parts or (TextPart("effusion?"),), system=system))


def ask(model: OpenAIEndpoint, requests: Sequence[Request]) -> list[Response]:
    async def run() -> list[Response]:
        try:
            return list(await asyncio.gather(*(model.ask(each) for each in requests)))
        finally:
            await model.aclose()

    return asyncio.run(run())


def endpoint(server: LoopbackServer, **context: Any) -> OpenAIEndpoint:
    made = resolve_model(f"openai:org/name@{server.url}", replace(ModelContext(max_retries=0), **context))
    assert isinstance(made, OpenAIEndpoint)
    return made


def one(script: Any, *parts: TextPart | ImagePart, **context: Any) -> tuple[Response, int]:
    with LoopbackServer(script) as server:
        return ask(endpoint(server, **context), [request(*parts)])[0], server.count


def test_the_body_is_what_was_asked() -> None:
    with LoopbackServer("Answer: yes") as server:
        decoding = Decoding(max_new_tokens=9, temperature=0.6, top_p=0.95)
        sent = replace(request(TextPart('Left "lung"\n<é>?'), system="Be brief.", seed=2**40 + 5), decoding=decoding)
        response = ask(endpoint(server, extra_body={"logprobs": True, "temperature": 9}), [sent])[0]
        recorded = server.requests[0]
    assert response.text == "Answer: yes"
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (11, 3)
    assert response.finish_reason == "stop"
    assert response.seconds > 0
    assert recorded.path == "/v1/chat/completions"
    assert recorded.headers["authorization"] == "Bearer EMPTY"
    assert recorded.headers["content-type"] == "application/json"
    assert recorded.body == {
        "model": "org/name",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": 'Left "lung"\n<é>?'},
        ],
        "max_tokens": 9,
        "temperature": 0.6,
        "top_p": 0.95,
        "seed": 5,
        "logprobs": True,
    }


def test_every_image_part_arrives_byte_for_byte_and_in_order() -> None:
    file = b"\xff\xd8\xff any bytes of a file"
    parts = (
        TextPart("before"),
        ImagePart(Image(Memory(PIXELS, (file, "image/jpeg")))),
        TextPart("between"),
        ImagePart(Image(Memory(PIXELS, (file, "image/jpeg")), (Invert(),))),
        ImagePart(Image(Memory(np.dstack([PIXELS, PIXELS // 2, PIXELS // 3])))),
    )
    with LoopbackServer() as server:
        assert ask(endpoint(server), [request(*parts)])[0].text == "yes"
        recorded = server.requests[0]
    assert [part["type"] for part in recorded.parts] == ["text", "image_url", "text", "image_url", "image_url"]
    assert [part["text"] for part in recorded.parts if part["type"] == "text"] == ["before", "between"]
    heads, payloads = zip(*(url.split(",", 1) for url in recorded.images), strict=True)
    assert heads == ("data:image/jpeg;base64", "data:image/png;base64", "data:image/png;base64")
    assert base64.b64decode(payloads[0]) == file
    assert np.array_equal(_decode(payloads[1]), 255 - PIXELS)
    assert np.array_equal(_decode(payloads[2]), np.dstack([PIXELS, PIXELS // 2, PIXELS // 3]))


def test_files_alone_are_sent_as_they_are() -> None:
    files = [bytes([number]) * 50_000 for number in range(3)]
    parts = [ImagePart(Image(Memory(PIXELS, (file, "image/png"), broken=True))) for file in files]
    with LoopbackServer() as server:
        assert ask(endpoint(server), [request(*parts, TextPart("which?"))])[0].text == "yes"
        urls = server.requests[0].images
    assert [base64.b64decode(url.removeprefix("data:image/png;base64,")) for url in urls] == files


def _decode(payload: str) -> Pixels:
    from PIL import Image as Pillow

    return np.asarray(Pillow.open(io.BytesIO(base64.b64decode(payload))))


COMPLETION = json.loads(answer("x").body)


def _without(*path: str) -> Reply:
    body = json.loads(json.dumps(COMPLETION))
    holder = body
    for key in path[:-1]:
        holder = holder[0] if key == "0" else holder[key]
    del holder[path[-1]]
    return raw(json.dumps(body).encode())


@pytest.mark.parametrize(
    ("script", "kind", "words"),
    [
        (error(401, "bad key"), "unauthorized", "bad key"),
        (error(403), "unauthorized", "403"),
        (error(404, "no such model"), "unreachable", "no such model"),
        (error(400, "unknown field"), "bad_request", "unknown field"),
        (error(422), "bad_request", "422"),
        (error(413), "bad_request", "413"),
        (error(400, "This model's maximum context length is 4096 tokens"), "too_long", "4096"),
        (error(400, "filtered", code="content_filter"), "refused", "filtered"),
        (error(429, "slow down"), "rate_limited", "slow down"),
        (error(500, "boom"), "server_error", "boom"),
        (error(503), "server_error", "503"),
        (hang_up(), "unreachable", "Is it running?"),
        (raw(b""), "invalid_response", "an empty body"),
        (raw(b"<html>hello</html>", content_type="text/html"), "invalid_response", "<html>hello"),
        (raw(b"[1]"), "invalid_response", "list"),
        (raw(b"{}"), "invalid_response", "no choices"),
        (raw(b'{"choices": []}'), "invalid_response", "no choices"),
        (_without("choices", "0", "message"), "invalid_response", "without a message"),
        (_without("choices", "0", "message", "content"), "invalid_response", "without text"),
        (answer(None), "invalid_response", "without text"),
        (answer(None, refusal="I will not."), "refused", "I will not."),
        (answer("half", finish_reason="content_filter"), "refused", "content filter"),
        (raw(b'{"error": {"message": "over quota", "code": 429}}'), "rate_limited", "over quota"),
        (raw(b'{"error": "went wrong"}'), "server_error", "went wrong"),
        (raw(b"not json", status=500), "server_error", "not json"),
        (raw(b"\xff\xfe\x00", status=200), "invalid_response", "not JSON"),
    ],
)
def test_every_failure_has_its_kind(script: Reply, kind: str, words: str) -> None:
    response, count = one(script)
    assert response.text is None
    assert response.failure is not None
    assert response.failure.kind == kind
    assert words in response.failure.message
    assert count == 1


def test_timeout() -> None:
    response, _ = one(slow(5), timeout=0.2)
    assert response.failure is not None
    assert response.failure.kind == "timeout"
    assert "0.2 s" in response.failure.message


def test_a_closed_port_is_unreachable() -> None:
    with LoopbackServer() as server:
        model = endpoint(server)
    response = ask(model, [request()])[0]
    assert response.failure is not None
    assert response.failure.kind == "unreachable"
    assert response.failure.message == f"No connection to {server.url}: Connection refused. Is it running?"


def test_why_a_connection_failed_is_not_read_off_the_event_loop() -> None:
    def failing(cause: Exception) -> str:
        error = ValueError("Connection error.")
        error.__cause__, cause.__context__ = cause, RuntimeError("no running event loop")
        return _why(error)

    assert failing(ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed")) == "Connection refused"
    assert failing(socket.gaierror(socket.EAI_NONAME, "Name or service not known")) == "Name or service not known"
    assert failing(OSError("All connection attempts failed")) == "OSError: All connection attempts failed"


def test_a_broken_image_fails_its_own_request_only() -> None:
    broken = ImagePart(Image(Memory(PIXELS, broken=True)))
    with LoopbackServer() as server:
        responses = ask(endpoint(server), [request(broken, identity="a"), request(identity="b")])
        assert server.count == 1
    assert responses[0].failure is not None
    assert responses[0].failure.kind == "unreadable_image"
    assert "Restore the file" in responses[0].failure.message
    assert (responses[1].request_id, responses[1].text) == ("b", "yes")


def test_a_defect_in_rendering_is_a_named_failure() -> None:
    torn = ImagePart(Image(Memory(np.zeros((2, 2, 7), dtype=np.uint8))))
    with LoopbackServer() as server:
        responses = ask(endpoint(server), [request(torn), request(identity="b")])
    assert responses[0].failure is not None
    assert responses[0].failure.kind == "crashed"
    assert responses[1].text == "yes"


def test_too_many_images_are_refused_not_dropped() -> None:
    image = ImagePart(Image(Memory(PIXELS)))
    with LoopbackServer() as server:
        model = OpenAIEndpoint("m", Address(server.url), policy=ImagePolicy(max_count=1))
        responses = ask(model, [request(image, image), request(image)])
        assert server.count == 1
    assert responses[0].failure is not None
    assert responses[0].failure.kind == "unaskable"
    assert "2 images" in responses[0].failure.message
    assert responses[1].text == "yes"


def test_empty_text_is_an_answer() -> None:
    assert one(answer(""))[0].text == ""


def test_reasoning_stands_in_front() -> None:
    response, _ = one(answer("Answer: B", reasoning_content=" the heart is large "))
    assert response.text == "<think>\nthe heart is large\n</think>\nAnswer: B"
    cut, _ = one(answer(None, reasoning="so far", finish_reason="length"))
    assert (cut.text, cut.finish_reason) == ("<think>\nso far\n</think>\n", "length")


def test_content_in_parts_and_logprobs_are_kept() -> None:
    parts = raw(
        json.dumps(
            {"choices": [{"message": {"content": [{"text": "y"}, {"text": "es"}]}, "logprobs": {"a": 1}}]}
        ).encode()
    )
    response, _ = one(parts)
    assert response.text == "yes"
    assert json.loads(response.logprobs) == {"a": 1}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_the_client_tries_again(status: int) -> None:
    first = error(status, headers={"retry-after-ms": "1"})
    response, count = one([first, first, "third"], max_retries=2)
    assert (response.text, count) == ("third", 3)
    response, count = one([first, first, "third"], max_retries=1)
    assert count == 2
    assert response.failure is not None


def test_retry_after_is_obeyed() -> None:
    times: list[float] = []

    def script(recorded: Recorded) -> Reply | str:
        import time

        times.append(time.monotonic())
        return error(429, headers={"retry-after": "0.7"}) if recorded.index == 0 else "yes"

    response, _ = one(script, max_retries=1)
    assert response.text == "yes"
    assert times[1] - times[0] >= 0.69


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "PERIMETRY_API_KEY"])
@pytest.mark.parametrize("status", [401, 403, 400, 404, 429, 500, 200])
def test_the_key_is_sent_and_never_shown(monkeypatch: pytest.MonkeyPatch, variable: str, status: int) -> None:
    monkeypatch.setenv(variable, SECRET)
    echo = f"key {SECRET} is wrong; Authorization: Bearer {SECRET}; http://me:{SECRET}@host"

    def script(recorded: Recorded) -> Reply:
        assert recorded.headers["authorization"] == f"Bearer {SECRET}"
        return error(status, echo) if status != 200 else raw(echo.encode())

    with LoopbackServer(script) as server:
        model = endpoint(server)
        response = ask(model, [request()])[0]
        assert server.count == 1
    assert response.failure is not None
    for shown in (response.failure.message, repr(response), json.dumps(model.describe()), model.name):
        assert SECRET not in shown
    assert SECRET.encode() not in pickle.dumps(model)


def test_credentials_of_the_address_are_never_shown() -> None:
    with LoopbackServer(error(401, f"user me password {SECRET}")) as server:
        url = server.url.replace("//", f"//me:{SECRET}@")
        model = resolve_model(f"openai:name@{url}", ModelContext(max_retries=0))
        assert isinstance(model, OpenAIEndpoint)
        response = ask(model, [request()])[0]
        assert server.requests[0].headers["authorization"].startswith("Basic ")
        assert model.describe()["address"] == server.url
    assert response.failure is not None
    for shown in (response.failure.message, json.dumps(model.describe()), model.name):
        assert SECRET not in shown
    with LoopbackServer() as closed:
        url = closed.url.replace("//", f"//me:{SECRET}@")
    gone = resolve_model(f"openai:name@{url}", ModelContext(max_retries=0))
    assert isinstance(gone, OpenAIEndpoint)
    failure = ask(gone, [request()])[0].failure
    assert failure is not None
    assert SECRET not in failure.message


def test_further_fields_are_on_record_without_their_secrets() -> None:
    context = ModelContext(extra_body={"chat_template_kwargs": {"enable_thinking": False}, "api_key": SECRET})
    said = resolve_model("openai:m@http://localhost/v1", context).describe()["extra_body"]
    assert '"enable_thinking": false' in said
    assert SECRET not in said


def test_a_local_endpoint_is_asked_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer("from the proxy") as proxy, LoopbackServer("from the endpoint") as server:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        assert ask(endpoint(server), [request()])[0].text == "from the endpoint"
        moved = Reply(307, b"{}", {"location": f"{proxy.url}/chat/completions"})
        with LoopbackServer(moved) as mover:
            failure = ask(endpoint(mover), [request()])[0].failure
        assert failure is not None
        assert failure.kind == "invalid_response"
        assert proxy.count == 0


def test_concurrency_is_the_callers_and_order_is_free() -> None:
    with LoopbackServer(lambda recorded: answer(recorded.text, delay=0.02 * (recorded.index % 3))) as server:
        requests = [request(TextPart(f"q{i}"), identity=f"r{i}") for i in range(30)]
        responses = ask(endpoint(server), requests)
        assert server.most_in_flight > 1
    assert [(response.request_id, response.text) for response in responses] == [(f"r{i}", f"q{i}") for i in range(30)]


def test_requests_per_minute_spaces_the_starts() -> None:
    import time

    times: list[float] = []

    def script(recorded: Recorded) -> str:
        times.append(time.monotonic())
        return "yes"

    with LoopbackServer(script) as server:
        ask(endpoint(server, requests_per_minute=600), [request(identity=str(i)) for i in range(6)])
    assert times[-1] - times[0] >= 0.45


def test_one_model_serves_several_event_loops_and_survives_pickling() -> None:
    with LoopbackServer() as server:
        model = endpoint(server)
        assert ask(model, [request()])[0].text == "yes"
        assert ask(model, [request()])[0].text == "yes"
        again = pickle.loads(pickle.dumps(model))
        assert ask(again, [request()])[0].text == "yes"
        assert again.describe() == model.describe()


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:8000/v1", True),
        ("http://LOCALHOST/v1", True),
        ("http://127.0.0.1:1/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:80/v1", True),
        ("http://user:localhost@10.0.0.1/v1", False),
        ("http://localhost@example.org/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://127.0.0.1.example.org/v1", False),
        ("http://0.0.0.0/v1", False),
        ("http://[::ffff:8.8.8.8]/v1", False),
        ("http://192.168.0.1/v1", False),
        ("https://api.example.org/v1", False),
    ],
)
def test_what_counts_as_this_machine(url: str, local: bool) -> None:
    assert resolve_model(f"openai:m@{url}").is_local is local


@pytest.mark.parametrize("spec", ["openai:m", "openai:m@localhost:8000", "openai:@http://h/v1", "openai:m@http://"])
def test_a_spec_without_name_or_address_says_what_to_write(spec: str) -> None:
    with pytest.raises(UsageError, match=r"http://"):
        resolve_model(spec)


def test_a_bad_address_does_not_show_its_password() -> None:
    with pytest.raises(UsageError) as caught:
        resolve_model(f"openai:m@http://me:{SECRET}@host:99999999/v1")
    assert SECRET not in str(caught.value)
