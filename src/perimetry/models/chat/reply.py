"""From the bytes of an endpoint's reply to a response."""

from __future__ import annotations

import json
from typing import Any

from perimetry.models.chat.failures import failure_of_status, failure_of_text
from perimetry.models.request import Failure, Response, Usage

__all__ = ["error_text", "read_reply"]

_REASONING_FIELDS = ("reasoning_content", "reasoning")


def error_text(payload: object) -> str:
    """Message and code of an error body, whatever its dialect; empty if there is none."""
    if isinstance(payload, dict):
        inner = payload.get("error", payload)
        if isinstance(inner, str):
            return inner
        if isinstance(inner, dict):
            said = [inner.get(key) for key in ("message", "detail", "code")]
            return " ".join(str(piece) for piece in said if piece)
    return payload if isinstance(payload, str) else ""


def _invalid(request_id: str, found: str, seconds: float) -> Response:
    failure = failure_of_text("invalid_response", f"Expected a chat completion as JSON, found {found}.")
    return Response(request_id, None, failure, seconds=seconds)


def _content(message: dict[str, Any]) -> str | None:
    content = message.get("content")
    if isinstance(content, list):  # some servers answer in parts
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else None


def _with_reasoning(message: dict[str, Any], text: str | None) -> str | None:
    """Put reasoning that the server split off back in front, so that rationale metrics see it."""
    for name in _REASONING_FIELDS:
        reasoning = message.get(name)
        if isinstance(reasoning, str) and reasoning.strip():
            return f"<think>\n{reasoning.strip()}\n</think>\n{text or ''}"
    return text


def _count(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) else None


def read_reply(request_id: str, body: bytes, seconds: float) -> Response:
    """Read a chat completion.

    Parameters
    ----------
    request_id : str
    body : bytes
        Body of a reply with status 200.
    seconds : float
        Time of the call, kept in the response.

    Returns
    -------
    Response
        With a text (empty text is an answer), or with a failure: ``refused`` for a refusal or a content filter,
        ``invalid_response`` for anything that is not a completion.

    Examples
    --------
    >>> read_reply("r", b'{"choices": [{"message": {"content": "yes"}}]}', 0.1).text
    'yes'
    >>> read_reply("r", b"<html>", 0.1).failure.kind
    'invalid_response'
    """
    if not body.strip():
        return _invalid(request_id, "an empty body", seconds)
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        start = body[:80].decode("utf-8", "replace")
        return _invalid(request_id, f"a body that is not JSON and starts {start!r}", seconds)
    if not isinstance(payload, dict):
        return _invalid(request_id, f"JSON of type {type(payload).__name__}", seconds)
    if payload.get("error") and not payload.get("choices"):
        return Response(request_id, None, _inner_failure(payload), seconds=seconds)
    choices = payload.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return _invalid(request_id, f"no choices; fields: {', '.join(sorted(payload)) or 'none'}", seconds)
    choice = choices[0]
    message = choice.get("message")
    if not isinstance(message, dict):
        return _invalid(request_id, f"a choice without a message; fields: {', '.join(sorted(choice))}", seconds)
    finish = choice.get("finish_reason")
    finish = finish if isinstance(finish, str) else ""
    counts = payload.get("usage")
    usage = Usage(_count(counts, "prompt_tokens"), _count(counts, "completion_tokens"))
    refusal = message.get("refusal")
    if finish == "content_filter" or (isinstance(refusal, str) and refusal.strip()):
        said = refusal if isinstance(refusal, str) and refusal.strip() else "the content filter stopped the answer"
        failure = failure_of_text("refused", said)
        return Response(request_id, None, failure, finish_reason=finish, usage=usage, seconds=seconds)
    text = _with_reasoning(message, _content(message))
    if text is None:
        fields = ", ".join(sorted(message)) or "none"
        return _invalid(request_id, f"a message without text; fields: {fields}; finish reason {finish!r}", seconds)
    logprobs = choice.get("logprobs")
    return Response(
        request_id,
        text,
        finish_reason=finish,
        usage=usage,
        logprobs=json.dumps(logprobs, separators=(",", ":")) if logprobs else "",
        seconds=seconds,
    )


def _inner_failure(payload: dict[str, Any]) -> Failure:
    """Failure of an error that came with status 200, as gateways send it."""
    inner = payload["error"]
    code = inner.get("code") if isinstance(inner, dict) else None
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    said = error_text(payload)
    if isinstance(code, int) and 400 <= code < 600:
        return failure_of_status(code, said)
    return failure_of_text("server_error", said or "the reply holds an error without a message")
