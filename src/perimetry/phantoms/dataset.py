"""Phantoms as data sets: ``--data phantom:n=500,cooccurrence=0.8,form=closed`` and ``--data phantom-studies``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from perimetry.cases.dataset import Case, Dataset, LoadOptions
from perimetry.cases.errors import UsageError
from perimetry.cases.funnel import Funnel
from perimetry.phantoms.population import make_question, make_study, members
from perimetry.phantoms.settings import PopulationSettings

__all__ = ["FORMS", "PHANTOM", "PHANTOM_STUDIES"]

FORMS = ("closed", "choice", "open")

TRAINING_SEED = 1_000_003
"""Added to the seed for the split ``train``: another population of the same settings, for models that are fitted."""

_CHOICES = (*FORMS, "all", "study")


def _load(path: Path | None, options: LoadOptions, funnel: Funnel, default_form: str) -> Iterator[Case]:
    if path is not None:
        raise UsageError(
            f"Data set phantom: found the path {path}, expected none: phantoms are drawn, not read. "
            "Give settings instead, for example phantom:n=500,cooccurrence=0.8."
        )
    texts = dict(options.settings)
    form = texts.pop("form", "").strip() or default_form
    if form not in _CHOICES:
        raise UsageError(f"Setting 'form' of data set phantom: found {form!r}, expected one of {', '.join(_CHOICES)}.")
    settings = PopulationSettings.parse(texts)
    if options.split == "train":
        settings = replace(settings, seed=settings.seed + TRAINING_SEED)
    forms = FORMS if form == "all" else (form,)
    no_room: Counter[str] = Counter()
    for one in members(settings):
        no_room.update(one.absent)
        for kind in forms:
            funnel.enter()
            yield make_study(settings, one) if kind == "study" else make_question(settings, one, kind)
    if no_room:
        counts = ", ".join(f"{name} {count}" for name, count in sorted(no_room.items()))
        funnel.note(f"Findings that found no room, left out of picture, boxes and labels: {counts}.")


def load_questions(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Case]:
    """Phantom questions; balanced yes/no questions unless ``form`` says otherwise.

    Parameters
    ----------
    path : None
    options : LoadOptions
        `settings` may hold those of `PopulationSettings` and ``form`` (closed, choice, open, all or study).
    funnel : Funnel

    Raises
    ------
    UsageError
        If a setting is unknown or out of its range, or a path is given.
    """
    yield from _load(path, options, funnel, "closed")


def load_studies(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Case]:
    """Phantom studies, with the same settings as `load_questions`."""
    yield from _load(path, options, funnel, "study")


PHANTOM = Dataset(
    name="phantom",
    title="Procedural chest radiographs with questions whose answers and shortcuts are known",
    citation="Drawn by perimetry.phantoms; no patient, no licence question.",
    licence="Apache-2.0",
    data_use="open",
    load=load_questions,
    default_split="test",
    splits=("test", "train"),
    layout="nothing is read: settings are n, cooccurrence, prevalence, textbias, overlap, seed, size, options, form",
    needs_path=False,
)

PHANTOM_STUDIES = Dataset(
    name="phantom-studies",
    title="Procedural chest radiographs with boxes, labels and template reports",
    citation=PHANTOM.citation,
    licence=PHANTOM.licence,
    data_use="open",
    load=load_studies,
    default_split="test",
    splits=("test", "train"),
    kind="study",
    layout=PHANTOM.layout,
    needs_path=False,
)
