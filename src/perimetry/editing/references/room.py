"""Who rewrites and who verifies: models are opened once, and closed at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perimetry.inference import Budget, RequestStore, Settings, SilentProgress, Summary, choose_progress
from perimetry.models import Model, ModelContext, resolve_model
from perimetry.scoring.judges import Judge, listening

__all__ = ["RULES", "VERSION", "Room", "names_of", "open_room", "settings_of"]

VERSION = "rules/5"
"""Of the rules that rewrite and verify."""

RULES = "rules"
"""Stands for no model."""


@dataclass(slots=True, eq=False)
class Room:
    """Generator and verifiers of a run; models are opened once."""

    generator: Judge | None = None
    verifier: Judge | None = None
    summaries: list[Summary] = field(default_factory=list)


def names_of(room: Room) -> tuple[str, str]:
    """Who rewrites, and who verifies: the rules always do.

    Examples
    --------
    >>> names_of(Room())
    ('rules/5', 'rules/5')
    """
    rewriter = room.generator.name if room.generator else VERSION
    return rewriter, " and ".join([VERSION, *([room.verifier.name] if room.verifier else [])])


def settings_of(
    room: Room, *, rounds: int, temperatures: Sequence[float], tokens: int, structured: bool
) -> dict[str, Any]:
    """Settings that what models answer depends on; none where no model is asked.

    Examples
    --------
    >>> settings_of(Room(), rounds=5, temperatures=(0.7,), tokens=4096, structured=True)
    {}
    """
    if room.generator is None and room.verifier is None:
        return {}
    proposing = {"rounds": rounds, "temperatures": [float(each) for each in temperatures]} if room.generator else {}
    return {**proposing, "tokens": tokens, "schema": structured}


@contextmanager
def open_room(
    rewriter: str,
    verifier: str,
    folder: Path,
    settings: Settings | None,
    options: ModelContext | None,
    progress: bool,
) -> Iterator[Room]:
    """Open the models that are asked, and close them at the end."""
    room = Room()
    opened: dict[str, Model] = {}
    settings = settings or Settings()
    budget = Budget(settings.max_requests)
    told = listening(room.summaries, budget)

    try:
        judges = {}
        for spec in (rewriter, verifier):
            if spec != RULES and spec not in judges:
                opened[spec] = resolve_model(spec, options)
                store = RequestStore(folder / "responses")
                shown = choose_progress() if progress else SilentProgress()
                judges[spec] = Judge(opened[spec], store, settings, shown, budget, told)
                judges[spec].mend()
        room.generator, room.verifier = judges.get(rewriter), judges.get(verifier)
        yield room
    finally:
        for model in opened.values():
            model.close()
