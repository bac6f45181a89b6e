"""What a guesser may see of a multiple-choice item, and which items it can be asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from perimetry.cases.errors import CaseError
from perimetry.cases.funnel import Funnel
from perimetry.cases.question import Question
from perimetry.screening.content import content_digest

__all__ = ["GuessItem", "guess_item", "guess_items", "marks_images", "plain", "words"]

_IMAGE_MARK = re.compile(r"<\s*image\s*\d*\s*>", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Lower-case words and numbers of any script.

    Examples
    --------
    >>> words("Left-sided T2 lesion")
    ['left', 'sided', 't2', 'lesion']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def plain(text: str) -> str:
    """A text as identities are compared: its words, joined by single blanks.

    Examples
    --------
    >>> plain("  What is THIS? ") == plain("what is this")
    True
    """
    return " ".join(words(text))


def marks_images(text: str) -> bool:
    """Whether a text has a mark where an image belongs.

    Examples
    --------
    >>> marks_images("See <image 1>."), marks_images("See the image.")
    (True, False)
    """
    return _IMAGE_MARK.search(text) is not None


@dataclass(frozen=True, slots=True)
class GuessItem:
    """A multiple-choice item without its pixels.

    Parameters
    ----------
    dataset, id, group : str
    stem : str
        Without image marks; may be empty.
    options : tuple of (label, text)
        At least two, each with a text.
    keys : tuple of str
        Labels that count as right, in the order of the options; at least one, and not all.
    images : tuple of str
        Content digests of all images. No guesser reads them: they say which items must not be parted.
    pictures : int
        Images that the item has, those of its options among them; a mark in its text is no image.
    content : str
        `content_digest` of the item as the data set has it; no guesser reads it.

    Examples
    --------
    >>> item = GuessItem("mine", "1", "1", "What is shown?", (("A", "Pneumonia"), ("B", "Effusion")), ("B",))
    >>> item.chance, item.places
    (0.5, (1,))
    """

    dataset: str
    id: str
    group: str
    stem: str
    options: tuple[tuple[str, str], ...]
    keys: tuple[str, ...]
    images: tuple[str, ...] = ()
    pictures: int = 0
    content: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Option texts in order."""
        return tuple(text for _, text in self.options)

    @property
    def places(self) -> tuple[int, ...]:
        """Positions of the keys among the options."""
        return tuple(place for place, (label, _) in enumerate(self.options) if label in self.keys)

    @property
    def chance(self) -> float:
        """Share of the options that are keys: 1/K for one key among K options."""
        return len(self.keys) / len(self.options)


def guess_item(question: Question) -> GuessItem:
    """Read an item without its pixels.

    Parameters
    ----------
    question : Question

    Returns
    -------
    GuessItem

    Raises
    ------
    CaseError
        Says why no guesser can be asked: no options, one option, an option without text, no usable key.

    Examples
    --------
    >>> from perimetry.cases import Option
    >>> options = (Option("A", "Cyst"), Option("B", "Abscess"))
    >>> guess_item(Question("1", "mine", "g", "What is it? <image 1>", "B", "choice", options)).stem
    'What is it?'
    """
    if not question.options:
        raise CaseError("no options")
    if len(question.options) == 1:
        raise CaseError("a single option")
    if any(not option.text.strip() for option in question.options):
        raise CaseError("an option without text")
    if len(set(question.labels)) < len(question.labels):
        raise CaseError("two options of one label")
    # A closed question that lists its options has its answer as a text.
    by_text = {} if question.answer_type == "choice" else {plain(it.text): it.label for it in question.options}
    accepted = {by_text.get(plain(answer), answer) for answer in question.accepted}
    keys = tuple(label for label in question.labels if label in accepted)
    if not keys:
        raise CaseError("the key is none of the options")
    if len(keys) == len(question.options):
        raise CaseError("every option is a key")
    pictures = [*question.images, *(option.image for option in question.options if option.image is not None)]
    return GuessItem(
        dataset=question.dataset,
        id=question.id,
        group=question.group,
        stem=" ".join(_IMAGE_MARK.sub(" ", question.stem).split()),
        options=tuple((option.label, option.text.strip()) for option in question.options),
        keys=keys,
        images=tuple(dict.fromkeys(image.digest for image in pictures)),
        pictures=len(pictures),
        content=content_digest(question.stem, [(it.label, it.text) for it in question.options], question.accepted),
    )


def guess_items(questions: Iterable[Question], funnel: Funnel) -> tuple[GuessItem, ...]:
    """Read every item that a guesser can be asked, in the order of data set and id; others are counted in the funnel.

    Examples
    --------
    >>> funnel = Funnel("mine")
    >>> guess_items([Question("1", "mine", "g", "Why?", "so", "open")], funnel)
    ()
    >>> funnel.steps[0].reason
    'no options'
    """
    found = []
    for question in questions:
        funnel.enter()
        try:
            found.append(guess_item(question))
        except CaseError as reason:
            funnel.leave_out(str(reason), question.id)
    return tuple(sorted(found, key=lambda item: (item.dataset, item.id)))
