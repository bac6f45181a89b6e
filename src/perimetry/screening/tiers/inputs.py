"""What tiers and subsets are made from: folders of screens, of guessers and of route audits."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases import UnknownNameError, datasets
from perimetry.cases.errors import DataError, UsageError
from perimetry.runs.folder import RunFolder
from perimetry.screening.tiers.agreement import COMMANDS, Content, check_agreement
from perimetry.screening.tiers.decisions import Decision, read_decisions

__all__ = ["SETTINGS_OF_LATTICE", "Folder", "Inputs", "Source", "read_inputs"]

SETTINGS_OF_LATTICE = {
    "full": "full",
    "real": "full",
    "textonly": "textonly",
    "noimage": "textonly",
    "optionsonly": "optionsonly",
    "imageoptions": "imageoptions",
}
"""Conditions of a run that are settings of the modality lattice, and which; others (orders, retest) are not read."""

CANDIDATES: dict[str, Any] = {
    **dict.fromkeys(("dataset", "case_id", "cue", "layer", "unit", "severity", "options", "key"), pl.String),
    "key_has_cue": pl.Boolean,
    "singles_out_key": pl.Boolean,
    "decided_by": pl.String,
}
GUESSES: dict[str, Any] = {
    **dict.fromkeys(("guesser", "dataset", "case_id", "group"), pl.String),
    **dict.fromkeys(("options", "images"), pl.Int64),
    "correct": pl.Boolean,
    **dict.fromkeys(("p_answer", "p_key", "chance"), pl.Float64),
}
OUTCOMES: dict[str, Any] = {
    **dict.fromkeys(("model", "dataset", "case_id", "group", "condition"), pl.String),
    "repeat": pl.Int64,
    "answered": pl.Boolean,
    "correct": pl.Boolean,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A data set and its terms, as far as they are known."""

    name: str
    licence: str = ""
    data_use: str = ""
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that was read: what it holds, where it lies, and the command that made it."""

    kind: str
    path: Path
    command: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """Everything that was read, and what was not there.

    Parameters
    ----------
    candidates : polars.DataFrame
        One row an item and cue, `CANDIDATES`.
    guesses : polars.DataFrame
        One row a guesser and item, `GUESSES`.
    answers : polars.DataFrame
        One row an answer of a model in a setting of the lattice: model, dataset, case_id, group, setting, repeat,
        correct. Requests that failed are not among them; answers that no rule could read are, as wrong ones.
    items : polars.DataFrame
        Every item once: dataset, case_id, group, options, images, chance; the last three are empty where no guesser was
        asked.
    decisions : tuple of Decision
    sources : tuple of Source
    folders : tuple of Folder
    missing : tuple of str
        Kinds of evidence that were not given, each with what that means.
    """

    candidates: pl.DataFrame
    guesses: pl.DataFrame
    answers: pl.DataFrame
    items: pl.DataFrame
    decisions: tuple[Decision, ...]
    sources: tuple[Source, ...]
    folders: tuple[Folder, ...]
    missing: tuple[str, ...]


def read_inputs(folders: Sequence[str | Path], decisions: str | Path | None = None) -> Inputs:
    """Read folders of ``perimetry screen``, ``perimetry guess`` and ``perimetry audit routes``, told by their files.

    Parameters
    ----------
    folders : sequence of path-like
        In any order, several of a kind if they are about different data sets or models.
    decisions : path-like, optional
        Table of what people decided; see `read_decisions`.

    Returns
    -------
    Inputs

    Raises
    ------
    UsageError
        For no folder, for folders that tell the same twice, or that are about different data sets.
    DataError
        For a folder that is none of these, a table without a column that is needed, or items of one name that differ.

    Examples
    --------
    >>> import tempfile
    >>> from perimetry.screening.guessers import guess
    >>> folder = Path(tempfile.mkdtemp(), "guesses")
    >>> _ = guess("phantom:n=40", out=folder, shuffles=0, resamples=100)
    >>> read_inputs([folder]).missing[0]
    'screens: no folder of perimetry screen was given, so no cue is named'
    """
    if not folders:
        raise UsageError("No folder was given; expected those of perimetry screen, guess and audit routes.")
    read = [_recognised(Path(folder).expanduser()) for folder in folders]
    of_kind = {kind: [it for it in read if it.kind == kind] for kind in ("screens", "guesses", "lattice")}
    candidates = _gathered(of_kind["screens"], "candidates", CANDIDATES, ("dataset", "case_id", "cue"))
    guesses = _gathered(of_kind["guesses"], "predictions", GUESSES, ("guesser", "dataset", "case_id"))
    answers = _answers(of_kind["lattice"])
    items = _items(guesses, answers)
    if items.is_empty():
        raise UsageError(
            "The items are not known: a folder of screens names only those that carry a cue. Give a folder of "
            "perimetry guess, or the run of perimetry audit routes."
        )
    gaps = check_agreement([_content(folder) for folder in read])
    known = items.select("dataset", "case_id")
    candidates = candidates.join(known, on=["dataset", "case_id"], how="semi", maintain_order="left")
    decided = () if decisions is None else read_decisions(Path(decisions).expanduser())
    _check_decisions(decided, known, decisions)
    names = items["dataset"].unique().sort().to_list()
    return Inputs(
        candidates,
        guesses,
        answers,
        items,
        decided,
        tuple(_sources(names, of_kind["guesses"])),
        tuple(read),
        (*_missing(of_kind, answers, decided, guesses), *gaps),
    )


FILES = {
    "screens": ("screen.toml", "candidates.parquet"),
    "guesses": ("guess.toml", "predictions.parquet"),
    "lattice": ("run.toml", "outcomes.parquet"),
}
"""Settings and table by which a folder of each kind is told."""


def _content(folder: Folder) -> Content:
    settings, table = FILES[folder.kind]
    return Content.of(folder.kind, folder.path, _settings(folder.path / settings), folder.path / table)


def _recognised(path: Path) -> Folder:
    for kind, (settings, table) in FILES.items():
        if (path / table).is_file():
            return Folder(kind, path, str(_settings(path / settings).get("command", "")))
    what = (
        "does not exist"
        if not path.exists()
        else "holds no candidates.parquet, predictions.parquet or outcomes.parquet"
    )
    raise DataError(
        f"{path} {what}; expected the --out of perimetry screen, perimetry guess or perimetry audit routes."
    )


def _settings(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read ({error}). Make the folder again.") from error


def _gathered(folders: Sequence[Folder], name: str, schema: dict[str, Any], key: Sequence[str]) -> pl.DataFrame:
    """The tables of that name one after another; rows that two folders tell are refused."""
    empty = pl.DataFrame(schema=schema)
    tables = [
        RunFolder(folder.path)
        .read_table(name, list(schema), _again(folder))
        .select([pl.col(column).cast(kind) for column, kind in schema.items()])
        for folder in folders
    ]
    whole = pl.concat([empty, *tables])
    twice = whole.filter(whole.select(key).is_duplicated())
    if not twice.is_empty():
        row = twice.row(0, named=True)
        raise UsageError(
            f"{', '.join(str(folder.path) for folder in folders)}: {', '.join(f'{it} {row[it]}' for it in key)} is "
            "told more than once. Give one folder of a kind for each data set."
        )
    return whole


def _again(folder: Folder) -> str:
    """What makes a folder's tables again: of all but audits, whose default is right, the command that made them."""
    if folder.kind == "lattice":
        return ""
    told = f": {folder.command}" if folder.command else f", with --out {folder.path}"
    return f"`{COMMANDS[folder.kind]}` makes it again; give the command that made it{told}"


