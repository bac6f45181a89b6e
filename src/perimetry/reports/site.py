"""The page model: what a report says, before anything is drawn or written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from perimetry.reports.blocks import Block
from perimetry.reports.browser import Browser

__all__ = ["FailureRow", "Figure", "Reproduce", "Section", "Site", "Tone", "Verdict"]

Tone = Literal["good", "partial", "bad", "mixed", "open"]
"""How a verdict is marked. Each tone has a sign of its own beside its colour: ✓ ◐ ✕ ± ?"""


@dataclass(frozen=True, slots=True)
class Figure:
    """The number behind a verdict, drawn as an interval on an axis that all verdicts of a page share.

    Parameters
    ----------
    label : str
        Name of the metric, for example ``"Visual reliance (vrs)"``.
    value, low, high : float or None
        In the estimates' own unit (a share, so 0.12 is 12 points); None is missing.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer for one model.

    Parameters
    ----------
    model : str
        Name as it stands in the estimates.
    headline : str
        Two to five words, for example ``"uses the image"``.
    sentence : str
        One sentence that carries the interval.
    tone : {"good", "partial", "bad", "mixed", "open"}
    figure : Figure or None
        Drawn beside the sentence when given.

    Examples
    --------
    >>> Verdict("reader:sees", "uses the image", "Shuffling costs 21.3 points [17.0, 25.5].", "good").tone
    'good'
    """

    model: str
    headline: str
    sentence: str
    tone: Tone = "open"
    figure: Figure | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page: a title, a lead and blocks in reading order."""

    title: str
    lead: str = ""
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureRow:
    """Requests that gave no answer, counted by kind.

    Parameters
    ----------
    model, dataset, condition : str
        Empty where the count is over all of them.
    kind : str
        ``refused``, ``timeout``, ``bad_request``, ``unreadable_image``, ...
    count : int
    example : str
        The message of one of them.
    """

    model: str
    kind: str
    count: int
    dataset: str = ""
    condition: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class Reproduce:
    """What somebody else needs to get the same numbers.

    Parameters
    ----------
    command : str
        The command line, as it was given.
    versions, seeds, digests : mapping of str to str
        Shown as they are, in the order of the mapping.
    notes : tuple of str
    """

    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    seeds: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """Everything on a report page.

    Parameters
    ----------
    title, subtitle : str
    verdicts : tuple of Verdict
        Shown first, in the order given; up to eight fit a 1280 x 800 screen without scrolling.
    sections : tuple of Section
    browser : Browser or None
        The case browser; its cases are read once, when the site is built.
    failures : tuple of FailureRow
    reproduce : Reproduce or None
    notes : tuple of str
        Short remarks under the verdicts: cautions a reader has to see.
    verdict_heading : str, default "What does the score rest on?"
        The question that the verdicts answer.
    asked : bool, default True
        Whether the page is about requests: without them there is no part on failures.
    unit_note : str
        At the foot of the page: the unit of the numbers.

    Examples
    --------
    >>> from perimetry.reports import TextBlock
    >>> site = Site("Counterfactual audit", sections=(Section("Notes", blocks=(TextBlock(("Nothing ran.",)),)),))
    >>> site.verdicts
    ()
    """

    title: str
    subtitle: str = ""
    verdicts: tuple[Verdict, ...] = ()
    sections: tuple[Section, ...] = ()
    browser: Browser | None = None
    failures: tuple[FailureRow, ...] = ()
    reproduce: Reproduce | None = None
    notes: tuple[str, ...] = ()
    verdict_heading: str = "What does the score rest on?"
    asked: bool = True
    unit_note: str = (
        "Differences are in percentage points, with 95% intervals in brackets unless a caption says otherwise."
    )
