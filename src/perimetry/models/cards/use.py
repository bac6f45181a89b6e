"""A card in use: with one of its profiles, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.models.addition import PromptAddition
from perimetry.models.cards.card import Card, Profile
from perimetry.models.rendering import ImagePolicy

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

    def facts(self) -> dict[str, Any]:
        """What `Model.describe` says of it."""
        card = self.card
        return {
            "card": card.name,
            "profile": self.profile_name,
            "hub_id": card.hub_id,
            "revision": card.revision,
            "licence": card.licence,
            "profile_system": self.addition.system,
            "profile_instruction": self.addition.instruction,
            "warnings": card.warnings(self.profile_name),
        }
