"""An alternative in the case and spacing of its original, so that formatting alone moves no metric."""

from __future__ import annotations

import re

from perimetry.editing.references.report import ReportText

__all__ = ["in_style_of"]

_APART = re.compile(r"(?<=\w)\s+[.,](?=\s|$)")
_TIGHT = re.compile(r"(?<=[\w)])[.,](?=\s|$)")


def in_style_of(alternative: ReportText, original: ReportText) -> ReportText:
    """Case and spacing of full stops and commas as in the original: all small, all capital, tokenised, or as it is.

    Examples
    --------
    >>> in_style_of(ReportText("The lungs are clear."), ReportText("no effusion . clear lungs .")).findings
    'the lungs are clear .'
    """
    text = original.text
    small, capital = text == text.lower(), text == text.upper() and any(sign.isalpha() for sign in text)
    apart = len(_APART.findall(text)) > len(_TIGHT.findall(text))

    def styled(part: str) -> str:
        if small:
            part = part.lower()
        elif capital:
            part = part.upper()
        return re.sub(r"(?<=[\w)])([.,])(?=\s|$)", r" \1", part) if apart else part

    return ReportText(styled(alternative.findings), styled(alternative.impression))
