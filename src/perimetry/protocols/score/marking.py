"""Labels and spans of a report for the page: those of the rule labeller, which needs no weights."""

from __future__ import annotations

from perimetry.protocols.score.passages import PassageReader, ReadReport
from perimetry.reports import Marked
from perimetry.reports.passages import MarkKind
from perimetry.scoring.labels.classes import CHEXBERT_ORDER, NEGATIVE, POSITIVE, UNCERTAIN
from perimetry.scoring.labels.labeller import RuleLabeller

__all__ = ["rule_reader"]

_KINDS: dict[int, MarkKind] = {POSITIVE: "positive", NEGATIVE: "negative", UNCERTAIN: "uncertain"}


def rule_reader() -> PassageReader:
    """Reads a report with the rule labeller.

    Examples
    --------
    >>> rule_reader()("Small effusion.").labels
    {'Pleural Effusion': 'positive'}
    """
    labeller = RuleLabeller()

    def read(text: str) -> ReadReport:
        reading = labeller.read(text)
        labels = {
            name: _KINDS[code] for name, code in zip(CHEXBERT_ORDER, reading.codes, strict=True) if code in _KINDS
        }
        marks = tuple(Marked(one.start, one.end, one.label, _KINDS[one.code]) for one in reading.evidence)
        return ReadReport(labels, marks)

    return read
