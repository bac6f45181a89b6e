"""Cards: how named models are spoken to. One TOML file each, checked when it is read."""

from perimetry.models.cards.card import Card, Environment, Profile, Sampling
from perimetry.models.cards.kind import KIND, card_of, profile_of
from perimetry.models.cards.library import card_names, load_card, load_cards, parse_card

__all__ = [
    "KIND",
    "Card",
    "Environment",
    "Profile",
    "Sampling",
    "card_names",
    "card_of",
    "load_card",
    "load_cards",
    "parse_card",
    "profile_of",
]
