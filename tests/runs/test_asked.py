from __future__ import annotations

import tomllib
from dataclasses import replace
from typing import Any

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


def test_an_endpoint_that_moved_is_the_same_model():
    first = replace(PLAIN, models=("openai:m@http://127.0.0.1:8000/v1", "reader:blind"))
    later = replace(PLAIN, models=("card:c@https://there/v1", "openai:m@http://me:pw@127.0.0.1:9000/v1?code=x"))
    assert first.extended_by(later).models == (
        "openai:m@http://me:pw@127.0.0.1:9000/v1?code=x",
        "reader:blind",
        "card:c@https://there/v1",
    )


def test_a_file_of_answers_that_moved_is_the_same_model():
    first = replace(PLAIN, models=("recorded:/old/a.jsonl#m", "recorded:/old/b.jsonl"))
    later = replace(PLAIN, models=("recorded:/new/a.jsonl#m", "recorded:/new/a.jsonl#n"))
    assert first.extended_by(later).models == (
        "recorded:/new/a.jsonl#m",
        "recorded:/old/b.jsonl",
        "recorded:/new/a.jsonl#n",
    )
    both = replace(PLAIN, models=("recorded:/x/b.jsonl", "recorded:/y/b.jsonl"))
    assert first.extended_by(both).models[1:] == ("recorded:/y/b.jsonl", "recorded:/x/b.jsonl"), "two are not merged"


@pytest.mark.parametrize("second", ["reader:blind", "reader:blind "])
def test_a_model_that_is_given_twice_is_told_so(second):
    with pytest.raises(UsageError, match="reader:blind was given twice"):
        replace(PLAIN, models=("reader:blind", second))
    with pytest.raises(UsageError, match=r"openai:m was given twice"):
        replace(PLAIN, models=("openai:m@http://me:pw@here/v1", "openai:m@http://there/v1"))


def test_data_may_lie_elsewhere_but_not_be_another():
    there: dict[str, Any] = {
        "data": ("vqa-rad:/old/v", "table:/old/t.jsonl,name=x"),
        "pool": "slake:/old/s",
        "mapping": "/old/map.toml",
    }
    now: dict[str, Any] = {
        "data": ("vqa-rad:/new/v", "table:/new/t.jsonl,name=x"),
        "pool": "slake:/new/s",
        "mapping": "/new/map.toml",
    }
    joined = replace(PLAIN, **there).extended_by(replace(PLAIN, **now))
    assert {name: getattr(joined, name) for name in now} == now
    for data in (("slake:/new/v", now["data"][1]), (now["data"][0], "table:/new/t.jsonl,name=y"), now["data"][:1]):
        with pytest.raises(UsageError, match=r"--data vqa-rad:/old/v .*now --data "):
            replace(PLAIN, **there).extended_by(replace(PLAIN, **{**now, "data": data}))


def test_a_text_is_read_as_the_command_line_reads_it():
    asked = Asked.of(
        "counterfactual",
        data="phantom",
        models="reader:blind",
        conditions="real, hardneg(rank=5,match=label)",
        decoding=Decoding(),
        allow_remote="mimic-cxr",
    )
    assert asked.conditions == ("real", "hardneg(rank=5,match=label)")
    assert asked.allow_remote == ("mimic-cxr",)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"limit": 0}, ": --limit 1, now no --limit\\."),
        ({"split": "test"}, "no --split, now --split test"),
        ({"answer_type": "open"}, "now --answer-type open"),
        ({"decoding": Decoding(5, 0.5)}, "--max-new-tokens 2048, now --max-new-tokens 5; --temperature 0.0, now"),
    ],
)
def test_a_difference_is_told_as_the_options_spell_it(change, said):
    with pytest.raises(UsageError, match=said):
        replace(PLAIN, limit=1).extended_by(replace(PLAIN, limit=1, **change) if "limit" not in change else PLAIN)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", 1),
        ("data", ("slake:x",)),
        ("limit", 5),
        ("repeats", 2),
        ("decoding", Decoding(5)),
        ("mapping", "/map.toml"),
        ("embedder", "clip:x"),
    ],
)
def test_nothing_else_may_change(field, value):
    with pytest.raises(UsageError, match={"decoding": "max-new-tokens", "mapping": "map"}.get(field, field)):
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
    with pytest.raises(UsageError, match=named):
        replace(PLAIN, **arguments)
