"""Spellings: read, checked, canonical."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from perimetry.cases.errors import UnknownNameError, UsageError
from perimetry.conditions import (
    DEFAULT_CONDITIONS,
    Condition,
    ConditionKind,
    Spelled,
    condition_names,
    conditions,
    integer,
    number,
    parse_condition,
    parse_conditions,
)
from perimetry.conditions.kinds.blank import Blank
from perimetry.conditions.kinds.gridmask import GridMask
from perimetry.conditions.kinds.neighbours import HardNegative
from perimetry.conditions.parameters import spell
from perimetry.conditions.spelling import read_arguments, read_spelling

CANONICAL = [
    ("real", "real"),
    (" retest ", "retest"),
    ("real()", "real"),
    ("blank", "blank"),
    ("blank(127)", "blank"),
    ("blank(0)", "blank(0)"),
    ("blank(level=255)", "blank(255)"),
    ("blank( mean )", "blank(mean)"),
    ("blank(scope=all)", "blank(scope=all)"),
    ("shuffle(patch=1)", "shuffle"),
    ("shuffle(16)", "shuffle(patch=16)"),
    ("shuffle(scope=all, patch=16)", "shuffle(patch=16,scope=all)"),
    ("hardneg(rank=1,match=auto)", "hardneg"),
    ("hardneg(match=label,rank=50)", "hardneg(rank=50,match=label)"),
    ("hardneg(match=question)", "hardneg(match=question)"),
    ("gridmask(0.50)", "gridmask(0.5)"),
    ("gridmask(fraction=1)", "gridmask(1)"),
    ("gridmask(0.25,cells=4)", "gridmask(0.25,cells=4)"),
    ("noise(3)", "noise(severity=3)"),
    ("jpeg(severity=5)", "jpeg(severity=5)"),
]


@pytest.mark.parametrize(("written", "canonical"), CANONICAL)
def test_canonical_spelling_round_trips(written: str, canonical: str) -> None:
    condition = parse_condition(written)
    assert condition.spelling == canonical
    assert parse_condition(canonical) == condition
    assert hash(parse_condition(canonical)) == hash(condition)


@pytest.mark.parametrize(
    ("written", "pieces"),
    [
        ("blank(300)", ("'level'", "'300'", "0 to 255 or mean")),
        ("blank(-1)", ("'level'", "'-1'")),
        ("hardneg(rank=0)", ("'rank'", "'0'", "an integer from 1")),
        ("hardneg(rank=2.5)", ("'rank'", "'2.5'")),
        ("hardneg(match=text)", ("'match'", "'text'", "auto, question or label")),
        ("hardneg(rnk=5)", ("'rnk'", "rank (an integer from 1; default 1)")),
        ("hardneg(rank=1,rank=2)", ("'rank'", "twice")),
        ("noise(severity=6)", ("'severity'", "'6'", "0 to 5")),
        ("noise", ("'severity'", "missing")),
        ("gridmask(nan)", ("'fraction'", "'nan'", "0 to 1")),
        ("gridmask(1.01)", ("'fraction'", "'1.01'")),
        ("real(1)", ("one value too many", "takes no parameters")),
        ("shuffle@3", ("'@'", "'3'")),
        ("shuffle(,)", ("empty",)),
        ("shuffle(patch=)", ("empty",)),
        ("shuffle(", ("cannot be read", "hardneg(rank=5)")),
        ("", ("cannot be read",)),
        ("shuffle;blank", ("cannot be read",)),
    ],
)
def test_message_names_parameter_found_and_expected(written: str, pieces: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as caught:
        parse_condition(written)
    for piece in pieces:
        assert piece in str(caught.value)


def test_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="shuffle"):
        parse_condition("shufle")


def test_construction_checks_like_reading() -> None:
    with pytest.raises(UsageError, match="'level' is '256'"):
        Blank(256)
    with pytest.raises(UsageError, match="'rank' is '0'"):
        HardNegative(rank=0)
    assert GridMask(fraction=1) == GridMask(fraction=1.0)
    assert repr(GridMask(fraction=1)) == repr(GridMask(fraction=1.0))


def test_names_hold_the_default_conditions_and_every_kind_of_the_specification() -> None:
    names = set(condition_names())
    assert set(DEFAULT_CONDITIONS) <= names
    assert names >= {"full", "textonly", "optionsonly", "imageoptions", "gridmask"}
    assert names >= {"noise", "blur", "contrast", "jpeg", "resolution"}
    for name, kind in conditions().items():
        assert isinstance(kind, ConditionKind)
        assert kind.name == name
        assert kind.summary


def test_list_splits_outside_parentheses_and_keeps_each_once() -> None:
    found = parse_conditions("real, hardneg(rank=5,match=label),blank(127),blank,")
    assert [condition.spelling for condition in found] == ["real", "hardneg(rank=5,match=label)", "blank"]
    with pytest.raises(UsageError, match="No condition"):
        parse_conditions(" , ")


def test_value_behind_at() -> None:
    parameters = (number("strength", 0, 100, style="at"), integer("seed", 0, default=42))
    values = read_arguments(read_spelling("cover@40(seed=7)"), parameters)
    assert values == {"strength": 40.0, "seed": 7}
    assert spell("cover", parameters, values) == "cover@40(seed=7)"
    assert spell("cover", parameters, {"strength": 12.5, "seed": 42}) == "cover@12.5"
    with pytest.raises(UsageError, match="'strength' is '400'"):
        read_arguments(read_spelling("cover@400"), parameters)
    with pytest.raises(UsageError, match="'strength' is missing"):
        read_arguments(read_spelling("cover"), parameters)
    with pytest.raises(UsageError, match="twice"):
        read_arguments(read_spelling("cover@40(strength=30)"), parameters)


def test_entry_points_of_other_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    from perimetry.cases import registry as mechanism
    from perimetry.conditions.registry import _own

    point = EntryPoint("mirror", "perimetry.conditions.kinds.real:KINDS", "perimetry.conditions")
    monkeypatch.setattr(mechanism, "entry_points", lambda group: [point] if group == "perimetry.conditions" else [])
    assert "mirror" in mechanism.Registry("condition", "perimetry.conditions", _own).names()
    taken = EntryPoint("real", "perimetry.conditions.kinds.real:KINDS", "perimetry.conditions")
    monkeypatch.setattr(mechanism, "entry_points", lambda group: [taken])
    with pytest.raises(UsageError, match="'real'"):
        mechanism.Registry("condition", "perimetry.conditions", _own).names()


def test_every_kind_is_a_condition_with_one_field_for_each_parameter() -> None:
    for name in condition_names():
        kind = conditions().get(name)
        assert isinstance(kind.make, type)
        assert issubclass(kind.make, Spelled)
        assert issubclass(kind.make, Condition)
        made: Any = kind.make
        assert {field.name for field in fields(made)} == {parameter.name for parameter in kind.parameters}
