"""The answer in words: does the order of the systems hold when the references are worded otherwise?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from perimetry.protocols.references.findings import Findings, MetricFindings
from perimetry.protocols.references.rankings import Order
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.reports import interval_text
from perimetry.reports.charts.references import condition_name

__all__ = ["Answer", "Turned", "answers", "turned"]

Tone = Literal["good", "partial", "bad", "mixed", "open"]


@dataclass(frozen=True, slots=True)
class Turned:
    """Pairs of systems over all variations and data sets.

    Parameters
    ----------
    pairs : int
        Pairs times variations.
    plain, by_verdict : int
        Pairs that change their leader, and those among them whose verdict changes too.
    flips, lost, lost_to_zero, gained : int
        What verdicts became; see `PairTurn`.
    """

    pairs: int
    plain: int
    by_verdict: int
    flips: int
    lost: int
    lost_to_zero: int
    gained: int

    @property
    def changed(self) -> int:
        """Verdicts that changed, ties of two zero systems apart."""
        return self.flips + self.lost + self.gained


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one metric.

    Parameters
    ----------
    metric : str
    verdict : str
        Two to six words.
    reason : str
    tone : {"good", "partial", "bad", "mixed", "open"}
    """

    metric: str
    verdict: str
    reason: str
    tone: Tone

    def to_dict(self) -> dict[str, str]:
        """As plain data for verdicts.json."""
        return asdict(self)


def turned(one: MetricFindings) -> Turned:
    """Count over all variations and data sets."""
    held = _varied(one)
    return Turned(
        sum(len(order.pairs) for order in held),
        sum(order.plain for order in held),
        sum(order.by_verdict for order in held),
        sum(order.count("flipped") for order in held),
        sum(order.count("lost") for order in held),
        sum(order.count("lost_to_zero") for order in held),
        sum(order.count("gained") for order in held),
    )


def answers(findings: Findings) -> tuple[Answer, ...]:
    """One a metric, in the order of the run."""
    return tuple(_answer(findings, one) for one in findings.metrics)


def _answer(findings: Findings, one: MetricFindings) -> Answer:
    spread = " ".join(part for part in (_spread(findings, one), _trust(findings, one)) if part)
    held = _varied(one)
    if not held:
        reason = "There is no order to turn: fewer than two systems, or a metric that is neither good nor bad."
        if not any(one.scored.values()):
            reason = "No study has a value for every system under every set of references, so nothing can be ranked."
        return Answer(one.label, "no order to turn", f"{reason} {spread}".strip(), "open")
    count = turned(one)
    told = list(_sentences(one, count))
    if spread:
        told.append(spread)
    if count.flips:
        return Answer(one.label, "style turns the order", " ".join(told), "bad")
    if count.by_verdict or count.lost or count.gained:
        return Answer(one.label, "some verdicts depend on style", " ".join(told), "mixed")
    if count.plain:
        return Answer(one.label, "order holds but for ties", " ".join(told), "partial")
    return Answer(one.label, "the order holds", " ".join(told), "good")


def _sentences(one: MetricFindings, count: Turned) -> Iterator[str]:
    variations = len({order.condition for order in _varied(one)})
    form = "wording" if variations == 1 else "wordings"
    yield (
        f"Under {variations} other {form} of the same references, {count.plain} of {count.pairs} pairs of systems "
        f"change their leader, {count.by_verdict} of them with another verdict."
    )
    parts = [
        f"{number} {what}"
        for number, what in (
            (count.flips, "from win to loss or back"),
            (count.lost, "from win or loss to tie"),
            (count.gained, "from tie to win or loss"),
        )
        if number
    ]
    if parts:
        worst = max(_varied(one), key=lambda order: (order.count("flipped", "lost", "gained"), order.plain))
        yield f"Verdicts that change: {', '.join(parts)} (most under {condition_name(worst.condition)})."
    if count.lost_to_zero:
        yield f"Apart from these, {count.lost_to_zero} become ties because both systems score zero."


def _spread(findings: Findings, one: MetricFindings) -> str:
    rows = {row.metric: row for row in findings.estimates if row.metric.endswith(f":{one.label}")}
    mean, most = rows.get(f"iqr_mean:{one.label}"), rows.get(f"iqr_max:{one.label}")
    if mean is None or most is None:
        return ""
    readings = [interval_text(row.value, row.ci_low, row.ci_high, 2, scale=1) for row in (mean, most)]
    return f"Interquartile range of the shifts, in standard deviations: mean {readings[0]}, largest {readings[1]}."


def _trust(findings: Findings, one: MetricFindings) -> str:
    """The ratio of errors to style; of the only data set, or the mean over several."""
    main = "macro" if len(findings.material.sets) > 1 else findings.material.sets[0].name
    for row in findings.rows(f"trust:{one.label}"):
        if row.dataset == main and row.value == row.value:
            reading = interval_text(row.value, row.ci_low, row.ci_high, 2, scale=1)
            return f"A planted error costs {reading} times what another wording costs."
    return ""


def _varied(one: MetricFindings) -> list[Order]:
    return [order for order in one.orders if order.condition != ORIGINAL]
