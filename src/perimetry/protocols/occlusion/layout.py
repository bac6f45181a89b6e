"""From loaded studies to the cases of an occlusion audit: every study once, then every class examined on a study."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from perimetry.cases import CaseSet, Study, UsageError
from perimetry.cases.dataset import Case
from perimetry.cases.examined import Examination, examine
from perimetry.conditions import Condition
from perimetry.conditions.spelling import read_spelling
from perimetry.protocols.occlusion.options import REGIONS, OcclusionOptions
from perimetry.protocols.occlusion.truth import reference_whole
from perimetry.runs.asked import Asked
from perimetry.runs.design import LaidOut

__all__ = ["Examinations", "concerns", "is_region", "lay_out"]

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Examinations:
    """What the layout found.

    Parameters
    ----------
    by_dataset : mapping of str to Examination
    """

    by_dataset: Mapping[str, Examination]


def lay_out(asked: Asked, case_sets: Sequence[CaseSet]) -> LaidOut:
    """Each data set's studies, then one examined study for every class on every study (``STUDY#CLASS``).

    Raises
    ------
    UsageError
        For a data set of questions, and where no class has images enough in any data set.
    """
    options = OcclusionOptions.of(asked.options)
    examinations: dict[str, Examination] = {}
    laid: list[CaseSet] = []
    for case_set in case_sets:
        found = examine(
            _studies(case_set),
            classes=options.classes or None,
            min_images=options.min_images,
            max_iou=options.max_iou,
            max_spill=options.max_spill,
            absent=options.absent,
            seed=asked.seed,
        )
        for line in found.notes(quoting=case_set.data_use == "open"):
            case_set.funnel.note(line)
            LOGGER.warning("%s: %s", case_set.name, line)
        examinations[case_set.name] = found
        faulty = {fault.study for fault in found.faults}
        sound = tuple(study for study in case_set.studies if study.id not in faulty)
        laid.append(replace(case_set, cases=(*sound, *found.cases)))
    if not any(found.images for found in examinations.values()):
        counts = "; ".join(f"{name}: {_counted(found)}" for name, found in examinations.items())
        raise UsageError(
            f"No class can be examined: none is shown in boxes on at least {options.min_images} images ({counts}). "
            "Lower --min-images, or give more studies."
        )
    if options.truth == "report":
        _check_references(laid)
    return LaidOut(tuple(laid), Examinations(examinations))


def _check_references(case_sets: Sequence[CaseSet]) -> None:
    """Refuse to hold classes against reference reports where no examined study has one; tell where some have none."""
    for case_set in case_sets:
        shown = [case for case in case_set.studies if case.examined is not None and case.examined.present]
        without = [case for case in shown if reference_whole(case) is None]
        if shown and len(without) == len(shown):
            raise UsageError(
                f"--truth report holds classes against reference reports, and none of the {len(shown):,} examined "
                f"cases of {case_set.name} has one (sections findings or impression). Use --truth box, or give studies "
                "with reports."
            )
        if without:
            line = (
                f"{len(without):,} of {len(shown):,} examined cases have no reference report; with --truth report they "
                "leave every comparison"
            )
            case_set.funnel.note(line)
            LOGGER.warning("%s: %s", case_set.name, line)


def _studies(case_set: CaseSet) -> tuple[Study, ...]:
    """The studies of a data set; a question among them is an error."""
    for case in case_set.cases:
        if not isinstance(case, Study):
            raise UsageError(
                f"Case {case.id!r} of {case_set.name} is a question, and this audit covers regions of studies. "
                "Give a data set of studies, for example --data phantom-studies; `perimetry datasets` says which is "
                "which."
            )
    return case_set.studies


def _counted(found: Examination) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in found.few.items()) or "no box of any class"


@cache
def is_region(spelling: str) -> bool:
    """Whether a condition covers regions of an examined study.

    Examples
    --------
    >>> is_region("oco@100"), is_region("real")
    (True, False)
    """
    return read_spelling(spelling).name in REGIONS


def concerns(case: Case, condition: Condition) -> bool:
    """Whether a case has a trial under a condition.

    A study itself stands under what changes the whole image; an examined one under ``real`` and what covers regions.
    """
    region = is_region(condition.spelling)
    if isinstance(case, Study) and case.examined is not None:
        return region or condition.spelling == "real"
    return not region
