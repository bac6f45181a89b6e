"""One study under every condition at its highest strength, with its boxes drawn."""

from __future__ import annotations

from collections.abc import Sequence

from perimetry.cases import ImageError, Study
from perimetry.conditions import Condition
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.occlusion.family import families_of
from perimetry.reports import PictureBlock
from perimetry.reports.montage import draw_montage
from perimetry.statistics import permutation

__all__ = ["montage_of"]

_COLUMNS = 3
_LOOKED_AT = 200
"""Examined studies that are tried for one to which every condition applies."""


def montage_of(analysis: Analysis) -> PictureBlock | None:
    """A study that shows a class beside others, under every condition at its highest strength.

    Returns
    -------
    PictureBlock or None
        None where no picture may be shown (terms of use) or none can be read.
    """
    preparation = analysis.preparation
    conditions = _conditions(preparation.conditions, preparation.plan.conditions)
    study = _chosen(analysis, conditions)
    if study is None or study.examined is None:
        return None
    title = f"{study.dataset}: what each condition covers"
    try:
        pixels = draw_montage([study], conditions, preparation.surroundings, title, columns=_COLUMNS)
    except ImageError:
        return None
    return PictureBlock(
        pixels,
        f"Orange: boxes of {study.examined.finding}; blue: boxes of other findings; green: what a control covers.",
        "montage",
        f"Study {study.id} under {', '.join(condition.spelling for condition in conditions)}.",
        study.examined.finding,
    )


def _conditions(conditions: Sequence[Condition], names: Sequence[str]) -> list[Condition]:
    """The unchanged image first, then noise all over, then each kind of region at its highest strength."""
    families = families_of(names)
    regions = [names[family.top[1]] for family in families if family.fill == families[0].fill]
    wanted = [*(name for name in ("real", "fullnoise") if name in names), *regions]
    return [conditions[list(names).index(name)] for name in wanted]


def _chosen(analysis: Analysis, conditions: Sequence[Condition]) -> Study | None:
    """The first study in a seeded order to which most conditions apply and whose image can be read."""
    preparation = analysis.preparation
    cases = preparation.cases
    best: tuple[int, Study] | None = None
    looked = 0
    for item in permutation(preparation.asked.seed, "montage", size=len(cases)).tolist():
        study = cases[item]
        if not isinstance(study, Study) or study.examined is None or not study.examined.present:
            continue
        if preparation.plan.keys[item][0] in preparation.withheld:
            continue
        looked += 1
        applied = sum(one.apply(study, preparation.surroundings) is not None for one in conditions)
        if best is None or applied > best[0]:
            best = (applied, study)
        if applied == len(conditions) or looked == _LOOKED_AT:
            break
    return None if best is None else best[1]
