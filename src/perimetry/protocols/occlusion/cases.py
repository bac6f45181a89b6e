"""The cases that the occlusion report shows, and what makes each worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.cases import ImageError, Study
from perimetry.cases.dataset import Case
from perimetry.cases.errors import PerimetryError
from perimetry.cases.image import Pixels
from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.occlusion.grid import Grid
from perimetry.protocols.occlusion.truth import reference_whole
from perimetry.reports import Browser, BrowserAnswer, BrowserCase, Flag
from perimetry.runs.preparation import Preparation
from perimetry.scoring.report_text import report_of
from perimetry.statistics import permutation

__all__ = ["SHOWN", "browser"]

SHOWN = 40
"""Cases in the browser: those with flags first, filled up at random; the same ones for the same run."""

KEPT_COVERED = "stated although its region is covered"
LOST_CONTEXT = "lost when other findings are covered"
LOST_RANDOM = "lost under a random cover"
SET_OFF = "stated falsely under a cover only"
SILENT = "no report in the response"
FAILED = "request failed"

_PER_FLAG = 8

Flags = NDArray[np.bool_]


def browser(store: RequestStore, analysis: Analysis) -> Browser:
    """The case browser: images of every condition side by side, reports, what each states."""
    flags = [_flags(analysis, model) for model in analysis.models]
    chosen = _choose(analysis, flags)
    marks = {
        item: tuple(
            Flag(name, model)
            for model, found in zip(analysis.models, flags, strict=True)
            for name, items in found.items()
            if items[item]
        )
        for item in chosen
    }
    shown = [_Shown.of(analysis, item, marks[item]) for item in chosen]
    cases = _cases(store, shown, analysis.models, analysis.preparation)
    return Browser(cases, withhold=analysis.preparation.withheld, limit=SHOWN)


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A chosen case with its outcomes by model, and nothing of the others."""

    case: Case
    dataset: str
    outcomes: dict[str, pl.DataFrame]
    flags: tuple[Flag, ...]

    @classmethod
    def of(cls, analysis: Analysis, item: int, flags: tuple[Flag, ...]) -> _Shown:
        plan = analysis.preparation.plan
        start, end = np.searchsorted(plan.trials["case"].to_numpy(), [item, item + 1]).tolist()
        outcomes = {model: frame[start:end] for model, frame in analysis.outcomes.items()}
        return cls(analysis.preparation.cases[item], plan.keys[item][0], outcomes, flags)


def _flags(analysis: Analysis, model: str) -> dict[str, Flags]:
    """Which cases carry which flag, for one model."""
    plan = analysis.preparation.plan
    grid = Grid.of(analysis.outcomes[model], plan)
    real, examined = grid.index("real"), grid.finding >= 0
    case = plan.trials["case"].to_numpy()
    silent = np.zeros(len(examined), dtype=bool)
    np.logical_or.at(silent, case, analysis.outcomes[model]["silent"].fill_null(False).to_numpy())
    found: dict[str, Flags] = {
        FAILED: np.asarray((grid.applies & ~grid.answered).any(axis=1) & examined, dtype=bool),
        SILENT: silent & examined,
    }
    if real is None:
        return found
    tops = {family.region: family.top[1] for family in grid.families}
    before = grid.stated(real) > 0.5
    true = np.nan_to_num(grid.true) > 0
    for region, name in (
        ("oco", KEPT_COVERED),
        ("doco", LOST_CONTEXT),
        ("ro", LOST_RANDOM),
        ("romatched", LOST_RANDOM),
    ):
        if region not in tops:
            continue
        both = grid.answered[:, tops[region]] & grid.answered[:, real] & examined & grid.present & true & before
        after = grid.stated(tops[region]) > 0.5
        hit = both & (after if region == "oco" else ~after)
        found[name] = found.get(name, np.zeros(len(hit), dtype=bool)) | hit
    if "oco" in tops:
        both = grid.answered[:, tops["oco"]] & grid.answered[:, real] & examined & ~grid.present
        found[SET_OFF] = both & ~before & (grid.stated(tops["oco"]) > 0.5)
    return found


