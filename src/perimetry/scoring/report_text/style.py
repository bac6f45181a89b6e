"""Styles: which rules take a report out of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["STYLES", "Style"]


@dataclass(frozen=True, slots=True)
class Style:
    r"""A set of rules.

    Parameters
    ----------
    name : str
    frames : bool, default True
        Whether ``\boxed{}`` and tags such as ``<answer>`` hold the report.
    headings : bool, default True
        Whether the report begins at a heading that names the findings.
    one_section : bool, default False
        Whether it ends where the findings end, before impression and recommendations.
    """

    name: str
    frames: bool = True
    headings: bool = True
    one_section: bool = False


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "report": Style("report"),
        "findings": Style("findings", one_section=True),
        "whole": Style("whole", frames=False, headings=False),
    }
)
"""``report`` keeps findings and impression, ``findings`` the findings alone, ``whole`` cuts no more than reasoning."""
