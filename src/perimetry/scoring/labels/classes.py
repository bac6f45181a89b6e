"""The fourteen CheXpert classes, their two published orders, and the codes of a label.

The CheXpert csv and CheXbert list the same classes in different orders. An array of labels in this project always has
the columns of `CHEXBERT_ORDER`; `columns_in` translates, so that nothing is taken by position without naming the order.

References
----------
Irvin et al. 2019, "CheXpert", section 2 and table 1 (classes); Smit et al. 2020, "CheXbert", section 3.1 (codes).
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from perimetry.cases.chexpert import ABNORMAL, CHEXBERT_ORDER, CHEXPERT_ORDER, FIVE, NO_FINDING
from perimetry.cases.errors import UnknownNameError, UsageError

__all__ = [
    "ABNORMAL",
    "BLANK",
    "CHEXBERT_ORDER",
    "CHEXPERT_ORDER",
    "CLASS_SETS",
    "CODES",
    "FIVE",
    "NEGATIVE",
    "NO_FINDING",
    "POSITIVE",
    "UNCERTAIN",
    "class_index",
    "classes_of",
    "columns_in",
]

BLANK, POSITIVE, NEGATIVE, UNCERTAIN = 0, 1, 2, 3

CODES = ("blank", "positive", "negative", "uncertain")
"""Names of the codes 0, 1, 2, 3, as CheXbert numbers them."""

CLASS_SETS = MappingProxyType({"14": CHEXBERT_ORDER, "13": ABNORMAL, "5": FIVE})
"""Sets of classes by the value of the parameter ``classes``."""

_INDEX = MappingProxyType({name: index for index, name in enumerate(CHEXBERT_ORDER)})


def class_index(name: str) -> int:
    """Column of a class in `CHEXBERT_ORDER`.

    Raises
    ------
    UnknownNameError
        If there is no such class.

    Examples
    --------
    >>> class_index("Edema")
    4
    """
    if name not in _INDEX:
        raise UnknownNameError("CheXpert class", name, CHEXBERT_ORDER)
    return _INDEX[name]


def columns_in(order: Sequence[str]) -> tuple[int, ...]:
    """Columns that bring an array of `CHEXBERT_ORDER` into another order: ``labels[:, columns_in(order)]``.

    Raises
    ------
    UnknownNameError
        If a name is no class.

    Examples
    --------
    >>> columns_in(CHEXPERT_ORDER)[:3]
    (13, 0, 1)
    """
    return tuple(class_index(name) for name in order)


def classes_of(text: str) -> tuple[str, ...]:
    """Classes of a set: ``14``, ``13`` (without No Finding) or ``5``.

    Raises
    ------
    UsageError
        For anything else.

    Examples
    --------
    >>> len(classes_of("13"))
    13
    """
    if text not in CLASS_SETS:
        raise UsageError(f"classes is {text!r}; expected one of {', '.join(CLASS_SETS)}.")
    return CLASS_SETS[text]
