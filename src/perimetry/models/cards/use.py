"""A card in use: with one of its profiles, or none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.models.addition import PromptAddition
from perimetry.models.cards.card import Card, Profile, Sampling
from perimetry.models.chat.body import ChatStyle
from perimetry.models.rendering import ImagePolicy
from perimetry.models.report_prompt import ReportProfile, render_report
from perimetry.models.request import Request

__all__ = ["CardUse"]


@dataclass(frozen=True)
class CardUse:
    """A card and the name of a profile, which may be empty.

    Raises
    ------
    UnknownNameError
        When the card has no profile of that name.
    """

    card: Card
    profile_name: str = ""

    def __post_init__(self) -> None:
        if not self.profile_name or self.profile_name in self.card.profiles:
            return
        if not self.card.profiles:
            raise UsageError(f"Card {self.card.name} has no profiles; write card:{self.card.name} alone.")
        raise UnknownNameError(f"profile of card {self.card.name}", self.profile_name, self.card.profiles)

    @property
    def profile(self) -> Profile | None:
        """The profile, or None."""
        return self.card.profiles.get(self.profile_name)

    @property
    def name(self) -> str:
        """``card:CARD`` or ``card:CARD/PROFILE``."""
        return f"card:{self.card.name}" + (f"/{self.profile_name}" if self.profile_name else "")

    @property
    def addition(self) -> PromptAddition:
        """Words that the profile adds to every prompt; none without a profile."""
        profile = self.profile
        return PromptAddition(profile.system, profile.instruction) if profile else PromptAddition()

    @property
    def policy(self) -> ImagePolicy:
        """The card's image policy, narrowed by the profile."""
        return self.card.images.policy(self.profile.max_images if self.profile else None)

    @cached_property
    def report(self) -> ReportProfile | None:
        """How reports are asked for; None without a profile, which leaves the audit's own prompt."""
        return self.profile.report(f"{self.card.name}/{self.profile_name}") if self.profile else None

    @property
    def sampling(self) -> Sampling | None:
        """How the profile has reports drawn: its own way, else the card's; None leaves the audit's."""
        return (self.profile.sampling or self.card.sampling) if self.profile else None

    @property
    def report_style(self) -> str:
        """How what the model writes is cut to its report."""
        return self.profile.report_style if self.profile else "report"

    @property
    def extra(self) -> dict[str, Any]:
        """Further fields of every request's body: the card's, and over them the profile's."""
        return {**self.card.chat.extra, **(self.profile.extra if self.profile else {})}

    def style(self, own: Mapping[str, Any], sampling: Sampling | None = None) -> ChatStyle:
        """Chat style of a request; `own` are the user's fields of the body, which win.

        Fields of a sampling go with the requests that are drawn by it (`sampling_of`).
        """
        drawn = sampling.extra if sampling else {}
        return self.card.chat.style({**self.extra, **drawn, **own})

    def sampling_of(self, request: Request) -> Sampling | None:
        """How a request is drawn: a report as the profile says, a question officially where the audit asks for that."""
        if self.report is not None and request.prompt.material is not None:
            return self.sampling
        return self.card.sampling if request.decoding.official else None

    @property
    def template_fields(self) -> dict[str, Any]:
        """What the chat template of a model in this process is told: the switches that an endpoint is sent."""
        return dict(self.extra.get("chat_template_kwargs", {}))

    def to(self, request: Request) -> Request:
        """The request as this model is put it.

        A request for a report is written anew from its material, in the profile's words, with the profile's images and
        decoding; any other keeps its prompt, with the words that the profile adds, and is drawn by the card's official
        sampling where the audit asks for that. Its id stays: it names what is asked of all models, and the run holds
        profile and sampling (`facts`).

        Raises
        ------
        CaseError
            When the study has no image that the profile may show.
        """
        material, sampling = request.prompt.material, self.sampling_of(request)
        drawn = replace(request, decoding=sampling.over(request.decoding)) if sampling else request
        if self.report is None or material is None:
            return self.addition.to(drawn)
        return replace(drawn, prompt=render_report(material, self.report))

    def facts(self) -> dict[str, Any]:
        """What `Model.describe` says of it."""
        card, report, sampling = self.card, self.report, self.sampling
        asked: dict[str, Any] = {}
        if report is not None:
            asked |= {"report_profile": report.spelling, "report_prompt": report.prompt}
            asked["report_style"] = self.report_style
        if card.sampling is not None:
            asked["official_sampling"] = json.dumps(card.sampling.model_dump(exclude_unset=True), sort_keys=True)
        if sampling is not None:
            asked["report_sampling"] = json.dumps(sampling.model_dump(exclude_unset=True), sort_keys=True)
        return {
            "card": card.name,
            "profile": self.profile_name,
            "hub_id": card.hub_id,
            "revision": card.revision,
            "licence": card.licence,
            "profile_system": self.addition.system,
            "profile_instruction": self.addition.instruction,
            **asked,
            "warnings": card.warnings(self.profile_name),
        }
