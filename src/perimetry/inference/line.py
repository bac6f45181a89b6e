"""One response as one line of JSON."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

from perimetry.models.request import Failure, Response

__all__ = ["CorruptLineError", "decode_line", "encode_line"]

_TOKEN_LIMIT = 1 << 62


class CorruptLineError(ValueError):
    """A line of a journal that is not a response; the message says what was found."""


def encode_line(response: Response) -> bytes:
    r"""Line of a journal, line end included. Fields at their default are left out.

    Put together by hand: this costs about a microsecond where a general serialiser costs several, and it is paid
    for every request ever asked.

    Examples
    --------
    >>> encode_line(Response("7f", "A", seconds=0.5))
    b'{"id":"7f","text":"A","seconds":0.500000}\n'
    """
    pieces = ['{"id":', encode_basestring(response.request_id)]
    failure = response.failure
    if failure is None:
        pieces += (',"text":', encode_basestring(response.text or ""))
    else:
        pieces += (',"failure":', encode_basestring(failure.kind), ',"message":', encode_basestring(failure.message))
    if response.finish_reason:
        pieces += (',"finish":', encode_basestring(response.finish_reason))
    if response.usage.prompt_tokens is not None:
        pieces.append(f',"prompt":{response.usage.prompt_tokens:d}')
    if response.usage.completion_tokens is not None:
        pieces.append(f',"completion":{response.usage.completion_tokens:d}')
    if response.logprobs:
        pieces += (',"logprobs":', encode_basestring(response.logprobs))
    if response.seconds and isfinite(response.seconds):
        pieces.append(f',"seconds":{response.seconds:.6f}')
    pieces.append("}\n")
    line = "".join(pieces)
    try:
        return line.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair, as a truncated escape in a server's JSON leaves it: no text file can hold it.
        return line.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def decode_line(line: bytes) -> tuple[Any, ...]:
    """Fields of a line, in the order of `part.COLUMNS` without ``model`` and ``attempt``.

    Raises
    ------
    CorruptLineError
        When the line is not what `encode_line` writes.
    """
    try:
        fields = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise CorruptLineError(f"not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise CorruptLineError(f"expected an object, found {type(fields).__name__}")
    take = fields.get
    request_id, text, kind = take("id"), take("text"), take("failure")
    if type(request_id) is not str:
        raise CorruptLineError("no request id")
    if (type(text) is str) is (type(kind) is str):
        raise CorruptLineError("expected either a text or a failure")
    message, finish, logprobs = take("message", ""), take("finish", ""), take("logprobs", "")
    if not (type(message) is str and type(finish) is str and type(logprobs) is str):
        raise CorruptLineError("message, finish and logprobs must be strings")
    prompt, completion, seconds = take("prompt"), take("completion"), take("seconds", 0.0)
    for tokens in (prompt, completion):
        if tokens is not None and not (type(tokens) is int and abs(tokens) < _TOKEN_LIMIT):
            raise CorruptLineError("token counts must be whole numbers")
    if type(seconds) not in (float, int):
        raise CorruptLineError("seconds must be a number")
    message = message if kind is not None else None
    return request_id, text, kind, message, finish, prompt, completion, logprobs, float(seconds)


def accept(response: Response, request_id: str) -> Response:
    """The response as it may be stored: for the right request, with a text or a failure, and storable numbers."""
    failure = response.failure
    if response.request_id != request_id:
        found = f"The model answered request {response.request_id!r} where {request_id!r} was asked."
        return Response(request_id, None, Failure("invalid_response", found))
    if failure is None and type(response.text) is not str:
        return Response(request_id, None, Failure("invalid_response", "The model returned neither text nor failure."))
    usage = response.usage
    for tokens in (usage.prompt_tokens, usage.completion_tokens):
        if tokens is not None and not (type(tokens) is int and abs(tokens) < _TOKEN_LIMIT):
            return Response(
                request_id, None, Failure("invalid_response", f"A token count of {tokens!r} is no whole number.")
            )
    return response
