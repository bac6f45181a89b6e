"""Which classes a sentence states, by rules or by CheXbert."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.cases.errors import UsageError
from perimetry.scoring.labels import CHEXBERT_ORDER, LabelF1
from perimetry.scoring.labels.spelled import make_labeller
from perimetry.scoring.labels.table import Uncertain

__all__ = ["SentenceLabeller"]


@dataclass(frozen=True, slots=True)
class SentenceLabeller:
    """A labeller under the name that the command line gives it.

    Parameters
    ----------
    spelling : str
        ``rules`` or ``chexbert:WEIGHTS[,tokenizer=PATH][,device=cpu]``.
    metric : LabelF1
        Labels the sentences.
    uncertain : {"positive", "negative"}, default "positive"
        Whether a doubted finding counts as stated: the box is there all the same.

    Examples
    --------
    >>> SentenceLabeller.of("rules").stated(["Small left effusion.", "No effusion."])
    [frozenset({'Pleural Effusion'}), frozenset({'No Finding'})]
    """

    spelling: str
    metric: LabelF1
    uncertain: Uncertain = "positive"

    @classmethod
    def of(cls, spelling: str) -> SentenceLabeller:
        """The labeller of a spelling.

        Raises
        ------
        UsageError
            For any other spelling, or when CheXbert cannot run here.
        """
        metric = make_labeller(spelling, "--labeller")
        if obstacle := metric.obstacle():
            raise UsageError(f"--labeller {spelling} cannot run: {obstacle}. --labeller rules needs nothing.")
        return cls(spelling, metric)

    def stated(self, sentences: Sequence[str]) -> list[frozenset[str]]:
        """Classes that each sentence states; empty for one without a word. Each distinct sentence is read once."""
        marks = self.metric.labels(list(sentences)).positive(self.uncertain)
        return [
            frozenset(name for name, stated in zip(CHEXBERT_ORDER, row, strict=True) if stated)
            for row in marks.tolist()
        ]

    def to_dict(self) -> dict[str, str]:
        """As plain data, for funnel.json."""
        return {"labeller": self.spelling, "version": self.metric.info.version, "uncertain counts as": self.uncertain}
