"""The case browser's data: what was shown, what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from perimetry.reports.passages import Marked

__all__ = ["Browser", "BrowserAnswer", "BrowserCase", "Flag", "ImageLike"]

ImageLike: TypeAlias = bytes | Path | str | NDArray[np.uint8]
"""An encoded image, a path (relative ones start at the run folder), or pixels (height, width[, 3])."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Something to find a case by, for example ``Flag("right only with shuffle", "my-model")``.

    `model` is empty when the flag is about the case itself.
    """

    text: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class BrowserAnswer:
    """One model's answer to a case under one condition.

    Parameters
    ----------
    model, condition : str
    text : str
        What the model wrote, whole. The page shows the first `Browser.answer_limit` characters and offers the rest.
    answer : str or None
        What was extracted from it; None when no rule fitted.
    rule : str
        Name of the rule that extracted it, or the kind of failure.
    right : bool or None
        None when there is nothing to judge (the request failed).
    repeat : int, default 0
    """

    model: str
    condition: str
    text: str = ""
    answer: str | None = None
    rule: str = ""
    right: bool | None = None
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class BrowserCase:
    """One case with everything that was shown and answered.

    Parameters
    ----------
    id, dataset : str
    question : str
        The stem, or the prompt of a report.
    gold : str
        The reference answer or report.
    options : tuple of (label, text)
    images : mapping of condition to tuple of ImageLike
        In the order in which the conditions are to stand.
    answers : tuple of BrowserAnswer
    flags : tuple of Flag
    marks : mapping of part to tuple of Marked
        Passages to mark in the question (part ``""``) and in options (their label).
    lengths : tuple of int
        Characters of every option, drawn beside it; empty draws nothing.
    remarks : tuple of str
        Lines under the options; withheld with the texts.
    """

    id: str
    dataset: str
    question: str = ""
    gold: str = ""
    options: tuple[tuple[str, str], ...] = ()
    images: Mapping[str, tuple[ImageLike, ...]] = field(default_factory=dict)
    answers: tuple[BrowserAnswer, ...] = ()
    flags: tuple[Flag, ...] = ()
    marks: Mapping[str, tuple[Marked, ...]] = field(default_factory=dict)
    lengths: tuple[int, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Browser:
    """Cases to look at, and what of them may be shown.

    Parameters
    ----------
    cases : iterable of BrowserCase
        Read once and one at a time while the site is built: a generator keeps memory small.
    withhold : frozenset of str
        Data sets whose images and texts stay out of the report (restricted and credentialed ones): question,
        options, gold, extracted answers and raw outputs are left out; ids, rules, right and wrong and flags stay.
    images : bool, default True
        False leaves out every image, whatever the data set.
    limit : int, default 300
        Cases after that many are not read; the page says so.
    answer_limit : int, default 600
        Characters of a model's output shown before "show all".
    text_limit : int, default 20000
        Characters of a model's output kept in the report at all; the page says where it was cut.

    Examples
    --------
    >>> Browser((BrowserCase("1", "mine", "Is there an effusion?", "yes"),)).answer_limit
    600
    """

    cases: Iterable[BrowserCase]
    withhold: frozenset[str] = frozenset()
    images: bool = True
    limit: int = 300
    answer_limit: int = 600
    text_limit: int = 20_000
