"""Screening by data specs, with a judge's opinion on request, and the folder it writes."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from perimetry.cases import CaseSet, UsageError, load
from perimetry.cases.only import restricted
from perimetry.cases.spec import DataSpec
from perimetry.models.chat.secrets import without_credentials
from perimetry.runs.estimates import estimate_frame
from perimetry.runs.folder import RunFolder, without_none, write_atomically
from perimetry.runs.spreadsheet import save_csv
from perimetry.screening.appendix import checklist
from perimetry.screening.content import content_digest
from perimetry.screening.denominators import Remark
from perimetry.screening.prevalence import cue_frame, odds_estimates, prevalence_frame
from perimetry.screening.registry import chosen_screens
from perimetry.screening.run import Screening, Survey, screen_cases

if TYPE_CHECKING:
    from perimetry.inference import Summary
    from perimetry.screening.judging import JudgeRoom, Judging, Opinion

__all__ = ["SETTINGS", "ScreenResult", "count_judging", "screen", "write_screens"]

SETTINGS = "screen.toml"
KEPT_IMAGES = "images.jsonl"
"""What was seen in each image, by digest: a second run looks at no image again."""
_MARKS = frozenset({"candidates.parquet", "prevalence.csv", KEPT_IMAGES})
_LIBRARIES = ("perimetry", "numpy", "polars")
_JUDGED = ("judged", "judged_verdicts", "judged_missing")
"""Tables of what judges say; a screening without a judge leaves none behind."""


@dataclass(frozen=True, slots=True)
class ScreenResult:
    """What was screened, and where it lies.

    Parameters
    ----------
    screenings : tuple of Screening
        One a data set, in the order given.
    path : Path or None
    page : Path or None
    opinions : tuple of Opinion
        Of the judge, one a data set; none where no judge was asked.
    summaries : tuple of Summary
        How each asking ended.
    """

    screenings: tuple[Screening, ...]
    path: Path | None = None
    page: Path | None = None
    opinions: tuple[Opinion, ...] = ()
    summaries: tuple[Summary, ...] = ()

    @property
    def prevalence(self) -> pl.DataFrame:
        """The table of prevalence.csv."""
        return prevalence_frame(self.screenings)

    @property
    def cues(self) -> pl.DataFrame:
        """The table of cues.csv."""
        return cue_frame(self.screenings)

    @property
    def candidates(self) -> pl.DataFrame:
        """The table of candidates.parquet: what screens found, and then, of the layer ``judged``, what a judge says."""
        return pl.concat([*(it.candidates for it in self.screenings), *(it.candidates for it in self.opinions)])

    @property
    def judged(self) -> pl.DataFrame:
        """The table of judged.csv; empty where no judge was asked."""
        from perimetry.screening.judging.tables import judged_frame

        return judged_frame(self.opinions)

    @property
    def pending(self) -> int:
        """Requests to the judge without a final answer: the same command asks them."""
        return sum(opinion.pending for opinion in self.opinions)

    @property
    def speechless(self) -> bool:
        """Whether a judge was asked, everything is answered for good, and not one verdict could be read."""
        asked = any(opinion.items for opinion in self.opinions)
        return asked and not self.pending and not any(opinion.tallies for opinion in self.opinions)


def screen(
    data: Sequence[str],
    *,
    out: Path | str | None = None,
    images: Path | str | None = None,
    mapping: Path | str | None = None,
    split: str | None = None,
    limit: int | None = None,
    only: Path | str | None = None,
    screens: Sequence[str] = (),
    judging: Judging | None = None,
    command: str = "",
    progress: Callable[[int, int], None] | None = None,
    item_progress: Callable[[str, int, int], None] | None = None,
) -> ScreenResult:
    """Screen data sets for cues that could lead to the key without the image.

    Parameters
    ----------
    data : sequence of str
        Specs, ``NAME:PATH``.
    out : path-like, optional
        Folder for tables and page; nothing is written without it.
    images : path-like, optional
        Folder of the images; with it screens that look at pixels run, too. The path of the data itself stands for the
        place where its layout has them.
    mapping : path-like, optional
        TOML file field -> column for ``table`` and ``hub``.
    split : str, optional
    limit : int, optional
        Screen this many items of each data set.
    only : path-like, optional
        File of ids: screen the items that it names.
    screens : sequence of str
        Names; default all.
    judging : Judging, optional
        A model that is asked, after the screens, about cues that no rule can decide. It is shown the images where
        `images` is given; its answers are kept in ``OUT/responses`` and asked for once.
    command : str
        Shown on the page; credentials are taken out.
    progress : callable, optional
        Told after every image how many of how many of its data set were looked at.
    item_progress : callable, optional
        Told after every item: the step, how many of how many of its data set are through it.

    Raises
    ------
    UsageError
        When no data set is given, one is given twice, or the folder holds other files or the screens of another
        data set; for a judge without a folder, one that there is none of, or data that may not be sent to it.
    DataError
        When a data set cannot be read or holds no question.

    Examples
    --------
    >>> result = screen(["phantom:n=20"])
    >>> result.screenings[0].dataset, result.path
    ('phantom', None)
    """
    folder, data = _begun(data, out, only)
    chosen = chosen_screens(screens, without=() if images is not None else ("image",))
    survey = _survey(folder, progress) if any(each.layer == "image" for each in chosen) else None
    with _judge(judging, folder, images is not None) as room:
        sets = _loaded(data, images=images, mapping=mapping, split=split, limit=limit, room=room)
        found = [(it, screen_cases(it, screens=chosen, survey=survey, progress=item_progress)) for it in sets]
        result = ScreenResult(tuple(screening for _, screening in found))
        if folder is None:
            return result
        if room is None:
            return write_screens(result, folder, data, command)
        if not (folder.path / SETTINGS).is_file():
            # A folder in which only answers lie would be nobody's: an interrupted asking could not be gone on with.
            _write_settings(result, folder, data, command, room)
        room.mend()
        opinions = tuple(room.opinion(case_set, screening) for case_set, screening in found)
        result = replace(result, opinions=opinions, summaries=tuple(room.summaries))
        return write_screens(result, folder, data, command, room)


def count_judging(
    data: Sequence[str],
    judging: Judging,
    *,
    out: Path | str,
    images: Path | str | None = None,
    mapping: Path | str | None = None,
    split: str | None = None,
    limit: int | None = None,
    only: Path | str | None = None,
    screens: Sequence[str] = (),
) -> dict[str, tuple[int, int]]:
    """For each data set what `screen` would ask the judge, and how much of it has no answer yet; asks nobody.

    Everything is checked as `screen` checks it, and nothing is written. Parameters as there.
    """
    folder, data = _begun(data, out, only)
    chosen_screens(screens)
    with _judge(judging, folder, images is not None) as room:
        assert room is not None
        sets = _loaded(data, images=images, mapping=mapping, split=split, limit=limit, room=room)
        return {case_set.name: room.count(case_set) for case_set in sets}


def _begun(
    data: Sequence[str], out: Path | str | None, only: Path | str | None
) -> tuple[RunFolder | None, Sequence[str]]:
    """The folder, checked, and the data sets with the items they are restricted to."""
    if not data:
        raise UsageError("No data set was given: --data NAME:PATH was expected. `perimetry datasets` lists them.")
    data = restricted(data, only)
    folder = None if out is None else RunFolder(Path(out))
    if folder is not None:
        folder.check_usable(SETTINGS, _MARKS)
        _check_same(folder, data)
    return folder, data


def _judge(judging: Judging | None, folder: RunFolder | None, images: bool) -> AbstractContextManager[JudgeRoom | None]:
    """The judge's room, if there is a judge."""
    if judging is None:
        return nullcontext()
    if folder is None:
        raise UsageError(f"The answers of the judge {judging.spec} need a place to be kept: give an output folder.")
    from perimetry.screening.judging import open_judge

    return open_judge(judging, folder.path, images)


