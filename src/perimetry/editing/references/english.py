"""Reports in another language are nobody's to rewrite: the rules could judge no alternative of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from perimetry.cases.study import Study
from perimetry.editing.edit import Proposal, Proposer, Task
from perimetry.editing.references.accounting import NOT_ENGLISH, not_english
from perimetry.editing.references.accounting.verifier import BY
from perimetry.editing.references.report import ReportText

__all__ = ["InEnglish", "in_english", "told_of_others"]


@dataclass(frozen=True, slots=True)
class InEnglish:
    """A proposer that is given the reports in English only; all others are infeasible, and no model is asked.

    Parameters
    ----------
    proposer : Proposer

    Examples
    --------
    >>> from perimetry.editing.references.rules import RuleGenerator
    >>> task = Task("s1", "terminology:alternative", ReportText("Kein Pleuraerguss. Lungen frei belüftet."))
    >>> InEnglish(RuleGenerator())([task], 1)[0][0].reason
    'it is not in English'
    """

    proposer: Proposer[ReportText]

    def __call__(self, tasks: Sequence[Task[ReportText]], number: int) -> list[Sequence[Proposal[ReportText]]]:
        """Proposals of a round."""
        own = [not not_english(task.original) for task in tasks]
        english = [task for task, is_english in zip(tasks, own, strict=True) if is_english]
        made: Iterator[Sequence[Proposal[ReportText]]] = iter(self.proposer(english, number) if english else ())
        other: Proposal[ReportText] = Proposal(BY, declined="infeasible", reason=NOT_ENGLISH)
        return [next(made) if is_english else [other] for is_english in own]


def in_english(studies: Sequence[Study]) -> tuple[Study, ...]:
    """Studies whose reports are in English."""
    return tuple(study for study in studies if not not_english(ReportText.of(study.sections)))


def told_of_others(studies: Sequence[Study]) -> tuple[str, ...]:
    """A line on the reports in another language; none where there is none.

    Examples
    --------
    >>> told_of_others([Study("s1", "mine", "s1", sections={"findings": "Kein Erguss. Lungen frei belüftet."})])
    ('1 of 1 reports is not in English (first: s1): the rules know no other language; no form is possible.',)
    """
    kept = {study.id for study in in_english(studies)}
    others = [study.id for study in studies if study.id not in kept]
    if not others:
        return ()
    verb = "is" if len(others) == 1 else "are"
    return (
        f"{len(others):,} of {len(studies):,} reports {verb} not in English (first: {others[0]}): the rules know no "
        "other language; no form is possible.",
    )
