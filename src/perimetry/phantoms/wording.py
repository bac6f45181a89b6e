"""The words of phantom questions, and what can be read from them without an image.

A yes/no question comes in two wordings, one of which leans towards yes and one towards no. Questions of the other two
forms carry an indication that suspects a finding. How often these tell the truth is the population's `textbias`.
"""

from __future__ import annotations

import re

from perimetry.phantoms.vocabulary import PHRASES, mentioned

__all__ = ["answer_words", "choice_stem", "closed_stem", "leaning", "open_stem", "suspected"]

_LEANS_YES = "Does this radiograph show {phrase}?"
_LEANS_NO = "Is there any evidence of {phrase}?"
_INDICATION = "Indication: suspected {words}."
_SUSPECTED = re.compile(r"suspected ([^.]+)\.", re.IGNORECASE)


def answer_words(finding: str) -> str:
    """A finding as an answer or an option calls it, without article.

    Examples
    --------
    >>> answer_words("Lung Lesion")
    'lung nodule'
    """
    return PHRASES[finding].removeprefix("a ")


def closed_stem(finding: str, leans_yes: bool) -> str:
    """A yes/no question in one of its two wordings."""
    return (_LEANS_YES if leans_yes else _LEANS_NO).format(phrase=PHRASES[finding])


def choice_stem(suspicion: str) -> str:
    """A multiple-choice question whose indication suspects a finding."""
    return f"{_INDICATION.format(words=answer_words(suspicion))} Which of these findings is shown?"


def open_stem(suspicion: str) -> str:
    """An open question whose indication suspects a finding."""
    return f"{_INDICATION.format(words=answer_words(suspicion))} Which abnormality is shown?"


def leaning(stem: str) -> bool:
    """Whether the wording of a yes/no question leans towards yes; any wording but the second one does.

    Examples
    --------
    >>> leaning("Is there any evidence of cardiomegaly?")
    False
    """
    return not stem.strip().lower().startswith("is there any evidence of")


def suspected(stem: str) -> str | None:
    """The finding that a question's indication suspects, if it has one.

    Examples
    --------
    >>> suspected("Indication: suspected pneumonia. Which abnormality is shown?")
    'Pneumonia'
    """
    match = _SUSPECTED.search(stem)
    found = mentioned(match.group(1)) if match else ()
    return found[0] if found else None