def _loaded(
    data: Sequence[str],
    *,
    images: Path | str | None,
    mapping: Path | str | None,
    split: str | None,
    limit: int | None,
    room: JudgeRoom | None,
) -> Iterator[CaseSet]:
    """The data sets one after another, each under a name of its own and allowed to go where the judge is."""
    names: set[str] = set()
    for spec in data:
        case_set = load(spec, split=split, limit=limit, mapping=mapping, images=_elsewhere(images, spec))
        if case_set.name in names:
            raise UsageError(
                f"The data set {case_set.name} is given twice. Give each once, or another name to one: "
                "table:PATH,name=OTHER."
            )
        names.add(case_set.name)
        if room is not None:
            room.check(case_set)
        yield case_set


def write_screens(
    result: ScreenResult,
    folder: RunFolder,
    data: Sequence[str] = (),
    command: str = "",
    room: JudgeRoom | None = None,
) -> ScreenResult:
    """Write tables, funnel, checklist and page; the same input gives the same bytes, ``screen.toml`` apart.

    What a judge says has tables of its own, and rows of its own layer among the candidates: no other table changes.
    """
    from perimetry.reports import Reproduce, build_site
    from perimetry.screening.page import page

    versions = _write_settings(result, folder, data, command, room)
    candidates = result.candidates
    _write_large(folder.path / "candidates", candidates)
    folder.write_table("items", _items(result.screenings))
    folder.write_table("prevalence", result.prevalence, csv=True)
    folder.write_table("cues", result.cues, csv=True)
    folder.write_table("estimates", estimate_frame(odds_estimates(result.screenings)), csv=True)
    _write_judged(result, folder)
    funnels = json.dumps([funnel_of(screening) for screening in result.screenings], indent=2, ensure_ascii=False)
    write_atomically(folder.path / "funnel.json", (funnels + "\n").encode("utf-8", "replace"))
    write_atomically(folder.path / "checklist.md", _checklist().encode())
    notes = ["Screens draw nothing at random: the same items give the same tables."]
    if room is not None:
        notes.append(
            f"The judge was asked once at temperature 0 ({room.judge.name}, prompt {room.settings['prompt']}); its "
            "answers are in responses, and the same command asks for none of them again."
        )
    reproduce = Reproduce(without_credentials(command), versions, notes=tuple(notes))
    site = page(result.screenings, result.cues, candidates, reproduce, result.opinions, result.summaries)
    return replace(result, path=folder.path, page=build_site(folder.path, site))


