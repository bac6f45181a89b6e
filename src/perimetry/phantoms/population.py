"""A population of phantoms: studies with boxes, labels and reports, questions, and what follows from its make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from perimetry.cases.image import Image
from perimetry.cases.question import AnswerType, Question
from perimetry.cases.study import Study
from perimetry.phantoms.expectation import Expectation, expectation
from perimetry.phantoms.member import Member, member
from perimetry.phantoms.questions import choice_question, closed_question, open_question
from perimetry.phantoms.radiograph import layout
from perimetry.phantoms.report import report_sections
from perimetry.phantoms.settings import PopulationSettings
from perimetry.phantoms.source import PhantomSource
from perimetry.phantoms.vocabulary import COMPANIONS, FINDINGS, NO_FINDING

__all__ = ["DATASET", "Population", "make_question", "make_study", "members", "population"]

DATASET = "phantom"

_FORMS = MappingProxyType({"closed": closed_question, "choice": choice_question, "open": open_question})


@dataclass(frozen=True, slots=True)
class Population:
    """Phantom studies and questions with everything that is known about them.

    Attributes
    ----------
    settings : PopulationSettings
    studies : tuple of Study
    questions : tuple of Question
        Every form, closed then choice then open.
    expected : mapping of str to Expectation
        By form: the accuracies of rules that see no image.
    no_room : mapping of str to int
        How often each finding was wanted and found no room.
    company : mapping of str to float
        Share of the studies with a finding that show a companion of it as well: near 2c / (1 + c) for a finding with
        one companion and co-occurrence c, since the companion may have brought it.
    """

    settings: PopulationSettings
    studies: tuple[Study, ...]
    questions: tuple[Question, ...]
    expected: Mapping[str, Expectation] = field(hash=False)
    no_room: Mapping[str, int] = field(hash=False)
    company: Mapping[str, float] = field(hash=False)

    def of_form(self, form: AnswerType) -> tuple[Question, ...]:
        """The questions of one form."""
        return tuple(question for question in self.questions if question.answer_type == form)


def population(
    n: int = 500,
    cooccurrence: float = 0.0,
    prevalence: float = 0.05,
    textbias: float = 0.0,
    overlap: bool = False,
    seed: int = 42,
    size: int = 256,
    options: int = 4,
) -> Population:
    """Make a population of phantoms. Pictures are drawn later, when they are read.

    Half of the studies show the finding that their yes/no question asks for and half do not, for each finding alike.

    Parameters
    ----------
    n, cooccurrence, prevalence, textbias, overlap, seed, size, options
        See `PopulationSettings`.

    Returns
    -------
    Population

    Raises
    ------
    UsageError
        If a setting is out of its range.

    Examples
    --------
    >>> people = population(n=26)
    >>> people.expected["closed"].blind
    0.5
    """
    settings = PopulationSettings(n, cooccurrence, prevalence, textbias, overlap, seed, size, options)
    all_members = tuple(members(settings))
    questions = {form: tuple(make_question(settings, one, form) for one in all_members) for form in _FORMS}
    return Population(
        settings=settings,
        studies=tuple(make_study(settings, one) for one in all_members),
        questions=tuple(question for form in questions.values() for question in form),
        expected=MappingProxyType({form: expectation(group) for form, group in questions.items()}),
        no_room=MappingProxyType(dict(Counter(name for one in all_members for name in one.absent))),
        company=MappingProxyType(_company(all_members)),
    )


def members(settings: PopulationSettings) -> Iterator[Member]:
    """The members of a population, one after the other."""
    return (member(settings, number) for number in range(settings.n))


def make_study(settings: PopulationSettings, one: Member) -> Study:
    """A member as a study: one frontal image, boxes, complete labels and a template report."""
    name = _name(settings, one)
    labels = {finding: float(finding in one.places) for finding in FINDINGS}
    labels[NO_FINDING] = float(not set(one.places) - {"Support Devices"})
    return Study(
        id=name,
        dataset=DATASET,
        group=name,
        images=(_image(settings, one),),
        sections=report_sections(one.places, settings.seed, name),
        boxes=layout(one.spec, one.seed).boxes(settings.size),
        labels=labels,
    )


def make_question(settings: PopulationSettings, one: Member, form: str) -> Question:
    """The question of one form about a member."""
    return _FORMS[form](settings, one, _name(settings, one), _image(settings, one), DATASET)


def _name(settings: PopulationSettings, one: Member) -> str:
    return f"phantom-{settings.seed}-{one.number:05d}"


def _image(settings: PopulationSettings, one: Member) -> Image:
    return Image(PhantomSource(one.spec, settings.size, one.seed), view="PA")


def _company(all_members: tuple[Member, ...]) -> dict[str, float]:
    shares = {}
    for name in FINDINGS:
        having = [one for one in all_members if name in one.places]
        if having:
            shares[name] = sum(any(c in one.places for c in COMPANIONS[name]) for one in having) / len(having)
    return shares
