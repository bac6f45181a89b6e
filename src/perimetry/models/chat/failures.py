"""From what an endpoint says went wrong to a named failure."""

from __future__ import annotations

import re

from perimetry.models.request import Failure, FailureKind

__all__ = ["failure_of_status", "failure_of_text", "refuses_schema"]

_TOO_LONG = re.compile(
    r"context[_ ]length|maximum context|max(?:imum)?[_ ]model[_ ]len|too many tokens|too long|longer than the m"
    r"|exceeds? the (?:available )?context|exceed\w* .{0,40}\btokens?\b|prompt is too large|input length",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"content[_ ]?filter|content[_ ]policy|content management policy|responsible ?ai|moderation|safety system",
    re.IGNORECASE,
)
_SCHEMA = re.compile(
    r"response[_ ]?format|json[_ ]?schema|structured[_ ]?output|guided[_ ]?(?:json|decoding)|grammar", re.IGNORECASE
)
MESSAGE_LIMIT = 500


def failure_of_text(kind: FailureKind, message: str) -> Failure:
    """A failure whose message is cut to a length that a table can hold."""
    message = " ".join(message.split())
    if len(message) > MESSAGE_LIMIT:
        message = message[: MESSAGE_LIMIT - 4] + " ..."
    return Failure(kind, message)


def failure_of_status(status: int, said: str) -> Failure:
    """What an HTTP status means for a request.

    A wrong address or model name (404) is not the request's fault: it counts as unreachable, so that a later run,
    with the server put right, asks again.

    Parameters
    ----------
    status : int
    said : str
        Message and code that the server sent, already free of secrets.

    Examples
    --------
    >>> failure_of_status(400, "maximum context length is 4096").kind
    'too_long'
    """
    kind: FailureKind
    advice = ""
    if status in (401, 403):
        kind = "unauthorized"
        advice = " Set PERIMETRY_API_KEY or OPENAI_API_KEY to a key that this endpoint accepts."
    elif status == 404:
        kind = "unreachable"
        advice = " Check the model's name and that the address ends in /v1."
    elif status == 408:
        kind = "timeout"
    elif status == 429:
        kind = "rate_limited"
        advice = " Lower the concurrency or set a limit of requests per minute."
    elif 400 <= status < 500 and status != 409:
        kind = "bad_request"
        if _REFUSED.search(said):
            kind = "refused"
        elif _TOO_LONG.search(said):
            kind = "too_long"
    elif status >= 500 or status == 409:
        kind = "server_error"
    else:
        kind = "invalid_response"
    return failure_of_text(kind, f"HTTP {status}: {said or 'no message'}.{advice}".replace("..", "."))


def refuses_schema(status: int, said: str) -> bool:
    """Whether an endpoint says that it does not offer the structured output it was asked for.

    Examples
    --------
    >>> refuses_schema(400, "Unknown field: response_format"), refuses_schema(400, "maximum context length is 4096")
    (True, False)
    """
    return status in (400, 404, 415, 422, 501) and _SCHEMA.search(said) is not None
