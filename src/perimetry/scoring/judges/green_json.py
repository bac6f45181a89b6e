"""Reads the JSON that the prompt of ``green_judge`` asks for."""

from __future__ import annotations

from typing import Any

from perimetry.scoring.judges.green_counts import CATEGORIES, GreenCounts, judged
from perimetry.scoring.judges.judgement import Missing, UnreadableAnswerError
from perimetry.scoring.judges.loose_json import listed, read_object, unreadable

__all__ = ["read_green_json"]

_SIGNIFICANCE = {"significant": True, "minor": False}


def read_green_json(text: str) -> GreenCounts | Missing:
    """Counts of the lists ``matched`` and ``errors``: the judge names items, the counting is done here.

    An item that is listed twice counts once. A list that is lost, an unknown category or an unknown significance
    make the answer missing: what weighs how much is not guessed.

    Parameters
    ----------
    text : str
        The answer, without thinking; the object may stand in prose or in a code fence.

    Examples
    --------
    >>> error = '{"category": "false_finding", "significance": "significant", "text": "nodule"}'
    >>> read_green_json(f'{{"matched": [{{"reference": "effusion"}}], "errors": [{error}]}}').value
    0.5
    """
    try:
        answer = read_object(text, ("matched", "errors"))
        matched = {_text(item, "reference", "matched") for item in listed(answer, "matched")}
        errors = {_error(item) for item in listed(answer, "errors")}
    except UnreadableAnswerError as error:
        return unreadable(text, error)
    significant = [category for category, counts, _ in errors if counts]
    return judged(GreenCounts(len(matched), tuple(significant.count(category) for category in CATEGORIES)))


def _error(item: Any) -> tuple[str, bool, str]:
    said = _text(item, "text", "errors")
    category = _word(item.get("category")) if isinstance(item, dict) else ""
    significance = _word(item.get("significance")) if isinstance(item, dict) else ""
    if category not in CATEGORIES:
        raise UnreadableAnswerError("an error without a known category")
    if significance not in _SIGNIFICANCE:
        raise UnreadableAnswerError("an error without a known significance")
    return category, _SIGNIFICANCE[significance], said


def _text(item: Any, key: str, section: str) -> str:
    said = item.get(key) if isinstance(item, dict) else item
    folded = " ".join(said.casefold().split()).strip(" .") if isinstance(said, str) else ""
    if not folded:
        raise UnreadableAnswerError(f"an item without words in section {section!r}")
    return folded


def _word(value: Any) -> str:
    return "_".join(value.lower().replace("-", " ").split()) if isinstance(value, str) else ""
