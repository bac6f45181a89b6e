"""A reader: a model in this process whose habit is known."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from perimetry.cases.errors import ImageError
from perimetry.models.model import BatchModel
from perimetry.models.readers.asked import Asked, understood
from perimetry.models.request import Failure, Request, Response

__all__ = ["Reader"]


class Reader(BatchModel):
    """Base of all readers.

    A reader sees the prompt's fields and images only; the case's gold answer is not part of a request.

    Parameters
    ----------
    habit : str
        Its name without ``reader:``.
    seed : int
        Of whatever it draws at random.
    """

    def __init__(self, habit: str, seed: int) -> None:
        self.habit = habit
        self.seed = seed

    @property
    def name(self) -> str:
        """``reader:`` and its habit."""
        return f"reader:{self.habit}"

    def describe(self) -> dict[str, Any]:
        """Name and seed."""
        return {"name": self.name, "seed": self.seed}

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Answer each request; an image that cannot be read is that request's own failure."""
        for request in requests:
            begun = time.perf_counter()
            try:
                text = self.read(request, understood(request.prompt))
            except ImageError as error:
                yield Response(request.id, None, Failure("unreadable_image", str(error)))
                continue
            yield Response(request.id, text, finish_reason="stop", seconds=time.perf_counter() - begun)

    @staticmethod
    def item(request: Request) -> str:
        """What the request is about: of a report the study, whatever class is examined; else the case."""
        material = request.prompt.material
        return request.case_id if material is None else material.case_id

    @abstractmethod
    def read(self, request: Request, asked: Asked, /) -> str:
        """The reader's answer, as a person would write it."""
