"""Matching text against option texts: exact, normalised, fuzzy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from perimetry.scoring.answers.normalise import normalise
from perimetry.scoring.answers.space import AnswerSpace

__all__ = ["CLEAR", "Match", "clauses", "fuzzy_match", "match_text", "same_text"]

CLEAR = 10.0
"""How far (in points of the 0 to 100 similarity) the best option must lie above the next."""

LONGEST = 600
"""Characters of a candidate that are compared; option texts of the known data sets are shorter."""

_CUT = re.compile(
    r"[;!?\n]|[.,:](?=\s)|\s[-(]|\b(?:because|since|due to|based on|given|which|rather than|instead of|is the|is)\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s*(?:,\s*(?:and|or)\b|,|/|\band/or\b|\band\b|\bor\b|\bversus\b|\bvs\b)\s*", re.IGNORECASE)
_CRITICAL = re.compile(
    r"(?<!\S)(?:left|right|no|not|non|without|absent|present|normal|abnormal|increased?|decreased?|elevated|reduced|upper|lower|"
    r"anterior|posterior|superior|inferior|medial|lateral|proximal|distal|unilateral|bilateral|positive|negative|benign|"
    r"malignant|acute|chronic|small|large|high|low|all|none|some|only|[a-z]|[ivx]+|hyper\w*|hypo\w*|intra\w*|extra\w*|inter\w*|\S*\d\S*)(?!\S)"
)


@dataclass(frozen=True, slots=True)
class Match:
    """An option that a text names: its label, and how: ``exact``, ``normalised`` or ``fuzzy``."""

    label: str
    how: str


def clauses(text: str) -> Iterator[str]:
    """The text, then its beginnings up to each clause end, longest first, at most eight.

    Examples
    --------
    >>> list(clauses("left lung, because it is dark"))
    ['left lung, because it is dark', 'left lung, because it', 'left lung,', 'left lung']
    """
    text = text[:LONGEST]
    yield text
    cuts = [found.start() for _, found in zip(range(8), _CUT.finditer(text), strict=False) if found.start()]
    for cut in reversed(cuts):
        yield text[:cut].rstrip()


def _critical(normalised: str) -> list[str]:
    return sorted(_CRITICAL.findall(normalised))


def fuzzy_match(normalised: str, space: AnswerSpace, threshold: float) -> str | None:
    """Label of the one option whose normalised text is similar enough, else None.

    Similarity is the normalised indel similarity of rapidfuzz (0 to 100). It must be above `threshold`, `CLEAR` points
    above that of every other option, and must not bridge a different number, side, sign or degree: those words have
    to agree.

    Examples
    --------
    >>> space = AnswerSpace("choice", ("A", "B"), ("Simple cubodial", "Simple columnar"))
    >>> fuzzy_match("simple cuboidal", space, 90.0)
    'A'
    """
    if len(normalised) < 4:
        return None
    size = len(normalised)
    if not any(200.0 * min(size, len(text)) > threshold * (size + len(text)) for text in space.normalised):
        return None  # lengths alone rule every option out
    from rapidfuzz.fuzz import ratio

    scores = [ratio(normalised, text) if text else 0.0 for text in space.normalised]
    best = max(range(len(scores)), key=scores.__getitem__, default=None)
    if best is None or scores[best] <= threshold:
        return None
    if any(scores[best] - score < CLEAR for index, score in enumerate(scores) if index != best):
        return None
    if _critical(normalised) != _critical(space.normalised[best]):
        return None
    return space.labels[best]


def match_text(text: str, space: AnswerSpace, threshold: float | None = 90.0, prefix: bool = False) -> Match | None:
    """The unique option that a text names as a whole.

    With `prefix`, a beginning of the text up to a clause end may name it too ("left lung, because ..."). Without a
    `threshold` similar texts do not count.
    """
    stripped = text.strip()
    label = space.by_plain.get(stripped)
    if label is not None:
        return Match(label, "exact")
    for candidate in clauses(stripped) if prefix else (stripped[:LONGEST],):
        normalised = normalise(candidate)
        label = space.by_normalised.get(normalised)
        if label is not None:
            return Match(label, "normalised")
        label = None if threshold is None else fuzzy_match(normalised, space, threshold)
        if label is not None:
            return Match(label, "fuzzy")
    return None


def named_together(text: str, space: AnswerSpace) -> bool:
    """Whether the first clause of a text joins two or more different options ("pneumonia or effusion")."""
    found: set[str] = set()
    for part in _JOIN.split(re.split(r"[.;:!?\n](?=\s|$)", text[:LONGEST], maxsplit=1)[0])[:8]:
        label = space.by_normalised.get(normalise(part))
        if label is not None:
            found.add(label)
    return len(found) > 1


def same_text(text: str, label: str, space: AnswerSpace) -> bool:
    """Whether a text, or its beginning up to a clause end, is the text of this option."""
    own = space.own[label]
    if not own:
        return False
    for candidate in clauses(text):
        normalised = normalise(candidate)
        if normalised == own:
            return True
        if len(normalised) < len(own) * 0.8:
            break
        if space.by_normalised.get(normalised) is None and fuzzy_match(normalised, space, 90.0) == label:
            return True
    whole = normalise(text[:LONGEST])
    return (
        whole.startswith(own + " ")
        and len(own) > 3
        and not any(
            other != own and len(other) > len(own) and (whole + " ").startswith(other + " ")
            for other in space.normalised
        )
    )
