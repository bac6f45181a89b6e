"""A question put to a model: visual question answering or multiple choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from perimetry.cases.digest import digest_parts
from perimetry.cases.image import Image

__all__ = ["AnswerType", "Option", "Origin", "Question", "Shown"]

AnswerType = Literal["closed", "open", "choice"]
"""``closed``: yes/no and the like; ``choice``: one of labelled options; ``open``: free text."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a multiple-choice question: a label and a text, an image, or both."""

    label: str
    text: str = ""
    image: Image | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an edited case comes from."""

    parent: str
    edit: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Which parts a condition lets through. Scoring keeps the original, rendering obeys this.

    Examples
    --------
    >>> Shown(images=False).spelling
    'stem+options'
    """

    stem: bool = True
    options: bool = True
    images: bool = True

    @property
    def spelling(self) -> str:
        """The parts that are shown, joined by ``+``."""
        return "+".join(name for name in ("stem", "options", "images") if getattr(self, name))


@dataclass(frozen=True, slots=True)
class Question:
    """One item of a VQA or multiple-choice data set.

    Parameters
    ----------
    id : str
        Unique within its data set.
    dataset : str
        Registered name of the data set.
    group : str
        What several questions share (the image, else the patient): the unit of cluster resampling.
    stem : str
        The question text. ``<image 1>`` marks say where an image belongs.
    answer : str
        The gold answer: a label for ``choice``, else text.
    answer_type : {"closed", "open", "choice"}
    options : tuple of Option, default ()
        Empty for open questions, and for yes/no questions unless the data set lists them.
    images : tuple of Image, default ()
    also_accepted : tuple of str, default ()
        Further answers that count as right (several annotators, several keys).
    shown : Shown
        What a condition lets through.
    hidden : mapping of str to str
        Source-only metadata (rationale, topic, file name). No renderer reads it.
    origin : Origin or None
        Parent and edit of an edited case.

    Examples
    --------
    >>> question = Question("1", "mine", "image-1", "Is there an effusion?", "yes", "closed")
    >>> question.shown.spelling
    'stem+options+images'
    """

    id: str
    dataset: str
    group: str
    stem: str
    answer: str
    answer_type: AnswerType
    options: tuple[Option, ...] = ()
    images: tuple[Image, ...] = ()
    also_accepted: tuple[str, ...] = ()
    shown: Shown = Shown()
    hidden: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    origin: Origin | None = None

    @property
    def digest(self) -> str:
        """Digest of everything a model could be shown; neither the gold answer nor `hidden` is part of it."""
        return self.digest_by(lambda image: image.recipe)

    def digest_by(self, recipe: Callable[[Image], str]) -> str:
        """As `digest`, with the images' recipes from a function: who digests many cases asks for each image once."""
        parts = [self.dataset, self.id, self.answer_type, self.stem, str(len(self.options))]
        for option in self.options:
            parts += [option.label, option.text, recipe(option.image) if option.image else ""]
        parts += [recipe(image) for image in self.images]
        return digest_parts(parts)

    @property
    def labels(self) -> tuple[str, ...]:
        """Option labels in order."""
        return tuple(option.label for option in self.options)

    @property
    def accepted(self) -> tuple[str, ...]:
        """Every answer that counts as right, the gold one first."""
        return (self.answer, *self.also_accepted)
