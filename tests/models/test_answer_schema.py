"""Requests that want an answer of a form: what an endpoint is sent, and what happens where it offers no such thing."""

from __future__ import annotations

import asyncio
import logging
import pickle
from dataclasses import replace

import pytest
from tests.models.loopback import LoopbackServer, Recorded, Reply, answer, error

from perimetry.models.openai_endpoint import OpenAIEndpoint
from perimetry.models.registry import ModelContext
from perimetry.models.request import Prompt, Request, Response, TextPart
from perimetry.models.spec import resolve_model

SCHEMA = '{"type":"object","properties":{"a":{"type":"string"}}}'
REQUEST = Request("r", "case", "", "green_judge", 0, 42, Prompt((TextPart("Compare."),)), schema=SCHEMA)


def endpoint(server: LoopbackServer) -> OpenAIEndpoint:
    made = resolve_model(f"openai:m@{server.url}", ModelContext(max_retries=0))
    assert isinstance(made, OpenAIEndpoint)
    return made


def ask(model: OpenAIEndpoint, *requests: Request) -> list[Response]:
    async def run() -> list[Response]:
        try:
            return [await model.ask(request) for request in requests]
        finally:
            await model.aclose()

    return asyncio.run(run())


def takes_no_schema(request: Recorded) -> Reply:
    if "response_format" in request.body:
        return error(400, "Unrecognized request argument: response_format")
    return answer("free")


def test_the_schema_is_sent_as_structured_output_and_only_where_it_is_wanted() -> None:
    with LoopbackServer("{}") as server:
        ask(endpoint(server), REQUEST, replace(REQUEST, schema=""))
        first, second = (recorded.body for recorded in server.requests)
    assert first["response_format"]["type"] == "json_schema"
    assert first["response_format"]["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"a": {"type": "string"}},
    }
    assert "response_format" not in second
    assert {key: value for key, value in first.items() if key != "response_format"} == second


def test_an_endpoint_without_structured_output_is_asked_in_words(caplog: pytest.LogCaptureFixture) -> None:
    with LoopbackServer(takes_no_schema) as server, caplog.at_level(logging.WARNING):
        model = endpoint(server)
        texts = [response.text for response in ask(model, REQUEST, replace(REQUEST, id="s"))]
        held = [("response_format" in recorded.body) for recorded in server.requests]
    assert texts == ["free", "free"]
    assert held == [True, False, False]
    assert [record.levelname for record in caplog.records if "schema" in record.getMessage()] == ["WARNING"]
    assert isinstance(pickle.loads(pickle.dumps(model)), OpenAIEndpoint)


def test_another_bad_request_stays_one() -> None:
    with LoopbackServer(error(400, "temperature is not supported by this model")) as server:
        response = ask(endpoint(server), REQUEST)[0]
        assert server.count == 1
    assert response.failure is not None
    assert response.failure.kind == "bad_request"


def test_an_endpoint_that_refuses_either_way_fails_by_name() -> None:
    with LoopbackServer(error(400, "response_format")) as server:
        response = ask(endpoint(server), REQUEST)[0]
        assert server.count == 2
    assert response.failure is not None
    assert response.failure.kind == "bad_request"
