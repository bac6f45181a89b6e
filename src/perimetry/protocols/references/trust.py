"""Which metric to trust: what it takes off for an error, against what it takes off for another way of saying it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from perimetry.cases.echo import echo_list
from perimetry.cases.errors import DataError
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text
from perimetry.protocols.references.drawn import PROTOCOL, Level, Settings
from perimetry.protocols.references.material import Material
from perimetry.protocols.references.spread import filled, over
from perimetry.protocols.score.alternatives import ORIGINAL
from perimetry.protocols.score.scored import NamedMetric, belongs
from perimetry.protocols.score.wording_form import WordingForm
from perimetry.runs.contrasts import draw_contrasts
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Contrast, Items, RateTerm
from perimetry.scoring.judges import JudgeMetric
from perimetry.scoring.report_metric import Report
from perimetry.statistics import Distribution

__all__ = ["Planted", "Trust", "read_planted", "trust_of", "trust_pairs", "trust_rows"]

STYLE = "style"
ERROR = "error"


@dataclass(frozen=True, slots=True, eq=False)
class Planted:
    """Texts with a planted clinical error, over the studies of all data sets.

    Parameters
    ----------
    texts : mapping of kind to tuple of str or None
        None where a study has no error of the kind.
    unknown : int
        Rows whose id is no study of the audit.
    by_rules : bool, default False
        Whether rules planted them here; no judge is then asked about them.
    """

    texts: Mapping[str, tuple[Report, ...]]
    unknown: int
    by_rules: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Trust:
    """What a metric takes off, of a report that would otherwise be its reference word by word.

    Parameters
    ----------
    losses : mapping of (dataset, "style" or "error", variation or kind) to Level
        In the metric's own unit; above zero is a loss, whatever its direction.
    style, error : mapping of dataset to Distribution
        Mean over the variations, and over the kinds.
    ratio : mapping of dataset to Distribution
        Error over style.
    reports : mapping of dataset to int
        Studies with an alternative and an error: only these are used.
    """

    losses: Mapping[tuple[str, str, str], Level]
    style: Mapping[str, Distribution]
    error: Mapping[str, Distribution]
    ratio: Mapping[str, Distribution]
    reports: Mapping[str, int]


def read_planted(path: str | Path, material: Material) -> Planted:
    """Read a table of corrupted references: columns ``id``, ``kind`` and ``text`` (or ``findings``, ``corrupted``).

    Only the first error of a kind and study is used. Texts are brought into the form of their references.

    Raises
    ------
    DataError
    """
    file = Path(path).expanduser()
    if not file.is_file() or file.stat().st_size == 0:
        raise DataError(f"{file} is not a file with corrupted references. Give a table with columns id, kind, text.")
    present = columns(file)
    said = next((name for name in ("text", "corrupted", "findings") if name in present), "")
    if "id" not in present or "kind" not in present or not said:
        raise DataError(f"{file} has the columns {echo_list(present)}; expected id, kind and text.")
    places: dict[tuple[str, str], int] = {}
    forms: list[WordingForm] = []
    for one in material.sets:
        form = WordingForm.of(one.reports.references)
        for identity in one.reports.ids:
            places[one.name, identity] = len(forms)
            places.setdefault(("", identity), len(forms))
            forms.append(form)
    held: dict[str, list[Report]] = {}
    unknown = 0
    for number, row in enumerate(read_rows(file), start=1):
        kind, value = text(row.get("kind")), row.get(said)
        if not kind or not isinstance(value, str) or not value.strip():
            raise DataError(f"{file}, row {number}: a kind and a text were expected, found {kind!r} and {value!r}.")
        place = places.get((text(row.get("dataset")) or "", text(row.get("id")) or ""))
        if place is None:
            unknown += 1
            continue
        column = held.setdefault(kind, [None] * len(forms))
        if column[place] is None:
            column[place] = forms[place].apply(value)
    if not held:
        raise DataError(f"{file}: none of its {unknown:,} rows is of a study of this audit.")
    return Planted({kind: tuple(column) for kind, column in held.items()}, unknown)


def trust_pairs(material: Material, planted: Planted) -> tuple[list[Report], list[Report]]:
    """Hypotheses and references: the references themselves, their alternatives, and those with errors."""
    ours = [one.text for one in _blocks(material, planted)]
    return ours, [one.reference for one in _blocks(material, planted)]


def trust_of(material: Material, named: NamedMetric, planted: Planted, settings: Settings) -> Trust | None:
    """Hold a metric's losses against each other on the same reports.

    Every alternative and every corrupted text is scored as if a system had written it, against the reference that it
    was made of; the loss is what the reference itself scores less that. None for a metric without a direction, and for
    one that asks a judge where rules planted the errors: nobody asked for those requests.
    """
    if named.info.direction == "neutral" or (planted.by_rules and isinstance(named.metric, JudgeMetric)):
        return None
    higher = named.info.direction == "higher"
    blocks = list(_blocks(material, planted))
    table = named.metric.score([one.text for one in blocks], [one.reference for one in blocks])
    known = belongs(table)
    total = len(material.groups)
    held: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}
    for number, one in enumerate(blocks):
        statistics, used = held.setdefault(
            (one.role, one.name), (np.zeros((total, table.statistics.shape[1])), np.zeros(total, dtype=bool))
        )
        statistics[one.place] = table.statistics[number]
        used[one.place] = known[number]
    plain, plain_known = held.pop((ORIGINAL, ""))

    def contrasts() -> Iterator[Contrast]:
        for (role, name), (statistics, used) in held.items():
            both = used & plain_known
            sides = (plain, statistics) if higher else (statistics, plain)
            terms = tuple(
                RateTerm(
                    tuple(np.where(both, block[:, at], 0.0) for at in range(block.shape[1])),
                    named.metric.rate,
                    both,
                    sign,
                )
                for block, sign in zip(sides, (1, -1), strict=True)
            )
            metric = f"{role}_loss:{named.label}"
            row = Estimate(PROTOCOL, "", "", metric, name, ORIGINAL, version=named.info.signature)
            if both.any():
                yield Contrast(row, terms, ~both & False, difference=True)

    losses: dict[tuple[str, str, str], Level] = {}
    items = Items(material.datasets, material.groups)
    for drawn in draw_contrasts(
        contrasts(),
        items,
        resamples=settings.resamples,
        seed=settings.seed,
        level=settings.level,
        average=len(material.sets) > 1,
    ):
        if drawn.distribution is not None:
            row = drawn.estimate
            role = row.metric.partition("_")[0]
            losses[row.dataset, role, row.condition] = Level(replace(row, model="references"), drawn.distribution)
    return _trust(losses, material, planted)


def trust_rows(trust: Trust, named: NamedMetric, level: float) -> Iterator[Estimate]:
    """``style_loss:METRIC`` a variation, ``error_loss:METRIC`` a kind, ``style_sensitivity:METRIC``,
    ``error_sensitivity:METRIC`` and ``trust:METRIC``, the ratio of the two.
    """  # noqa: D205 - names of one list
    for one in trust.losses.values():
        yield one.estimate
    for name, several in (
        ("style_sensitivity", trust.style),
        ("error_sensitivity", trust.error),
        ("trust", trust.ratio),
    ):
        for dataset, distribution in several.items():
            row = Estimate(
                PROTOCOL, dataset, "references", f"{name}:{named.label}", level=level, version=named.info.signature
            )
            yield filled(row, distribution, level, trust.reports.get(dataset, 0))


def _trust(losses: Mapping[tuple[str, str, str], Level], material: Material, planted: Planted) -> Trust | None:
    style: dict[str, Distribution] = {}
    error: dict[str, Distribution] = {}
    ratio: dict[str, Distribution] = {}
    for dataset in dict.fromkeys(name for name, _, _ in losses):
        mine = [one.distribution for (name, role, _), one in losses.items() if name == dataset and role == STYLE]
        theirs = [one.distribution for (name, role, _), one in losses.items() if name == dataset and role == ERROR]
        if not mine or not theirs:
            continue
        style[dataset], error[dataset] = over(mine, _mean), over(theirs, _mean)
        ratio[dataset] = _ratio(error[dataset], style[dataset])
    if not ratio:
        return None
    used = _usable(material, planted)
    names = np.asarray(material.datasets)
    reports = {dataset: int(used[names == dataset].sum()) for dataset in ratio if dataset != "macro"}
    if "macro" in ratio:
        reports["macro"] = int(used.sum())
    return Trust(losses, style, error, ratio, reports)


def _mean(table: np.ndarray) -> np.ndarray:
    return np.asarray(table.mean(axis=0), dtype=np.float64)


def _ratio(error: Distribution, style: Distribution) -> Distribution:
    """Undefined where style costs nothing: then any error costs more."""
    with np.errstate(divide="ignore", invalid="ignore"):
        samples = np.where(style.samples > 0.0, error.samples / style.samples, np.nan)
    value = error.value / style.value if style.value > 0.0 else float("nan")
    return Distribution(value, samples, max(error.groups, style.groups))


@dataclass(frozen=True, slots=True)
class _Block:
    role: str
    name: str
    place: int
    text: Report
    reference: Report


def _blocks(material: Material, planted: Planted) -> Iterator[_Block]:
    used = _usable(material, planted)
    references = [text for one in material.sets for text in one.reports.references]
    places = np.flatnonzero(used).tolist()
    for place in places:
        yield _Block(ORIGINAL, "", place, references[place], references[place])
    for role, several in ((STYLE, _alternatives(material)), (ERROR, planted.texts)):
        for name, texts in several.items():
            for place in places:
                if texts[place] is not None:
                    yield _Block(role, name, place, texts[place], references[place])


def _alternatives(material: Material) -> dict[str, Sequence[Report]]:
    """Those that read otherwise than their original: what is as it was costs nothing and would hide the rest."""
    return {
        variation: [
            text if text != original else None
            for one in material.sets
            for text, original in zip(one.reference(variation), one.reports.references, strict=True)
        ]
        for variation in material.variations
    }


def _usable(material: Material, planted: Planted) -> np.ndarray:
    """Studies with an alternative and an error."""
    styled = np.zeros(len(material.groups), dtype=bool)
    for texts in _alternatives(material).values():
        styled |= np.fromiter((text is not None for text in texts), dtype=bool, count=len(texts))
    wrong = np.zeros(len(material.groups), dtype=bool)
    for texts in planted.texts.values():
        wrong |= np.fromiter((text is not None for text in texts), dtype=bool, count=len(texts))
    return np.asarray(styled & wrong, dtype=bool)
