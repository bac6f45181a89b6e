"""Endpoints that fail: failures by kind, an end of its own, and the same command goes on once it is mended."""

from __future__ import annotations

import socket

import pytest
from tests.bad_input import audit, every_file, outcomes, page, records, verdict, write_table
from tests.models.loopback import LoopbackServer, answer, error, hang_up, raw, slow

KEY = "sk-1234567890abcdef-very-secret"
QUICK = ["--max-retries", "0", "--timeout", "0.3"]
ITEMS = 4

BROKEN = {
    "unauthorized": error(401, f"wrong key {KEY}"),
    "rate_limited": error(429, headers={"retry-after": "0"}),
    "server_error": error(500),
    "bad_request": error(400, "images are disabled by a flag"),
    "timeout": slow(5.0),
    "unreachable": hang_up(),
    "invalid_response": raw(b"<html>gateway</html>", content_type="text/html"),
}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("PERIMETRY_API_KEY", KEY)


@pytest.fixture
def data(tmp_path):
    return write_table(tmp_path, records(ITEMS))


def nothing_holds_the_key(folder, *ended):
    for name, content in every_file(folder).items():
        assert KEY.encode() not in content, name
    for one in ended:
        assert KEY not in one.out + one.err


@pytest.mark.usefixtures("pageless")
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_endpoint_and_the_same_command_after_it_was_mended(tmp_path, data, kind):
    state = {"mended": False, "answered": 0}

    def reply(request):
        # Two answers come through before it breaks.
        if state["mended"] or state["answered"] < 2:
            state["answered"] += 1
            return answer("Answer: yes")
        return BROKEN[kind]

    with LoopbackServer(reply) as server:
        arguments = [data, f"openai:m@{server.url}", tmp_path / "run", *QUICK, "--concurrency", "4"]
        ended = audit(*arguments)
        assert ended.code == 3, ended
        table = outcomes(tmp_path / "run")
        kept = table.filter(table["answered"])["request_id"].to_list()
        assert len(kept) == 2
        assert set(table["failure_kind"].drop_nulls()) == {kind}
        assert f"{len(table) - 2} {kind}" in ended.err
        assert "asked when the same command is given again" in ended.err
        assert verdict(tmp_path / "run")["verdict"] == "not measured"
        state["mended"] = True
        before = server.count
        again = audit(*arguments)
        assert again.code == 0, again
        assert server.count - before == len(table) - 2, "only what had no answer is asked"
    assert outcomes(tmp_path / "run")["answered"].all()
    nothing_holds_the_key(tmp_path / "run", ended, again)


@pytest.mark.usefixtures("pageless")
def test_what_went_wrong_is_told_by_an_example_of_each_kind(tmp_path, data):
    def reply(request):
        texts = (error(400, "images are\ndisabled by a flag"), error(500, "the disk is full"), answer("Answer: yes"))
        return texts[request.index % 3]

    with LoopbackServer(reply) as server:
        arguments = [data, f"openai:m@{server.url}", tmp_path / "run", *QUICK, "--concurrency", "1"]
        ended = audit(*arguments)
        assert "  bad_request, for example: HTTP 400: images are disabled by a flag." in ended.err.splitlines()
        assert "  server_error, for example: HTTP 500: the disk is full." in ended.err.splitlines()
        again = audit(*arguments, "--json")
    (model,) = again.json["models"]
    assert {kind for kind, _ in model["failed"]} == {kind for kind, _ in model["examples"]} != set()
    assert all(said.startswith("HTTP ") for _, said in model["examples"])


def test_a_run_that_only_fails_ends_by_itself(tmp_path, data):
    with socket.socket() as held:  # a port on which nobody listens
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        limits = ["--max-failures", "5", "--concurrency", "1"]
        ended = audit(data, f"openai:m@{url}", tmp_path / "run", *QUICK, *limits)
    assert ended.code == 3
    assert "Stopped: 5 requests failed in a row" in ended.err
    assert "Connection refused. Is it running?" in ended.err
    table = outcomes(tmp_path / "run")
    assert table["failure_kind"].drop_nulls().to_list() == ["unreachable"] * 5
    assert "not asked yet" in page(tmp_path / "run")
    assert "unreachable" in page(tmp_path / "run")


@pytest.mark.usefixtures("pageless")
def test_retry_after_is_obeyed_within_one_invocation(tmp_path, data):
    later = {"retry-after": "0"}
    replies = [error(429, headers=later), error(503, headers=later), answer("Answer: yes")]
    with LoopbackServer(replies) as server:
        ended = audit(data, f"openai:m@{server.url}", tmp_path / "run", "--concurrency", "1")
        assert server.count == 4 * ITEMS + 2
    assert ended.code == 0


BODIES = {
    "empty": b"",
    "list": b"[]",
    "null": b"null",
    "no fields": b"{}",
    "no choice": b'{"choices": []}',
    "no message": b'{"choices": [{"message": 3}]}',
    "no text": b'{"choices": [{"message": {"content": null}}]}',
    "bytes": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.usefixtures("pageless")
def test_a_reply_that_is_no_completion_is_a_failure_by_name(tmp_path, data, body):
    with LoopbackServer(raw(body)) as server:
        ended = audit(data, f"openai:m@{server.url}", tmp_path / "run", *QUICK, "--limit", "2", conditions="real")
    assert ended.code == 3
    assert outcomes(tmp_path / "run")["failure_kind"].to_list() == ["invalid_response"] * 2


def test_an_empty_answer_is_an_answer_that_nobody_can_read(tmp_path, data):
    with LoopbackServer("") as server:
        assert audit(data, f"openai:m@{server.url}", tmp_path / "run").code == 0
    assert outcomes(tmp_path / "run")["correct"].to_list() == [False] * 4 * ITEMS
    assert "no answer could be read from 100% of its responses" in page(tmp_path / "run")


def test_credentials_in_an_address_are_used_and_written_nowhere(tmp_path, data):
    secret, code = "pa55word-of-mine", "query-secret-77"
    with LoopbackServer("Answer: yes") as server:
        address = server.url.replace("http://", f"http://me:{secret}@") + f"?code={code}"
        given = [data, f"openai:m@{address}", tmp_path / "run"]
        plain = [data, f"openai:m@{server.url}", tmp_path / "run"]
        for arguments, expected in (([*given, "--max-requests", "5"], 3), (given, 0), (plain, 0)):
            ended = audit(*arguments)
            assert ended.code == expected, "the same command goes on"
            for hidden in (secret, code):
                assert hidden not in ended.out + ended.err
                for name, content in every_file(tmp_path / "run").items():
                    assert hidden.encode() not in content, name
        assert server.count == 4 * ITEMS
        assert server.requests[0].headers["authorization"]
