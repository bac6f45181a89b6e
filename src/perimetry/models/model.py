"""Who is asked: the two shapes that a model comes in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from perimetry.models.request import Request, Response

__all__ = ["BatchModel", "EndpointModel", "Model"]


class Model(ABC):
    """Common face of every model.

    A model is cheap to construct and picklable: weights, clients and connections are opened on first use, so that
    the same object can be handed to a worker process or a Ray actor.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """How tables call it; the specification as the user wrote it, without address and credentials."""

    @property
    def is_local(self) -> bool:
        """Whether everything stays on this machine (the data-use guard asks)."""
        return True

    @property
    def deterministic(self) -> bool:
        """Whether a repeated greedy request must give the same answer."""
        return True

    def describe(self) -> dict[str, Any]:
        """What run.toml records: versions, revision, card, settings; never a secret."""
        return {"name": self.name}

    def close(self) -> None:
        """Free what first use opened."""
        return


class BatchModel(Model):
    """A model in this process: answers whole batches, without input or output of its own."""

    @property
    def batch_size(self) -> int:
        """How many requests it likes to be handed at once."""
        return 64

    @abstractmethod
    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Answer each request, in order, one response a request.

        One bad request becomes a `Failure` response of its own; it never raises for the others.
        """


class EndpointModel(Model):
    """A model behind a connection: many requests at once."""

    @property
    def concurrency(self) -> int:
        """How many requests may be in flight."""
        return 16

    @abstractmethod
    async def ask(self, request: Request) -> Response:
        """Answer one request. Retries and back-off are its own; what remains is a `Failure` response."""

    async def aclose(self) -> None:
        """Close connections of the running event loop."""
        return
