"""Evidence tiers and dispositions of a cue in an item (MedQA-MM, sections 3.1 and F.3)."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["DISPOSITIONS", "FINAL", "TIERS", "Disposition", "Tier", "default_disposition", "stronger"]

Tier = Literal[
    "candidate",
    "shortcut-risk",
    "ablation-supported",
    "repair-supported",
    "validated repair",
    "unsafe repair",
    "clinically relevant",
]
"""
``candidate``            a screen found the cue; nobody says that a model uses it, or that it is wrong
``shortcut-risk``        an expert judges that it could help a test-wise solver
``ablation-supported``   the item is answered from the part that holds the cue, more often than by chance
``repair-supported``     taking the cue away changes what models answer
``validated repair``     an expert judges cue, edit and mitigation
``unsafe repair``        the edit that takes it away damages the item
``clinically relevant``  the cue belongs to what the item asks
"""

Disposition = Literal["keep", "keep as clinically relevant", "repair", "flag", "exclude", "residual risk"]

TIERS: tuple[Tier, ...] = get_args(Tier)
DISPOSITIONS: tuple[Disposition, ...] = get_args(Disposition)

FINAL: frozenset[Tier] = frozenset({"validated repair", "unsafe repair", "clinically relevant"})
"""What an expert decides for good: no other evidence moves a cue out of these."""

_USUAL: dict[Tier, Disposition] = {
    "candidate": "keep",
    "shortcut-risk": "flag",
    "ablation-supported": "flag",
    "repair-supported": "repair",
    "validated repair": "keep",
    "unsafe repair": "exclude",
    "clinically relevant": "keep as clinically relevant",
}


def default_disposition(tier: Tier) -> Disposition:
    """What is done with a cue of that tier unless somebody decides otherwise.

    Nothing below ``repair-supported`` is repaired or excluded by itself: cue presence is not cue use.

    Examples
    --------
    >>> default_disposition("unsafe repair")
    'exclude'
    """
    return _USUAL[tier]


def stronger(one: Tier, other: Tier) -> Tier:
    """The tier that stands when two kinds of evidence meet: a final one, else the higher one.

    Examples
    --------
    >>> stronger("ablation-supported", "shortcut-risk"), stronger("clinically relevant", "repair-supported")
    ('ablation-supported', 'clinically relevant')
    """
    if one in FINAL:
        return one
    return max(one, other, key=TIERS.index)
