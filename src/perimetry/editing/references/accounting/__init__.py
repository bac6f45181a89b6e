"""What a report states, held against what its alternative states."""

from perimetry.editing.references.accounting.differences import Differences, differences
from perimetry.editing.references.accounting.facts import Fact, facts_of, report_facts
from perimetry.editing.references.accounting.language import NOT_ENGLISH, not_english
from perimetry.editing.references.accounting.verifier import RuleVerifier, judge

__all__ = [
    "NOT_ENGLISH",
    "Differences",
    "Fact",
    "RuleVerifier",
    "differences",
    "facts_of",
    "judge",
    "not_english",
    "report_facts",
]
