"""The neighbour index: an artefact of its own, shared by audits and training."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perimetry.cases.dataset import Case
from perimetry.cases.digest import digest_bytes
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.image import Image
from perimetry.cases.question import Question
from perimetry.conditions.condition import Neighbour
from perimetry.conditions.neighbours.pool import pool_digest

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Match", "NeighbourIndex"]

_FORMAT = 1
_ROWS = "neighbours.parquet"
_FACTS = "neighbours.json"


@dataclass(frozen=True, slots=True)
class Match:
    """What one case is shown under one pool-dependent condition.

    Parameters
    ----------
    dataset, case : str
        The case.
    condition : str
        Spelling of the condition.
    neighbour_dataset, neighbour : str or None
        The neighbouring case; None where there is none, and `reason` says why.
    cosine : float or None
    rank : int or None
    rule : str or None
        ``question``, ``label`` or ``derangement``.
    gold_known : bool or None
        Whether the negative's own gold for this very question is known.
    gold_differs : bool or None
        Whether that gold differs from the case's; None where it is not known. Always true under ``question``.
    reason : str, default ""
    """

    dataset: str
    case: str
    condition: str
    neighbour_dataset: str | None = None
    neighbour: str | None = None
    cosine: float | None = None
    rank: int | None = None
    rule: str | None = None
    gold_known: bool | None = None
    gold_differs: bool | None = None
    reason: str = ""


@dataclass(frozen=True)
class NeighbourIndex:
    """Neighbours of cases under pool-dependent conditions; a `NeighbourTable`.

    Made by `build_neighbours`, saved and loaded without executing anything.

    Parameters
    ----------
    pool_digest : str
        Digest of the pool's cases, images and golds.
    embedder : str
        Name of the embedder.
    seed : int
        Of the derangement.
    conditions : tuple of str
        Spellings that the index answers.
    matches : tuple of Match
        One for each case and condition.
    images : mapping of (data set, case) to images
        Image sets of the neighbouring cases.
    cases, sets : int
        Size of the pool: cases, and distinct readable image sets.
    unreadable : mapping of str to str
        Images that left the pool, and why.
    """

    pool_digest: str
    embedder: str
    seed: int
    conditions: tuple[str, ...]
    matches: tuple[Match, ...]
    images: Mapping[tuple[str, str], tuple[Image, ...]]
    cases: int
    sets: int
    unreadable: Mapping[str, str] = field(default_factory=dict)
    _lookup: dict[tuple[str, str, str], Match] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the matches by case and condition."""
        lookup = {(match.dataset, match.case, match.condition): match for match in self.matches}
        object.__setattr__(self, "_lookup", lookup)

    def find(self, case: Case, key: str) -> Neighbour | None:
        """Neighbour of a case under a condition's spelling, or None where no image is eligible.

        Raises
        ------
        UsageError
            When the index was built without this condition or this case.
        """
        match = self._lookup.get((case.dataset, case.id, key))
        if match is None:
            if key not in self.conditions:
                raise UsageError(
                    f"The neighbour index holds {', '.join(self.conditions) or 'no condition'}, not {key!r}. "
                    "Build it with every condition that is run."
                )
            raise UsageError(
                f"The neighbour index does not hold case {case.id!r} of {case.dataset!r}. Build it with every case "
                "that is run."
            )
        if match.neighbour is None or match.neighbour_dataset is None:
            return None
        return Neighbour(
            images=self.images[match.neighbour_dataset, match.neighbour],
            case_id=match.neighbour,
            cosine=float("nan") if match.cosine is None else match.cosine,
            rank=match.rank or 1,
            rule=match.rule or "",
            gold_known=bool(match.gold_known),
        )

    def table(self) -> pl.DataFrame:
        """All matches, one row for each case and condition; columns as the fields of `Match`."""
        import polars as pl

        schema = {
            "dataset": pl.String,
            "case": pl.String,
            "condition": pl.String,
            "neighbour_dataset": pl.String,
            "neighbour": pl.String,
            "cosine": pl.Float64,
            "rank": pl.Int64,
            "rule": pl.String,
            "gold_known": pl.Boolean,
            "gold_differs": pl.Boolean,
            "reason": pl.String,
        }
        return pl.DataFrame({name: [getattr(match, name) for match in self.matches] for name in schema}, schema=schema)

    def pool_table(self) -> pl.DataFrame:
        """Pairs and their cosines per condition and rule, as CORAL Table 1.

        Returns
        -------
        polars.DataFrame
            condition, rule, pairs, cosine_mean, cosine_min, cosine_max, gold_known, gold_same (pairs whose negative
            is known to have the case's own gold). Cases without a neighbour are the row whose rule is ``none``.
        """
        import polars as pl

        return (
            self.table()
            .with_columns(pl.col("rule").fill_null("none"))
            .group_by("condition", "rule")
            .agg(
                pairs=pl.len(),
                cosine_mean=pl.col("cosine").mean(),
                cosine_min=pl.col("cosine").min(),
                cosine_max=pl.col("cosine").max(),
                gold_known=pl.col("gold_known").sum(),
                gold_same=(~pl.col("gold_differs")).sum(),
            )
            .sort("condition", "rule")
        )

    def save(self, folder: Path) -> None:
        """Write the index into a folder: ``neighbours.parquet`` and ``neighbours.json``; images stay where they are.

        The JSON file comes last and carries the digest of the other, so that a write that was cut off is noticed.
        """
        folder.mkdir(parents=True, exist_ok=True)
        rows = folder / f"{_ROWS}.tmp"
        self.table().write_parquet(rows)
        facts = {
            "format": _FORMAT,
            "pool_digest": self.pool_digest,
            "embedder": self.embedder,
            "seed": self.seed,
            "conditions": list(self.conditions),
            "cases": self.cases,
            "sets": self.sets,
            "unreadable": dict(self.unreadable),
            "rows_digest": digest_bytes(rows.read_bytes()),
        }
        rows.replace(folder / _ROWS)
        written = folder / f"{_FACTS}.tmp"
        written.write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        written.replace(folder / _FACTS)

    @classmethod
    def load(cls, folder: Path, pool: Sequence[Question]) -> NeighbourIndex:
        """Read an index again; the pool gives the images.

        Raises
        ------
        DataError
            When a file is absent, was cut off, or belongs to another pool.
        """
        import polars as pl

        facts = _read_facts(folder / _FACTS)
        found = pool_digest(pool)
        if facts.get("pool_digest") != found:
            raise DataError(
                f"{folder}: the neighbour index belongs to a pool with digest {facts.get('pool_digest')}; the pool "
                f"given has {found}. Load the same split, or build the index again."
            )
        rows = folder / _ROWS
        if not rows.is_file() or digest_bytes(rows.read_bytes()) != facts.get("rows_digest"):
            raise DataError(f"{rows}: absent or not the file that {_FACTS} describes. Build the index again.")
        try:
            matches = tuple(Match(**row) for row in pl.read_parquet(rows).iter_rows(named=True))
            needed = {(match.neighbour_dataset, match.neighbour) for match in matches}
            return cls(
                pool_digest=found,
                embedder=facts["embedder"],
                seed=facts["seed"],
                conditions=tuple(facts["conditions"]),
                matches=matches,
                images={(one.dataset, one.id): one.images for one in pool if (one.dataset, one.id) in needed},
                cases=facts["cases"],
                sets=facts["sets"],
                unreadable=facts["unreadable"],
            )
        except (KeyError, TypeError, pl.exceptions.PolarsError) as error:
            raise DataError(
                f"{folder}: not what NeighbourIndex.save writes ({error!r}). Build the index again."
            ) from error


def _read_facts(path: Path) -> dict[str, Any]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path}: not found. Expected a folder that NeighbourIndex.save has written.") from None
    except ValueError as error:
        raise DataError(f"{path}: not valid JSON ({error}). Build the index again.") from error
    found = facts.get("format") if isinstance(facts, dict) else None
    if found != _FORMAT:
        raise DataError(f"{path}: format {found!r}, expected {_FORMAT}. Build the index again.")
    return dict(facts)
