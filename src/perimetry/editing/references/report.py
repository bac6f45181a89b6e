"""The part of a report that is rewritten: findings and impression."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ReportText"]


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
