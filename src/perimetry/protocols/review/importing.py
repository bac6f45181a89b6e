"""Ratings are taken in: every file is checked as a whole before anything is kept."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError, UsageError
from perimetry.protocols.review.handout import item_texts
from perimetry.protocols.review.ratings import Rating, read_ratings, write_ratings
from perimetry.protocols.review.sheets import Row, read_sheet
from perimetry.protocols.review.study import ANYBODY, ReviewStudy, read_study
from perimetry.runs.folder import named_disk_errors

__all__ = ["Imported", "check_rater", "import_ratings"]

RATER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
FAULTS_TOLD = 10
_CHANGED_BY_PROGRAMS = re.compile(r"[\s'?\"]|[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Imported:
    """What one file gave.

    Parameters
    ----------
    file : str
    raters : tuple of str
    new, same, replaced : int
        Ratings that were not there, were there already, and took the place of another one.
    skipped : int
        Items left without a rating.
    """

    file: str
    raters: tuple[str, ...]
    new: int
    same: int
    replaced: int
    skipped: int

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "file": self.file,
            "raters": list(self.raters),
            "new": self.new,
            "same": self.same,
            "replaced": self.replaced,
            "skipped": self.skipped,
        }


def check_rater(name: str) -> str:
    """Return a rater's name, or say why it cannot be one: it stands in file names and tables.

    Raises
    ------
    UsageError

    Examples
    --------
    >>> check_rater("rater-1")
    'rater-1'
    """
    if not RATER.fullmatch(name):
        raise UsageError(
            f"The rater {echo(name)!r} cannot be a file name: expected letters, digits, '.', '_', '-' or '@', "
            "64 at most, a letter or digit first. Initials or rater-1 will do."
        )
    return name


def import_ratings(
    folder: Path, files: Sequence[Path], *, rater: str | None = None, replace_earlier: bool = False
) -> tuple[Imported, ...]:
    """Take filled-in sheets into a review. Either every file is taken or none.

    Parameters
    ----------
    folder : Path
        As `export_review` left it.
    files : sequence of Path
        See `perimetry.protocols.review.sheets.read_sheet`.
    rater : str, optional
        Who filled them in, where they do not say.
    replace_earlier : bool, default False
        Whether a rating may take the place of another one that the same rater gave to the same item before.

    Raises
    ------
    DataError
        For a file of another study, other columns, unknown items, texts that were not handed out, ratings that the
        task does not have, a rater who rated an item twice or was not asked for it, or a file without any rating;
        names every place.
    """
    if not files:
        raise UsageError("No file was given: name the sheets that came back.")
    study = read_study(folder)
    kept = {(each.task, each.item, each.rater): each for each in read_ratings(folder)}
    told = []
    for file in files:
        _refuse_what_is_no_sheet(file)
        fresh, skipped = _checked(study, file, read_sheet(file), None if rater is None else check_rater(rater))
        counts: Counter[str] = Counter()
        clashes = []
        for key, rating in fresh.items():
            before = kept.get(key)
            if before is None:
                counts["new"] += 1
            elif before.value == rating.value and rating.comment in ("", before.comment):
                counts["same"] += 1
                continue
            elif before.value == rating.value or replace_earlier:
                counts["replaced"] += 1
            else:
                clashes.append(
                    f"{rating.item}: {rating.rater} said {before.value} in {before.source}, now {rating.value}"
                )
            kept[key] = rating
        _raise(file, clashes, "Where the later one is right, import with --replace.")
        raters = tuple(sorted({each.rater for each in fresh.values()}))
        told.append(Imported(str(file), raters, counts["new"], counts["same"], counts["replaced"], skipped))
    with named_disk_errors(folder, ""):
        write_ratings(folder, kept.values())
    return tuple(told)


def _refuse_what_is_no_sheet(file: Path) -> None:
    if file.is_dir():
        held = sorted(
            each.name for each in file.iterdir() if each.suffix.lower() in (".csv", ".tsv", ".json", ".jsonl")
        )
        raise DataError(
            f"{file} is a folder. Name the sheets that came back{f', such as {file / held[0]}' if held else ''} "
            f"({file}/*.csv for all)."
        )
    if file.suffix.lower() in (".html", ".htm"):
        raise DataError(
            f"{file} is the page that a rater fills in; ratings are not kept in it. Import the sheet ({file.stem}.csv) "
            "that its button saves."
        )


def _checked(
    study: ReviewStudy, file: Path, rows: Sequence[Row], rater: str | None
) -> tuple[dict[tuple[str, str, str], Rating], int]:
    others = {row.study for row in rows} - {study.id}
    if others:
        raise DataError(
            f"{file} is of another study: it says {echo_list(sorted(others))}, this review is {study.id}. Import it "
            "into its own folder."
        )
    known = {each.task.name: item_texts(study, each.task.name) for each in study.tasks}
    dealt = {each.task.name: study.dealt(each.task.name) for each in study.tasks}
    found: dict[tuple[str, str, str], Rating] = {}
    faults: list[str] = []
    skipped = 0
    for row in rows:
        fault = _place_fault(row, known) or _text_fault(row, known[row.task][row.item])
        if fault:
            faults.append(f"{row.place}: {fault}")
            continue
        if not row.rating:
            skipped += 1
            continue
        value = study.task(row.task).task.value_of(row.rating)
        if value is None:
            values = ", ".join(study.task(row.task).task.values)
            faults.append(f"{row.place}: rating is {echo(row.rating)!r}, expected one of {values}, or nothing")
            continue
        name, fault = _who(row, rater, dealt[row.task].get(row.item, []))
        if fault:
            faults.append(f"{row.place}: {fault}")
            continue
        key = (row.task, row.item, name)
        if key in found and found[key].value != value:
            faults.append(f"{row.place}: {name} rated it twice, {found[key].value} and {value}; keep one")
            continue
        found[key] = Rating(row.task, row.item, name, value, row.comment, file.name)
    _raise(file, faults, "Mend them, then import again; nothing was taken in.")
    if not found:
        raise DataError(f"{file} holds no rating: all {len(rows)} rows are left open. Fill in the column rating.")
    return found, skipped


def _text_fault(row: Row, handed_out: Mapping[str, str]) -> str:
    """Which text of a row is not the item's: a rating of it would be one of something else."""
    for name, found in row.texts.items():
        if name not in handed_out:
            return f"{name}: {row.task} has no such text, but {' and '.join(handed_out)}"
        if _letters(found) != _letters(handed_out[name]):
            return f"{name} is not the text that was handed out for this item, and it cannot be told which was rated"
    return ""


