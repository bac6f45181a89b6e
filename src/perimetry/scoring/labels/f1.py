"""F1 of labels: what every labeller's metric shares."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from perimetry.cases.errors import UsageError
from perimetry.scoring.labels.classes import CHEXBERT_ORDER
from perimetry.scoring.labels.options import Average, LabelOptions
from perimetry.scoring.labels.table import LabelTable, Uncertain
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable
from perimetry.scoring.silence import check_reports, silence, silent_pair
from perimetry.statistics import Rate, divide, f1, f1_macro, f1_micro

__all__ = ["NOTHING_STATED", "LabelF1", "f1_rate", "f1_weighted", "label_f1"]

NOTHING_STATED = "neither report states a positive class"
"""Reason of a pair that has no F1 of its own. Its zero counts belong in every set that the pair is in: such a row is to
be kept in a paired difference, where the other system may well have stated something."""


def label_f1(
    hypotheses: LabelTable,
    references: LabelTable,
    uncertain: Uncertain = "negative",
    classes: Sequence[str] = CHEXBERT_ORDER,
) -> ScoreTable:
    """F1 of each hypothesis's labels against its reference's.

    Parameters
    ----------
    hypotheses, references
        Of the same length, row by row.
    uncertain
        What an uncertain label counts as on both sides. Blank and negative never count as stated.
    classes
        Which classes count, by name.

    Returns
    -------
    ScoreTable
        Values: F1 over the classes of one report. Statistics: true positives of every class, then false positives,
        then false negatives (``tp:Edema``, ...), the layout of `perimetry.statistics.f1_micro`.

        Missing are pairs in which either side has a reason (named with its side), and pairs in which neither states a
        class (`NOTHING_STATED`).

    Raises
    ------
    UsageError
        When the tables differ in length.

    Examples
    --------
    >>> labels = np.zeros((1, 14), dtype=np.int8)
    >>> labels[0, 4] = 1
    >>> table = LabelTable(labels, ("",))
    >>> label_f1(table, table, classes=("Edema", "Pneumonia")).statistics.tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    if len(hypotheses) != len(references):
        raise UsageError(f"There are {len(hypotheses)} labelled hypotheses and {len(references)} labelled references.")
    said = hypotheses.positive(uncertain, classes)
    meant = references.positive(uncertain, classes)
    reasons = [
        f"hypothesis: {ours}" if ours else f"reference: {theirs}" if theirs else ""
        for ours, theirs in zip(hypotheses.reasons, references.reasons, strict=True)
    ]
    counts = np.stack([said & meant, said & ~meant, ~said & meant], axis=1).astype(np.float64)
    counts[[bool(reason) for reason in reasons]] = 0.0
    statistics = counts.reshape(len(reasons), 3 * len(classes))
    values = f1_micro(len(classes))(statistics)
    filled = tuple(
        reason or (NOTHING_STATED if lacking else "")
        for reason, lacking in zip(reasons, np.isnan(values).tolist(), strict=True)
    )
    columns = tuple(f"{count}:{name}" for count in ("tp", "fp", "fn") for name in classes)
    return ScoreTable(values, filled, statistics, columns)


def f1_weighted(classes: int) -> Rate:
    """Return the mean of the classes' F1 weighted by how often the references state each, resample by resample.

    Columns as in `perimetry.statistics.f1_micro`; as scikit-learn's ``average="weighted"``.

    Examples
    --------
    >>> f1_weighted(2)(np.asarray([[2.0, 0.0, 1.0, 0.0, 0.0, 2.0]])).tolist()
    [0.4]
    """
    single = f1(0, 1, 2, empty=0.0)

    def value(sums: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        block = np.moveaxis(sums.reshape(*sums.shape[:-1], 3, classes), -2, -1)
        support = block[..., 0] + block[..., 2]
        return divide((single(block) * support).sum(axis=-1), support.sum(axis=-1))

    return value


def f1_rate(average: Average, classes: int) -> Rate:
    """Return the rate of an average; a class that neither side states counts 0 in ``macro``, as in scikit-learn."""
    if average == "micro":
        return f1_micro(classes)
    return f1_macro(classes, empty=0.0) if average == "macro" else f1_weighted(classes)


class LabelF1(ReportMetric):
    """F1 of the labels that a labeller reads from two reports. Subclasses give `info` and `label`.

    A report without a word (empty, None, only punctuation) states nothing: against one with words it scores 0; where
    both are so, the pair is missing. What a labeller could not read in a hypothesis is that hypothesis's failure and
    states nothing either; a reference that could not be read leaves the pair missing.

    Parameters
    ----------
    options
        Average, classes and what uncertain counts as.
    """

    def __init__(self, options: LabelOptions | None = None) -> None:
        self.options = LabelOptions() if options is None else options

    @abstractmethod
    def label(self, texts: Sequence[str]) -> LabelTable:
        """Label texts that all hold a word; each text once, in the order given.

        A reason says why a text has no labels; it is then blank. Labels must not depend on order or batch.
        """

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position; see `label_f1` for values and statistics."""
        check_reports(hypotheses, references)
        told, meant = self.labels([*hypotheses]), self.labels([*references])
        hollow = [silence(text) for text in hypotheses], [silence(text) for text in references]
        pairs = list(zip(*hollow, meant.reasons, strict=True))
        unread = tuple("" if ours or theirs else reason for ours, theirs, reason in pairs)
        read = label_f1(
            LabelTable(told.labels, ("",) * len(pairs)),
            LabelTable(meant.labels, unread),
            self.options.uncertain,
            self.options.names,
        )
        one_sided = np.asarray([bool(ours) != bool(theirs) for ours, theirs, _ in pairs], dtype=bool)
        reasons = tuple(
            silent_pair(hypothesis, reference) or ("" if ours or theirs else reason)
            for hypothesis, reference, (ours, theirs, _), reason in zip(
                hypotheses, references, pairs, read.reasons, strict=True
            )
        )
        return ScoreTable(np.where(one_sided, 0.0, read.values), reasons, read.statistics, read.columns)

    def labels(self, reports: Sequence[Report]) -> LabelTable:
        """Labels of reports; a report without a word is blank, with a reason. Every distinct text is labelled once."""
        distinct = {text: row for row, text in enumerate(dict.fromkeys(t for t in reports if t and not silence(t)))}
        read = self.label(list(distinct))
        blank = LabelTable(np.zeros((1, len(CHEXBERT_ORDER)), dtype=np.int8), ("",), ("",) if read.notes else ())
        stacked = LabelTable(
            np.concatenate([read.labels, blank.labels]), read.reasons + blank.reasons, read.notes + blank.notes
        )
        taken = stacked.take([distinct.get(text, len(read)) if text else len(read) for text in reports])
        reasons = tuple(
            f"the report {hollow}" if (hollow := silence(text)) else reason
            for text, reason in zip(reports, taken.reasons, strict=True)
        )
        return LabelTable(taken.labels, reasons, taken.notes)

    @property
    def rate(self) -> Rate:
        """The F1 of a set of reports from sums of counts, by the option ``average``."""
        return f1_rate(self.options.average, len(self.options.names))

    @property
    def class_rates(self) -> Mapping[str, Rate]:
        """The F1 of each class, from the same sums; nan where neither side states the class."""
        count = len(self.options.names)
        return MappingProxyType(
            {name: f1(at, count + at, 2 * count + at) for at, name in enumerate(self.options.names)}
        )
