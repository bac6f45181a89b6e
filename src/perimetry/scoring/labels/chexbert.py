"""The metric f1_chexbert: F1 of the labels that CheXbert reads from a report and from its reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.embeddings.batches import cut_note, pair_note
from perimetry.scoring.embeddings.parameters import read_count
from perimetry.scoring.labels.chexbert_model import Chexbert
from perimetry.scoring.labels.f1 import LabelF1
from perimetry.scoring.labels.options import LABEL_PARAMETERS, LabelOptions, read_label_options
from perimetry.scoring.labels.table import LabelTable
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.report_metric import Report, ScoreTable
from perimetry.scoring.silence import checked_pairs, silence

__all__ = ["CHEXBERT_PARAMETERS", "KINDS", "ChexbertF1", "read_chexbert"]

CHEXBERT_PARAMETERS = ("weights=", "tokenizer=", "device=auto", "batch=32")
"""What every metric of CheXbert takes, as `MetricKind.parameters` lists it."""


class ChexbertF1(LabelF1):
    """F1 over the CheXpert classes, labelled by CheXbert.

    Parameters
    ----------
    chexbert : Chexbert
        Opened on first use.
    options : LabelOptions or None, default None
        Average, classes and what uncertain counts as; all stand in the signature.

    References
    ----------
    Smit et al. 2020, "CheXbert"; F1 over classes as in Miura et al. 2021.

    Examples
    --------
    >>> metric = ChexbertF1(Chexbert("/weights/chexbert.pth", "/weights/bert-base-uncased"))
    >>> dict(metric.info.parameters)["uncertain"]
    'negative'
    """

    def __init__(self, chexbert: Chexbert, options: LabelOptions | None = None) -> None:
        super().__init__(options)
        self.chexbert = chexbert

    def with_cache(self, cache: Cache) -> ChexbertF1:
        """The same metric with another cache."""
        old = self.chexbert
        return ChexbertF1(
            Chexbert(old.weights.text, old.tokenizer.text, device=old.device, batch_size=old.batch_size, cache=cache),
            self.options,
        )

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`."""
        return MetricInfo(
            name="f1_chexbert",
            version="f1_chexbert/1",
            direction="higher",
            low=0.0,
            high=1.0,
            meaning="Agreement of the findings that CheXbert reads from a report and from its reference.",
            citation="Smit et al. 2020, CheXbert",
            parameters=tuple(sorted((*self.options.parameters, *self.chexbert.parameters))),
        )

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        return self.chexbert.obstacle()

    def label(self, texts: Sequence[str]) -> LabelTable:
        """See `LabelF1.label`; a text over 512 tokens is cut, and a note says so."""
        reading = self.chexbert.read(texts)
        return LabelTable(reading.labels, ("",) * len(texts), tuple(map(cut_note, reading.cuts)))

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """See `LabelF1.score`; notes name the reports that were cut."""
        checked_pairs(hypotheses, references)
        if stands := self.obstacle():
            raise UsageError(f"f1_chexbert cannot run: {stands}.")
        table = super().score(hypotheses, references)
        spoken = list(dict.fromkeys(text for side in (hypotheses, references) for text in side if not silence(text)))
        cuts = dict(zip(spoken, self.chexbert.read([text or "" for text in spoken]).cuts, strict=True))
        return replace(
            table,
            notes=tuple(
                pair_note(cuts.get(ours, 0), cuts.get(theirs, 0))
                for ours, theirs in zip(hypotheses, references, strict=True)
            ),
        )


def read_chexbert(metric: str, parameters: Mapping[str, str]) -> Chexbert:
    """CheXbert from the parameters of a metric's spelling."""
    device = parameters.get("device", "auto")
    return Chexbert(
        parameters.get("weights", ""),
        parameters.get("tokenizer", ""),
        device="" if device == "auto" else device,
        batch_size=read_count(metric, "batch", parameters.get("batch", "32"), 1),
    )


def _make(parameters: Mapping[str, str]) -> ChexbertF1:
    more = tuple(entry.partition("=")[0] for entry in CHEXBERT_PARAMETERS)
    options = read_label_options(parameters, "f1_chexbert", more)
    return ChexbertF1(read_chexbert("f1_chexbert", parameters), options)


KINDS = (
    MetricKind(
        "f1_chexbert",
        "F1 of the CheXpert classes as CheXbert labels them.",
        "higher",
        "0..1",
        "weights, tokenizer (extra clinical or hf)",
        _make,
        (*CHEXBERT_PARAMETERS, *LABEL_PARAMETERS),
    ),
)
