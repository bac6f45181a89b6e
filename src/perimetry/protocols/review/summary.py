"""A review is summed up: consensus, estimates, tables, page."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from perimetry.models.chat.secrets import without_credentials
from perimetry.protocols.review.estimates import PROTOCOL, estimate_review
from perimetry.protocols.review.outcomes import Settled, settle
from perimetry.protocols.review.page import PageFacts, review_page
from perimetry.protocols.review.ratings import read_ratings
from perimetry.protocols.review.study import ReviewStudy, read_study
from perimetry.protocols.review.tables import consensus_frame, progress, rater_rows, released
from perimetry.reports import Reproduce, build_site
from perimetry.reports.escape import finite
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder, named_disk_errors, without_none, write_atomically

__all__ = ["RELEASED", "ReviewResult", "summarise"]

SETTINGS = "review.toml"
RELEASED = "released.jsonl"
_LIBRARIES = ("perimetry", "numpy", "polars")


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What a review came to.

    Parameters
    ----------
    study : ReviewStudy
    settled : tuple of Settled
    estimates : tuple of Estimate
    path, page : Path
    released : Path or None
        The pair set with its ratings, where it was asked for.
    """

    study: ReviewStudy
    settled: tuple[Settled, ...]
    estimates: tuple[Estimate, ...]
    path: Path
    page: Path
    released: Path | None = None

    @property
    def progress(self) -> list[dict[str, Any]]:
        """For each task how its items were settled."""
        return progress(self.study, self.settled)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        value: dict[str, Any] = finite(
            {
                "study": self.study.id,
                "pairs": len(self.study.pairs),
                "tasks": self.progress,
                "raters": rater_rows(self.study, self.settled),
                "estimates": [asdict(row) for row in self.estimates],
                "path": str(self.path),
                "page": str(self.page),
                "released": None if self.released is None else str(self.released),
            }
        )
        return value


def summarise(
    folder: Path,
    *,
    out: Path | None = None,
    release: bool = False,
    texts: bool = False,
    resamples: int = 10_000,
    seed: int = 42,
    command: str = "",
) -> ReviewResult:
    """Settle every item and write ``consensus``, ``estimates`` (CSV and Parquet), ``review.toml`` and the page.

    Parameters
    ----------
    folder : Path
        Of `export_review`; needs no rating to be there yet.
    out : Path, optional
        ``FOLDER/summary`` by default.
    release : bool, default False
        Also write ``released.jsonl``: original, alternative, variation, verdicts, ratings and consensus of every pair.
    texts : bool, default False
        Whether the page quotes reports and comments.
    resamples, seed
        Of the intervals.
    command : str
        Shown on the page; credentials are taken out.

    Raises
    ------
    DataError
        When the folder holds no review.
    UsageError
        When `out` holds other files.
    """
    study = read_study(folder)
    settled = settle(study, read_ratings(folder))
    target = RunFolder(out or folder / "summary")
    target.check_usable(SETTINGS, frozenset({"consensus.parquet"}))
    estimates = tuple(estimate_review(study, settled, resamples=resamples, seed=seed))
    with named_disk_errors(target.path, ""):
        page, pairs = _write(study, settled, estimates, target, release, texts, resamples, seed, command)
    return ReviewResult(study, settled, estimates, target.path, page, pairs)


def _write(
    study: ReviewStudy,
    settled: Sequence[Settled],
    estimates: Sequence[Estimate],
    target: RunFolder,
    release: bool,
    texts: bool,
    resamples: int,
    seed: int,
    command: str,
) -> tuple[Path, Path | None]:
    import tomli_w

    command = without_credentials(command)
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    settings = {
        "protocol": PROTOCOL,
        "study": study.id,
        "command": command,
        "tasks": [each.task.to_dict() for each in study.tasks],
        "data_use": study.data_use or None,
        "seed": seed,
        "resamples": resamples,
        "versions": versions,
    }
    write_atomically(target.path / SETTINGS, tomli_w.dumps(without_none(settings)).encode("utf-8", "replace"))
    target.write_table("consensus", consensus_frame(study, settled), csv=True)
    target.write_table("estimates", estimate_frame(estimates), csv=True)
    pairs = None
    if release:
        pairs = target.path / RELEASED
        lines = (json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in released(study, settled))
        write_atomically(pairs, "".join(lines).encode("utf-8", "replace"))
    notes = (f"{resamples:,} resamples. Items without a consensus are in no share and no mean.",)
    reproduce = Reproduce(command, versions, {"bootstrap": str(seed), "review": str(study.seed)}, notes=notes)
    return build_site(target.path, review_page(study, settled, estimates, PageFacts(texts, reproduce))), pairs
