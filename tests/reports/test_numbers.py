"""How numbers read, and what tables write."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest

from perimetry.reports import Column, TableBlock, interval_text, number_text, p_text, resolved
from perimetry.reports.escape import script_json
from perimetry.reports.numbers import cell_text, sort_value
from perimetry.reports.site import Figure, Verdict
from perimetry.reports.tables import table_csv
from perimetry.reports.verdicts import strips


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (0.041, 0.01, 0.075, "+4.1 [+1.0, +7.5]"),
        (-0.041, -0.1, 0.0, "−4.1 [−10.0, 0.0]"),
        (-0.0001, -0.0004, 0.0004, "0.0 [0.0, 0.0]"),
        (0.5, None, 0.6, "+50.0"),
        (None, 0.1, 0.2, "–"),
        (math.nan, 0.1, 0.2, "–"),
    ],
)
def test_points_with_interval(value, low, high, text) -> None:
    assert interval_text(value, low, high, sign=True) == text


def test_other_numbers() -> None:
    assert number_text(1234.5, 0) == "1,234" and number_text(0.974, 3) == "0.974"
    assert [p_text(p) for p in (0.0009, 0.001, 0.0456, 1.0, None)] == ["< 0.001", "0.001", "0.046", "1.000", "–"]


@pytest.mark.parametrize(
    ("low", "high", "state"),
    [
        (0.01, 0.2, True),
        (-0.2, -0.01, True),
        (0.0, 0.2, False),
        (-0.2, 0.0, False),
        (None, 0.2, False),
        (math.nan, 1.0, False),
    ],
)
def test_resolved_excludes_zero(low, high, state: bool) -> None:
    assert resolved(low, high) is state


@pytest.mark.parametrize(
    ("kind", "value", "text", "key"),
    [
        ("share", 0.534, "53.4", "0.534"),
        ("points", 0.0412, "+4.1", "0.0412"),
        ("number", 2.0, "2.0", "2.0"),
        ("integer", 1234567, "1,234,567", "1234567.0"),
        ("integer", -3, "−3", "-3.0"),
        ("flag", True, "yes", "1.0"),
        ("text", "Abc", "Abc", "abc"),
        ("p", 0.0001, "< 0.001", "0.0001"),
        ("p", None, "–", ""),
    ],
)
def test_cells(kind, value, text: str, key: str) -> None:
    column = Column("a", kind=kind)
    assert cell_text(column, {"a": value}) == text and sort_value(column, {"a": value}) == key


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd|x", "\t=1", "+text"])
def test_csv_disarms_formulas(text: str) -> None:
    rows = list(csv.reader(io.StringIO(table_csv(TableBlock((Column("a"),), ({"a": text},), "", "t")))))
    assert rows[1] == [f"'{text}"]


@pytest.mark.parametrize("text", ["-", "text+image", "a=b", 'quo"te, comma\nline', "–"])
def test_csv_keeps_plain_text(text: str) -> None:
    rows = list(csv.reader(io.StringIO(table_csv(TableBlock((Column("a"),), ({"a": text},), "", "t")))))
    assert rows[1] == [text]


def test_csv_keeps_full_precision_and_negative_numbers() -> None:
    columns = (Column("v", kind="points", low="lo", high="hi"), Column("ok", kind="flag"))
    text = table_csv(TableBlock(columns, ({"v": -0.1 - 0.2, "lo": None, "hi": math.nan, "ok": False},), "", "t"))
    assert text == "v,lo,hi,ok\n-0.30000000000000004,,,false\n"


@pytest.mark.parametrize(
    "text", ["</script>", "<!--", "-->", "]]>", "&lt;", "\u2028\u2029", "\\u003c", "\"'\\", "é漢🙂"]
)
def test_script_json_round_trips_without_markup(text: str) -> None:
    spelt = script_json({text: [text, 1.5, None, True]})
    assert not set(spelt) & set("<>&\u2028\u2029")
    assert json.loads(spelt) == {text: [text, 1.5, None, True]}


def test_script_json_has_no_word_for_what_is_not_finite() -> None:
    assert script_json([math.nan, math.inf, -math.inf, 0.1]) == "[null,null,null,0.1]"


def test_strips_share_one_axis() -> None:
    verdicts = [
        Verdict("a", "", "", figure=Figure("vrs", 0.2, 0.1, 0.3)),
        Verdict("b", "", "", figure=Figure("vrs", -0.1, -0.2, 0.0)),
        Verdict("c", "", ""),
        Verdict("d", "", "", figure=Figure("vrs", None)),
    ]
    (first, second, none, empty), ticks, label = strips(verdicts)
    assert none is None and empty is None and label == "vrs" and first is not None and second is not None
    assert first.zero == second.zero == second.high
    # Equal distances in points are equal distances in pixels, and the axis spans what is shown.
    assert first.value - first.zero == pytest.approx(2 * (second.zero - second.value), abs=0.2)
    assert (second.low, first.high) == (8.0, 192.0) and [text for _, text in ticks] == ["−20", "0", "+30"]
    assert first.filled and not second.filled


def test_strips_without_a_figure() -> None:
    assert strips([Verdict("a", "", "")]) == ((None,), (), "")
