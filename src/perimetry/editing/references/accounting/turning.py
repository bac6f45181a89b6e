"""Where a sentence that denies turns to something that is there, and denials of nothing."""

from __future__ import annotations

import re

__all__ = ["denies_nothing", "turned"]

_DENIAL = re.compile(r"\b(?:no|without|negative for)\b", re.IGNORECASE)
_CHANGED = r"stable|unchanged|improved|worsened|worse|increased|decreased|resolved|persists?|persistent"
# The last part of a sentence, with no "or" that would make it one more of what is denied.
_TURN = re.compile(
    r",\s+(?=(?:(?:and|but)\s+)?there (?:is|are)\b"
    r"|(?:(?:mild|moderate|severe|trace|tiny|minimal|old|healed)\w*"
    rf"|(?:[a-z-]+\s+){{0,3}}(?:{_CHANGED}))\b(?!.*\b(?:or|nor)\b))",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\bno (?:but|although|though|however|there|no|not|without|and|or|is|are)\b", re.IGNORECASE)


def turned(sentence: str) -> list[str]:
    """A sentence, cut where it denies no longer: no item of a list is mild, or unchanged.

    Examples
    --------
    >>> turned("No effusion or pneumothorax, mild cardiomegaly is present.")
    ['No effusion or pneumothorax', 'mild cardiomegaly is present.']
    >>> turned("No effusion, mild edema or pneumothorax."), turned("Effusion, stable.")
    (['No effusion, mild edema or pneumothorax.'], ['Effusion, stable.'])
    """
    denial = _DENIAL.search(sentence)
    turn = _TURN.search(sentence, denial.end()) if denial else None
    return [sentence[: turn.start()], sentence[turn.end() :]] if turn else [sentence]


def denies_nothing(original: str, alternative: str) -> str:
    """The first denial of an alternative that no noun follows, where the original has no such; empty for none.

    Examples
    --------
    >>> denies_nothing("No effusion, but edema.", "No but edema."), denies_nothing("No effusion.", "No fluid.")
    ('no but', '')
    """
    found = _NOTHING.search(alternative)
    return found.group().strip().lower() if found and not _NOTHING.search(original) else ""
