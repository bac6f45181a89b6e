from __future__ import annotations

import numpy as np
import pytest

from perimetry.scoring.labels.classes import class_index
from perimetry.scoring.labels.table import LabelTable


def _table():
    labels = np.zeros((3, 14), dtype=np.int8)
    labels[:, class_index("Edema")] = (1, 3, 2)
    return LabelTable(labels, ("", "", "unread"), ("a", "b", "c"))


def test_uncertain_counts_as_it_is_told_and_negative_never():
    assert _table().positive("negative", ("Edema",))[:, 0].tolist() == [True, False, False]
    assert _table().positive("positive", ("Edema",))[:, 0].tolist() == [True, True, False]


def test_rows_are_taken_with_their_reasons_and_notes():
    taken = _table().take([2, 0, 2])
    assert taken.reasons == ("unread", "", "unread")
    assert taken.notes == ("c", "a", "c")
    assert taken.labels[:, class_index("Edema")].tolist() == [2, 1, 2]


@pytest.mark.parametrize(
    ("labels", "reasons", "notes"),
    [
        (np.zeros((2, 13), dtype=np.int8), ("", ""), ()),
        (np.zeros((2, 14), dtype=np.int64), ("", ""), ()),
        (np.zeros((2, 14), dtype=np.int8), ("",), ()),
        (np.zeros((1, 14), dtype=np.int8), ("",), ("", "")),
        (np.full((1, 14), 4, dtype=np.int8), ("",), ()),
        (np.full((1, 14), -1, dtype=np.int8), ("",), ()),
    ],
)
def test_a_table_of_another_shape_or_code_is_refused(labels, reasons, notes):
    with pytest.raises(ValueError, match="label"):
        LabelTable(labels, reasons, notes)
