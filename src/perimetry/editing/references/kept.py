"""How much of what was read of texts is kept at hand: a report is looked at under every form, and never long after."""

from __future__ import annotations

__all__ = ["REPORTS", "SECTIONS", "SENTENCES"]

REPORTS = 512
SECTIONS = 1024
SENTENCES = 4096
"""Sentences, and clauses, of which most stand in a report and in each of its alternatives."""
