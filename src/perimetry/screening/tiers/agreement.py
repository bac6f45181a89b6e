"""Whether folders are about the same data sets, and about the same items under one name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases.errors import DataError, UsageError

__all__ = ["Content", "check_agreement"]

COMMANDS = {"screens": "perimetry screen", "guesses": "perimetry guess", "lattice": "perimetry audit routes"}


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """What a folder is about.

    Parameters
    ----------
    kind : {"screens", "guesses", "lattice"}
    path : Path
    items : polars.DataFrame
        dataset, case_id, content; the last is empty where the folder does not say what its items are.
    datasets : frozenset of str
    digests : mapping of str to (int, str)
        Number of cases of each data set and the digest of all of them, with their images, where the folder has it.
    """

    kind: str
    path: Path
    items: pl.DataFrame
    datasets: frozenset[str]
    digests: Mapping[str, tuple[int, str]]

    @classmethod
    def of(cls, kind: str, path: Path, settings: Mapping[str, Any], table: Path) -> Content:
        """Read what a folder of that kind is about; ``table`` is the one it is told by."""
        listed = path / "items.parquet" if kind == "screens" and (path / "items.parquet").is_file() else table
        there = pl.read_parquet_schema(listed)
        wanted = ["dataset", "case_id", *(["content"] if "content" in there else [])]
        items = pl.read_parquet(listed, columns=wanted).unique()
        if "content" not in there:
            items = items.with_columns(pl.lit(None, pl.String).alias("content"))
        names = set(items["dataset"].to_list())
        names |= {str(it) for it in settings.get("datasets", ())} if kind == "screens" else set()
        found: dict[str, tuple[int, str]] = {}
        digests = settings.get("digests", {})
        for entry in settings.get("data", ()):
            if isinstance(entry, Mapping) and entry.get("name") in digests:
                found[str(entry["name"])] = (int(entry.get("cases", 0)), str(digests[entry["name"]]))
        return cls(kind, path, items.select("dataset", "case_id", "content"), frozenset(names), found)


def check_agreement(contents: Sequence[Content]) -> tuple[str, ...]:
    """Refuse folders that are about different data sets, or about other items of one name.

    Returns
    -------
    tuple of str
        What some folders of a kind do not have although others do.

    Raises
    ------
    UsageError
        Where folders of two kinds have no data set in common.
    DataError
        Where a data set of one name has other items, or items of other words or keys.
    """
    for left, right in combinations(COMMANDS, 2):
        _check_names([it for it in contents if it.kind == left], [it for it in contents if it.kind == right])
    for one, other in combinations(contents, 2):
        for name in sorted(one.datasets & other.datasets):
            _check_items(one, other, name)
    return tuple(_gaps(contents))


def _check_names(left: Sequence[Content], right: Sequence[Content]) -> None:
    sets = [frozenset[str]().union(*(it.datasets for it in side)) for side in (left, right)]
    if left and right and not sets[0] & sets[1]:
        said = "; ".join(f"{it.path} is about {', '.join(sorted(it.datasets)) or 'no item'}" for it in (*left, *right))
        raise UsageError(
            f"{said}: {COMMANDS[left[0].kind]} and {COMMANDS[right[0].kind]} have no data set in common. Give folders "
            "about the same data set; one that was read under two names needs one of them (table:PATH,name=NAME)."
        )


def _check_items(one: Content, other: Content, name: str) -> None:
    left, right = (it.items.filter(pl.col("dataset") == name) for it in (one, other))
    both = left.join(right, on=["dataset", "case_id"], suffix="_other")
    remedy = "Make the folders again from one state of the data."
    if left.height and right.height and both.is_empty() and one.kind != other.kind:
        raise DataError(
            f"{one.path} and {other.path}: {name} has no item in common, {left['case_id'][0]} and "
            f"{right['case_id'][0]} for example; the items of one data set were expected. {remedy}"
        )
    differing = both.filter(pl.col("content") != pl.col("content_other")).sort("case_id")
    if differing.height:
        raise DataError(
            f"{one.path} and {other.path}: {differing.height:,} of {both.height:,} items of {name} differ in stem, "
            f"options or keys, such as {differing['case_id'][0]}; the same items were expected. {remedy}"
        )
    counts, digests = zip(*(it.digests.get(name, (0, "")) for it in (one, other)), strict=True)
    whole = min(left.height, right.height) == both.height and counts[0] == counts[1]
    if whole and all(digests) and digests[0] != digests[1]:
        raise DataError(
            f"{one.path} and {other.path}: the {counts[0]:,} cases of {name} have the same names and differ in what "
            f"they hold (digests {digests[0]} and {digests[1]} of texts, keys and images). {remedy}"
        )


def _gaps(contents: Sequence[Content]) -> Iterator[str]:
    everything = frozenset[str]().union(*(it.datasets for it in contents))
    for kind, command in COMMANDS.items():
        own = [it for it in contents if it.kind == kind]
        absent = everything - frozenset[str]().union(*(it.datasets for it in own))
        if own and absent:
            yield f"{', '.join(sorted(absent))}: in no folder of {command}, though others are about it"
    told = [it.items.select("dataset", "case_id") for it in contents if it.kind != "screens"]
    for one in contents:
        if one.kind == "screens" and told:
            lost = one.items.join(pl.concat(told), on=["dataset", "case_id"], how="anti")
            if lost.height:
                yield f"{lost.height:,} items of {one.path} are in no guess and no run: they are not part of the subset"
