"""What only the occlusion audit takes: labeller, truth, classes, strengths, fill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from perimetry.cases.chexpert import ABNORMAL, class_named
from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.cases.examined import MAX_IOU, MIN_IMAGES
from perimetry.conditions import parse_condition
from perimetry.conditions.spelling import split_spellings

__all__ = ["FILL_OPTIONS", "METRICS", "REGIONS", "STRENGTHS", "OcclusionOptions", "region_conditions"]

REGIONS = ("oco", "doco", "ro", "romatched")
"""Conditions that cover regions: of the class, of other classes, random, random of equal area."""

STRENGTHS = (0, 20, 40, 60, 80, 100)
"""Percent of noise in a covered region (the paper's)."""

METRICS = ("bleu_1", "bleu_4", "rouge_l")
"""Report metrics of the image level beside the label F1."""

FILL_OPTIONS = ("fill", "blur", "feather", "center")
"""Parameters of the conditions that are given once for all."""

Truth = Literal["box", "report"]


@dataclass(frozen=True, slots=True)
class OcclusionOptions:
    """What decides an occlusion audit beyond what all audits take.

    Parameters
    ----------
    labeller : str, default "rules"
        ``rules``, or ``chexbert:WEIGHTS[,tokenizer=PATH_OR_ID]``.
    truth : {"box", "report"}, default "box"
        What a class is held against: its box, or what the labeller reads from the reference report (the paper).
    classes : tuple of str, default ()
        CheXpert classes to examine; all thirteen that have a place in an image if empty.
    min_images : int, default 40
        Images that a class needs; classes with fewer are left out and named.
    max_iou : float, default 0.15
        Overlap with a box of the class from which on another box is no co-disease box.
    max_spill : float or None, default None
        Trials in which co-disease boxes cover more of the class's area are left out.
    absent : bool, default True
        Whether as many studies without a class are run beside those that show it.
    metrics : tuple of str
        Report metrics of the image level, as `perimetry metrics` spells them.

    Raises
    ------
    UsageError
        For a value out of its range; `UnknownNameError` for a class that is none.

    Examples
    --------
    >>> OcclusionOptions.of(OcclusionOptions(min_images=2).pairs).min_images
    2
    """

    labeller: str = "rules"
    truth: Truth = "box"
    classes: tuple[str, ...] = ()
    min_images: int = MIN_IMAGES
    max_iou: float = MAX_IOU
    max_spill: float | None = None
    absent: bool = True
    metrics: tuple[str, ...] = METRICS

    def __post_init__(self) -> None:
        """Check every field."""
        kind, colon, path = self.labeller.partition(":")
        if not (self.labeller == "rules" or (kind == "chexbert" and colon and path)):
            raise UsageError(f"labeller is {self.labeller!r}; expected rules or chexbert:PATH (weights of CheXbert).")
        if self.truth not in ("box", "report"):
            raise UsageError(f"truth is {self.truth!r}; expected box or report.")
        for name in self.classes:
            if name not in ABNORMAL:
                raise UnknownNameError("localisable CheXpert class", name, ABNORMAL)
        if self.min_images < 1:
            raise UsageError(f"min_images is {self.min_images}; expected 1 or more.")
        for label, value in (("max_iou", self.max_iou), ("max_spill", self.max_spill)):
            if value is not None and not 0 <= value <= 1:
                raise UsageError(f"{label} is {value}; expected a number from 0 to 1.")

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Every field by name as text, for run.toml."""
        return (
            ("labeller", self.labeller),
            ("truth", self.truth),
            ("classes", ",".join(self.classes)),
            ("min_images", str(self.min_images)),
            ("max_iou", f"{self.max_iou:g}"),
            ("max_spill", "" if self.max_spill is None else f"{self.max_spill:g}"),
            ("absent", str(self.absent).lower()),
            ("metrics", ",".join(self.metrics)),
        )

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]] | Mapping[str, Any]) -> OcclusionOptions:
        """From names and values, as text or as they are; what is absent or None keeps its default.

        Raises
        ------
        UsageError
            For a value that cannot be read; `UnknownNameError` for an option that there is not.
        """
        values = dict(pairs)
        known = {field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                raise UnknownNameError("option of the occlusion audit", name, (*known, "strengths", *FILL_OPTIONS))
        given = {name: _READ[name](name, value) for name, value in values.items() if value is not None}
        return cls(**given)


def region_conditions(strengths: object = None, fill: Mapping[str, object] = MappingProxyType({})) -> tuple[str, ...]:
    """The audit's conditions for some strengths and one fill.

    Parameters
    ----------
    strengths : str or sequence of numbers or None
        Percent, from 0 to 100; `STRENGTHS` if None.
    fill : mapping of str to object
        Parameters of `FILL_OPTIONS` by name; None for the conditions' own.

    Examples
    --------
    >>> region_conditions("100")[:3]
    ('real', 'fullnoise', 'oco@100')
    """
    wanted = STRENGTHS if strengths is None else _numbers(strengths)
    inside = ",".join(f"{name}={value}" for name, value in fill.items() if value is not None)
    tail = f"({inside})" if inside else ""
    spelled = [f"{region}@{strength:g}{tail}" for region in REGIONS for strength in wanted]
    return ("real", "fullnoise", *(parse_condition(text).spelling for text in spelled))


def _numbers(given: object) -> tuple[float, ...]:
    pieces = given.split(",") if isinstance(given, str) else given if isinstance(given, Sequence) else [given]
    found: dict[float, None] = {}
    if isinstance(given, str) and not given.strip():
        pieces = []
    for piece in pieces:
        number = _number("strengths", piece)
        if not 0 <= number <= 100:
            raise UsageError(f"strengths has {piece}; expected percent from 0 to 100, for example 0,20,40,60,80,100.")
        found[number] = None
    if not found:
        raise UsageError("strengths is empty; give percent from 0 to 100, for example 0,20,40,60,80,100.")
    return tuple(sorted(found))


def _number(name: str, value: object) -> float:
    try:
        return float(str(value))
    except ValueError as error:
        raise UsageError(f"{name} is {value!r}; expected a number.") from error


def _optional(name: str, value: object) -> float | None:
    return None if value in (None, "") else _number(name, value)


def _whole(name: str, value: object) -> int:
    number = _number(name, value)
    if number != int(number):
        raise UsageError(f"{name} is {value}; expected a whole number.")
    return int(number)


def _flag(name: str, value: object) -> bool:
    if str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    raise UsageError(f"{name} is {value!r}; expected true or false.")


def _classes(_name: str, value: object) -> tuple[str, ...]:
    pieces = value.split(",") if isinstance(value, str) else list(value) if isinstance(value, Sequence) else [value]
    named = (str(piece).strip() for piece in pieces if str(piece).strip())
    return tuple(dict.fromkeys(class_named(name) or name for name in named))


def _metrics(_name: str, value: object) -> tuple[str, ...]:
    pieces = [value] if isinstance(value, str) else list(value) if isinstance(value, Sequence) else [value]
    return tuple(dict.fromkeys(one for piece in pieces for one in split_spellings(str(piece))))


def _labeller(_name: str, value: object) -> str:
    """A path becomes absolute, so that `perimetry report` finds it from any folder."""
    kind, colon, tail = str(value).strip().partition(":")
    if kind != "chexbert" or not colon:
        return str(value).strip()
    path, comma, rest = tail.partition(",")
    there = Path(path).expanduser()
    return f"{kind}:{there.resolve() if there.exists() else path}{comma}{rest}"


_READ: Mapping[str, Callable[[str, object], Any]] = MappingProxyType(
    {
        "labeller": _labeller,
        "truth": lambda _, value: str(value),
        "classes": _classes,
        "min_images": _whole,
        "max_iou": _number,
        "max_spill": _optional,
        "absent": _flag,
        "metrics": _metrics,
    }
)
