"""Parameters that every F1 of labels takes, read from a metric's spelling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from perimetry.cases.errors import UsageError
from perimetry.scoring.labels.classes import classes_of
from perimetry.scoring.labels.table import Uncertain

__all__ = ["LABEL_PARAMETERS", "Average", "LabelOptions", "read_label_options"]

Average = Literal["micro", "macro", "weighted"]

LABEL_PARAMETERS = ("average=micro", "classes=14", "uncertain=negative")
"""The parameters with their defaults, as `MetricKind.parameters` lists them."""


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How labels become one F1.

    Parameters
    ----------
    average : {"micro", "macro", "weighted"}, default "micro"
        Counts summed over classes; mean of the classes' F1; that mean weighted by the references' positives.
    classes : {"14", "13", "5"}, default "14"
        All, all but No Finding, or the five of the CheXpert competition.
    uncertain : {"negative", "positive"}, default "negative"
        What an uncertain label counts as, in hypothesis and reference alike.

    Raises
    ------
    UsageError
        For any other value.
    """

    average: Average = "micro"
    classes: str = "14"
    uncertain: Uncertain = "negative"

    def __post_init__(self) -> None:
        _one_of("average", self.average, get_args(Average))
        _one_of("uncertain", self.uncertain, get_args(Uncertain))
        classes_of(self.classes)

    @property
    def names(self) -> tuple[str, ...]:
        """The classes that count, in CheXbert's order of their set."""
        return classes_of(self.classes)

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """For `MetricInfo.parameters`, sorted by name."""
        return (("average", self.average), ("classes", self.classes), ("uncertain", self.uncertain))


def read_label_options(parameters: Mapping[str, str], metric: str, more: tuple[str, ...] = ()) -> LabelOptions:
    """Read the options of a metric's spelling.

    Parameters
    ----------
    parameters
        As `MetricKind.make` gets them.
    metric
        Name for messages.
    more
        Further parameters that the metric reads itself.

    Raises
    ------
    UsageError
        For a parameter that is neither an option nor one of ``more``, or a value that is none.

    Examples
    --------
    >>> read_label_options({"classes": "5"}, "f1_rules").parameters
    (('average', 'micro'), ('classes', '5'), ('uncertain', 'negative'))
    """
    known = tuple(entry.partition("=")[0] for entry in LABEL_PARAMETERS)
    for name in parameters:
        if name not in known and name not in more:
            raise UsageError(f"{metric} takes no parameter {name!r}. It takes: {', '.join(sorted((*known, *more)))}.")
    averages: dict[str, Average] = {name: name for name in get_args(Average)}
    choices: dict[str, Uncertain] = {name: name for name in get_args(Uncertain)}
    average, uncertain = parameters.get("average", "micro"), parameters.get("uncertain", "negative")
    _one_of("average", average, tuple(averages))
    _one_of("uncertain", uncertain, tuple(choices))
    return LabelOptions(averages[average], parameters.get("classes", "14"), choices[uncertain])


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{name} is {value!r}; expected one of {', '.join(allowed)}.")
