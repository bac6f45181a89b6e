"""The three questions about one member of a population."""

from __future__ import annotations

from perimetry.cases.image import Image
from perimetry.cases.question import Option, Question
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.member import Member
from perimetry.phantoms.settings import PopulationSettings
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.phantoms.wording import answer_words, choice_stem, closed_stem, open_stem

__all__ = ["YES_NO", "choice_question", "closed_question", "open_question"]

YES_NO = (Option("Yes", "Yes"), Option("No", "No"))

_LETTERS = "ABCDEF"


def _tells(share: float, number: int) -> bool:
    """Whether item `number` is among the share of items whose words tell; spread evenly, exact for every prefix."""
    return int((number + 1) * share + 1e-9) > int(number * share + 1e-9)


def _untold(share: float, number: int) -> int:
    """How many items before `number` do not tell."""
    return number - int(number * share + 1e-9)


def closed_question(settings: PopulationSettings, member: Member, study: str, image: Image, dataset: str) -> Question:
    """Is the finding there? Yes or no.

    The two questions of a pair either both have the wording of their answer, or share one wording: then one of them
    is answered rightly by it and one wrongly. So the wording is right in (1 + textbias) / 2 of all pairs' questions.
    """
    pair = member.number // 2
    block = pair // len(FINDINGS)
    leans_yes = member.truth if _tells(settings.textbias, pair) else block % 2 == 0
    return Question(
        id=f"{study}-closed",
        dataset=dataset,
        group=study,
        stem=closed_stem(member.asked, leans_yes),
        answer="Yes" if member.truth else "No",
        answer_type="closed",
        options=YES_NO,
        images=(image,),
    )


def choice_question(settings: PopulationSettings, member: Member, study: str, image: Image, dataset: str) -> Question:
    """Which of these findings is shown? The others are not in the picture."""
    count = settings.options
    dice = Dice(settings.seed, "phantom/choice", member.number)
    wrong = dice.shuffled([name for name in FINDINGS if name not in member.places])[: count - 1]
    round_, turn = divmod(member.number, count)
    position = Dice(settings.seed, "phantom/position", round_).shuffled(range(count))[turn]
    names = [*wrong[:position], member.main, *wrong[position:]]
    told = _tells(settings.textbias, member.number)
    other = _untold(settings.textbias, member.number) % count
    suspicion = member.main if told or other == 0 or not wrong else wrong[(other - 1) % len(wrong)]
    options = tuple(
        Option(label, answer_words(name).capitalize()) for label, name in zip(_LETTERS, names, strict=False)
    )
    return Question(
        id=f"{study}-choice",
        dataset=dataset,
        group=study,
        stem=choice_stem(suspicion),
        answer=_LETTERS[names.index(member.main)],
        answer_type="choice",
        options=options,
        images=(image,),
    )


def open_question(settings: PopulationSettings, member: Member, study: str, image: Image, dataset: str) -> Question:
    """Which abnormality is shown? Every finding of the picture is accepted, the main one is the gold answer."""
    told = _tells(settings.textbias, member.number)
    turn = _untold(settings.textbias, member.number)
    offset = turn % len(FINDINGS)
    suspicion = member.main if told else FINDINGS[(FINDINGS.index(member.main) + offset) % len(FINDINGS)]
    others = [name for name in member.places if name != member.main]
    accepted = [member.main.lower(), *(words for name in others for words in (answer_words(name), name.lower()))]
    gold = answer_words(member.main)
    return Question(
        id=f"{study}-open",
        dataset=dataset,
        group=study,
        stem=open_stem(suspicion),
        answer=gold,
        answer_type="open",
        images=(image,),
        also_accepted=tuple(words for words in dict.fromkeys(accepted) if words != gold),
    )
