"""The schema of a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from perimetry.models.chat.body import ChatStyle
from perimetry.models.rendering import ImagePolicy
from perimetry.models.report_prompt import REPORT_PROFILE, ReportProfile, slots
from perimetry.models.request import Decoding
from perimetry.models.views import Views

__all__ = ["Card", "Chat", "Environment", "Images", "Profile", "Sampling"]

# Findings and impression are what a model is to write: no profile can quote them.
Section = Literal["indication", "technique", "comparison"]
Positive = Annotated[int, Field(ge=1)]


class _Table(BaseModel):
    """A table of a card: frozen, and a key that is not in the schema is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Sampling(_Table):
    """The model's official way of drawing an answer.

    `extra` holds further fields of the body at an endpoint, for example ``{ num_beams = 4 }``.
    """

    temperature: Annotated[float, Field(ge=0)] = 0.0
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    max_new_tokens: Positive = 2048
    extra: dict[str, Any] = Field(default_factory=dict)

    def decoding(self) -> Decoding:
        """As a request carries it."""
        return Decoding(self.max_new_tokens, self.temperature, self.top_p)

    def over(self, decoding: Decoding) -> Decoding:
        """A decoding with the fields that the card names in place of its own.

        Examples
        --------
        >>> Sampling(temperature=0.2).over(Decoding(512)).spelling
        'max_new_tokens=512,temperature=0.2,top_p=1'
        """
        own = self.decoding()
        return replace(decoding, **{name: getattr(own, name) for name in self.model_fields_set - {"extra"}})


class Chat(_Table):
    """Chat format: how a prompt becomes messages."""

    format: Literal["openai"] = "openai"
    system: Literal["message", "user"] = "message"
    text: Literal["string", "parts"] = "string"
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra: dict[str, Any] = Field(default_factory=dict)

    def style(self, extra: Mapping[str, Any]) -> ChatStyle:
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
        System text, and words added after a question or a report prompt: a reasoning instruction, for example. The run
        says so.
    report_prompt : str or None
        The model's own prompt for a report; empty for a model that takes images alone. None keeps the audit's own.
        ``{indication}``, ``{technique}`` and ``{comparison}`` stand for sections.
    sections : tuple of str
        Report sections that the prompt quotes, of indication, technique and comparison; see `ReportProfile`.
    quoted : {"before", "after"}
        On which side of the prompt.
    absent : str
        What stands for a section that a study lacks.
    views : {"frontal", "all", "pair"}
        Which images of a study are shown.
    max_images : int or None
        At most so many of them; of frontal ones one, unless it is given.
    sampling : Sampling or None
        How reports are drawn, where it differs from the card's and the audit's.
    report_style : {"report", "findings", "whole"}
        How what the model writes is cut to its report; see `perimetry.scoring.report_text`.
    extra : table
        Further fields of every request's body: a switch for thinking, for example.
    """

    summary: str
    system: str = ""
    instruction: str = ""
    report_prompt: str | None = None
    sections: tuple[Section, ...] = ()
    quoted: Literal["before", "after"] = "before"
    absent: str = ""
    views: Views = "frontal"
    max_images: Positive | None = None
    sampling: Sampling | None = None
    report_style: Literal["report", "findings", "whole"] = "report"
    extra: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _quotes_what_it_shows(self) -> Profile:
        unknown = sorted(slots(self.report_prompt or "") - set(self.sections))
        if unknown:
            raise ValueError(f"report_prompt quotes {', '.join(unknown)}: list it under sections")
        return self

    def report(self, name: str) -> ReportProfile:
        """How a report is asked for under this profile."""
        prompt = REPORT_PROFILE.prompt if self.report_prompt is None else self.report_prompt
        return ReportProfile(
            name,
            "\n".join(text for text in (prompt, self.instruction) if text),
            sections=self.sections,
            quoted=self.quoted,
            absent=self.absent,
            system=self.system,
            views=self.views,
            max_images=self.max_images or (1 if self.views == "frontal" else None),
        )


class Card(_Table):
    """How one model is spoken to.

    Parameters
    ----------
    name : str
        File name without ``.toml``.
    title, family, licence, notes : str
    hub_id : str
        Empty for a card of no particular model, and for weights that are not on a hub.
    served : str
        What an endpoint calls it; the hub id where it is empty.
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
    served: str = ""
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
