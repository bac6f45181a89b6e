"""Shortcut-mitigated subsets: rules on evidence, a reason for every removal, a data card (MedQA-MM, section 3.7)."""

from perimetry.screening.subset.apply import Choice, choose
from perimetry.screening.subset.measure import measure, random_filter
from perimetry.screening.subset.rules import Rules, default_rules_text, parse_rules, read_rules
from perimetry.screening.subset.run import SubsetResult, make_subset

__all__ = [
    "Choice",
    "Rules",
    "SubsetResult",
    "choose",
    "default_rules_text",
    "make_subset",
    "measure",
    "parse_rules",
    "random_filter",
    "read_rules",
]
