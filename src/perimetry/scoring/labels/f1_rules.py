"""``f1_rules``: F1 of the labels that the rule labeller reads. It is not CheXbert, and is never called so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perimetry.scoring.labels.f1 import LabelF1
from perimetry.scoring.labels.labeller import RuleLabeller
from perimetry.scoring.labels.options import LABEL_PARAMETERS, LabelOptions, read_label_options
from perimetry.scoring.labels.table import LabelTable
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind

__all__ = ["KINDS", "RulesF1"]

_NAME = "f1_rules"


class RulesF1(LabelF1):
    """F1 over the fourteen CheXpert classes (13 without No Finding, or 5) as the rule labeller reads them.

    Needs no weights. `RuleLabeller.read` gives the words that each label rests on.

    Parameters
    ----------
    options
        Average, classes and what uncertain counts as.

    Examples
    --------
    >>> metric = RulesF1()
    >>> metric.score(["Small left effusion."], ["Left pleural effusion. Cardiomegaly."]).values.round(3).tolist()
    [0.667]
    """

    def __init__(self, options: LabelOptions | None = None) -> None:
        super().__init__(options)
        self.labeller = RuleLabeller()

    @property
    def info(self) -> MetricInfo:
        """Name, version (that of the lexicon), direction, range and parameters."""
        return MetricInfo(
            _NAME,
            self.labeller.version,
            "higher",
            0.0,
            1.0,
            "Agreement of the findings that a rule labeller reads from report and reference.",
            "perimetry; classes of Irvin et al. 2019, CheXpert, section 2",
            self.options.parameters,
        )

    def label(self, texts: Sequence[str]) -> LabelTable:
        """Label texts; see `RuleLabeller.label`."""
        return self.labeller.label(texts)


def _make(parameters: Mapping[str, str]) -> RulesF1:
    return RulesF1(read_label_options(parameters, _NAME))


KINDS = (
    MetricKind(
        name=_NAME,
        summary="F1 of the 14 CheXpert classes as a rule labeller of our own reads them",
        direction="higher",
        value_range="0..1",
        needs="",
        make=_make,
        parameters=LABEL_PARAMETERS,
    ),
)
