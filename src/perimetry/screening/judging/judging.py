"""How a judge of cues is to be asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from perimetry.inference import Settings
from perimetry.models import ModelContext
from perimetry.models.request import Decoding

__all__ = ["Judging"]

TOKENS = 4096


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges, and how it is asked.

    Parameters
    ----------
    spec : str
        Specification of a model; see `perimetry.models.resolve_model`.
    allow_remote : tuple of str
        Credentialed data sets that may be sent to another machine.
    tokens : int, default 4096
        New tokens of an answer at most.
    structured : bool, default True
        Whether endpoints are asked to hold answers to their schema; False for a server that does not know it.
    settings : Settings
    options : ModelContext or None
    progress : bool, default False
        Of what is asked, on standard error.

    Examples
    --------
    >>> Judging("openai:m@http://localhost:8000/v1").decoding.greedy
    True
    """

    spec: str
    allow_remote: tuple[str, ...] = ()
    tokens: int = TOKENS
    structured: bool = True
    settings: Settings = field(default_factory=Settings)
    options: ModelContext | None = None
    progress: bool = False

    @property
    def decoding(self) -> Decoding:
        """Temperature 0: a judge is asked once."""
        return Decoding(self.tokens, 0.0)
