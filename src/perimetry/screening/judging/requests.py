"""Requests about items, each built when its turn comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from perimetry.cases import Question
from perimetry.cases.digest import digest_parts
from perimetry.inference import RequestPlan
from perimetry.models.request import Decoding, Request
from perimetry.screening.item import Item
from perimetry.screening.judging.cue import JudgedCue, judged_cues
from perimetry.screening.judging.prompt import answer_schema, cue_prompt

__all__ = ["SEED", "CueRequests", "asked_of", "plan_requests"]

SEED = 42
"""Sampling seed of every request: a judge is asked once about an item."""


def asked_of(item: Item, images: bool) -> tuple[JudgedCue, ...]:
    """The cues that a judge is asked about in an item.

    Examples
    --------
    >>> asked_of(Item("1", "mine", "g", "", "open"), images=False)
    ()
    """
    return tuple(cue for cue in judged_cues() if cue.applies(item, images))


@dataclass(frozen=True, slots=True)
class CueRequests:
    """Builds the request of a question when its turn comes; picklable, so that worker processes can.

    What is asked is made from the `Item`: neither the key nor `Question.hidden` is in it.

    Parameters
    ----------
    questions : sequence of Question
    decoding : Decoding
    structured : bool
        Whether endpoints are asked to hold the answer to its schema.
    images : bool
        Whether the judge is shown images.
    """

    questions: Sequence[Question]
    decoding: Decoding
    structured: bool
    images: bool

    def __call__(self, index: int) -> Request:
        """Request of the question at a position."""
        request = self.of(Item.of(self.questions[index]))
        assert request is not None
        return request

    def of(self, item: Item) -> Request | None:
        """The request about an item; None where there is nothing to ask."""
        cues = asked_of(item, self.images)
        if not cues:
            return None
        images = self.images and bool(item.images)
        prompt = cue_prompt().fill(item, cues, images)
        schema = answer_schema(tuple(cue.key for cue in cues)) if self.structured else ""
        shown = [image.digest for image in prompt.images]
        # Of what is asked, not of whom: two items that show the same are one request.
        identity = digest_parts(
            ["cues", cue_prompt().digest, prompt.text, schema, self.decoding.spelling, str(SEED), *shown]
        )
        return Request(identity, item.id, item.dataset, "cues", 0, SEED, prompt, self.decoding, schema)


def plan_requests(builder: CueRequests) -> RequestPlan:
    """The requests about questions, each of them once; none is held."""
    places: dict[str, int] = {}
    for place, question in enumerate(builder.questions):
        request = builder.of(Item.of(question))
        if request is not None:
            places.setdefault(request.id, place)
    return RequestPlan(pl.Series("request_id", list(places), dtype=pl.String), _Chosen(builder, tuple(places.values())))


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The builder over the places that are asked; picklable."""

    builder: CueRequests
    places: tuple[int, ...]

    def __call__(self, index: int) -> Request:
        return self.builder(self.places[index])
