"""RG of RadCliQ: the mean of entity F1 and relation F1 with the first RadGraph model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.radgraph.annotation import Annotation
from perimetry.scoring.radgraph.options import cached_source, read_form, read_source, source_listing
from perimetry.scoring.radgraph.pairs import NO_ENTITIES, NO_SOURCE, read_pairs
from perimetry.scoring.radgraph.sets import Case, elements, overlap, relation_elements, set_f1
from perimetry.scoring.radgraph.source import AnnotationSource
from perimetry.scoring.radgraph.texts import Tokens
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table

__all__ = ["FIRST_MODEL", "KINDS", "RadGraphCombined", "Rule", "combined_f1", "first_model_source"]

NAME = "radgraph_combined"
VERSION = "radgraph-combined/1"
FIRST_MODEL = "radgraph"
"""Name of the first model in the public package."""

LATER_MODELS = ("radgraph-xl", "modern-radgraph-xl", "echograph")

Rule = Literal["entities", "zero"]
"""What stands for the relations of two reports that have none: ``entities``, the entity F1 alone; ``zero``, a
relation F1 of 0, so that two identical reports get 0.5, as in the authors' code."""


def combined_f1(
    hypothesis: Annotation, reference: Annotation, relations: Rule = "entities", case: Case = "upstream"
) -> float | None:
    """Mean of entity F1 and relation F1 (Yu et al. 2023, Methods).

    Returns
    -------
    float or None
        None when neither side has an entity; under the rule ``zero`` that is 0, too.

    Examples
    --------
    >>> from perimetry.scoring.radgraph.annotation import Entity
    >>> same = Annotation((Entity("effusion", "OBS-DA"),))
    >>> combined_f1(same, same), combined_f1(same, same, "zero")
    (1.0, 0.5)
    """
    entity = set_f1(overlap(elements(hypothesis, "simple", case), elements(reference, "simple", case)))
    relation = set_f1(overlap(relation_elements(hypothesis, case), relation_elements(reference, case)))
    if relations == "zero":
        return ((entity or 0.0) + (relation or 0.0)) / 2.0
    if entity is None or relation is None:
        return entity
    return (entity + relation) / 2.0


class RadGraphCombined(ReportMetric):
    """Mean of entity F1 and relation F1 of each pair; for a set of reports the mean of theirs.

    Parameters
    ----------
    source : AnnotationSource or None
        Of the first model (labels ANAT-DP, OBS-DP, OBS-U, OBS-DA); a pair with others is missing. None as in
        `RadGraphF1`.
    relations : {"entities", "zero"}
        See `Rule`. With ``entities``, a pair without an entity on either side is missing.
    case : {"upstream", "fold"}
    """

    def __init__(self, source: AnnotationSource | None, relations: Rule = "entities", case: Case = "upstream") -> None:
        self.source = source
        self.relations: Rule = relations
        self.case: Case = case

    def with_cache(self, cache: Cache) -> RadGraphCombined:
        """The same metric; what its extractor reads is kept in that cache."""
        return RadGraphCombined(cached_source(self.source, cache), self.relations, self.case)

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`."""
        source = {} if self.source is None else self.source.parameters
        stated = {"case": self.case, "relations": self.relations, **source}
        return MetricInfo(
            NAME,
            VERSION,
            "higher",
            0.0,
            1.0,
            "Mean of the F1 of RadGraph entities and the F1 of their relations.",
            "Yu et al. 2023 (Patterns), Methods",
            tuple(sorted(stated.items())),
        )

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        return NO_SOURCE if self.source is None else self.source.obstacle()

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position; raises as `RadGraphF1.score`."""
        values: list[float] = []
        reasons: list[str] = []
        for pair in read_pairs(self.source, hypotheses, references, _first_model):
            value: float | None = None
            if pair.hypothesis is not None and pair.reference is not None:
                value = combined_f1(pair.hypothesis, pair.reference, self.relations, self.case)
            elif pair.silent or (pair.reason == NO_ENTITIES and self.relations == "zero"):
                value = 0.0
            values.append(float("nan") if value is None else value)
            reasons.append(pair.reason if value is None else "")
        return mean_table(values, reasons)


def _first_model(hypothesis: Annotation, reference: Annotation) -> str:
    other = "later" in {hypothesis.vocabulary, reference.vocabulary}
    return "the annotations are not of the first RadGraph model (ANAT-DP, OBS-DP, OBS-U, OBS-DA)" if other else ""


def first_model_source(parameters: Mapping[str, str], metric: str, tokens: Tokens = "whole") -> AnnotationSource | None:
    """As `read_source`, for metrics that were fitted with the first model; raises `UsageError` for a later one."""
    model = parameters.get("model", FIRST_MODEL)
    if model in LATER_MODELS:
        raise UsageError(
            f"{metric} is defined with the first RadGraph model, model={FIRST_MODEL}; found model={model}."
        )
    return read_source(parameters, metric, FIRST_MODEL, tokens)


def _make(parameters: Mapping[str, str]) -> RadGraphCombined:
    rules: tuple[Rule, ...] = get_args(Rule)
    rule, case = read_form(parameters, NAME, "relations", "entities", rules)
    return RadGraphCombined(first_model_source(parameters, NAME), rule, case)


KINDS = (
    MetricKind(
        NAME,
        "mean of entity and relation F1 with the first RadGraph model: RadCliQ's RadGraph part",
        "higher",
        "0..1",
        "annotations of the first RadGraph model, or an extractor command",
        _make,
        ("relations=entities", *source_listing(FIRST_MODEL)),
    ),
)
