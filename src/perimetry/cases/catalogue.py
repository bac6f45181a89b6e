"""What `perimetry datasets` lists."""

from __future__ import annotations

from dataclasses import dataclass

from perimetry.cases.dataset import DataUse
from perimetry.cases.datasets import datasets
from perimetry.cases.errors import UsageError

__all__ = ["DatasetInfo", "dataset_infos"]


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """One line of the listing.

    Parameters
    ----------
    name, title, licence, layout, citation : str
    kind : str
        ``question`` or ``study``; empty when the entry cannot be imported.
    data_use : {"open", "restricted", "credentialed"} or None
    splits : tuple of str
    default_split : str
    problem : str, default ""
        Why an outside data set cannot be imported.
    """

    name: str
    title: str = ""
    kind: str = ""
    licence: str = ""
    data_use: DataUse | None = None
    layout: str = ""
    splits: tuple[str, ...] = ()
    default_split: str = ""
    citation: str = ""
    problem: str = ""


def dataset_infos() -> tuple[DatasetInfo, ...]:
    """Every registered data set, sorted by name; one that cannot be imported is listed with its problem.

    Examples
    --------
    >>> [info.licence for info in dataset_infos() if info.name == "vqa-rad"]
    ['CC0-1.0']
    """
    return tuple(_info(name) for name in datasets().names())


def _info(name: str) -> DatasetInfo:
    try:
        dataset = datasets().get(name)
    except UsageError as error:
        return DatasetInfo(name, problem=str(error))
    return DatasetInfo(
        name=dataset.name,
        title=dataset.title,
        kind=dataset.kind,
        licence=dataset.licence,
        data_use=dataset.data_use,
        layout=dataset.layout,
        splits=dataset.splits,
        default_split=dataset.default_split,
        citation=dataset.citation,
    )
