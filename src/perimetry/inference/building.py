"""Building one request when its turn comes; what cannot be built fails alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from perimetry.cases.errors import CaseError, ImageError, PerimetryError
from perimetry.models.request import Failure, Request, Response

__all__ = ["Build", "build_request", "crashed", "is_unusable", "silent"]

Build: TypeAlias = Callable[[int], Request]
"""Position in the plan -> request; see `RequestPlan`."""


_LONGEST = 2_000


def crashed(request_id: str, error: BaseException) -> Response:
    """Failure of a request whose model or builder raised."""
    said = f"{type(error).__name__}: {error}"
    return Response(request_id, None, Failure("crashed", said if len(said) <= _LONGEST else f"{said[:_LONGEST]} ..."))


def is_unusable(error: Exception) -> bool:
    """Whether an error of a model says that it cannot be used as it was asked for, whatever the request.

    Weights that cannot be loaded and a training split that is not there would fail every request alike: the run ends
    with that one error.
    """
    return isinstance(error, PerimetryError) and not isinstance(error, CaseError | ImageError)


def build_request(build: Build, position: int, request_id: str) -> Request | Response:
    """The request at a position, or the failure of the case behind it."""
    try:
        request = build(position)
    except ImageError as error:
        return Response(request_id, None, Failure("unreadable_image", str(error)))
    except PerimetryError as error:
        return Response(request_id, None, Failure("unaskable", str(error)))
    except Exception as error:  # becomes a failure with the kind `crashed`
        return crashed(request_id, error)
    if request.id != request_id:
        found = f"The plan says {request_id!r} at position {position}, its builder made {request.id!r}."
        return Response(request_id, None, Failure("crashed", found))
    return request


def silent(request_id: str) -> Response:
    """Failure of a request that a model passed over."""
    return Response(request_id, None, Failure("invalid_response", "The model gave no response to this request."))
