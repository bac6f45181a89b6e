"""Building one request when its turn comes; what cannot be built fails alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from perimetry.cases.errors import ImageError, PerimetryError
from perimetry.models.request import Failure, Request, Response

__all__ = ["Build", "build_request", "crashed", "silent"]

Build: TypeAlias = Callable[[int], Request]
"""Position in the plan -> request; see `RequestPlan`."""


def crashed(request_id: str, error: BaseException) -> Response:
    """Failure of a request whose model or builder raised."""
    return Response(request_id, None, Failure("crashed", f"{type(error).__name__}: {error}"))


def build_request(build: Build, position: int, request_id: str) -> Request | Response:
    """The request at a position, or the failure of the case behind it."""
    try:
        request = build(position)
    except ImageError as error:
        return Response(request_id, None, Failure("unreadable_image", str(error)))
    except PerimetryError as error:
        return Response(request_id, None, Failure("bad_request", str(error)))
    except Exception as error:  # becomes a failure with the kind `crashed`
        return crashed(request_id, error)
    if request.id != request_id:
        found = f"The plan says {request_id!r} at position {position}, its builder made {request.id!r}."
        return Response(request_id, None, Failure("bad_request", found))
    return request


def silent(request_id: str) -> Response:
    """Failure of a request that a model passed over."""
    return Response(request_id, None, Failure("invalid_response", "The model gave no response to this request."))
