"""Any data set of the hub, with a mapping file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from perimetry.cases.dataset import Case, Dataset, LoadOptions
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import refuse_unknown_settings, require_path, setting, split_files
from perimetry.cases.own_table import OWN_SETTINGS, own_cases

__all__ = ["DATASET"]

NAME = "hub"
LAYOUT = (
    "a hub snapshot (folder of Parquet, JSONL or Arrow files) with --map FILE, or OWNER/NAME to download one (settings "
    "config=TEXT keeps files with that text in their path; name=..., data_use=..., revision=...)"
)


def load_hub(path: Path | None, options: LoadOptions, funnel: Funnel) -> Iterator[Case]:
    """Yield the cases of a split of a snapshot; see `perimetry.cases.own_table.own_cases`."""
    refuse_unknown_settings(options, NAME, "config", *OWN_SETTINGS)
    root = require_path(path, NAME, LAYOUT)
    files = split_files(root, options.split or "test", NAME, setting(options, "config", ""))
    yield from own_cases(NAME, files, root, options, funnel)


DATASET = Dataset(
    name=NAME,
    title="a data set of the hub",
    citation="",
    licence="the data set's own",
    data_use="restricted",
    load=load_hub,
    default_split="test",
    splits=(),
    layout=LAYOUT,
)
