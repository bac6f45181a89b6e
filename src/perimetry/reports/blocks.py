"""The blocks a section is made of: text, a chart, a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from perimetry.reports.passages import PassagesBlock

if TYPE_CHECKING:
    import altair as alt

__all__ = [
    "Block",
    "Cell",
    "ChartBlock",
    "Column",
    "ColumnKind",
    "PictureBlock",
    "TableBlock",
    "TextBlock",
    "TopLevelChart",
]

TopLevelChart: TypeAlias = (
    "alt.Chart | alt.LayerChart | alt.FacetChart | alt.HConcatChart | alt.VConcatChart | alt.ConcatChart"
)
"""Any finished Altair chart."""

Cell: TypeAlias = str | int | float | bool | None
"""What a table cell may hold; None is missing and shown as a dash."""

ColumnKind = Literal["text", "name", "code", "integer", "number", "share", "points", "p", "flag"]
"""
``text``     as it is
``name``     a model or data set: a long one loses its middle on the page, never in the file
``code``     as it is, in a fixed-width face
``integer``  1,234
``number``   a plain number with `Column.digits` decimals
``share``    a share of 1 shown in percent: 0.534 is "53.4"
``points``   a difference of shares in percentage points, with its sign: 0.041 is "+4.1"
``p``        a p-value: "0.012", "< 0.001"
``flag``     yes or no
"""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Paragraphs of plain text. Nothing in them is read as markup.

    Parameters
    ----------
    paragraphs : tuple of str
    tone : {"plain", "caution"}
        A caution is set in a marked box.
    title : str
        A small heading, or nothing.
    """

    paragraphs: tuple[str, ...]
    tone: Literal["plain", "caution"] = "plain"
    title: str = ""


@dataclass(frozen=True, slots=True)
class ChartBlock:
    """A chart with what belongs to it.

    Parameters
    ----------
    chart : Altair chart
        Interactive on the page, saved as ``charts/NAME.svg`` and ``charts/NAME.png``.
    caption : str
    name : str
        File name without ending: lower-case letters, digits, ``-`` and ``_``; unique on a page.
    alt : str
        What somebody who cannot see the chart has to know.
    title : str
    """

    chart: TopLevelChart
    caption: str
    name: str
    alt: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    key : str
        Key of the row mapping that holds the value.
    label : str
        Heading; the key where it is empty.
    kind : ColumnKind, default "text"
    digits : int, default 1
        Decimals of ``number``, ``share`` and ``points``.
    low, high : str or None
        Keys of the interval's ends. With them the cell reads "+4.1 [1.0, 7.5]".
    resolve : bool, default False
        Mark cells whose interval excludes zero, by weight and by a sign.
    help : str
        Explanation shown on the heading.
    note : str or None
        Key of a text that stands behind the value where there is no interval: why there is none.

    Examples
    --------
    >>> Column("value", "Visual reliance", "points", low="ci_low", high="ci_high", resolve=True).digits
    1
    """

    key: str
    label: str = ""
    kind: ColumnKind = "text"
    digits: int = 1
    low: str | None = None
    high: str | None = None
    resolve: bool = False
    help: str = ""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table, sortable on the page and saved as ``tables/NAME.csv``.

    Parameters
    ----------
    columns : tuple of Column
    rows : tuple of mapping
        Keys that a row does not have are missing cells.
    caption : str
    name : str
        File name without ending, as for charts.
    title : str
    """

    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    caption: str
    name: str
    title: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PictureBlock:
    """A picture that is made of pixels, saved as ``pictures/NAME.png``.

    Parameters
    ----------
    pixels : uint8 array, (height, width) or (height, width, 3)
    caption : str
    name : str
        File name without ending, as for charts.
    alt : str
        What somebody who cannot see it has to know.
    title : str
    """

    pixels: NDArray[np.uint8]
    caption: str
    name: str
    alt: str
    title: str = ""


Block: TypeAlias = TextBlock | ChartBlock | TableBlock | PassagesBlock | PictureBlock
