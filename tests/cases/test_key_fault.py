"""The reason told is the true one."""

import pytest

from perimetry.cases.key_fault import NOT_AMONG, NUMBERED, SEVERAL, SHARED, key_fault
from perimetry.cases.values import options_of

OPTIONS = options_of(["lung", "heart", "lung"])


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("C", None),
        ("lung", SHARED),
        ("Lung", SHARED),
        ("0", NUMBERED),
        ("2", NUMBERED),
        ("A, C", SEVERAL),
        ("A,C", SEVERAL),
        ("A and C", SEVERAL),
        ("AC", SEVERAL),
        ("heart; A", SEVERAL),
        ("A, F", NOT_AMONG),
        ("AF", NOT_AMONG),
        ("AA", NOT_AMONG),
        ("F", NOT_AMONG),
        ("spleen", NOT_AMONG),
        ("1.5", NOT_AMONG),
    ],
)
def test_every_kind_of_key_has_its_reason(answer, reason):
    assert key_fault(answer, OPTIONS) == reason


def test_numbers_that_are_labels_or_texts_are_no_fault():
    assert key_fault("1", options_of({"0": "lung", "1": "heart"})) is None
