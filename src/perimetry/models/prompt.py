"""From a question as a condition shows it to the prompt that every model of an audit is given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from perimetry.cases.digest import digest_parts
from perimetry.cases.image import Image
from perimetry.cases.question import Question
from perimetry.models.request import ImagePart, Part, Prompt, TextPart

__all__ = ["COUNTERFACTUAL_PROFILE", "PromptProfile", "render_question"]

_MARK = re.compile(r"<image[ _]?(\d+)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PromptProfile:
    """The words an audit puts around a question: one profile for all models, as CORAL section 3.5 demands.

    Parameters
    ----------
    name : str
        Name and version; part of every request's identity together with the words themselves.
    instructions : mapping of str to str
        What is asked for, by answer type: ``closed``, ``choice``, ``open``; ``listed`` for a closed question
        whose possible answers are listed.
    options_heading : str
        Line above the options.
    system : str, default ""
        System text; empty for none, since not every chat template takes one.
    """

    name: str
    instructions: Mapping[str, str] = field(default_factory=dict)
    options_heading: str = "Options:"
    system: str = ""

    @property
    def spelling(self) -> str:
        """Name and a digest of the words: a changed word is another request."""
        words = [self.options_heading, self.system]
        for key in sorted(self.instructions):
            words += [key, self.instructions[key]]
        return f"{self.name}#{digest_parts(words)[:12]}"

    def instruction(self, question: Question) -> str:
        """The instruction for this kind of question."""
        if question.answer_type == "closed" and question.options:
            return self.instructions["listed"]
        return self.instructions[question.answer_type]


COUNTERFACTUAL_PROFILE = PromptProfile(
    name="counterfactual/1",
    instructions={
        "choice": 'Choose one option. End with a line "Answer: X", where X is the label of your option.',
        "listed": 'Choose one of the listed answers. End with a line "Answer: X", where X is your choice.',
        "closed": 'This question has a one-word answer, most often yes or no. End with a line "Answer: X".',
        "open": 'Answer in as few words as possible. End with a line "Answer: X".',
    },
)
"""The counterfactual audit's profile: one form of words for closed, multiple-choice and open questions."""


def _interleave(text: str, images: Sequence[Image], used: set[int], shown: bool) -> Iterator[Part]:
    """Split text at its image marks; a mark becomes its image where images are shown, and vanishes otherwise."""
    position = 0
    buffer = ""
    for match in _MARK.finditer(text):
        buffer += text[position : match.start()]
        position = match.end()
        index = int(match.group(1)) - 1
        if shown and 0 <= index < len(images):
            if buffer.strip():
                yield TextPart(buffer.strip())
            buffer = ""
            used.add(index)
            yield ImagePart(images[index])
    buffer += text[position:]
    if buffer.strip():
        yield TextPart(_tidy(buffer))


def _tidy(text: str) -> str:
    """Text without image marks and without the double spaces that they leave."""
    return re.sub(r"[ \t]{2,}", " ", _MARK.sub(" ", text)).strip()


def render_question(question: Question, profile: PromptProfile) -> Prompt:
    """Build the prompt of a question, obeying `Question.shown`.

    Images that the stem marks (``<image 1>``) stand where they are marked; all others come first. Where a
    condition hides the images, no image part is made at all, option images included, and the marks leave the
    text. `Question.hidden`, the gold answer and the group are never read.

    Parameters
    ----------
    question : Question
        As the condition shows it.
    profile : PromptProfile

    Returns
    -------
    Prompt

    Examples
    --------
    >>> question = Question("1", "mine", "g", "Is <image 1> normal?", "yes", "closed")
    >>> render_question(question, COUNTERFACTUAL_PROFILE).text.splitlines()[0]
    'Is normal?'
    """
    shown = question.shown
    used: set[int] = set()
    body: list[Part] = []
    if shown.stem:
        body += _interleave(question.stem, question.images, used, shown.images)
    if shown.options and question.options:
        body.append(TextPart(profile.options_heading))
        listed = question.answer_type == "closed"
        for option in question.options:
            text = _tidy(option.text)
            line = text if listed and text.lower() == option.label.lower() else f"{option.label}. {text}".rstrip()
            body.append(TextPart(line))
            if option.image is not None and shown.images:
                body.append(ImagePart(option.image))
    body.append(TextPart(profile.instruction(question)))
    leading: list[Part] = []
    if shown.images:
        leading = [ImagePart(image) for index, image in enumerate(question.images) if index not in used]
    return Prompt(
        parts=_merge([*leading, *body]),
        system=profile.system,
        question=_tidy(question.stem) if shown.stem else "",
        options=tuple((option.label, option.text) for option in question.options) if shown.options else (),
        answer_type=question.answer_type,
    )


def _merge(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Join neighbouring text parts by line breaks, so that a prompt has as few parts as it needs."""
    merged: list[Part] = []
    for part in parts:
        if isinstance(part, TextPart) and merged and isinstance(merged[-1], TextPart):
            merged[-1] = TextPart(f"{merged[-1].text}\n{part.text}")
        else:
            merged.append(part)
    return tuple(merged)
