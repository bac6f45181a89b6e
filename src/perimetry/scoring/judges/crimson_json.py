"""Reads CRIMSON's JSON, in the official layout and in that of our own prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from perimetry.scoring.judges.crimson_counts import IMPORTANCE, SEVERITY, CrimsonCounts, credit, weigh
from perimetry.scoring.judges.judgement import Missing, UnreadableAnswerError
from perimetry.scoring.judges.loose_json import listed, read_object, unreadable

__all__ = ["OFFICIAL", "OWN", "CrimsonLayout", "read_crimson_json"]


@dataclass(frozen=True, slots=True)
class CrimsonLayout:
    """What the fields of an answer are called.

    Parameters
    ----------
    reference, candidate : str
        Lists of the findings of either report, each with an ``id`` and a label.
    label : str
        A finding's label.
    matched : str
        List of pairs of ids.
    pair : (str, str)
        The two ids of a pair; the first also names the finding of an attribute error.
    errors : str
        Object that holds the three lists of errors; empty if they stand at the top.
    false, missed : str
        Lists of ids.
    attributes : str
        List of attribute errors, each with the id of a reference finding and a ``severity``.
    """

    reference: str
    candidate: str
    label: str
    matched: str
    pair: tuple[str, str]
    errors: str
    false: str
    missed: str
    attributes: str


OFFICIAL = CrimsonLayout(
    "reference_findings",
    "predicted_findings",
    "clinical_significance",
    "matched_findings",
    ("ref_id", "pred_id"),
    "errors",
    "false_findings",
    "missing_findings",
    "attribute_errors",
)
OWN = CrimsonLayout(
    "reference",
    "candidate",
    "importance",
    "matched",
    ("reference_id", "candidate_id"),
    "",
    "invented",
    "missed",
    "attribute_errors",
)


def read_crimson_json(text: str, layout: CrimsonLayout) -> CrimsonCounts | Missing:
    """Sums of weights of an answer.

    A reference finding that is matched twice earns once, an unknown label weighs 0.25. An empty object, a lost list of
    matches or errors and an id that no list has make the answer missing. Where the reference findings are not listed
    at all, those that are matched or missed make up N, with the labels that they carry there.

    Parameters
    ----------
    text : str
        The answer, without thinking; the object may stand in prose or in a code fence.
    layout : CrimsonLayout

    References
    ----------
    CRIMSON (rajpurkarlab); the constants are in `crimson_counts`.

    Examples
    --------
    >>> read_crimson_json("{}", OWN).reason
    'unreadable: the JSON object is empty'
    """
    try:
        return _read(read_object(text, (layout.matched, layout.reference, layout.errors or layout.missed)), layout)
    except UnreadableAnswerError as error:
        return unreadable(text, error)


@dataclass(slots=True)
class _Findings:
    """Weights of one report's findings by id; open where the answer does not list them."""

    section: str
    label: str
    weights: Mapping[str, float] | None
    unknown: int = 0
    met: dict[str, float] = field(default_factory=dict)

    def weight(self, identity: str, item: Any) -> float:
        """Weight of a finding that another list names by its id."""
        if self.weights is not None:
            if identity not in self.weights:
                raise UnreadableAnswerError(f"an id that {self.section!r} does not have")
            return self.weights[identity]
        if identity not in self.met:
            self.met[identity], known = weigh(item.get(self.label) if isinstance(item, dict) else None, IMPORTANCE)
            self.unknown += not known
        return self.met[identity]


def _read(answer: dict[str, Any], layout: CrimsonLayout) -> CrimsonCounts:
    errors = answer.get(layout.errors) if layout.errors else answer
    if not isinstance(errors, dict):
        raise UnreadableAnswerError(f"no section {layout.errors!r}")
    reference = _findings(answer, layout.reference, layout.label)
    candidate = _findings(answer, layout.candidate, layout.label)
    own, other = layout.pair
    attributes: dict[str, list[float]] = {}
    unknown_severities = 0
    for item in listed(errors, layout.attributes):
        identity = _identity(item, own)
        if reference.weights is not None:
            reference.weight(identity, item)
        weight, known = weigh(item.get("severity"), SEVERITY) if isinstance(item, dict) else weigh(None, SEVERITY)
        unknown_severities += not known
        attributes.setdefault(identity, []).append(weight)
    matched = {}
    for item in listed(answer, layout.matched):
        identity = _identity(item, own)
        matched[identity] = reference.weight(identity, item)
        if isinstance(item, dict) and item.get(other) is not None and candidate.weights is not None:
            candidate.weight(_identity(item, other), item)
    missed = {
        identity: reference.weight(identity, item)
        for item in listed(errors, layout.missed)
        for identity in (_identity(item, own),)
    }
    false_items = listed(errors, layout.false)
    if false_items and candidate.weights is None:
        raise UnreadableAnswerError(f"no section {layout.candidate!r} to weigh {layout.false!r} by")
    false = {
        identity: candidate.weight(identity, None) for item in false_items for identity in (_identity(item, other),)
    }
    if reference.weights is None and not matched and not missed:
        raise UnreadableAnswerError(f"no section {layout.reference!r}, and nothing matched or missed")
    listed_weights = reference.met if reference.weights is None else reference.weights
    return CrimsonCounts(
        total=sum(listed_weights.values()),
        correct=sum(credit(weight, attributes.get(identity, ())) for identity, weight in matched.items()),
        false=sum(false.values()),
        missed=sum(missed.values()),
        unknown_labels=reference.unknown + candidate.unknown + unknown_severities,
    )


def _findings(answer: dict[str, Any], section: str, label: str) -> _Findings:
    if section not in answer:
        return _Findings(section, label, None)
    labels: dict[str, object] = {}
    weights: dict[str, float] = {}
    unknown = 0
    for item in listed(answer, section):
        identity = _identity(item, "id")
        said = item.get(label) if isinstance(item, dict) else None
        if identity in labels:
            if labels[identity] != said:
                raise UnreadableAnswerError(f"an id stands twice in {section!r} with different labels")
            continue
        labels[identity] = said
        weights[identity], known = weigh(said, IMPORTANCE)
        unknown += not known
    return _Findings(section, label, MappingProxyType(weights), unknown)


def _identity(item: Any, key: str) -> str:
    """The id that an entry is or has, as text."""
    value = item.get(key, item.get("id")) if isinstance(item, dict) else item
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise UnreadableAnswerError("an entry without an id")
    return str(value).strip()
