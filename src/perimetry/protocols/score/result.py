"""What scoring a file gives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from perimetry.inference import Summary
from perimetry.protocols.score.bands import Band
from perimetry.protocols.score.estimates import Findings
from perimetry.protocols.score.ranking import rank_frame
from perimetry.protocols.score.scored import Scored
from perimetry.protocols.score.verdict import Answer
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder

__all__ = ["ScoreResult"]


@dataclass(frozen=True, slots=True, eq=False)
class ScoreResult:
    """Scores, estimates and where they lie.

    Parameters
    ----------
    scored : Scored
        Reports, metrics, and a `ScoreTable` for each metric and system.
    findings : Findings
        Estimates and rankings.
    verdicts : tuple of Answer
    path : Path or None
        Output folder, if one was asked for.
    pending : int
        Requests to judges that the same call would ask again.
    summaries : tuple of Summary
        How each asking of a judge ended.
    bands : tuple of Band
        Scores against several references, where alternatives were given.
    band_estimates : tuple of Estimate
        The same as rows of the tidy table.
    unmet : str
        In words how many alternatives are of no report; empty where all are of one.
    """

    scored: Scored
    findings: Findings
    verdicts: tuple[Answer, ...]
    path: Path | None = None
    pending: int = 0
    summaries: tuple[Summary, ...] = ()
    bands: tuple[Band, ...] = ()
    band_estimates: tuple[Estimate, ...] = ()
    unmet: str = ""

    @property
    def scores(self) -> pl.DataFrame:
        """One row a report and system; see `Scored.frame`."""
        return self.scored.frame()

    @property
    def estimates(self) -> pl.DataFrame:
        """The tidy table of estimates."""
        return estimate_frame((*self.findings.estimates, *self.band_estimates))

    @property
    def ranks(self) -> pl.DataFrame:
        """Rank, its interval, and the share of resamples at each place; empty for one system."""
        return rank_frame(self.findings.rankings)

    @property
    def missing(self) -> pl.DataFrame:
        """Values that could not be computed, counted by reason."""
        return self.scored.missing()

    @property
    def page(self) -> Path | None:
        """The report's first page, if there is an output folder."""
        return None if self.path is None else RunFolder(self.path).report_page
