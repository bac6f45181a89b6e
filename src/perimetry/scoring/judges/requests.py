"""Requests about pairs of reports, each built when its turn comes."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.models.request import Decoding, Request
from perimetry.scoring.judges.pair_prompt import PairPrompt
from perimetry.scoring.judges.pairs import Pair

__all__ = ["SEED", "PairRequests"]

SEED = 42
"""Sampling seed of every request: a judge is asked once about a pair."""


@dataclass(frozen=True, slots=True)
class PairRequests:
    """Builds the request of a pair when its turn comes; picklable, so that worker processes can."""

    prompt: PairPrompt
    schema: str
    decoding: Decoding
    metric: str
    pairs: tuple[Pair, ...]
    request_ids: tuple[str, ...]
    case_ids: tuple[str, ...]

    def __call__(self, index: int) -> Request:
        """Request of the pair at a position."""
        pair = self.pairs[index]
        return Request(
            self.request_ids[index],
            self.case_ids[index],
            "",
            self.metric,
            0,
            SEED,
            self.prompt.fill(pair.reference, pair.candidate),
            self.decoding,
            self.schema,
        )
