"""What a baseline sees of a question: the parts that a condition shows, and in training the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.image import Image
from perimetry.cases.question import Question
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE, render_question
from perimetry.models.request import Prompt

__all__ = ["Example", "Item", "item_of", "normal", "training_examples"]

_SPACE = re.compile(r"\s+")


def normal(text: str) -> str:
    """Lower case, single blanks, no closing full stop: one spelling for one answer.

    Examples
    --------
    >>> normal(" Yes. ")
    'yes'
    """
    return _SPACE.sub(" ", text).strip().rstrip(".").strip().lower()


@dataclass(frozen=True, slots=True)
class Item:
    """A question as it is shown.

    Parameters
    ----------
    answer_type : str
    text : str
        The stem, empty where it is hidden.
    options : tuple of (label, text)
        Empty where there are none, or where they are hidden.
    images : tuple of Image
        Empty where they are hidden.
    """

    answer_type: str
    text: str
    options: tuple[tuple[str, str], ...] = ()
    images: tuple[Image, ...] = ()

    @property
    def option_set(self) -> tuple[str, ...]:
        """Normalised option texts, sorted: which options there are, not where they stand."""
        return tuple(sorted(normal(text or label) for label, text in self.options))


@dataclass(frozen=True, slots=True)
class Example:
    """An item of the training split and its answer: a label for ``choice``, else a text."""

    item: Item
    answer: str


def item_of(prompt: Prompt, *, with_images: bool) -> Item:
    """What a baseline reads of a prompt; without images nothing of them is touched."""
    return Item(prompt.answer_type, prompt.question, prompt.options, prompt.images if with_images else ())


def training_examples(questions: Sequence[Question], *, with_images: bool) -> list[Example]:
    """Training questions rendered the way test questions are, with their answers."""
    return [
        Example(item_of(render_question(question, COUNTERFACTUAL_PROFILE), with_images=with_images), question.answer)
        for question in questions
    ]
