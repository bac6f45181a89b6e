"""An item as the screens see it: what a prompt shows, and the key apart from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from perimetry.cases import AnswerType, Image, Question
from perimetry.screening.words import Word, fold, folded, is_english, visible, words

__all__ = ["Choice", "Item"]


@dataclass(frozen=True)
class Choice:
    """One option.

    Parameters
    ----------
    label, text : str
        As the data set has them.
    image : bool, default False
        Whether the option shows an image.
    """

    label: str
    text: str
    image: bool = False

    @cached_property
    def visible(self) -> str:
        """The text without markup."""
        return visible(self.text)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Words with their places in `text`."""
        return words(self.text)

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """Words in lower case without plural endings."""
        return folded(self.words)

    @property
    def characters(self) -> int:
        """Visible characters."""
        return len(self.visible)

    @property
    def length(self) -> int:
        """Visible words, divided by blanks."""
        return len(self.visible.split())


@dataclass(frozen=True)
class Item:
    """What a screen looks at.

    Screens of option cues do not read `keys`: they say which options carry the cue, and whether the key is among them
    is counted by who called them.

    Parameters
    ----------
    id, dataset, group, stem : str
    kind : {"closed", "open", "choice"}
    options : tuple of Choice
    keys : frozenset of str
        Labels of the options that count as right; texts where there are no options.
    images : tuple of Image
        Of the question; options' images are not among them.

    Examples
    --------
    >>> from perimetry.cases import Option
    >>> item = Item.of(Question("1", "mine", "g", "Why?", "A", "choice", (Option("A", "so"), Option("B", "thus"))))
    >>> item.comparable, [option.characters for option in item.options]
    (True, [2, 4])
    """

    id: str
    dataset: str
    group: str
    stem: str
    kind: AnswerType
    options: tuple[Choice, ...] = ()
    keys: frozenset[str] = frozenset()
    images: tuple[Image, ...] = ()

    @classmethod
    def of(cls, question: Question) -> Item:
        """The item of a question; `hidden` stays where it is."""
        options = tuple(Choice(option.label, option.text, option.image is not None) for option in question.options)
        return cls(
            question.id,
            question.dataset,
            question.group,
            question.stem,
            question.answer_type,
            options,
            frozenset(question.accepted),
            question.images,
        )

    @cached_property
    def stem_lower(self) -> str:
        """The stem in lower case."""
        return self.stem.lower()

    @cached_property
    def stem_words(self) -> tuple[Word, ...]:
        """Words of the stem with their places."""
        return words(self.stem)

    @cached_property
    def stem_folded(self) -> tuple[str, ...]:
        """Words of the stem in lower case without plural endings."""
        return folded(self.stem_words)

    @cached_property
    def stem_places(self) -> dict[str, Word]:
        """The first place of every folded word of the stem."""
        found: dict[str, Word] = {}
        for word in self.stem_words:
            found.setdefault(fold(word.lower), word)
        return found

    @cached_property
    def english(self) -> bool:
        """Whether word lists in English apply."""
        text = " ".join((self.stem, *(option.text for option in self.options)))
        return is_english(text, (*self.stem_words, *(word for option in self.options for word in option.words)))

    @cached_property
    def unusable(self) -> str:
        """Why the options cannot be compared with one another, or nothing.

        Options that show an image are compared by nothing that a text screen sees.
        """
        if self.kind != "choice":
            return f"{self.kind} question: it has no labelled options"
        if len(self.options) < 2:
            return f"{len(self.options)} option: at least two were expected"
        if any(not option.visible for option in self.options):
            return "an option without text (an image, or nothing)"
        if not self.key_labels:
            return "no option is the key"
        return ""

    @property
    def comparable(self) -> bool:
        """Whether screens of option cues apply."""
        return not self.unusable

    @cached_property
    def key_labels(self) -> tuple[str, ...]:
        """Labels of the keys, in the order of the options."""
        return tuple(option.label for option in self.options if option.label in self.keys)
