"""What the labeller sees in a sentence: mentions, structures, and the words that say something about them."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

__all__ = ["Event", "Kind"]


class Kind(Enum):
    """What a phrase is; the names of the cues are the keys of the lexicon's table ``cues``."""

    MENTION = 0
    """A finding or device; the number is its group of classes."""
    STRUCTURE = 1
    PREDICATE = 2
    """A way to be abnormal; the number is its place in the lexicon."""
    NORMAL = 3
    ANATOMY = 4
    """Shows that the text is about a chest; states nothing."""
    DENIED_AFTER = 10
    DENIED_BEFORE = 11
    DENIED_EITHER = 12
    NO_DENIAL = 13
    DOUBTED_AFTER = 14
    DOUBTED_BEFORE = 15
    HINTED_AFTER = 16
    PAST_AFTER = 17
    ASKED_AFTER = 18
    ASKED_BEFORE = 19
    ALTERNATIVES = 20
    CONTRASTS = 21
    TURNS = 22
    COMPANIONS = 23
    COURSES = 24
    VERBS = 25
    JOINTS = 26
    ARTICLES = 27
    COMMA = 40
    COLON = 41
    SLASH = 42
    END = 43
    """The end of a sentence."""
    SILENCE = 44
    """A heading of a part that states nothing about this image."""
    SPEECH = 45
    """A heading of a part that does."""


Event: TypeAlias = tuple[Kind, int, int, int]
"""Kind, number, first token and the token after the last."""
