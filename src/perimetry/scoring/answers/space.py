"""The answers that a question allows, prepared for matching."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from perimetry.cases.question import AnswerType, Question
from perimetry.scoring.answers.normalise import normalise, yes_or_no

__all__ = ["AnswerSpace"]


@dataclass(frozen=True)
class AnswerSpace:
    """Labels and option texts of one question; normalised forms are made when a rule first needs them.

    The gold answer is no part of it: what is extracted cannot depend on what is right.

    Parameters
    ----------
    kind : {"closed", "open", "choice"}
    labels : tuple of str
        As the question gives them; empty when there are no options.
    texts : tuple of str
        Option texts in the same order.

    Examples
    --------
    >>> AnswerSpace("choice", ("A", "B"), ("Left", "Right")).label_of("b")
    ('B', False)
    """

    kind: AnswerType
    labels: tuple[str, ...]
    texts: tuple[str, ...]
    exact: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "exact", {label: label for label in self.labels})

    @classmethod
    def of(cls, question: Question) -> AnswerSpace:
        """The answer space of a question."""
        options = question.options
        return cls(question.answer_type, tuple(o.label for o in options), tuple(o.text for o in options))

    @cached_property
    def other_case(self) -> dict[str, str]:
        """Labels in the case that the question does not use, where that is unambiguous."""
        swapped: dict[str, str] = {}
        for label in self.labels:
            other = label.swapcase()
            if other not in self.exact and other not in swapped:
                swapped[other] = label
        return swapped

    def label_of(self, token: str) -> tuple[str, bool] | None:
        """The label that a token spells and whether it has the label's own case; None if there is none."""
        label = self.exact.get(token)
        if label is not None:
            return label, True
        label = self.other_case.get(token)
        return None if label is None else (label, False)

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """Option texts stripped; where every one begins with its own label ("A: left"), without that."""
        texts = tuple(text.strip() for text in self.texts)
        without = tuple(
            re.sub(rf"^\(?{re.escape(label)}\s?[:.)]\s*", "", text)
            for label, text in zip(self.labels, texts, strict=True)
        )
        return without if all(map(operator.ne, texts, without)) else texts

    @cached_property
    def normalised(self) -> tuple[str, ...]:
        """Normalised option texts in option order; empty where an option has no text."""
        return tuple(normalise(text) for text in self.plain)

    @cached_property
    def by_plain(self) -> dict[str, str | None]:
        """Stripped option text -> label, or None when two options share the text."""
        return _unique(zip(self.plain, self.labels, strict=True))

    @cached_property
    def by_normalised(self) -> dict[str, str | None]:
        """Normalised option text (and every label of several characters) -> label, or None when two share it."""
        pairs = list(zip(self.normalised, self.labels, strict=True))
        pairs += [(normalise(label), label) for label in self.labels if len(label) > 1]
        return _unique(pairs)

    @cached_property
    def own(self) -> dict[str, str]:
        """Label -> normalised option text."""
        return dict(zip(self.labels, self.normalised, strict=True))

    @cached_property
    def polar(self) -> dict[str, str] | None:
        """``yes`` and ``no`` -> label, when the options are plain yes and no ("unclear" and the like may stand by)."""
        found: dict[str, str] = {}
        for text, label in self.by_normalised.items():
            pole = yes_or_no(text)
            if pole is not None and label is not None and found.setdefault(pole, label) != label:
                return None
        starts = [text.split(" ", 1)[0] for text in self.normalised if text]
        if len(found) != 2 or starts.count("yes") > 1 or starts.count("no") > 1:
            return None
        return found


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    table: dict[str, str | None] = {}
    for text, label in pairs:
        if text:
            table[text] = None if table.get(text, label) != label else label
    return table
