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


def headed_sections(report: str, *, inline: bool = False) -> dict[str, str]:
    r"""Text of each section of `SECTIONS` that a report has; runs of blanks and line breaks become one blank.

    A section that comes twice is joined. A report with neither findings nor impression gives its last paragraph that
    stands under no heading as its findings.

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
    found: dict[str, list[str]] = {}
    marks = list((ANY_HEADING if inline else LINE_HEADING).finditer(report))
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        section = HEADINGS.get(" ".join(mark[1].lower().split()))
        body = _plain(report[mark.end() : following.start() if following else len(report)])
        if section and body:
            found.setdefault(section, []).append(body)
    if not inline and not {"findings", "impression"} & found.keys():
        paragraphs = [part for part in re.split(r"\n\s*\n", report) if part.strip() and not LINE_HEADING.match(part)]
        # The first lines of a report are its title.
        if len(paragraphs) > 1 or (paragraphs and not marks):
            found["findings"] = [_plain(paragraphs[-1])]
    return {name: " ".join(found[name]) for name in SECTIONS if name in found}


def _plain(text: str) -> str:
    return " ".join(text.split())
