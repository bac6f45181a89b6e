"""A user's own table of questions or studies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Case, Dataset, LoadOptions
from perimetry.cases.echo import echo_list
from perimetry.cases.errors import DataError, UsageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import found_in, refuse_unknown_settings, require_path
from perimetry.cases.own_table import OWN_SETTINGS, own_cases, own_mapping
from perimetry.cases.sidecar import SIDECAR, STUDIES
from perimetry.cases.table import TABLE_SUFFIXES, columns

__all__ = ["DATASET"]

NAME = "table"
LAYOUT = (
    "a JSONL, JSON, CSV, TSV, Parquet or Arrow file with the fields of Question or Study, or any with --map FILE "
    "(settings name=..., data_use=open|restricted|credentialed, default open)"
)


def load_table(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Case]:
    """Yield the cases of one table file; see `perimetry.cases.own_table.own_cases`."""
    refuse_unknown_settings(options, NAME, *OWN_SETTINGS)
    file = require_path(path, NAME, LAYOUT)
    if file.is_dir():
        raise DataError(
            f"{NAME}: {file} is a folder; a file ({', '.join(TABLE_SUFFIXES)}) was expected. {found_in(file)}"
        )
    if file.name == STUDIES and (file.parent / SIDECAR).is_file():
        raise UsageError(
            f"{NAME}: {file} was built from another data set, whose terms stand in {SIDECAR} beside it. Read it as "
            f"studies:{file}, which keeps them."
        )
    mapping = own_mapping(options.mapping)
    names = columns(file) if mapping is None else tuple(mapping.rules)
    if options.split not in (None, "all") and "split" not in names:
        raise UsageError(
            f"{NAME}: the split {options.split!r} was asked for, but there is no column split. Fields: "
            f"{echo_list(names)}."
        )
    yield from own_cases(NAME, [file], file, options, funnel)


DATASET = Dataset(
    name=NAME,
    title="a table of your own",
    citation="",
    licence="the table's own",
    data_use="open",
    load=load_table,
    default_split="all",
    splits=(),
    layout=LAYOUT,
)
