"""The loopback server itself: other tests rest on it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest
from tests.models.loopback import LoopbackServer, error


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=10) as reply:
        return dict(json.loads(reply.read()))


BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "left lung?"}]}


@pytest.mark.parametrize("process", [False, True])
def test_answers_counts_and_records(process: bool) -> None:
    with LoopbackServer(["one", "two"], process=process) as server:
        texts = [post(server.url, BODY)["choices"][0]["message"]["content"] for _ in range(3)]
        assert texts == ["one", "two", "two"]
        assert server.count == 3
        assert server.texts == ["left lung?"] * 3
        assert server.requests[2].body == BODY
        assert server.requests[2].headers["content-type"] == "application/json"


def test_a_function_sees_the_request() -> None:
    with LoopbackServer(lambda request: error(429) if request.index == 0 else request.text.upper()) as server:
        with pytest.raises(urllib.error.HTTPError) as caught:
            post(server.url, BODY)
        assert caught.value.code == 429
        assert post(server.url, BODY)["choices"][0]["message"]["content"] == "LEFT LUNG?"
