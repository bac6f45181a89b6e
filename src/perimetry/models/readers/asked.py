"""What a request asks for, as a reader understands it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from perimetry.models.request import Prompt
from perimetry.phantoms.vocabulary import mentioned

__all__ = ["Asked", "Form", "understood"]

Form = Literal["closed", "choice", "open", "report"]

_POLAR = re.compile(r"^(is|are|was|were|do|does|did|has|have|can|could|should|would)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without its image.

    Attributes
    ----------
    form : {"closed", "choice", "open", "report"}
    text : str
        The question; empty if it is not shown.
    findings : tuple of str
        CheXpert classes that the question names.
    options : tuple of (label, text)
        Empty if there are none or none are shown.
    """

    form: Form
    text: str
    findings: tuple[str, ...]
    options: tuple[tuple[str, str], ...]


def understood(prompt: Prompt) -> Asked:
    """Read the fields of a prompt; what is not shown is empty, and no combination of empty fields is an error.

    A choice without options is answered like an open question, a prompt that asks nothing like a report.
    """
    text = prompt.question.strip()
    return Asked(_form(prompt, text), text, mentioned(text), prompt.options)


def _form(prompt: Prompt, text: str) -> Form:
    if prompt.answer_type == "closed":
        return "closed"
    if prompt.answer_type == "report":
        return "report"
    if prompt.options:
        return "choice"
    if not prompt.answer_type and _POLAR.match(text):
        return "closed"
    return "open" if text or prompt.answer_type else "report"
