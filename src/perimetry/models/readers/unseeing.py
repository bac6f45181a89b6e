"""Readers who never look at the image: blind, random, constant and longest."""

from __future__ import annotations

from perimetry.models.readers.answers import COMMONEST, NORMAL, answer_from_words, report_of
from perimetry.models.readers.asked import Asked
from perimetry.models.readers.reader import Reader
from perimetry.models.request import Request
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.phantoms.wording import answer_words

__all__ = ["Blind", "Constant", "Longest", "Random"]

_YES_NO = (("Yes", "Yes"), ("No", "No"))


class Blind(Reader):
    """Goes by the words of the question; its report states the commonest findings."""

    def read(self, _request: Request, asked: Asked, /) -> str:
        """See the class."""
        return answer_from_words(asked, self.seed)


class Random(Reader):
    """Draws uniformly from the options, anew for every request and repeat."""

    @property
    def deterministic(self) -> bool:
        """A repeat is another draw."""
        return False

    def read(self, request: Request, asked: Asked, /) -> str:
        """See the class.

        An open answer is one of the thirteen findings; a report states each with one chance in four.
        """
        dice = Dice(self.seed, "reader/random", request.id, request.repeat)
        if asked.form == "report":
            return report_of([name for name in FINDINGS if dice.unit() < 0.25], self.seed, request.id)
        if asked.form == "open":
            return answer_words(FINDINGS[dice.below(len(FINDINGS))]).capitalize()
        options = _options(asked)
        return _written(options[dice.below(len(options))], asked)


class Constant(Reader):
    """Always takes the first option; its report is always the same normal one."""

    def read(self, _request: Request, asked: Asked, /) -> str:
        """See the class."""
        if asked.form == "report":
            return NORMAL
        if asked.form == "open":
            return answer_words(COMMONEST[0]).capitalize()
        return _written(_options(asked)[0], asked)


class Longest(Reader):
    """Takes the option with the most characters, the first of equals; its report states everything."""

    def read(self, _request: Request, asked: Asked, /) -> str:
        """See the class."""
        if asked.form == "report":
            return report_of(FINDINGS, self.seed, "")
        if asked.form == "open":
            return max((answer_words(name) for name in FINDINGS), key=len).capitalize()
        return _written(max(_options(asked), key=lambda option: len(option[1])), asked)


def _options(asked: Asked) -> tuple[tuple[str, str], ...]:
    return asked.options or _YES_NO


def _written(option: tuple[str, str], asked: Asked) -> str:
    """An option as it is answered: yes and no in words, others by label."""
    label, text = option
    return (text or label) if asked.form == "closed" else (label or text)
