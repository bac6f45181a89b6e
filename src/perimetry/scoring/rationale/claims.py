"""Visually specific claims of a sentence that the question does not make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from perimetry.scoring.rationale.lexicon import Lexicon, default_lexicon

__all__ = ["RATIONALE_VERSION", "Claim", "ClaimDetector", "claim_words", "visual_claims"]

RATIONALE_VERSION = "rationale/1"
"""Version of sentences, lexicon and rules together."""

Claim = frozenset[str]
"""Normalised claim words; a denied one begins with ``no:``. Two claims are the same when these are."""

ClaimDetector = Callable[[str, str], tuple[Claim, ...]]
"""(sentence, question stem) -> claims that the question does not make; the rule lexicon, or a judge."""

_CLAUSE = re.compile(r"[,;:()]|\b(?:but|and|while|whereas|although|with|which|because|however)\b", re.IGNORECASE)
_APPEARANCE = frozenset({"appearance", "colour"})
_WEAK = frozenset(
    {
        "normal",
        "clear",
        "intact",
        "small",
        "large",
        "multiple",
        "single",
        "abnormal",
        "preserved",
        "loss of",
        "sharp",
        "signal",
        "density",
        "smooth",
        "diffuse",
        "focal",
    }
)


def claim_words(text: str, lexicon: Lexicon | None = None) -> tuple[tuple[str, str], ...]:
    """Claim words of a text in order, each with its kind; denied ones (in their clause) begin with ``no:``.

    Examples
    --------
    >>> claim_words("No left effusion is seen")
    (('no:left', 'location'), ('no:effusion', 'finding'))
    """
    lexicon = lexicon or default_lexicon()
    found: list[tuple[str, str]] = []
    start = 0
    ends = [match.start() for match in _CLAUSE.finditer(text)]
    for end in [*ends, len(text)]:
        content = lexicon.content(text, start, end)
        denied = lexicon.negation.search(text, start, end) if content else None
        for place, concept, kind in content:
            no = denied is not None and denied.start() < place
            found.append((f"no:{concept}" if no else concept, kind))
        start = end
    return tuple(found)


def _bare(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.removeprefix("no:") for word in words)


def visual_claims(sentence: str, question_stem: str, lexicon: Lexicon | None = None) -> tuple[Claim, ...]:
    """The claim that a sentence makes about the image beyond the question: one, or none.

    A sentence claims when it says that something is seen and names content (a finding, an appearance, a colour, a
    place, a modality), or when it names a specific appearance or colour outright, unless it speaks in general
    ("typically", "can"). The claim is the set of its content words that the question does not hold; without any,
    there is none.

    Parameters
    ----------
    sentence, question_stem : str
    lexicon : Lexicon, optional
        The package's own by default.

    Returns
    -------
    tuple of frozenset of str

    Notes
    -----
    CORAL (arXiv 2607.03647), section 3.3, names the measure and leaves the detector open; this lexicon is ours.

    Examples
    --------
    >>> [sorted(claim) for claim in visual_claims("The image shows a left effusion.", "Is there an effusion?")]
    [['left']]
    >>> visual_claims("Gout typically affects the joints.", "What is it?")
    ()
    """
    lexicon = lexicon or default_lexicon()
    words = claim_words(sentence, lexicon)
    if not words:
        return ()
    sees = lexicon.seeing.search(sentence) is not None
    general = lexicon.general.search(sentence) is not None
    looks = any(kind in _APPEARANCE and word.removeprefix("no:") not in _WEAK for word, kind in words)
    if not (sees or (looks and not general)):
        return ()
    asked = _bare(word for word, _ in claim_words(question_stem, lexicon))
    novel = frozenset(word for word, _ in words if word.removeprefix("no:") not in asked)
    return (novel,) if novel else ()
