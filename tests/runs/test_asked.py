from __future__ import annotations

import tomllib

import pytest
import tomli_w

from perimetry.cases.errors import DataError, UsageError
from perimetry.models.request import Decoding
from perimetry.runs.asked import Asked

PLAIN = Asked("counterfactual", ("phantom",), ("reader:blind",), ("real", "blank"))


def test_comes_back_from_toml_as_it_was():
    asked = Asked(
        "counterfactual",
        ("vqa-rad:a b/c", "phantom:n=3"),
        ("openai:x@http://localhost:1/v1",),
        ("real", "hardneg(rank=5)"),
        split="test",
        limit=7,
        retest=0.25,
        allow_remote=("mimic-cxr",),
        decoding=Decoding(12, 0.6, 0.95),
    )
    assert Asked.from_dict(tomllib.loads(tomli_w.dumps(asked.to_dict()))) == asked


def test_models_and_conditions_may_be_added():
    later = Asked("counterfactual", ("phantom",), ("reader:random", "reader:blind"), ("shuffle",))
    joined = PLAIN.extended_by(later)
    assert joined.models == ("reader:blind", "reader:random")
    assert joined.conditions == ("real", "blank", "shuffle")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", 1),
        ("data", ("slake:x",)),
        ("limit", 5),
        ("repeats", 2),
        ("decoding", Decoding(5)),
        ("embedder", "clip:x"),
    ],
)
def test_nothing_else_may_change(field, value):
    from dataclasses import replace

    with pytest.raises(UsageError, match=field):
        PLAIN.extended_by(replace(PLAIN, **{field: value}))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"surprise": 1}, "surprise"),
        ({"repeats": "many"}, "repeats"),
        ({"decoding": {"temperature": "hot"}}, "temperature"),
    ],
)
def test_a_damaged_table_is_one_clear_error(change, named):
    with pytest.raises(DataError, match=named):
        Asked.from_dict({**PLAIN.to_dict(), **change})


def test_a_missing_field_is_named():
    values = PLAIN.to_dict()
    del values["data"]
    with pytest.raises(DataError, match="data"):
        Asked.from_dict(values)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"repeats": 0}, "repeats"),
        ({"retest": 1.5}, "retest"),
        ({"limit": -1}, "limit"),
        ({"data": ()}, "data"),
        ({"models": ()}, "model"),
    ],
)
def test_values_out_of_range_are_refused(arguments, named):
    from dataclasses import replace

    with pytest.raises(UsageError, match=named):
        replace(PLAIN, **arguments)
