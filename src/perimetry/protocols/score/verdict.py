"""The answer in words: who is best by each metric, and whether the metrics agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Literal

from perimetry.protocols.score.estimates import ABNORMAL, Findings
from perimetry.protocols.score.ranking import Ranking
from perimetry.protocols.score.scored import NamedMetric, Scored
from perimetry.reports import interval_text
from perimetry.runs.estimates import Estimate
from perimetry.scoring.labels.f1 import LabelF1
from perimetry.statistics import excludes_zero

__all__ = ["OVERALL", "Answer", "Contradiction", "Praise", "answers", "contradictions", "ordinal", "reading"]

OVERALL = "all metrics"

_NOTHING = 0.01
"""An F1 below this names next to no abnormality rightly."""

Tone = Literal["good", "partial", "bad", "mixed", "open"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one metric, or of all together.

    Parameters
    ----------
    metric : str
        Label of the metric, with its stratum behind a comma if it is not ``all``; or `OVERALL`.
    verdict : str
        Two to six words.
    reason : str
        The places with their intervals.
    tone : {"good", "partial", "bad", "mixed", "open"}
    """

    metric: str
    verdict: str
    reason: str
    tone: Tone

    def to_dict(self) -> dict[str, str]:
        """As plain data for verdicts.json."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Praise:
    """A place that a metric gives a system, ahead of some that deserve it more.

    Parameters
    ----------
    metric : str
    place, of : int
        Its place, among so many.
    value : Estimate
    """

    metric: str
    place: int
    of: int
    value: Estimate


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A system that metrics of words place well and that gets next to no abnormal finding right.

    Parameters
    ----------
    system : str
    praise : tuple of Praise
        By every metric that places it above a system which does get abnormal findings right.
    ahead_of : tuple of str
        Those systems: the ones behind it by each of these metrics, or, if there are none, by any.
    labels : str
        Label of the metric that tells.
    f1 : Estimate
        Its F1 on the abnormal classes.
    """

    system: str
    praise: tuple[Praise, ...]
    ahead_of: tuple[str, ...]
    labels: str
    f1: Estimate

    @property
    def sentence(self) -> str:
        """The places in words, without a full stop."""
        places = [f"{ordinal(one.place)} by {one.metric} ({reading(one.value)})" for one in self.praise]
        return f"Of {self.praise[0].of} systems, {self.system} comes {_and(places)}, ahead of {_and(self.ahead_of)}"


def answers(scored: Scored, findings: Findings) -> tuple[Answer, ...]:
    """All metrics together first, where there is more than one system; then each metric with its ranking."""
    rows = _Rows(findings)
    if len(scored.systems) < 2:
        return tuple(_lone(scored, rows))
    each: list[Answer] = []
    for named in scored.metrics:
        ranked = [_answer(scored, ranking, rows) for ranking in findings.rankings if ranking.metric == named.label]
        each += ranked or [_unranked(scored, named, rows)]
    return (_overall(scored, findings, rows), *each)


def contradictions(scored: Scored, findings: Findings) -> tuple[Contradiction, ...]:
    """Systems that name next to no abnormality rightly and that another metric still places above some that do.

    All values are those on the reports that every system has a value for, as the places are.
    Told by the F1 on the abnormal classes of the label metrics in the run, the first that says so; the best placed
    system comes first.
    """
    rows = _Rows(findings)
    by_labels = [named.label for named in scored.metrics if isinstance(named.metric, LabelF1)]
    of_words = [one for one in findings.rankings if one.metric not in by_labels and one.stratum == "all"]
    found: dict[str, Contradiction] = {}
    for labels in by_labels:
        told = {system: rows.one(system, labels, ABNORMAL) or rows.one(system, labels) for system in scored.systems}
        seeing = {system for system, row in told.items() if row is not None and row.value >= _NOTHING}
        for system, f1 in told.items():
            if f1 is None or system in seeing or system in found:
                continue
            praise: list[Praise] = []
            behind: list[list[str]] = []
            for ranking in of_words:
                value = rows.one(system, ranking.metric)
                mine = ranking.place(system)
                if value is None or mine is None:
                    continue
                later = [one.name for one in ranking.summaries if one.rank > mine.rank and one.name in seeing]
                if later:
                    praise.append(Praise(ranking.metric, ranking.standing(system)[0], len(ranking.order), value))
                    behind.append(later)
            if praise:
                always = [one for one in behind[0] if all(one in later for later in behind)]
                some = dict.fromkeys(one for later in behind for one in later)
                found[system] = Contradiction(system, tuple(praise), tuple(always or some), labels, f1)
    return tuple(sorted(found.values(), key=lambda one: min(praise.place for praise in one.praise)))


class _Rows:
    """Estimates by what they are of."""

    def __init__(self, findings: Findings) -> None:
        self._values: Mapping[tuple[str, str, str], Estimate] = {
            (row.model, row.metric, row.stratum): row for row in findings.compared
        }
        self._gaps: Mapping[tuple[str, str, str, str], Estimate] = {
            (row.model, row.comparator.removeprefix("model:"), row.metric, row.stratum): row
            for row in findings.estimates
            if row.comparator
        }

    def one(self, system: str, metric: str, stratum: str = "all") -> Estimate | None:
        """A system's value on the reports that every system has one for, if there is one."""
        row = self._values.get((system, metric, stratum))
        return row if row is not None and row.value == row.value else None

    def ahead(self, first: str, second: str, ranking: Ranking) -> bool:
        """Whether the paired difference of two systems on the reports that both have says that the first is better."""
        row = self._gaps.get((first, second, ranking.metric, ranking.stratum))
        sign = 1.0
        if row is None:
            row, sign = self._gaps.get((second, first, ranking.metric, ranking.stratum)), -1.0
        if row is None or not excludes_zero(row.ci_low, row.ci_high):
            return False
        return (row.value * sign > 0.0) == (row.direction == "higher")


