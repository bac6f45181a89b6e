"""One study under every condition, with its boxes drawn."""

from __future__ import annotations

from perimetry.protocols.analysis import Analysis
from perimetry.reports import Block

__all__ = ["montage_of"]


def montage_of(analysis: Analysis) -> Block | None:  # noqa: ARG001
    """A study that shows a class beside others."""
    return None
