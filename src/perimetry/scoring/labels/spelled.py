"""The labeller that an option names: ``rules`` or ``chexbert:WEIGHTS``."""

from __future__ import annotations

from perimetry.cases.errors import UsageError
from perimetry.scoring.labels.chexbert import ChexbertF1, read_chexbert
from perimetry.scoring.labels.f1 import LabelF1
from perimetry.scoring.labels.f1_rules import RulesF1

__all__ = ["labeller_name", "make_labeller"]

PARAMETERS = ("tokenizer", "device", "batch")


def make_labeller(spelling: str, option: str = "labeller") -> LabelF1:
    """The labeller of a spelling; opens nothing.

    Parameters
    ----------
    spelling : str
        ``rules``, or ``chexbert:WEIGHTS[,tokenizer=PATH_OR_ID][,device=cpu][,batch=32]``.
    option : str, default "labeller"
        What a message calls the option.

    Raises
    ------
    UsageError
        For any other spelling, and for parameters that it does not take.

    Examples
    --------
    >>> make_labeller("rules").info.name
    'f1_rules'
    """
    if spelling == "rules":
        return RulesF1()
    name, _, rest = spelling.partition(":")
    if name != "chexbert" or not rest:
        raise UsageError(f"{option} is {spelling!r}; expected rules or chexbert:WEIGHTS.")
    weights, *more = rest.split(",")
    parameters = {"weights": weights}
    for part in more:
        key, equals, value = part.partition("=")
        if not equals or key.strip() not in PARAMETERS:
            raise UsageError(
                f"{option} has {part!r}; expected chexbert:WEIGHTS[,tokenizer=PATH_OR_ID][,device=cpu][,batch=32]."
            )
        parameters[key.strip()] = value.strip()
    return ChexbertF1(read_chexbert(option, parameters))


def labeller_name(spelling: str) -> str:
    """What tables call it.

    Examples
    --------
    >>> labeller_name("rules"), labeller_name("chexbert:/weights/chexbert.pth")
    ('rule labeller', 'CheXbert')
    """
    return "rule labeller" if spelling == "rules" else "CheXbert"
