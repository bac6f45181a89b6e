"""Option form: what can be told of an option without reading it for its meaning."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Sequence

from perimetry.screening.guessers.item import GuessItem, words

__all__ = ["form_tokens"]

# Indicators of MedQA-MM, Table 7, and a few of the same kind.
INDICATORS: dict[str, re.Pattern[str]] = {
    "number": re.compile(r"\d"),
    "parenthesis": re.compile(r"[(\[]"),
    "abbreviation": re.compile(r"\b[A-Z][A-Z0-9]+s?\b"),
    "absolute": re.compile(
        r"\b(?:always|never|only|all|none|every|completely|entirely|absolutely|must|cannot|exclusively)\b",
        re.IGNORECASE,
    ),
    "meta": re.compile(
        r"\b(?:all|none|both|neither|either)\s+(?:of\s+)?(?:the\s+)?(?:above|these|options)", re.IGNORECASE
    ),
    "both": re.compile(r"\bboth\b", re.IGNORECASE),
    "neither": re.compile(r"\bneither\b", re.IGNORECASE),
    "negation": re.compile(r"\b(?:no|not|non|without|absence|absent)\b", re.IGNORECASE),
    "conjunction": re.compile(r"\b(?:and|with|due\s+to|secondary\s+to)\b", re.IGNORECASE),
    "hyphen": re.compile(r"\w-\w"),
    "comma": re.compile(r","),
    "stop": re.compile(r"[.;:]\s*$"),
    "quotation": re.compile(r"[\"“”«»]"),
    "side": re.compile(r"\b(?:left|right|bilateral|unilateral)\b", re.IGNORECASE),
}
GAPS = (-60, -30, -15, -5, 0, 5, 15, 30, 60)
SHORTFALLS = (-5, 0, 5, 15, 30)
RATIOS = (-1.0, -0.5, -0.2, -0.05, 0.05, 0.2, 0.5, 1.0)
PLACES_TOLD = 10


def form_tokens(item: GuessItem) -> list[list[str]]:
    """Deterministic option metadata, one list of tokens an option.

    Place and number of options, rank and gap of its length in characters, length against the mean in characters and
    words, the indicators it has, has alone or alone lacks, and how much it shares with the other options.

    Parameters
    ----------
    item : GuessItem

    Returns
    -------
    list of list of str
        In the order of the options; stem and images have no part in them.

    Examples
    --------
    >>> item = GuessItem("d", "1", "g", "", (("A", "Cyst"), ("B", "A cyst with a long description (benign)")), ("B",))
    >>> "alone:parenthesis" in form_tokens(item)[1], "longest" in form_tokens(item)[1]
    (True, True)
    """
    texts = item.texts
    count = len(texts)
    lengths = [len(text) for text in texts]
    sizes = [len(words(text)) for text in texts]
    marked = [{name for name, pattern in INDICATORS.items() if pattern.search(text)} for text in texts]
    likeness = _likeness([frozenset(words(text)) for text in texts])
    rows = []
    for place in range(count):
        others = lengths[:place] + lengths[place + 1 :]
        tokens = [
            f"place:{min(place, PLACES_TOLD)}",
            f"last:{place == count - 1}",
            f"data:{item.dataset}|place:{min(place, PLACES_TOLD)}",
            f"longer:{sum(length > lengths[place] for length in lengths)}",
            f"shorter:{sum(length < lengths[place] for length in lengths)}",
            f"gap:{bisect_left(GAPS, lengths[place] - max(others))}",
            f"short:{bisect_left(SHORTFALLS, min(others) - lengths[place])}",
            f"letters:{_against_mean(lengths, place)}",
            f"words:{_against_mean(sizes, place)}",
            f"like:{sum(value > likeness[place] for value in likeness)}",
        ]
        if lengths[place] > max(others):
            tokens += ["longest", f"data:{item.dataset}|longest"]
        if lengths[place] < min(others):
            tokens.append("shortest")
        for name in INDICATORS:
            having = sum(name in marks for marks in marked)
            if name in marked[place]:
                tokens += [name] if having > 1 else [name, f"alone:{name}"]
            elif having == count - 1:
                tokens.append(f"lacks:{name}")
        rows.append(tokens)
    return rows


def _against_mean(sizes: Sequence[int], place: int) -> int:
    mean = sum(sizes) / len(sizes)
    return bisect_left(RATIOS, math.log((sizes[place] + 1) / (mean + 1)))


def _likeness(sets: Sequence[frozenset[str]]) -> list[float]:
    """Mean Jaccard index of each option's words with those of the others, rounded so that equal ones stay equal."""
    shares = []
    for place, own in enumerate(sets):
        others = [other for index, other in enumerate(sets) if index != place]
        total = sum(len(own & other) / max(1, len(own | other)) for other in others)
        shares.append(round(total / len(others), 9))
    return shares
