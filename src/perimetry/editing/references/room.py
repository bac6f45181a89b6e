"""Who rewrites and who verifies: models are opened once, and closed at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from perimetry.inference import Budget, RequestStore, Settings, SilentProgress, Summary, choose_progress, quarantine
from perimetry.models import Model, ModelContext, resolve_model
from perimetry.scoring.judges import Judge

__all__ = ["RULES", "Room", "open_room"]

RULES = "rules"
"""Stands for no model."""


@dataclass(slots=True, eq=False)
class Room:
    """Generator and verifiers of a run; models are opened once."""

    generator: Judge | None = None
    verifier: Judge | None = None
    summaries: list[Summary] = field(default_factory=list)


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

    def told(summary: Summary) -> None:
        room.summaries.append(summary)
        if summary.stopped == "interrupted":
            raise KeyboardInterrupt(summary.message)

    try:
        judges = {}
        for spec in (rewriter, verifier):
            if spec != RULES and spec not in judges:
                opened[spec] = resolve_model(spec, options)
                store = RequestStore(folder / "responses")
                shown = choose_progress() if progress else SilentProgress()
                judges[spec] = Judge(opened[spec], store, settings, shown, budget, told)
                for problem in quarantine(store, judges[spec].name) if store.folder.is_dir() else ():
                    store.on_problem(problem)
        room.generator, room.verifier = judges.get(rewriter), judges.get(verifier)
        yield room
    finally:
        for model in opened.values():
            model.close()
