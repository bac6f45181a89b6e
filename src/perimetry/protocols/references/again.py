"""Make estimates and pages of a reference audit again from its run folder; asks nobody."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError
from perimetry.cases.spec import DataSpec
from perimetry.inference import RequestStore
from perimetry.inference import Settings as Execution
from perimetry.protocols.references.asked import check_inputs, wanted_of
from perimetry.protocols.references.output import SETTINGS
from perimetry.protocols.references.run import ReferenceResult, audit_references

__all__ = ["is_reference_run", "rebuild_references"]


def is_reference_run(path: Path) -> bool:
    """Whether a folder holds a reference audit."""
    return (path / SETTINGS).is_file()


def rebuild_references(path: str | Path, data: Sequence[str] = ()) -> ReferenceResult:
    """Score and estimate again what a reference audit was made of, with the answers that it has; asks no model.

    Everything that was read is found where it lay and compared with its digest. Labels and encodings come from the
    run's cache.

    Parameters
    ----------
    path : path-like
        Run folder.
    data : sequence of str
        Where the data sets lie now, if they were moved: ``NAME:PATH``, in the order of the run.

    Raises
    ------
    DataError
        For a folder that holds no such run, a file that was moved or changed, and answers that are gone. Nothing is
        changed then.
    """
    folder = Path(path).expanduser()
    file = folder / SETTINGS
    settings = _settings(file)
    wanted = wanted_of(settings["asked"], file)
    check_inputs(settings["inputs"], file)
    _check_answers(folder, settings)
    if data:
        wanted = replace(wanted, data=tuple(DataSpec.parse(spec).absolute for spec in data))
    execution = Execution(max_requests=0)
    try:
        return audit_references(
            wanted, folder, execution=execution, command=settings["command"], made_of=settings["studies"]
        )
    except DataError as error:
        moved = [
            spec for spec in wanted.data if (where := DataSpec.parse(spec).path) is not None and not where.exists()
        ]
        if not moved:
            raise
        raise DataError(f"{error} If the data was moved, say with --data NAME:PATH where it is now.") from error


def _settings(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise DataError(f"{file.parent} holds no reference audit: it has no {SETTINGS}.")
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise DataError(
            f"{file} cannot be read ({error}). Give the audit command again: answers in {file.parent} are kept."
        ) from error
    for name, kind in (("command", str), ("asked", dict), ("inputs", list), ("studies", dict)):
        if not isinstance(settings.get(name), kind):
            told = f": {settings['command']}" if isinstance(settings.get("command"), str) else ""
            raise DataError(
                f"{file} does not say what the run was asked to do (no {name}): it is damaged, or of an earlier "
                f"version. Give the audit command again{told}. It asks no model twice."
            )
    return settings


def _check_answers(folder: Path, settings: dict[str, Any]) -> None:
    """Refuse where good results would be replaced by nothing because the answers behind them are gone."""
    names = [each["name"] for kind in ("models", "judges") for each in settings.get(kind, ()) if "name" in each]
    store = RequestStore(folder / "responses")
    gone = [name for name in names if not any(len(rows) for _, rows in store.rows(name, ("request_id",)))]
    if gone:
        raise DataError(
            f"{store.folder} holds no readable answer of {', '.join(gone)}, so that nothing can be made again from it; "
            "nothing was changed. Restore the folder from a copy, or give the audit command again to ask anew."
        )