def _choose(analysis: Analysis, flags: Sequence[Mapping[str, Flags]]) -> list[int]:
    """Some cases of each flag and model in turn, then other examined ones, in a seeded order."""
    cases = analysis.preparation.cases
    order = permutation(analysis.preparation.asked.seed, "browser", size=len(cases)).tolist()
    chosen: dict[int, None] = {}
    for name in (SET_OFF, LOST_CONTEXT, KEPT_COVERED, LOST_RANDOM, SILENT, FAILED):
        members = [item for item in order if any(name in one and one[name][item] for one in flags)]
        chosen.update(dict.fromkeys(members[:_PER_FLAG]))
    for item in order:
        if len(chosen) >= SHOWN:
            break
        if getattr(cases[item], "examined", None) is not None:
            chosen[item] = None
    return sorted(list(chosen)[:SHOWN])


def _cases(
    store: RequestStore, shown: Sequence[_Shown], models: Sequence[str], preparation: Preparation
) -> Iterator[BrowserCase]:
    texts = {model: _texts(store, model, [one.outcomes[model] for one in shown]) for model in models}
    for one in shown:
        study = one.case
        assert isinstance(study, Study)
        answers = [
            _answer(model, row, texts[model].get(row["request_id"], ""))
            for model in models
            for row in one.outcomes[model].iter_rows(named=True)
            if row["request_id"] is not None and not row["condition"].partition("(")[0].endswith("@0")
        ]
        yield BrowserCase(
            id=study.id,
            dataset=one.dataset,
            question=_about(study),
            gold=reference_whole(study) or "",
            images=_images(study, preparation),
            answers=tuple(answers),
            flags=one.flags,
        )


def _about(study: Study) -> str:
    one = study.examined
    if one is None:
        return "The study as a whole."
    others = f"; {len(one.others)} of other findings" if one.others else "; none of other findings beside"
    boxes = f"{len(one.boxes)} box{'es' if len(one.boxes) != 1 else ''}"
    if one.present:
        return f"{one.finding} is there, in {boxes}{others}."
    return f"{one.finding} is not there: {boxes} of study {one.donor} laid on it{others}."


def _answer(model: str, row: Mapping[str, Any], text: str) -> BrowserAnswer:
    if not row["answered"]:
        return BrowserAnswer(
            model, row["condition"], rule=str(row["failure_kind"] or "not asked yet"), repeat=row["repeat"]
        )
    if row["stated"] is None:
        said, right = None, None
    else:
        said = "stated" if row["stated"] else "not stated"
        right = None if row["true"] is None else bool(row["stated"]) == bool(row["true"])
    # A report that nothing had to be cut from needs no word.
    rule = str(row["unread"] or row["cut"] or "").replace("as_written", "").replace("_", " ")
    return BrowserAnswer(model, row["condition"], report_of(text).text or text, said, rule, right, row["repeat"])


def _texts(store: RequestStore, model: str, outcomes: Sequence[pl.DataFrame]) -> dict[str, str]:
    """Raw responses of the chosen cases."""
    ids = {name for frame in outcomes for name in frame["request_id"].drop_nulls().to_list()}
    frame = store.responses(model).select("request_id", "text").filter(pl.col("request_id").is_in(list(ids))).collect()
    return {request_id: text or "" for request_id, text in frame.iter_rows()}


def _images(study: Study, preparation: Preparation) -> dict[str, tuple[Pixels, ...]]:
    """What each condition shows of a study, unchanged first; a picture that cannot be read is left out."""
    shown: dict[str, tuple[Pixels, ...]] = {}
    for condition in preparation.conditions:
        if not preparation.design.concerns(study, condition) or condition.spelling.partition("(")[0].endswith("@0"):
            continue
        changed = condition.apply(study, preparation.surroundings)
        if changed is None:
            continue
        try:
            images = preparation.design.render(changed, preparation.design.profile).images
            shown[condition.spelling] = tuple(image.pixels() for image in images)
        except (ImageError, PerimetryError):
            continue
    return shown
