"""Occlusion audits with made-up models, from data to report, in this process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases import CaseSet
from perimetry.inference import RequestStore, Settings, ask
from perimetry.models import Decoding
from perimetry.models.model import Model
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.occlusion import OCCLUSION
from perimetry.runs.asked import Asked
from perimetry.runs.folder import RunFolder
from perimetry.runs.preparation import Preparation, load_case_sets, prepare


def prepared(folder: Path, *data: str, repeats: int = 1, seed: int = 42, **own: Any) -> Preparation:
    """The plan of an audit; several data sets are named by their order."""
    conditions, options = OCCLUSION.options({"min_images": 2, **own}, None)
    sets: list[CaseSet] = []
    asked = Asked.of(
        "occlusion", data=data, models="oracle:any", conditions=conditions, decoding=Decoding(), repeats=repeats,
        seed=seed, options=options,
    )  # fmt: skip
    for number, spec in enumerate(data):
        (loaded,) = load_case_sets(replace(asked, data=(spec,)))
        name = loaded.name if len(data) == 1 else f"{loaded.name}{number}"
        cases = tuple(replace(case, dataset=name) for case in loaded.cases)
        sets.append(replace(loaded, name=name, cases=cases, pool=cases))
    return prepare(asked, sets, OCCLUSION.design, RunFolder(folder))


def analysed(folder: Path, preparation: Preparation, *models: Model) -> Analysis:
    """Ask every model and score what it said."""
    store = RequestStore(folder / "responses")
    names = tuple(model.name for model in models)
    for model in models:
        ask(model, preparation.requests(), store, Settings(max_failures=0))
    outcomes = {name: OCCLUSION.outcomes(RunFolder(folder), store, name, preparation) for name in names}
    return Analysis(preparation, names, outcomes, {name: pl.DataFrame() for name in names})
