"""The data sets that load by name: one loader a file, found by `datasets`."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from perimetry.cases.dataset import Dataset
from perimetry.cases.registry import Registry

__all__ = ["datasets"]


@cache
def datasets() -> Registry[Dataset]:
    """The registry of data sets: the modules of this package, then the entry points ``perimetry.datasets``.

    A module whose public name is ``DATASET`` is a data set; adding one is adding a file here.

    Examples
    --------
    >>> datasets().get("vqa-rad").title
    'VQA-RAD'
    """
    return Registry("data set", "perimetry.datasets", _own)


def _own() -> dict[str, Dataset]:
    found = {}
    for module in pkgutil.iter_modules(__path__):
        dataset = getattr(import_module(f"{__name__}.{module.name}"), "DATASET", None)
        if isinstance(dataset, Dataset):
            found[dataset.name] = dataset
    return found
