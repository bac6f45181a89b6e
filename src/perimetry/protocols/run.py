"""A finished, or half-finished, run as an object."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases.errors import DataError
from perimetry.models.request import FINAL_KINDS
from perimetry.runs.asked import Asked
from perimetry.runs.estimates import ESTIMATE_SCHEMA
from perimetry.runs.folder import RunFolder

__all__ = ["VERDICTS", "Run"]

VERDICTS = "verdicts.json"


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder and what lies in it.

    Parameters
    ----------
    path : Path

    Examples
    --------
    >>> Run(Path("runs/mine")).path.name
    'mine'
    """

    path: Path

    @property
    def folder(self) -> RunFolder:
        """Paths and files."""
        return RunFolder(self.path)

    @property
    def asked(self) -> Asked:
        """What the run was asked to do."""
        return self.folder.read_asked()

    @property
    def estimates(self) -> pl.DataFrame:
        """The tidy table of estimates; columns as in the design of the project, one row a number."""
        return self.folder.read_table("estimates", ESTIMATE_SCHEMA)

    @property
    def outcomes(self) -> pl.DataFrame:
        """One row a trial: what was read from the response, or why there is none."""
        from perimetry.protocols.registry import find_protocol

        return self.folder.read_table("outcomes", find_protocol(self.asked.protocol).columns)

    @property
    def plan(self) -> pl.DataFrame:
        """One row a trial: what was to be asked."""
        return self.folder.read_table("plan")

    @property
    def verdicts(self) -> dict[str, dict[str, Any]]:
        """Model to verdict and reason."""
        file = self.path / VERDICTS
        if not file.is_file():
            return {}
        try:
            loaded: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise DataError(
                f"{file} cannot be read ({error}). `perimetry report {self.path}` makes it again from the responses."
            ) from error
        return loaded

    @property
    def unanswered(self) -> int:
        """Trials whose request has no answer: it failed, or was not asked yet."""
        outcomes = self.outcomes
        return outcomes.filter(pl.col("request_id").is_not_null() & ~pl.col("answered").fill_null(False)).height

    @property
    def pending(self) -> int:
        """Those of `unanswered` that the same audit command asks again: the others failed for good."""
        final = pl.col("failure_kind").is_in(sorted(FINAL_KINDS)).fill_null(False)
        return self.outcomes.filter(
            pl.col("request_id").is_not_null() & ~pl.col("answered").fill_null(False) & ~final
        ).height

    @property
    def silent(self) -> tuple[str, ...]:
        """Models that were to be asked something and have not answered once."""
        asked = self.outcomes.filter(pl.col("request_id").is_not_null())
        answered = pl.col("answered").fill_null(False).any()
        models = asked.group_by("model", maintain_order=True).agg(answered)
        return tuple(models.filter(~pl.col("answered"))["model"].to_list())

    @property
    def wordless(self) -> tuple[str, ...]:
        """Models whose every response is a report without a word; none in runs that ask for no reports."""
        outcomes = self.outcomes
        if "silent" not in outcomes.columns:
            return ()
        answered = outcomes.filter(pl.col("answered").fill_null(False))
        models = answered.group_by("model", maintain_order=True).agg(pl.col("silent").fill_null(False).all())
        return tuple(models.filter("silent")["model"].to_list())

    @property
    def page(self) -> Path:
        """The report's first page."""
        return self.folder.report_page

    def report(self) -> Path:
        """Make outcomes, estimates, verdicts and pages again from the responses; asks no model.

        Returns
        -------
        Path
            The report's first page.
        """
        from perimetry.protocols.finish import rebuild

        return rebuild(self.path).page