def _write_settings(
    result: ScreenResult, folder: RunFolder, data: Sequence[str], command: str, room: JudgeRoom | None
) -> dict[str, str]:
    """Write screen.toml; gives the versions that stand in it."""
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    folder.path.mkdir(parents=True, exist_ok=True)
    settings: dict[str, Any] = {
        "protocol": "screens",
        "command": without_credentials(command),
        "datasets": [screening.dataset for screening in result.screenings],
        "data": _specs(data),
        "screens": {one.name: one.version for one in result.screenings[0].screens},
        "judge": None if room is None else room.settings,
        "versions": versions,
    }
    write_atomically(folder.path / SETTINGS, _toml(without_none(settings)))
    return versions


def _write_judged(result: ScreenResult, folder: RunFolder) -> None:
    """Write what the judge says, or take away what another one said in this folder."""
    if not result.opinions:
        for name in _JUDGED:
            for suffix in (".parquet", ".csv"):
                (folder.path / f"{name}{suffix}").unlink(missing_ok=True)
        return
    from perimetry.screening.judging.tables import missing_frame

    folder.write_table("judged", result.judged, csv=True)
    _write_large(folder.path / "judged_verdicts", pl.concat([opinion.verdicts for opinion in result.opinions]))
    folder.write_table("judged_missing", missing_frame(result.opinions), csv=True)


def funnel_of(screening: Screening) -> dict[str, Any]:
    """What entered, what was left out, and what each analysis could use, as plain data."""

    def told(remarks: Sequence[Remark]) -> list[dict[str, Any]]:
        return [
            {"reason": one.what, "items": one.items, "consequence": one.consequence, "examples": list(one.examples)}
            for one in remarks
        ]

    counts = screening.denominators
    return {
        "dataset": screening.dataset,
        "load": None if screening.funnel is None else screening.funnel.to_dict(),
        "questions": counts.items,
        "options_comparable": counts.valid,
        "options_not_comparable": told(counts.unusable),
        "peculiar": told(counts.peculiar),
        "images": list(screening.image_notes),
        "denominators": {name: tally.items for name, tally in sorted(screening.tallies.items())},
    }


def _specs(data: Sequence[str]) -> list[str]:
    return [DataSpec.parse(spec).absolute for spec in data]


def _check_same(folder: RunFolder, data: Sequence[str]) -> None:
    """Raise a `UsageError` where the folder has the screens of a data set that is not among these."""
    file = folder.path / SETTINGS
    if not file.is_file():
        return
    try:
        before = tomllib.loads(file.read_text("utf-8")).get("data", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(
            f"{file} cannot be read ({error}), so that it is not known what the folder holds. "
            "Give another --out, or delete the folder."
        ) from error
    others = [spec for spec in before if spec not in _specs(data)]
    if others:
        raise UsageError(
            f"{folder.path} holds the screens of {', '.join(map(str, others))}, which would be overwritten. Give "
            "another --out, or delete the folder."
        )


def _elsewhere(images: Path | str | None, spec: str) -> Path | None:
    """The folder of the images where it is not that of the data themselves."""
    path = DataSpec.parse(spec).path
    if images is None or (path is not None and Path(images).resolve() in (path.resolve(), path.resolve().parent)):
        return None
    return Path(images)


def _survey(folder: RunFolder | None, progress: Callable[[int, int], None] | None) -> Survey:
    """The survey of images; what it sees is kept in the folder."""
    from perimetry.screening.images import survey

    return partial(survey, kept=None if folder is None else folder.path / KEPT_IMAGES, progress=progress)


def _write_large(path: Path, frame: pl.DataFrame) -> None:
    """Parquet and CSV (safe to open as a spreadsheet) by write-then-rename, no second copy of the bytes in memory."""
    for suffix, write in ((".parquet", frame.write_parquet), (".csv", partial(save_csv, frame))):
        scratch = path.with_name(f".{path.name}{suffix}.{os.getpid()}.tmp")
        try:
            write(scratch)
            scratch.replace(path.with_name(path.name + suffix))
        finally:
            scratch.unlink(missing_ok=True)


def _items(screenings: Sequence[Screening]) -> pl.DataFrame:
    """Every item that was screened, with the digest of what it says."""
    rows = [
        (item.dataset, item.id, content_digest(item.stem, [(it.label, it.text) for it in item.options], item.keys))
        for screening in screenings
        for item in screening.source()
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("dataset", "case_id", "content"), pl.String), orient="row")


def _checklist() -> str:
    lines = [
        "# What only a human can judge",
        "",
        "Cues of MedQA-MM, Appendix F, beyond what screens see. Per item:",
        "",
    ]
    return "\n".join([*lines, *(f"- [ ] {cue}: {question}" for cue, question in checklist()), ""])


def _toml(value: Any) -> bytes:
    import tomli_w

    return tomli_w.dumps(value).encode("utf-8", "replace")
