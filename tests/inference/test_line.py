from __future__ import annotations

import json
import math
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perimetry.inference.line import CorruptLineError, accept, decode_line, encode_line
from perimetry.models.request import Failure, Response, Usage

texts = st.text(st.characters(exclude_categories=["Cs"]))
tokens = st.none() | st.integers(0, 2**40)


@given(texts, texts, tokens, tokens, texts, st.floats(0, 1e6))
def test_an_answer_reads_back_and_any_json_reader_agrees(text, finish, prompt, completion, logprobs, seconds):
    response = Response("7f", text, None, finish, Usage(prompt, completion), logprobs, seconds)
    line = encode_line(response)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    fields = json.loads(line)
    assert fields["text"] == text
    assert fields.get("finish", "") == finish
    assert decode_line(line) == ("7f", text, None, None, finish, prompt, completion, logprobs, round(seconds, 6))


@given(texts)
def test_a_failure_reads_back(message):
    line = encode_line(Response("7f", None, Failure("timeout", message)))
    assert json.loads(line) == {"id": "7f", "failure": "timeout", "message": message}
    assert decode_line(line) == ("7f", None, "timeout", message, "", None, None, "", 0.0)


@pytest.mark.parametrize("text", ["half \ud83d", "\udc00 half", "whole \U0001f600 and half \ud83d."])
def test_half_a_surrogate_pair_is_stored_as_a_replacement_character(text):
    stored = decode_line(encode_line(Response("7f", text)))[1]
    stored.encode()  # would raise if a half were left
    assert stored == text.replace("\ud83d", "\ufffd").replace("\udc00", "\ufffd")


@pytest.mark.parametrize("seconds", [math.nan, math.inf])
def test_a_duration_that_is_no_number_is_left_out(seconds):
    assert json.loads(encode_line(Response("7f", "A", seconds=seconds))) == {"id": "7f", "text": "A"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"\x00\x00\x00\n", "not JSON"),
        (b"\xff\xfe\n", "not JSON"),
        (b'{"id":"7f","text":"A"\n', "not JSON"),
        (b"\n", "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'["7f"]\n', "found list"),
        (b'{"text":"A"}\n', "no request id"),
        (b'{"id":7,"text":"A"}\n', "no request id"),
        (b'{"id":"7f"}\n', "either a text or a failure"),
        (b'{"id":"7f","text":"A","failure":"timeout"}\n', "either a text or a failure"),
        (b'{"id":"7f","text":"A","prompt":1.5}\n', "whole numbers"),
        (b'{"id":"7f","text":"A","prompt":true}\n', "whole numbers"),
        (b'{"id":"7f","text":"A","prompt":99999999999999999999}\n', "whole numbers"),
        (b'{"id":"7f","text":"A","seconds":"1"}\n', "seconds"),
        (b'{"id":"7f","text":"A","finish":1}\n', "strings"),
    ],
)
def test_a_damaged_line_says_what_was_found(line, found):
    with pytest.raises(CorruptLineError, match=found):
        decode_line(line)


def test_only_what_can_be_stored_for_the_right_request_is_accepted():
    good = Response("7f", "A", None, "stop", Usage(1, 2))
    assert accept(good, "7f") is good
    failed = Response("7f", None, Failure("refused", "no"))
    assert accept(failed, "7f") is failed
    for bad in (Response("80", "A"), Response("7f", None), Response("7f", "A", usage=Usage(cast("int", 1.5), None))):
        stored = accept(bad, "7f")
        assert stored.request_id == "7f"
        assert stored.failure is not None
        assert stored.failure.kind == "invalid_response"
