"""How scores, or the words of a question alone, become an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping

from perimetry.models.readers.asked import Asked
from perimetry.phantoms.report_form import drawn_report
from perimetry.phantoms.vocabulary import FINDINGS, mentioned
from perimetry.phantoms.wording import answer_words, leaning, suspected

__all__ = ["COMMONEST", "NORMAL", "answer_from_scores", "answer_from_words", "report_of"]

COMMONEST = ("Pleural Effusion", "Atelectasis", "Lung Opacity")
"""What a reader reports who has not looked: the commonest findings of hospital reports."""

NORMAL = "No acute abnormality."

_NONE_OF_THESE = re.compile(r"\b(none of|no (?:acute )?(?:finding|abnormalit)|normal)", re.IGNORECASE)


def answer_from_scores(asked: Asked, scores: Mapping[str, float], seed: int, case: str) -> str:
    """The answer of a reader who goes by scores (above 0: the finding is there).

    Where the question names no finding that the scores know, its words decide.

    Parameters
    ----------
    asked : Asked
    scores : mapping of str to float
    seed, case
        What the style of a report is drawn from.
    """
    if asked.form == "report":
        return report_of([name for name in FINDINGS if scores[name] > 0.0], seed, case)
    if asked.form == "closed":
        if not asked.findings:
            return answer_from_words(asked, seed)
        return _polar(asked, any(scores[name] > 0.0 for name in asked.findings))
    best = max(FINDINGS, key=lambda name: scores[name])
    if asked.form == "open":
        return answer_words(best).capitalize() if scores[best] > 0.0 else NORMAL
    return _chosen(asked, scores) or answer_from_words(asked, seed)


def answer_from_words(asked: Asked, seed: int) -> str:
    """The answer of a reader who goes by the question's words: a wording that leans, or a suspicion.

    It depends on nothing but the shown text; of a report nothing is shown, so that the commonest findings are stated.
    """
    if asked.form == "report":
        return report_of(COMMONEST, seed, "")
    if asked.form == "closed":
        return _polar(asked, leaning(asked.text))
    suspicion = suspected(asked.text)
    if asked.form == "open":
        return answer_words(suspicion or COMMONEST[0]).capitalize()
    for label, text in asked.options:
        if suspicion is not None and suspicion in mentioned(text):
            return label or text
    label, text = asked.options[0]
    return label or text


def report_of(present: list[str] | tuple[str, ...], seed: int, case: str) -> str:
    """A report that states some findings and denies others, in a form that is the case's own under every condition."""
    return drawn_report(present, seed, case)


def _polar(asked: Asked, yes: bool) -> str:
    """Yes or no, in the words of the options where these say so."""
    wanted = "yes" if yes else "no"
    for _, text in asked.options:
        if text.strip().lower() == wanted:
            return text.strip()
    return wanted.capitalize()


def _chosen(asked: Asked, scores: Mapping[str, float]) -> str | None:
    """The option whose finding is seen best; "none of these" if there is such an option and nothing is seen."""
    rated = [
        (max((scores[name] for name in mentioned(text)), default=float("-inf")), label or text)
        for label, text in asked.options
    ]
    best, answer = max(rated, key=lambda pair: pair[0])
    if best > 0.0:
        return answer
    return next((label or text for label, text in asked.options if _NONE_OF_THESE.search(text)), None)
