"""What a model is asked and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from perimetry.cases.image import Image

__all__ = [
    "Decoding",
    "Failure",
    "FailureKind",
    "ImagePart",
    "Material",
    "Part",
    "Prompt",
    "Request",
    "Response",
    "TextPart",
    "Usage",
]


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text of a prompt."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A lazy image of a prompt; rendered next to the call."""

    image: Image


Part: TypeAlias = TextPart | ImagePart


@dataclass(frozen=True, slots=True)
class Material:
    """What a study holds before its report is written, as the condition shows it: what a card's profile may draw on.

    Parameters
    ----------
    case_id : str
        For messages.
    images : tuple of Image
        All of the study, each with its view.
    sections : tuple of (section, text)
        Indication, technique and comparison, as far as there are any; never findings or impression.
    marked : tuple of int
        Images that carry boxes: they come first where a model takes fewer than there are.
    """

    case_id: str
    images: tuple[Image, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    marked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """One user turn: text and images in the order in which the model sees them, and an optional system text.

    `question` and `options` repeat the parts of the question that the condition shows, for models that read
    fields rather than prose (phantom readers, classical baselines); a language model sees only `parts`. `material`
    comes with a prompt for a report: a model whose card has a profile rewrites the prompt from it, no other reads it.
    """

    parts: tuple[Part, ...]
    system: str = ""
    question: str = ""
    options: tuple[tuple[str, str], ...] = ()
    answer_type: str = ""
    material: Material | None = None

    @property
    def text(self) -> str:
        """All text parts, joined by line breaks."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def images(self) -> tuple[Image, ...]:
        """All images, in order."""
        return tuple(part.image for part in self.parts if isinstance(part, ImagePart))


@dataclass(frozen=True, slots=True)
class Decoding:
    """How an answer is drawn. The defaults are CORAL's (section 3.5): greedy, at most 2,048 new tokens.

    Parameters
    ----------
    max_new_tokens : int, default 2048
    temperature : float, default 0
        0 takes the most likely token at each step.
    top_p : float, default 1
    official : bool, default False
        A model whose card names its official sampling draws by that, all others as the fields here say.
    """

    max_new_tokens: int = 2048
    temperature: float = 0.0
    top_p: float = 1.0
    official: bool = False

    @property
    def greedy(self) -> bool:
        """Whether the model takes its most likely token at each step."""
        return self.temperature == 0.0

    @property
    def spelling(self) -> str:
        """Canonical spelling; part of a request's identity."""
        official = ",official" if self.official else ""
        return f"max_new_tokens={self.max_new_tokens},temperature={self.temperature:g},top_p={self.top_p:g}{official}"


@dataclass(frozen=True, slots=True)
class Request:
    """One thing asked of one model.

    Parameters
    ----------
    id : str
        Digest of the recipe: case, normalised operations, prompt profile, decoding, repeat.
    case_id, dataset, condition : str
        Of the first trial that needs it (several trials may share a request).
    repeat : int
        From 0.
    seed : int
        Sampling seed of this request, for models that take one.
    prompt : Prompt
    decoding : Decoding
    schema : str, default ""
        JSON schema, as JSON text, that the answer is to follow. Endpoints that offer structured output hold the answer
        to it; all others answer freely. Empty for free text.
    """

    id: str
    case_id: str
    dataset: str
    condition: str
    repeat: int
    seed: int
    prompt: Prompt
    decoding: Decoding = Decoding()
    schema: str = ""


FailureKind = Literal[
    "unreadable_image",
    "unaskable",
    "refused",
    "too_long",
    "not_recorded",
    "bad_request",
    "unauthorized",
    "rate_limited",
    "timeout",
    "unreachable",
    "server_error",
    "invalid_response",
    "out_of_memory",
    "crashed",
]

# Kinds that lie with the request itself: asking again cannot help. All others are asked again by a later run, also
# `bad_request`: a server that was started with the wrong flags rejects everything until it is mended.
FINAL_KINDS: frozenset[str] = frozenset({"unreadable_image", "unaskable", "refused", "too_long", "not_recorded"})


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a request has no answer."""

    kind: FailureKind
    message: str

    @property
    def is_final(self) -> bool:
        """Whether asking again cannot help."""
        return self.kind in FINAL_KINDS


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the model's server reports them."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """What came back for one request: a text, or the failure that came instead; never both.

    Parameters
    ----------
    request_id : str
    text : str or None
    failure : Failure or None
    finish_reason : str
        As the server names it: ``stop``, ``length`` ...
    usage : Usage
    logprobs : str
        Token log-probabilities as the server sent them, as JSON; empty if none were sent.
    seconds : float
        Time spent on the call.
    """

    request_id: str
    text: str | None
    failure: Failure | None = None
    finish_reason: str = ""
    usage: Usage = Usage()
    logprobs: str = ""
    seconds: float = 0.0