def _answers(folders: Sequence[Folder]) -> pl.DataFrame:
    rows = _gathered(folders, "outcomes", OUTCOMES, ("model", "dataset", "case_id", "condition", "repeat"))
    return (
        rows.filter(pl.col("answered").fill_null(False) & pl.col("condition").is_in(list(SETTINGS_OF_LATTICE)))
        .with_columns(
            pl.col("condition").replace_strict(SETTINGS_OF_LATTICE, return_dtype=pl.String).alias("setting"),
            pl.col("correct").fill_null(False),
        )
        .select("model", "dataset", "case_id", "group", "setting", "repeat", "correct")
        # Two conditions of a run may show the same parts; they are one request.
        .unique(["model", "dataset", "case_id", "setting", "repeat"], keep="first", maintain_order=True)
    )


def _items(guesses: pl.DataFrame, answers: pl.DataFrame) -> pl.DataFrame:
    columns = ["dataset", "case_id", "group", "options", "images", "chance"]
    empty = [pl.lit(None, pl.Int64).alias("options"), pl.lit(None, pl.Int64).alias("images")]
    others = answers.with_columns(*empty, pl.lit(None, pl.Float64).alias("chance")).select(columns)
    key = ["dataset", "case_id"]
    both = pl.concat([guesses.select(columns), others]).unique(key, keep="first", maintain_order=True)
    return both.sort(key)


def _check_decisions(decided: Sequence[Decision], known: pl.DataFrame, path: str | Path | None) -> None:
    there = set(known.iter_rows())
    strangers = [it for it in decided if (it.dataset, it.case_id) not in there]
    if strangers:
        one = strangers[0]
        raise DataError(
            f"{path}: {len(strangers):,} of {len(decided):,} decisions are about items that no folder holds, such as "
            f"{one.dataset}, item {one.case_id}. Correct their names, or give the folder that has them."
        )


def _sources(names: Sequence[str], folders: Sequence[Folder]) -> Iterator[Source]:
    """The terms of each data set: as the guessers' folder recorded them, else as the registry has them."""
    recorded: dict[str, Source] = {}
    for folder in folders:
        for entry in _settings(folder.path / "guess.toml").get("asked", {}).get("sources", ()):
            fields = {key: str(entry.get(key, "")) for key in ("name", "licence", "data_use", "citation")}
            recorded[fields["name"]] = Source(**fields)
    for name in names:
        if name in recorded:
            yield recorded[name]
            continue
        try:
            entry = datasets().get(name)
        except UnknownNameError:
            yield Source(name)
        else:
            yield replace(Source(name), licence=entry.licence, data_use=entry.data_use, citation=entry.citation)


def _missing(
    of_kind: dict[str, list[Folder]], answers: pl.DataFrame, decided: Sequence[Decision], guesses: pl.DataFrame
) -> Iterator[str]:
    if not of_kind["screens"]:
        yield "screens: no folder of perimetry screen was given, so no cue is named"
    if not of_kind["guesses"]:
        yield "guessers: no folder of perimetry guess was given, so numbers of options and of images are not known"
    else:
        for name in ("options", "question+options"):
            if guesses.filter(pl.col("guesser") == name).is_empty():
                yield f"guesser {name}: not among the predictions"
    if not of_kind["lattice"]:
        yield "modality lattice: no run of perimetry audit routes was given, so no model was asked with parts"
    else:
        there = set(answers["setting"].to_list())
        absent = [name for name in dict.fromkeys(SETTINGS_OF_LATTICE.values()) if name not in there]
        if absent:
            yield f"modality lattice: no answer in the settings {', '.join(absent)}"
    if not any(it.tier in ("repair-supported", "validated repair", "unsafe repair") for it in decided):
        yield "matched repairs: no decision rests on one, so no cue is repair-supported or validated"
    if not decided:
        yield "experts: no decisions were given, so no cue is judged a shortcut or clinically relevant"
