"""Make a subset from folders of evidence, and write it with its card."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from perimetry.cases.digest import digest_bytes
from perimetry.cases.errors import UsageError
from perimetry.models.chat.secrets import without_credentials
from perimetry.reports import Reproduce, build_site
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder, named_disk_errors, write_atomically
from perimetry.screening.subset.answers import divide
from perimetry.screening.subset.apply import Choice, choose
from perimetry.screening.subset.card import card_of, markdown, redistribution
from perimetry.screening.subset.croissant import FIELDS, croissant_of
from perimetry.screening.subset.dependence import choosing_guessers, settings_read
from perimetry.screening.subset.measure import measure, reporters
from perimetry.screening.subset.page import subset_page
from perimetry.screening.subset.patterns import check_patterns
from perimetry.screening.subset.rules import read_rules
from perimetry.screening.tiers import Inputs, SupportSettings, assign_tiers, read_inputs

__all__ = ["SubsetResult", "make_subset"]

SETTINGS = "subset.toml"
_MARKS = frozenset({"items.csv", "card.json"})
_LIBRARIES = ("perimetry", "numpy", "polars")
_FILES = ("items.csv", "kept.csv", "reasons.csv", "tiers.csv", "estimates.csv")


@dataclass(frozen=True, slots=True, eq=False)
class SubsetResult:
    """A subset.

    Parameters
    ----------
    inputs : Inputs
    tiers : polars.DataFrame
        From `assign_tiers`, by the answers that may choose.
    choice : Choice
    estimates : tuple of Estimate
    card : dict
    path : Path or None
    """

    inputs: Inputs
    tiers: pl.DataFrame
    choice: Choice
    estimates: tuple[Estimate, ...]
    card: dict[str, Any]
    path: Path | None = None

    @property
    def items(self) -> pl.DataFrame:
        """One row an item: `FIELDS` of the Croissant metadata."""
        return _items(self.inputs, self.tiers, self.choice)


def make_subset(
    folders: Sequence[str | Path],
    *,
    rules: str | Path | None = None,
    decisions: str | Path | None = None,
    out: str | Path | None = None,
    resamples: int = 10_000,
    seed: int = 42,
    command: str = "",
) -> SubsetResult:
    """Choose items by rules, and say for each why it was kept or removed.

    Parameters
    ----------
    folders : sequence of path-like
        Outputs of ``perimetry screen``, ``perimetry guess`` and ``perimetry audit routes``, in any order.
    rules : path-like, optional
        TOML file; the one of the package if not given.
    decisions : path-like, optional
        What people decided about cues; see `read_decisions`.
    out : path-like, optional
        Folder for items, reasons, tiers, card and page; nothing is written if None.
    resamples, seed : int
        Of intervals; the seed also of the random filters.
    command : str
        Recorded as the way to reproduce.

    Returns
    -------
    SubsetResult

    Raises
    ------
    UsageError, DataError
        Each names what was found, what was expected and what to do.

    Examples
    --------
    >>> import tempfile
    >>> from perimetry.screening.guessers import guess
    >>> folder = Path(tempfile.mkdtemp(), "guesses")
    >>> _ = guess("phantom:n=40", out=folder, shuffles=0, resamples=100)
    >>> make_subset([folder], resamples=100).card["counts"]["items"]
    40
    """
    path = None if out is None else Path(out).expanduser()
    if path is not None:
        RunFolder(path).check_usable(SETTINGS, _MARKS)
    if resamples < 1:
        raise UsageError(f"--resamples is {resamples}; 1 or more was expected.")
    asked, text = read_rules(rules)
    inputs = read_inputs(folders, decisions)
    check_patterns(asked, inputs, "the default rules" if rules is None else str(rules))
    divided = divide(inputs.answers, asked.choosing, settings_read(asked, inputs.candidates, inputs.decisions))
    tiers = assign_tiers(
        replace(inputs, answers=divided.looked_at), SupportSettings(asked.tiers.level, asked.tiers.confidence)
    )
    choice = choose(asked, inputs, tiers, divided.looked_at)
    kept = choice.kept.to_numpy().astype(bool)
    if not kept.any():
        raise UsageError(
            f"The rules {asked.name} remove all {len(kept):,} items; nothing would be left. Loosen them: "
            f"{_most(choice.reasons)}."
        )
    told = reporters(inputs, divided, choosing_guessers(asked, inputs.candidates, inputs.decisions))
    estimates = tuple(measure(inputs, kept, told, resamples=resamples, seed=seed))
    name = "subset" if path is None else path.resolve().name
    card = card_of(name, asked, inputs, choice, tiers, estimates, (*divided.notes, *choice.notes))
    result = SubsetResult(inputs, tiers, choice, estimates, card, path)
    if path is not None:
        with named_disk_errors(path, kept=""):
            _write(result, path, text, seed, command or shlex.join(sys.argv))
    return result


def _most(reasons: pl.DataFrame) -> str:
    counted = (
        reasons.filter(pl.col("action") == "exclude").group_by("rule").agg(pl.struct("dataset", "case_id").n_unique())
    )
    rule, count = counted.sort("dataset", descending=True).row(0)
    return f"most fall to {rule!r} ({count:,})"


def _items(inputs: Inputs, tiers: pl.DataFrame, choice: Choice) -> pl.DataFrame:
    by_item = ["dataset", "case_id"]

    def rules(action: str, name: str) -> pl.DataFrame:
        own = choice.reasons.filter(pl.col("action") == action)
        return own.group_by(by_item).agg(pl.col("rule").unique().sort().str.join("; ").alias(name))

    cues = tiers.group_by(by_item).agg((pl.col("cue") + ": " + pl.col("tier")).sort().str.join("; ").alias("cues"))
    decided = (
        pl.DataFrame(
            [(one.dataset, one.case_id, one.by) for one in inputs.decisions],
            schema=dict.fromkeys((*by_item, "validation"), pl.String),
            orient="row",
        )
        .group_by(by_item)
        .agg(pl.col("validation").unique().sort().str.join("; "))
    )
    terms = pl.DataFrame(
        [(one.name, one.licence or "not known", redistribution(one)) for one in inputs.sources],
        schema=dict.fromkeys(("dataset", "licence", "redistribution"), pl.String),
        orient="row",
    )
    table = inputs.items.with_columns(choice.kept)
    for extra in (rules("exclude", "reasons"), rules("flag", "flags"), cues, decided):
        table = table.join(extra, on=by_item, how="left", maintain_order="left")
    table = table.join(terms, on="dataset", how="left", maintain_order="left")
    return table.with_columns(pl.col("reasons", "flags", "cues", "validation").fill_null("")).select(list(FIELDS))


def _write(result: SubsetResult, path: Path, rules: str, seed: int, command: str) -> None:
    folder = RunFolder(path)
    command = without_credentials(command)
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    import tomli_w

    settings = {"protocol": "subset", "command": command, "seed": seed, "versions": versions}
    write_atomically(path / SETTINGS, tomli_w.dumps(settings).encode("utf-8", "replace"))
    write_atomically(path / "rules.toml", rules.encode())
    items = result.items
    folder.write_table("items", items, csv=True)
    folder.write_csv("kept", items.filter("kept").select("dataset", "case_id"))
    folder.write_table("reasons", result.choice.reasons, csv=True)
    folder.write_table("tiers", result.tiers, csv=True)
    folder.write_table("estimates", estimate_frame(result.estimates), csv=True)
    write_atomically(path / "card.json", _json(result.card))
    write_atomically(path / "card.md", markdown(result.card).encode("utf-8", "replace"))
    write_atomically(path / "croissant.json", _json(croissant_of(result.card, path, _FILES)))
    reproduce = Reproduce(
        command=command,
        versions=versions,
        seeds={"random filters and bootstrap": str(seed)},
        digests={"rules": digest_bytes(rules.encode())},
        notes=("card.md and card.json say the same; reasons.csv has every item with every reason.",),
    )
    build_site(path, subset_page(result.card, estimate_frame(result.estimates), reproduce))


def _json(value: Any) -> bytes:
    # What could not be computed is empty, never nan, which is no JSON.
    def finite(one: Any) -> Any:
        if isinstance(one, float) and not np.isfinite(one):
            return None
        if isinstance(one, dict):
            return {key: finite(inner) for key, inner in one.items()}
        return [finite(inner) for inner in one] if isinstance(one, list | tuple) else one

    return (json.dumps(finite(value), indent=2, ensure_ascii=False) + "\n").encode("utf-8", "replace")
