"""The schema of a card."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from perimetry.models.chat.body import ChatStyle
from perimetry.models.rendering import ImagePolicy
from perimetry.models.request import Decoding

__all__ = ["Card", "Chat", "Environment", "Images", "Profile", "Sampling"]

Section = Literal["findings", "impression", "indication", "comparison", "technique"]
Positive = Annotated[int, Field(ge=1)]


class _Table(BaseModel):
    """A table of a card: frozen, and a key that is not in the schema is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Sampling(_Table):
    """The model's official way of drawing an answer."""

    temperature: Annotated[float, Field(ge=0)] = 0.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    max_new_tokens: Positive = 2048
    extra: dict[str, Any] = Field(default_factory=dict)

    def decoding(self) -> Decoding:
        """As a request carries it."""
        return Decoding(self.max_new_tokens, self.temperature, self.top_p)


class Chat(_Table):
    """Chat format: how a prompt becomes messages."""

    format: Literal["openai"] = "openai"
    system: Literal["message", "user"] = "message"
    text: Literal["string", "parts"] = "string"
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra: dict[str, Any] = Field(default_factory=dict)

    def style(self, extra: dict[str, Any]) -> ChatStyle:
        """As the endpoint takes it; `extra` wins over the card's own fields."""
        return ChatStyle(self.limit_field, self.system, self.text, {**self.extra, **extra})


class Images(_Table):
    """Image policy; see `perimetry.models.rendering.ImagePolicy`."""

    format: Literal["png", "jpeg"] = "png"
    quality: Annotated[int, Field(ge=1, le=100)] = 95
    max_edge: Positive | None = None
    max_pixels: Positive | None = None
    max_count: Positive | None = None
    pass_through: bool = True

    def policy(self, max_count: int | None = None) -> ImagePolicy:
        """As rendering takes it; a profile may narrow the count."""
        values = self.model_dump()
        values["max_count"] = max_count if max_count is not None else self.max_count
        return ImagePolicy(**values)


class Environment(_Table):
    """What the model needs to run."""

    serve: str = ""
    packages: tuple[str, ...] = ()
    remote_code: bool = False
    notes: str = ""


class Profile(_Table):
    """A named way of speaking to the model, where a paper or the model's makers fix its prompt or inputs.

    Parameters
    ----------
    summary : str
        One line.
    system, instruction : str
        System text, and words added after a question: a reasoning instruction, for example. The run says so.
    report_prompt : str
        The model's own prompt for a report.
    sections : tuple of str
        Report sections that the prompt may quote.
    views : {"frontal", "all"}
        Which images of a study are shown.
    max_images : int or None
    sampling : Sampling or None
        Where it differs from the card's.
    """

    summary: str
    system: str = ""
    instruction: str = ""
    report_prompt: str = ""
    sections: tuple[Section, ...] = ()
    views: Literal["frontal", "all"] = "frontal"
    max_images: Positive | None = None
    sampling: Sampling | None = None


class Card(_Table):
    """How one model is spoken to.

    Parameters
    ----------
    name : str
        File name without ``.toml``.
    title, family, licence, notes : str
    hub_id : str
        Empty for a card of no particular model.
    revision : str
        Commit of the weights; ``"unpinned"`` where none is fixed, which a run says.
    verify : tuple of str
        What stands here and has not been checked against the model's own page.
    chat, images, environment : tables
    sampling : table or None
        The model's official sampling; the protocol decides whether it is used.
    profiles : table of tables
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
    title: str
    family: str
    licence: str
    hub_id: Annotated[str, Field(pattern=r"^([\w.-]+/[\w.-]+)?$")] = ""
    revision: Annotated[str, Field(pattern=r"^([0-9a-f]{40}|unpinned)$")] = "unpinned"
    notes: str = ""
    verify: tuple[str, ...] = ()
    chat: Chat = Chat()
    images: Images = Images()
    environment: Environment = Environment()
    sampling: Sampling | None = None
    profiles: dict[str, Profile] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _verified_or_said(self) -> Card:
        if self.hub_id and self.revision == "unpinned" and "revision" not in self.verify:
            raise ValueError('revision is "unpinned": list "revision" under verify, or pin the commit')
        return self

    @property
    def pinned(self) -> str | None:
        """The revision, or None where it is not pinned."""
        return None if self.revision == "unpinned" else self.revision

    def warnings(self, profile: str = "") -> list[str]:
        """What a run with this card has to say."""
        said: list[str] = []
        if self.hub_id and self.pinned is None:
            said.append(f"card {self.name}: the revision of {self.hub_id} is not pinned; weights may differ tomorrow")
        unchecked = [fact for fact in self.verify if fact != "revision"]
        if unchecked:
            said.append(f"card {self.name}: not yet verified: {', '.join(unchecked)}")
        if profile and (self.profiles[profile].instruction or self.profiles[profile].system):
            said.append(f"card {self.name}: profile {profile} adds words of its own to every prompt")
        return said
