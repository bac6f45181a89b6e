"""Forms in which the same findings are written: prose, telegraphic, numbered, and with every absent finding denied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from perimetry.phantoms.dice import Dice
from perimetry.phantoms.report import STYLES, affirmation, denial
from perimetry.phantoms.vocabulary import FINDINGS, PHRASES

__all__ = ["FORMS", "drawn_report", "write_report"]

FORMS = ("prose", "telegraphic", "numbered", "negatives")
"""In ``prose`` and ``numbered`` every statement is a sentence; ``telegraphic`` has no verbs; ``negatives`` puts all
denials into one sentence."""

CLEAR = "No acute abnormality."

_TERSE = MappingProxyType(
    {
        "Enlarged Cardiomediastinum": "mediastinal widening",
        "Lung Opacity": "hazy opacity",
    }
)


def _terse(finding: str) -> str:
    """A finding in as few words as possible."""
    return _TERSE.get(finding) or PHRASES[finding].removeprefix("a ")


def _series(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def write_report(present: Mapping[str, str], denied: Sequence[str], form: str = "prose", style: int = 0) -> str:
    r"""The text of a report.

    Parameters
    ----------
    present : mapping of str to str
        CheXpert classes to state, each with its place ("" if unknown).
    denied : sequence of str
        Classes to deny; one that is present is an error of the caller.
    form : str, default "prose"
        One of `FORMS`.
    style : int, default 0
        Wording of the sentences; see `affirmation`.

    Returns
    -------
    str
        "No acute abnormality." where there is nothing to say.

    Examples
    --------
    >>> write_report({"Lung Lesion": "right upper lung"}, ["Edema"], "telegraphic")
    'Lung nodule, right upper lung. No pulmonary edema.'
    >>> write_report({"Cardiomegaly": ""}, ["Edema", "Pneumonia"], "negatives")
    'The heart is enlarged. There is no pulmonary edema or pneumonia.'
    >>> write_report({"Cardiomegaly": ""}, ["Edema"], "numbered")
    '1. The heart is enlarged.\n2. There is no pulmonary edema.'
    """
    there = [name for name in FINDINGS if name in present]
    absent = [name for name in FINDINGS if name in denied]
    if not there and not absent:
        return CLEAR
    if form == "telegraphic":
        said = [f"{', '.join(part for part in (_terse(name), present[name]) if part)}." for name in there]
        return " ".join(
            [sentence[0].upper() + sentence[1:] for sentence in said] + [f"No {_terse(n)}." for n in absent]
        )
    stated = [affirmation(name, style, present[name]) for name in there]
    if form == "negatives":
        series = [f"There is no {_series([_terse(name) for name in absent])}."] if absent else []
        return " ".join([*stated, *series])
    sentences = [*stated, *(denial(name) for name in absent)]
    if form == "numbered":
        return "\n".join(f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1))
    return " ".join(sentences)


def drawn_report(present: Sequence[str], seed: int, *parts: str) -> str:
    """A report whose form, wording and denials are drawn: the same for the same seed and parts.

    Whatever is present, the order in which absent findings would be denied stays: between two pictures of a study a
    report changes in what is seen alone.

    Parameters
    ----------
    present : sequence of str
        CheXpert classes to state.
    seed, *parts
        What form and wording are drawn from.

    Examples
    --------
    >>> drawn_report(["Edema"], 1, "a") == drawn_report(["Edema"], 1, "a")
    True
    """
    dice = Dice(seed, "reader/report", *parts)
    form, style = FORMS[dice.below(len(FORMS))], dice.below(STYLES)
    order = [name for name in dice.shuffled(FINDINGS) if name not in present]
    denied = order if form == "negatives" else order[:3]
    return write_report(dict.fromkeys(present, ""), denied, form, style)
