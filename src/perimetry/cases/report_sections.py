"""The sections of a report with headings, as `Study` names them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from perimetry.cases.study import SECTIONS

__all__ = ["HEADINGS", "headed_sections"]

HEADINGS: Mapping[str, str] = MappingProxyType(
    {
        "findings": "findings",
        "finding": "findings",
        "findings and impression": "findings",
        "findings/impression": "findings",
        "impression and findings": "findings",
        "impression": "impression",
        "impressions": "impression",
        "conclusion": "impression",
        "conclusions": "impression",
        "summary": "impression",
        "indication": "indication",
        "indications": "indication",
        "history": "indication",
        "clinical history": "indication",
        "clinical indication": "indication",
        "clinical information": "indication",
        "reason for exam": "indication",
        "reason for examination": "indication",
        "reason for study": "indication",
        "reason": "indication",
        "comparison": "comparison",
        "comparisons": "comparison",
        "comparison exam": "comparison",
        "comparison study": "comparison",
        "technique": "technique",
        "procedure": "technique",
    }
)
"""Headings that open a section; any other heading closes the one before it."""

# A heading in capitals at the start of a line, or one that is known in any case.
LINE_HEADING = re.compile(r"^[ \t]*([A-Z][A-Z0-9 ,/&()'-]{2,60}):", re.MULTILINE)
ANY_HEADING = re.compile(
    r"(?<![\w-])(" + "|".join(sorted(map(re.escape, HEADINGS), key=len, reverse=True)) + r"):", re.IGNORECASE
)

EMPTY_LINE = re.compile(r"\n\s*\n")

BEFORE_READING = ("indication", "comparison", "technique")
"""Sections that are known before the image is read: they end with their paragraph."""


def headed_sections(report: str, *, inline: bool = False) -> dict[str, str]:
    r"""Text of each section of `SECTIONS` that a report has; runs of blanks and line breaks become one blank.

    A section that comes twice is joined. Indication, comparison and technique end with their paragraph. A report with
    neither findings nor impression gives its last paragraph that stands under no heading as its findings.

    Parameters
    ----------
    report : str
    inline : bool, default False
        Whether headings stand within a line (``Indication: Cough. Comparison: None.``) rather than at its start.

    Examples
    --------
    >>> headed_sections("HISTORY: Cough.\n\nFINDINGS:\n Clear\n lungs.\n\nWET READ: ok")
    {'findings': 'Clear lungs.', 'indication': 'Cough.'}
    >>> headed_sections("Indication: Chest pain Comparison: None.", inline=True)
    {'indication': 'Chest pain', 'comparison': 'None.'}
    """
    marks = list((ANY_HEADING if inline else LINE_HEADING).finditer(report))
    ends = [mark.start() for mark in marks[1:]] + [len(report)]
    found: dict[str, list[str]] = {}
    # The first paragraph is the title; the others stand under no heading.
    loose = _paragraphs(report[: marks[0].start() if marks else len(report)])
    loose = loose[1:] if marks else loose
    for mark, end in zip(marks, ends, strict=False):
        section = HEADINGS.get(" ".join(mark[1].lower().split()))
        parts = _paragraphs(report[mark.end() : end])
        if section in BEFORE_READING and not inline:
            # What follows after an empty line may be the reading itself, and must not be shown as a question.
            loose += parts[1:]
            parts = parts[:1]
        if section and parts:
            found.setdefault(section, []).append(" ".join(parts))
    if loose and not inline and not {"findings", "impression"} & found.keys():
        found["findings"] = [loose[-1]]
    return {name: " ".join(found[name]) for name in SECTIONS if name in found}


def _paragraphs(text: str) -> list[str]:
    """Paragraphs between empty lines, each in one line."""
    return [plain for part in EMPTY_LINE.split(text) if (plain := " ".join(part.split()))]
