from __future__ import annotations

import numpy as np
import pytest

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.phantoms.vocabulary import FINDINGS
from perimetry.scoring.labels.classes import (
    ABNORMAL,
    CHEXBERT_ORDER,
    CHEXPERT_ORDER,
    FIVE,
    class_index,
    classes_of,
    columns_in,
)


def test_both_orders_hold_the_same_fourteen_classes_at_other_places():
    assert sorted(CHEXBERT_ORDER) == sorted(CHEXPERT_ORDER)
    assert len(set(CHEXBERT_ORDER)) == 14
    assert CHEXBERT_ORDER != CHEXPERT_ORDER
    assert CHEXBERT_ORDER[2:4] == ("Lung Opacity", "Lung Lesion")
    assert CHEXPERT_ORDER[3:5] == ("Lung Lesion", "Lung Opacity")


def test_the_phantoms_use_the_same_names_in_the_same_order():
    assert FINDINGS == ABNORMAL


def test_columns_bring_an_array_into_the_order_of_the_csv():
    row = np.asarray(CHEXBERT_ORDER)
    assert tuple(row[list(columns_in(CHEXPERT_ORDER))]) == CHEXPERT_ORDER
    assert tuple(row[list(columns_in(FIVE))]) == FIVE


def test_an_unknown_class_gets_the_nearest_names():
    with pytest.raises(UnknownNameError, match="Lung Opacity"):
        class_index("Lung opacities")


def test_an_unknown_set_of_classes_is_refused_with_the_sets_there_are():
    assert classes_of("5") == FIVE
    with pytest.raises(UsageError, match="14, 13, 5"):
        classes_of("12")
