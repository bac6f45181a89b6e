"""Guess the items of data sets, and write what came of it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from perimetry.cases import CaseSet, Question, load
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.only import restricted
from perimetry.cases.spec import DataSpec
from perimetry.reports import Reproduce, build_site
from perimetry.runs.folder import RunFolder, named_disk_errors, without_none, write_atomically
from perimetry.screening.guessers.contents import cases_digest
from perimetry.screening.guessers.crossfit import CrossFit, cross_fit
from perimetry.screening.guessers.estimates import PROTOCOL, VERSION, estimate_guesses
from perimetry.screening.guessers.item import GuessItem, guess_items, marks_images
from perimetry.screening.guessers.leakage import overlap_frame, overlaps
from perimetry.screening.guessers.page import guess_page
from perimetry.screening.guessers.result import GuessResult

__all__ = ["SETTINGS", "guess", "guess_cases"]

SETTINGS = "guess.toml"
_LIBRARIES = ("perimetry", "numpy", "scipy", "scikit-learn", "polars")
_MARKS = frozenset({"predictions.parquet", "report"})


def guess(
    data: str | Sequence[str],
    *,
    out: str | Path | None = None,
    folds: int = 5,
    split: str | None = None,
    limit: int | None = None,
    only: str | Path | None = None,
    seed: int = 42,
    shuffles: int = 10,
    resamples: int = 10_000,
    mapping: str | Path | None = None,
    images: str | Path | None = None,
    command: str = "",
) -> GuessResult:
    """Guess multiple-choice items without their images: how far do artefacts of the text alone go?

    Two guessers (MedQA-MM, Appendix B.1), here rankers of hashed features that need no accelerator: ``options`` sees
    the options and metadata of their form, ``question+options`` the question besides. Each item is guessed by a ranker
    that was trained on the other folds; items that share a group, an image, a stem or a list of options are in one
    fold. Everything is repeated with keys drawn at random: there a guesser has to be at chance.

    Parameters
    ----------
    data : str or sequence of str
        ``NAME:PATH``, one or several data sets, as everywhere.
    out : path-like or None
        Folder for predictions, estimates and the page; nothing is written if None.
    folds : int, default 5
    split, limit, only, seed, mapping, images
        As in `perimetry.cases.load`; the seed is that of folds and shuffles as well.
    shuffles : int, default 10
        Draws of random keys; 0 leaves the sanity check out.
    resamples : int, default 10,000
    command : str
        Recorded as the way to reproduce.

    Returns
    -------
    GuessResult

    Raises
    ------
    UsageError, DataError
        Each names what was found, what was expected and what to do.

    Examples
    --------
    >>> result = guess("phantom:n=40", shuffles=0, resamples=100)
    >>> [(one.guesser, one.chance.value) for one in result.readings], result.leaked
    ([('options', 0.5), ('question+options', 0.5)], 0)
    """
    specs = restricted(data, only)
    path = None if out is None else Path(out).expanduser()
    if path is not None:
        RunFolder(path).check_usable(SETTINGS, _MARKS)
    sets = [load(spec, split=split, limit=limit, seed=seed, mapping=mapping, images=images) for spec in specs]
    result = guess_cases(sets, folds=folds, seed=seed, shuffles=shuffles, resamples=resamples)
    if path is None:
        return result
    asked = {
        "data": [DataSpec.parse(spec).absolute for spec in specs],
        "split": split,
        "limit": limit,
        "folds": folds,
        "shuffles": shuffles,
        "resamples": resamples,
    }
    sources = [
        {"name": it.name, "licence": it.licence, "data_use": it.data_use, "citation": it.citation} for it in sets
    ]
    held = {"data": [{"name": it.name, "cases": len(it.questions)} for it in sets]}
    held |= {"digests": without_none({it.name: cases_digest(it.questions) for it in sets})}
    with named_disk_errors(path, kept=""):
        return _write(result, path, asked | {"sources": sources}, held, seed, command or shlex.join(sys.argv))


def guess_cases(
    sets: Sequence[CaseSet], *, folds: int = 5, seed: int = 42, shuffles: int = 10, resamples: int = 10_000
) -> GuessResult:
    """As `guess`, with data sets that are loaded already; writes nothing.

    Examples
    --------
    >>> guess_cases([load("phantom:n=40")], shuffles=0, resamples=100).predictions.height
    80
    """
    if shuffles < 0:
        raise UsageError(f"--shuffles is {shuffles}; 0 or more was expected.")
    if resamples < 1:
        raise UsageError(f"--resamples is {resamples}; 1 or more was expected.")
    names = [cases.name for cases in sets]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"--data names {', '.join(twice)} more than once. Give each data set once.")
    items: list[GuessItem] = []
    funnels = []
    notes: list[str] = []
    for cases in sets:
        if not cases.questions:
            raise DataError(f"{cases.name} holds no questions; guessers need multiple-choice items.")
        funnel = Funnel(cases.name)
        usable = guess_items(cases.questions, funnel)
        if not usable:
            reasons = "; ".join(f"{step.removed:,} {step.reason}" for step in funnel.steps)
            raise DataError(
                f"{cases.name}: none of {funnel.entered:,} questions can be guessed: {reasons}. "
                "Guessers need items with labelled options."
            )
        items += usable
        funnels.append(funnel)
        notes += _notes(cases.name, cases.questions, usable)
    fit = cross_fit(items, folds=folds, seed=seed, shuffles=shuffles)
    estimates = tuple(estimate_guesses(fit.predictions, resamples=resamples, seed=seed))
    found = overlaps(fit.identities, fit.trained)
    notes += _fit_notes(fit)
    loads = tuple(cases.funnel for cases in sets)
    return GuessResult(fit, estimates, found, tuple(funnels), tuple(notes), loads=loads)


def _notes(name: str, questions: Sequence[Question], items: Sequence[GuessItem]) -> list[str]:
    several = sum(len(item.keys) > 1 for item in items)
    alike = sum(len({text.casefold() for text in item.texts}) < len(item.options) for item in items)
    silent = sum(not item.stem for item in items)
    unseen = sum(
        not question.images and any(map(marks_images, (question.stem, *(it.text for it in question.options))))
        for question in questions
    )
    pictured = sum(any(option.image is not None for option in question.options) for question in questions)
    told = (
        (several, "items have several keys: any of them counts as right"),
        (alike, "items have two options of one text"),
        (silent, "items have an empty stem"),
        (unseen, "items mark images in their text and have none: they count as without image"),
        (pictured, "items have image options: their texts alone are seen"),
    )
    return [f"{name}: {count:,} {what}." for count, what in told if count]


def _fit_notes(fit: CrossFit) -> list[str]:
    notes = []
    sizes = np.unique(fit.blocks, return_counts=True)[1]
    largest, per_fold = int(sizes.max()), len(fit.items) / len(fit.trained)
    if largest > per_fold:
        notes.append(
            f"The largest block of linked items holds {largest:,} of {len(fit.items):,}: folds are of unequal size."
        )
    training = sum(len(one.training) for one in fit.trained) // max(1, len(fit.trained) - 1)
    if training < len(fit.items):
        notes.append(f"A seeded sample of {training:,} items trains; all {len(fit.items):,} are guessed.")
    return notes


def _write(
    result: GuessResult, path: Path, asked: dict[str, Any], held: dict[str, Any], seed: int, command: str
) -> GuessResult:
    folder = RunFolder(path)
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    settings = {"protocol": PROTOCOL, "guesser": VERSION, "command": command, "asked": asked, "seed": seed} | held
    import tomli_w

    text = tomli_w.dumps(without_none(settings | {"versions": versions}))
    write_atomically(folder.path / SETTINGS, text.encode("utf-8", "replace"))
    predictions = result.fit.predictions
    for name, table in (
        ("predictions", predictions.filter(pl.col("shuffle") == 0).drop("shuffle")),
        ("shuffled", predictions.filter(pl.col("shuffle") > 0)),
    ):
        folder.write_table(name, table, csv=True)
    folder.write_table("estimates", result.frame, csv=True)
    folder.write_table("leakage", overlap_frame(result.overlap), csv=True)
    done = replace(result, path=path)
    write_atomically(folder.path / "guess.json", (json.dumps(done.to_dict(), indent=2) + "\n").encode())
    reproduce = Reproduce(
        command=command,
        versions=versions,
        seeds={"folds, shuffles and bootstrap": str(seed)},
        notes=("predictions.csv holds every guess; the accuracy is the mean of its column correct.",),
    )
    build_site(path, guess_page(done, reproduce))
    return done