def _lone(scored: Scored, rows: _Rows) -> Iterator[Answer]:
    system = scored.systems[0]
    for named in scored.metrics:
        for stratum in ("all", ABNORMAL):
            row = rows.one(system, named.label, stratum)
            if row is not None:
                yield Answer(_called(named.label, stratum), "one system", f"{system}: {reading(row)}.", "open")


def _unranked(scored: Scored, named: NamedMetric, rows: _Rows) -> Answer:
    """A metric that no order can be read from: what it gives, and why that is no ranking."""
    values = {system: rows.one(system, named.label) for system in scored.systems}
    listed = "; ".join(f"{system} {reading(row)}" for system, row in values.items() if row is not None)
    why = (
        "It has no better direction."
        if named.info.direction == "neutral"
        else "No report has a value for every system."
    )
    return Answer(named.label, "not ranked", f"{listed}. {why}" if listed else why, "open")


def _answer(scored: Scored, ranking: Ranking, rows: _Rows) -> Answer:
    called = _called(ranking.metric, ranking.stratum)
    order = ranking.order
    if not order:
        return Answer(called, "not ranked", "Not every system has a value.", "open")
    values = {system: rows.one(system, ranking.metric, ranking.stratum) for system in order}
    listed = "; ".join(
        f"{_place(ranking, system)} {system} {reading(row) if row is not None else ''}".rstrip()
        for system, row in values.items()
    )
    if ranking.n < len(scored.reports):
        listed += f" (on the {ranking.n:,} of {len(scored.reports):,} reports that every system has a value for)"
    level = [system for system in order[1:] if not rows.ahead(order[0], system, ranking)]
    if len(level) == len(order) - 1:
        return Answer(called, "nobody clearly ahead", f"{listed}.", "open")
    if level:
        return Answer(called, f"{order[0]} ahead, not alone", f"{listed}. Not told from {', '.join(level)}.", "partial")
    best = ranking.place(order[0])
    share = f" First in {100 * best.p_best:.0f}% of the resamples." if best is not None else ""
    return Answer(called, f"{order[0]} is best", f"{listed}.{share}", "good")


def _overall(scored: Scored, findings: Findings, rows: _Rows) -> Answer:
    against = contradictions(scored, findings)
    if against:
        worst = against[0]
        empty = [worst.system, *(one.system for one in against[1:] if one.labels == worst.labels)]
        zero = "an F1 of 0" if worst.f1.value == 0 else f"an F1 below {_NOTHING}"
        truth = f"{_and(empty)} {'have' if len(empty) > 1 else 'has'} {zero} on the abnormal classes ({worst.labels})"
        return Answer(OVERALL, "the metrics contradict", f"{worst.sentence}; but {truth}.", "bad")
    turned = list(_reversals(findings, rows))
    if turned:
        first, second, one, other = turned[0]
        more = f" {len(turned) - 1} more such reversals." if len(turned) > 1 else ""
        return Answer(
            OVERALL,
            "the metrics disagree",
            f"{first} is above {second} by {one} and below by {other}, both resolved.{more}",
            "mixed",
        )
    ordered = [ranking for ranking in findings.rankings if ranking.order]
    alone = [ranking for ranking in ordered if not ranking.standing(ranking.order[0])[1]]
    if ordered and not alone:
        return Answer(OVERALL, "nobody ahead", "By every metric the first place is shared.", "open")
    leaders = list(dict.fromkeys(ranking.order[0] for ranking in alone))
    if not leaders:
        return Answer(OVERALL, "not ranked", "No metric gives the systems an order.", "open")
    if len(leaders) == 1:
        return Answer(OVERALL, f"{leaders[0]} leads throughout", "No two metrics contradict each other.", "good")
    return Answer(
        OVERALL,
        "no contradiction",
        f"Leaders differ ({_and(leaders)}), but by differences that are not resolved.",
        "open",
    )


def _reversals(findings: Findings, rows: _Rows) -> Iterator[tuple[str, str, str, str]]:
    """Pairs of systems that two metrics order differently, each with an interval that excludes zero."""
    whole = [ranking for ranking in findings.rankings if ranking.stratum in ("all", ABNORMAL)]
    for one, other in combinations(whole, 2):
        for first, second in combinations(one.order, 2):
            if second not in other.order or first not in other.order:
                continue
            turned = other.order.index(second) < other.order.index(first)
            if turned and rows.ahead(first, second, one) and rows.ahead(second, first, other):
                yield first, second, _called(one.metric, one.stratum), _called(other.metric, other.stratum)


def reading(row: Estimate) -> str:
    """A value with its interval, in the metric's own unit."""
    return interval_text(row.value, row.ci_low, row.ci_high, 3, scale=1)


def _called(metric: str, stratum: str) -> str:
    return metric if stratum == "all" else f"{metric}, {stratum} classes"


def _place(ranking: Ranking, system: str) -> str:
    place, shared = ranking.standing(system)
    return f"{'=' if shared else ''}{place}."


def _and(names: Sequence[str]) -> str:
    """Names in a row, the last one behind "and"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def ordinal(number: int) -> str:
    """A place in words and figures.

    Examples
    --------
    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 22)]
    ['first', 'second', 'third', '4th', '11th', '22nd']
    """
    if number in (1, 2, 3):
        return ("first", "second", "third")[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