def _letters(words: str) -> str:
    """A text without what spreadsheets and encodings change: blanks, apostrophes, letters beyond ASCII."""
    return _CHANGED_BY_PROGRAMS.sub("", words)


def _place_fault(row: Row, known: Mapping[str, Mapping[str, object]]) -> str:
    if row.task not in known:
        return f"task is {echo(row.task)!r}, this review has {', '.join(known)}"
    if row.item not in known[row.task]:
        near = difflib.get_close_matches(row.item, sorted(known[row.task]), n=1, cutoff=0.8)
        return f"there is no item {echo(row.item)!r} in {row.task}{f'; did you mean {near[0]}?' if near else ''}"
    return ""


def _who(row: Row, rater: str | None, dealt: Sequence[str]) -> tuple[str, str]:
    """The rater of a row, or what is wrong with it."""
    if rater and row.rater and row.rater != rater:
        return "", f"rater is {echo(row.rater)!r}, --rater says {rater}"
    name = rater or row.rater
    if not name:
        return "", "no rater is named; say who it was with --rater NAME"
    if not RATER.fullmatch(name):
        return "", f"rater is {echo(name)!r}; expected letters, digits, '.', '_', '-' or '@'"
    if ANYBODY not in dealt and name not in dealt:
        return "", f"it was not dealt to {name} but to {', '.join(dealt) or 'nobody'}"
    return name, ""


def _raise(file: Path, faults: Sequence[str], remedy: str) -> None:
    if faults:
        more = f"; and {len(faults) - FAULTS_TOLD} more" if len(faults) > FAULTS_TOLD else ""
        told = "; ".join(faults[:FAULTS_TOLD])
        raise DataError(f"{file}, {len(faults)} fault{'s' * (len(faults) > 1)}: {told}{more}. {remedy}")
