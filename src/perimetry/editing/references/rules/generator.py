"""The rule generator: one rule a variation, deterministic for a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.cases.digest import digest_parts
from perimetry.editing.edit import Proposal, Task
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules.granularity import coarse_places, fine_places, measured, unmeasured
from perimetry.editing.references.rules.markup import LAID_OUT, marked_up
from perimetry.editing.references.rules.negation import explicit, implicit
from perimetry.editing.references.rules.outcome import Declined, Rewritten, Rule
from perimetry.editing.references.rules.scope import exhaustive, minimal
from perimetry.editing.references.rules.sections import other_sections
from perimetry.editing.references.rules.structure import free_text, structured
from perimetry.editing.references.rules.wording import other_hedges, other_terms
from perimetry.statistics.streams import below, raw_integers

__all__ = ["RULES", "RuleGenerator", "rewrite_by_rules"]

BY = "rules"

RULES: Mapping[str, Rule] = {
    "structure:structured": structured,
    "structure:free_text": free_text,
    "section_assignment:alternative": other_sections,
    "findings_scope:exhaustive": exhaustive,
    "findings_scope:minimal": minimal,
    "anatomical_granularity:high": fine_places,
    "anatomical_granularity:low": coarse_places,
    "quantitative_granularity:high": measured,
    "quantitative_granularity:low": unmeasured,
    "terminology:alternative": other_terms,
    "hedging:alternative": other_hedges,
    "negation:explicit": explicit,
    "negation:implicit": implicit,
}


def rewrite_by_rules(report: ReportText, target: str, seed: int = 42) -> Rewritten:
    """Bring a report into a form, or say why not.

    Parameters
    ----------
    report : ReportText
    target : str
        ``axis:variation``.
    seed : int, default 42
        Of the choice among synonyms; with the same seed the same report always becomes the same alternative.

    Examples
    --------
    >>> rewrite_by_rules(ReportText("Opacity concerning for pneumonia."), "hedging:alternative").findings[:11]
    'Opacity wor'
    """
    if target in LAID_OUT and marked_up(report.text):
        return Declined("infeasible", "its sentences cannot be moved without tearing its markup")
    digest = digest_parts([report.findings, report.impression])

    def draw(name: str, bound: int) -> int:
        return int(below(raw_integers(seed, "rewrite", target, name, digest, size=1), bound)[0])

    return RULES[target](report, draw)


@dataclass(frozen=True, slots=True)
class RuleGenerator:
    """`rewrite_by_rules` as a proposer of the editing loop. It proposes the same in every round: one is enough.

    Examples
    --------
    >>> task = Task("s1", "structure:free_text", ReportText("1. Clear lungs."))
    >>> RuleGenerator()([task], 1)[0][0].content.findings
    'Clear lungs.'
    """

    seed: int = 42

    def __call__(self, tasks: Sequence[Task[ReportText]], _number: int) -> list[list[Proposal[ReportText]]]:
        """Propose once for every task."""
        return [[self._proposal(task)] for task in tasks]

    def _proposal(self, task: Task[ReportText]) -> Proposal[ReportText]:
        made = rewrite_by_rules(task.original, task.kind, self.seed)
        if isinstance(made, Declined):
            return Proposal(BY, declined=made.status, reason=made.reason)
        return Proposal(BY, made)
