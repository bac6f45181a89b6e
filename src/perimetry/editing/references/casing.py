"""New words in the case and spacing of the text they stand in, so that formatting alone moves no metric."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from perimetry.editing.references.kept import REPORTS
from perimetry.editing.references.layout import Layout
from perimetry.editing.references.report import ReportText

__all__ = ["Style", "in_style_of"]


_APART = re.compile(r"(?<=\w)\s+[.,](?=\s|$)")
_TIGHT = re.compile(r"(?<=[\w)])[.,](?=\s|$)")
_STOP = re.compile(r"(?<![\s.!?])\s*[.!?]+$")
# "CHF." and "XXXX" are written so everywhere: they tell nothing of the case of a text.
_LONG = re.compile(r"\b(?!XXXX|COPD\b|PICC\b|CABG\b|ARDS\b|AICD\b|LVAD\b|ECMO\b|TAVR\b)[A-Z]{4,}\b")
_COMMON = re.compile(r"\W*[A-Za-z][a-z]")


@dataclass(frozen=True, slots=True)
class Style:
    """Case and spacing of a text.

    Parameters
    ----------
    small, capital : bool
        Whether all its letters are.
    apart : bool
        Whether full stops and commas stand apart from the words, as in tokenised text.
    """

    small: bool
    capital: bool
    apart: bool

    @classmethod
    def of(cls, text: str) -> Style:
        """The style a text is in.

        Examples
        --------
        >>> Style.of("clear lungs .")
        Style(small=True, capital=False, apart=True)
        """
        letters = any(sign.isalpha() for sign in text)
        apart = len(_APART.findall(text)) > len(_TIGHT.findall(text))
        return cls(letters and text == text.lower(), len(_LONG.findall(text)) > 1 and text == text.upper(), apart)

    @classmethod
    def within(cls, text: str, whole: str) -> Style:
        """The style of a section of a report; one too short to tell its case has that of the report.

        Examples
        --------
        >>> Style.within("CHF.", "STABLE NODULE. CHF.").capital, Style.within("CHF.", "Stable nodule. CHF.").capital
        (True, False)
        """
        style = cls.of(text or whole)
        return replace(style, capital=style.capital or cls.of(whole).capital)

    @classmethod
    def moved(cls, target: str, whole: str) -> Style:
        """The style of what comes into a section from another: in capitals only where the whole report is.

        Examples
        --------
        >>> Style.moved("COPD, EMPHYSEMA, ATELECTASIS.", "COPD, EMPHYSEMA, ATELECTASIS. Stable heart.").capital
        False
        """
        return replace(cls.of(target), capital=cls.of(whole).capital)

    def cased(self, words: str) -> str:
        """Words in this case."""
        return words.lower() if self.small else words.upper() if self.capital else words

    def styled(self, words: str) -> str:
        """Words in this case and spacing.

        Examples
        --------
        >>> Style.of("clear lungs .").styled("No nodule, no mass.")
        'no nodule , no mass .'
        """
        return re.sub(r"(?<=[\w)])([.,])(?=\s|$)", r" \1", self.cased(words)) if self.apart else self.cased(words)

    def instead(self, words: str, of: str) -> str:
        """A sentence that stands for another: it begins and ends like that one.

        Examples
        --------
        >>> Style.of("Lungs: clear").instead("No nodule.", "clear")
        'no nodule'
        """
        stop, old = _STOP.search(words), _STOP.search(of)
        words = words[: stop.start()] if stop else words
        if of[:1].islower() and _COMMON.match(words):
            words = words[:1].lower() + words[1:]
        elif of[:1].isupper() or of[:1].isdigit():
            words = words[:1].upper() + words[1:]
        return self.styled(words) + (old.group() if old else "")


# The page, the table and the lines of a report ask for the same alternative.
@lru_cache(maxsize=REPORTS)
def in_style_of(alternative: ReportText, original: ReportText) -> ReportText:
    """Case and spacing of full stops and commas as in the original: all small, all capital, tokenised, or as it is.

    A sentence that stands in the original stays as it stands there.

    Examples
    --------
    >>> in_style_of(ReportText("The lungs are clear."), ReportText("no effusion . clear lungs .")).findings
    'the lungs are clear .'
    """
    kept = {each.body for name in original.sections for each in Layout.of(original.get(name)).statements}

    def styled(name: str) -> str:
        style = Style.within(original.get(name), original.text)
        layout = Layout.of(alternative.get(name))
        return replace(
            layout,
            statements=tuple(
                replace(
                    each,
                    heading=style.cased(each.heading),
                    body=each.body if each.body in kept else style.styled(each.body),
                )
                for each in layout.statements
            ),
        ).text

    return ReportText(styled("findings"), styled("impression"))
