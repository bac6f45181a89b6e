"""Rationale metrics as counts per item: nvcr, hvrr, rcr."""

from __future__ import annotations

import re

from perimetry.scoring.metric import Ratio
from perimetry.scoring.rationale.claims import Claim, ClaimDetector, visual_claims
from perimetry.scoring.rationale.sentences import sentences

__all__ = ["hvrr", "nvcr", "rcr", "word_set"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def word_set(text: str) -> frozenset[str]:
    """Lower-cased words of a text.

    Examples
    --------
    >>> sorted(word_set("Left lung, left base"))
    ['base', 'left', 'lung']
    """
    return frozenset(_WORD.findall(text.lower()))


def _claims(rationale: str, stem: str, detector: ClaimDetector) -> list[Claim]:
    return [claim for sentence in sentences(rationale) for claim in detector(sentence, stem)]


def nvcr(rationale: str | None, stem: str, detector: ClaimDetector = visual_claims) -> Ratio | None:
    """Novel visual claim rate: sentences with a visual claim that the question does not make, of all sentences.

    Parameters
    ----------
    rationale : str or None
        From `split_rationale`; None gives None.
    stem : str
        The question text.
    detector : callable, default `visual_claims`

    Returns
    -------
    Ratio or None
        Counts of one item; add them up for the metric (CORAL, arXiv 2607.03647, section 3.3).

    Examples
    --------
    >>> nvcr("There is a left effusion. Let me think.", "What is seen?")
    Ratio(numerator=1, denominator=2)
    """
    if rationale is None:
        return None
    found = sentences(rationale)
    return Ratio(sum(bool(detector(sentence, stem)) for sentence in found), len(found))


def hvrr(
    rationale: str | None, without_image: str | None, stem: str, detector: ClaimDetector = visual_claims
) -> Ratio | None:
    """Hallucinated visual reasoning rate: novel claims that stand again in the rationale without the image, of all.

    Two claims are the same when their normalised words are, in any order. None if either rationale is missing; the
    denominator is 0 where the rationale with the image claims nothing.

    Examples
    --------
    >>> hvrr("There is a left effusion. It is white.", "An effusion is seen on the left.", "What is it?").value
    0.5
    """
    if rationale is None or without_image is None:
        return None
    claims = _claims(rationale, stem, detector)
    standing = set(_claims(without_image, stem, detector))
    return Ratio(sum(claim in standing for claim in claims), len(claims))


def rcr(rationale: str | None, other: str | None) -> float | None:
    """Rationale change rate: 1 - Jaccard index of the word sets, 0 (same words) to 1 (none shared).

    None if either rationale is missing or neither has a word (CORAL, arXiv 2607.03647, section 3.3).

    Examples
    --------
    >>> rcr("left lung", "left base")
    0.6666666666666667
    """
    if rationale is None or other is None:
        return None
    one, two = word_set(rationale), word_set(other)
    union = len(one | two)
    return 1.0 - len(one & two) / union if union else None
