"""The fourteen CheXpert classes and their two published orders.

References
----------
Irvin et al. 2019, "CheXpert", section 2 and table 1 (classes); Smit et al. 2020, "CheXbert", section 3.1 (order).
"""

from __future__ import annotations

import difflib
from functools import cache

__all__ = [
    "ABNORMAL",
    "CHEXBERT_ORDER",
    "CHEXPERT_ORDER",
    "FIVE",
    "NO_FINDING",
    "class_named",
    "near_class",
]

NO_FINDING = "No Finding"

CHEXBERT_ORDER = (
    "Enlarged Cardiomediastinum",
    "Cardiomegaly",
    "Lung Opacity",
    "Lung Lesion",
    "Edema",
    "Consolidation",
    "Pneumonia",
    "Atelectasis",
    "Pneumothorax",
    "Pleural Effusion",
    "Pleural Other",
    "Fracture",
    "Support Devices",
    NO_FINDING,
)
"""Columns of every array of labels in this project."""

CHEXPERT_ORDER = (
    NO_FINDING,
    "Enlarged Cardiomediastinum",
    "Cardiomegaly",
    "Lung Lesion",
    "Lung Opacity",
    "Edema",
    "Consolidation",
    "Pneumonia",
    "Atelectasis",
    "Pneumothorax",
    "Pleural Effusion",
    "Pleural Other",
    "Fracture",
    "Support Devices",
)
"""Columns of the csv files that come with CheXpert (after path, sex, age and views)."""

ABNORMAL = CHEXBERT_ORDER[:-1]
"""The thirteen classes that state something and have a place in an image: all but No Finding."""

FIVE = ("Cardiomegaly", "Edema", "Consolidation", "Atelectasis", "Pleural Effusion")
"""The five classes of the CheXpert competition, over which "F1-5" is taken."""

_NEAR = 0.6
"""Likeness, 0..1, from which on another name is suggested."""


def class_named(name: str) -> str | None:
    """The class of a name in any case, with or without blanks, underscores and hyphens; None where it is none.

    Examples
    --------
    >>> class_named("pleural_effusion"), class_named(" No finding "), class_named("Effusion")
    ('Pleural Effusion', 'No Finding', None)
    """
    return _spelled().get(_letters(name))


def near_class(name: str) -> str | None:
    """The class that a name may have been meant for; None where none comes near.

    Examples
    --------
    >>> near_class("Cardiomegalie"), near_class("Effusion"), near_class("Hernia")
    ('Cardiomegaly', 'Pleural Effusion', None)
    """
    near = difflib.get_close_matches(_letters(name), _spelled(), n=1, cutoff=_NEAR)
    return _spelled()[near[0]] if near else None


def _letters(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


@cache
def _spelled() -> dict[str, str]:
    return {_letters(name): name for name in CHEXBERT_ORDER}
