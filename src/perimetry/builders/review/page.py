"""The page on which a radiologist looks at the cases and fills in the sheet."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perimetry.builders.review.pictures import Picture
from perimetry.cases.chexpert import CHEXPERT_ORDER

__all__ = ["NONE_OF_THESE", "Shown", "review_page"]

NONE_OF_THESE = "None of these"
"""What stands in the sheet for a box of no class."""

TEMPLATE = Path(__file__).parent / "review.html.j2"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the radiologist sees of a case: nothing of the mapped label.

    Parameters
    ----------
    case : str
    picture : Picture
    sentence : str
    sections : tuple of (str, str)
        The report, section by section.
    """

    case: str
    picture: Picture
    sentence: str
    sections: tuple[tuple[str, str], ...] = ()

    @property
    def source(self) -> str:
        """The plain picture as a data address."""
        return "data:image/jpeg;base64," + base64.b64encode(self.picture.plain).decode()


def review_page(cases: Sequence[Shown], warning: str = "") -> str:
    """One self-contained page; every text of the data is escaped.

    Parameters
    ----------
    cases : sequence of Shown
    warning : str, default ""
        Stands at the top.

    Examples
    --------
    >>> page = review_page([Shown("case-001", Picture(b"", b"", (0, 0, 1, 1)), "<b>Fluid</b>")])
    >>> "&lt;b&gt;Fluid" in page, "<b>Fluid" in page
    (True, False)
    """
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        TEMPLATE.read_text("utf-8")
    )
    return template.render(cases=cases, warning=warning, choices=[*CHEXPERT_ORDER, NONE_OF_THESE])
