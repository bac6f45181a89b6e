"""The only three ways in which a condition changes a case: other images, fewer parts shown, another order of options.

Every condition goes through these functions. None reads or writes `hidden` or the text of a case, so that no condition
can leak what a model must not see; the gold answer is only renamed, where its option has another label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from perimetry.cases.dataset import Case
from perimetry.cases.image import Image
from perimetry.cases.question import Question, Shown

__all__ = ["has_options", "images_of", "with_changed_images", "with_images", "with_order", "with_shown"]


def images_of(case: Case, *, options: bool = False) -> tuple[Image, ...]:
    """Images of a case in order; those of its options as well when asked for."""
    if options and isinstance(case, Question):
        return case.images + tuple(option.image for option in case.options if option.image is not None)
    return case.images


def has_options(case: Case) -> bool:
    """Whether the case is a question with options."""
    return isinstance(case, Question) and bool(case.options)


def with_images(case: Case, images: tuple[Image, ...]) -> Case:
    """The case with another image set; images of options stay."""
    return replace(case, images=images)


def with_changed_images(case: Case, change: Callable[[Image], Image], *, options: bool = False) -> Case:
    """The case with each question image changed, and each option image as well when asked for."""
    changed = replace(case, images=tuple(change(image) for image in case.images))
    if options and isinstance(changed, Question):
        return replace(
            changed,
            options=tuple(
                option if option.image is None else replace(option, image=change(option.image))
                for option in changed.options
            ),
        )
    return changed


def with_shown(case: Question, shown: Shown) -> Question:
    """The question with only those parts shown that both the case and the condition let through."""
    both = Shown(
        stem=case.shown.stem and shown.stem,
        options=case.shown.options and shown.options,
        images=case.shown.images and shown.images,
    )
    return replace(case, shown=both)


def with_order(case: Question, places: Sequence[int]) -> Question:
    """The question with its options in another order and labelled anew from the top; the key keeps its option.

    Parameters
    ----------
    case : Question
    places : sequence of int
        For every place of the new order the old place of its option.
    """
    renamed = {case.labels[place]: label for label, place in zip(case.labels, places, strict=True)}
    return replace(
        case,
        options=tuple(
            replace(case.options[place], label=label) for label, place in zip(case.labels, places, strict=True)
        ),
        answer=renamed.get(case.answer, case.answer),
        also_accepted=tuple(renamed.get(answer, answer) for answer in case.also_accepted),
    )
