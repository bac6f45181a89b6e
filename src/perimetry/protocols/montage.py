"""A sheet of studies under all occlusion conditions, from a data set to a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from perimetry.cases import CaseSet, ImageError, Study, UnknownNameError, UsageError, load
from perimetry.cases.box_sizes import box_sizes
from perimetry.cases.examined import examine
from perimetry.cases.png import encode_png
from perimetry.conditions import Surroundings
from perimetry.reports.montage import draw_montage, montage_conditions

__all__ = ["Montage", "montage"]


@dataclass(frozen=True, slots=True)
class Montage:
    """What was drawn.

    Parameters
    ----------
    path : Path
    rows : tuple of str
        One examined study a row, ``STUDY#CLASS``.
    data_use : str
        Terms of the data: pictures of restricted and credentialed data sets are not for passing on.
    """

    path: Path
    rows: tuple[str, ...]
    data_use: str


def montage(
    data: str,
    cases: Sequence[str],
    out: Path,
    *,
    classes: Sequence[str] | None = None,
    strength: int = 100,
    fill: str = "noise",
    seed: int = 42,
    split: str | None = None,
    images: Path | None = None,
) -> Montage:
    """Draw studies of a data set under all conditions, with the placements that an audit of it would have.

    Parameters
    ----------
    data : str
        ``NAME:PATH`` or ``NAME:key=value``, a data set of studies.
    cases : sequence of str
        Ids of studies.
    out : Path
        PNG file to write.
    classes : sequence of str or None
        CheXpert classes to show. Default: all that the studies have boxes of.
    strength : int in 1..100, default 100
    fill : str, default "noise"
    seed : int, default 42
        The audit's seed.
    split : str, optional
    images : Path, optional
        Folder of the images where it is not the layout's own.

    Returns
    -------
    Montage

    Raises
    ------
    UnknownNameError
        For a study that the data set does not hold.
    UsageError
        When the data set holds no studies, or a study has no boxes to show.
    ImageError
        When an image cannot be read.
    """
    if not 1 <= strength <= 100:
        raise UsageError(f"The strength is {strength}; a whole number from 1 to 100 was expected.")
    if out.suffix.lower() != ".png":
        raise UsageError(f"The sheet is a PNG file, and --out is {out}. Give a name that ends in .png.")
    case_set = load(data, split=split, seed=seed, images=images)
    studies = _studies(case_set)
    chosen = [_found(studies, name, case_set.name) for name in cases]
    examination = examine(chosen, classes=classes, min_images=1, absent=False, seed=seed)
    if examination.faults:
        fault = examination.faults[0]
        raise UsageError(f"Study {fault.study} cannot be shown: {fault.detail}")
    without = [one.id for one in chosen if not any(case.study_id == one.id for case in examination.cases)]
    if without:
        named = f" of {', '.join(classes)}" if classes else ""
        raise UsageError(
            f"Study {without[0]} has no box{named}; its boxes are of "
            f"{', '.join(sorted({name for box in studies[without[0]].boxes for name in box.classes})) or 'no class'}. "
            "Name a study, or classes, with boxes."
        )
    surroundings = Surroundings(seed=seed, box_sizes={one.dataset: box_sizes(studies.values()) for one in chosen})
    pixels = draw_montage(
        examination.cases,
        montage_conditions(strength, fill),
        surroundings,
        f"{case_set.name}: what each condition covers",
    )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(encode_png(pixels))
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}. Give another --out.") from error
    return Montage(out, tuple(case.id for case in examination.cases), case_set.data_use)


def _studies(case_set: CaseSet) -> dict[str, Study]:
    studies = {case.id: case for case in case_set.pool if isinstance(case, Study)}
    if not studies:
        raise UsageError(
            f"{case_set.name} holds no studies with boxes. Give a data set of studies; `perimetry datasets` says which "
            "is which."
        )
    return studies


def _found(studies: dict[str, Study], name: str, dataset: str) -> Study:
    if name not in studies:
        raise UnknownNameError(f"study of {dataset}", name, studies)
    study = studies[name]
    if not study.images:
        raise ImageError(f"Study {name} has no image.")
    return study
