"""The part of a report that is rewritten: findings and impression."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ReportText", "no_report"]

_STANDINS = frozenset(
    {"n/a", "n.a", "na", "nan", "none", "(none)", "null", "nil", "nul", "true", "false", "yes", "no", "undefined"}
    | {"empty", "missing", "unknown", "not available", "not applicable"}
)


def no_report(text: str) -> str:
    """Why a text is no report, though there is one: it stands for nothing, or for a value of another type.

    Examples
    --------
    >>> no_report("N/A"), no_report("['Clear lungs.']"), no_report("None seen."), no_report("")
    ("it stands for no text: 'N/A'", 'it is a list or record written as text', '', '')
    """
    said = text.strip()
    if said.casefold().strip(" .!\"'<>") in _STANDINS:
        return f"it stands for no text: {said!r}"
    if said[:1] + said[-1:] in ("[]", "{}") and _spells_values(said):
        return "it is a list or record written as text"
    if said and not any(sign.isalpha() for sign in said):
        return "it has no word"
    return ""


def _spells_values(text: str) -> bool:
    """Whether a text in brackets is JSON or a Python literal; nothing is evaluated."""
    for read in (json.loads, ast.literal_eval):
        try:
            return isinstance(read(text), (list, dict, set))
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return False


@dataclass(frozen=True, slots=True)
class ReportText:
    """Findings and impression; either may be empty, not both.

    Examples
    --------
    >>> ReportText("Clear lungs.", "").sections
    ('findings',)
    """

    findings: str
    impression: str = ""

    @classmethod
    def of(cls, sections: Mapping[str, str]) -> ReportText:
        """From a study's sections."""
        return cls(sections.get("findings", "").strip(), sections.get("impression", "").strip())

    @property
    def sections(self) -> tuple[str, ...]:
        """Names of the sections that hold text."""
        return tuple(name for name in ("findings", "impression") if self.get(name))

    @property
    def text(self) -> str:
        """Both sections, one a line."""
        return "\n".join(part for part in (self.findings, self.impression) if part)

    def get(self, section: str) -> str:
        """Text of a section."""
        return self.findings if section == "findings" else self.impression

    def with_section(self, section: str, text: str) -> ReportText:
        """The same with another text in a section."""
        return ReportText(text, self.impression) if section == "findings" else ReportText(self.findings, text)
