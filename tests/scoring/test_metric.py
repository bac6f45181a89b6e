"""What metrics declare."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.scoring import COUNTERFACTUAL, MetricInfo, Ratio, counterfactual_info

INFO = MetricInfo("bleu", "bleu/1", "higher", 0.0, 1.0, "Overlap.", "paper", (("n", "4"), ("tokens", "13a")))


def test_signature_holds_what_changes_values() -> None:
    assert INFO.signature == "bleu|bleu/1|n=4|tokens=13a"
    assert replace(INFO, version="bleu/2").signature != INFO.signature


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": ""}, "name"),
        ({"name": "a|b"}, "name"),
        ({"direction": "up"}, "higher, lower, neutral"),
        ({"low": 1.0}, "below"),
        ({"low": float("nan")}, "below"),
        ({"parameters": (("b", "1"), ("a", "2"))}, "sorted"),
        ({"parameters": (("a", "1"), ("a", "2"))}, "once"),
    ],
)
def test_bad_declarations_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        replace(INFO, **change)  # type: ignore[arg-type]


def test_range() -> None:
    assert [INFO.holds(value) for value in (-0.1, 0.0, 1.0, 1.1, float("nan"))] == [False, True, True, False, False]


def test_ratios_add_up_before_they_divide() -> None:
    assert (Ratio(1, 2) + Ratio(0, 8)).value == 0.1
    assert Ratio(0, 0).value is None


def test_counterfactual_table() -> None:
    lower = {name for name, info in COUNTERFACTUAL.items() if info.direction == "lower"}
    assert lower == {"is_pred", "is_raw", "vhr", "hvrr", "unparsed"}
    differences = {name for name, info in COUNTERFACTUAL.items() if info.low == -1.0}
    assert differences >= {"vrs", "bd", "hn_gap", "is_excess", "flip_excess"}
    assert all(info.high == 1.0 and info.citation and info.meaning.endswith(".") for info in COUNTERFACTUAL.values())
    assert all(name == info.name for name, info in COUNTERFACTUAL.items())


def test_the_metrics_of_the_audit_are_all_declared() -> None:
    wanted = "accuracy majority vrs bd hn_gap is_pred is_raw vbr vhr nvcr hvrr rcr"
    wanted += " retest_agreement is_excess flip_excess unparsed"
    assert set(wanted.split()) <= set(COUNTERFACTUAL)
    with pytest.raises(UnknownNameError, match="vrs"):
        counterfactual_info("vsr")
