"""Mapping files: columns, constants and formulas, told apart by a rule that does not depend on the row."""

from __future__ import annotations

import pytest

from perimetry.cases import DataError
from perimetry.cases.mapping import Mapping

COLUMNS = ("id", "full", "Question", "Choice A", "Choice B", "n")


def read(tmp_path, content):
    path = tmp_path / "map.toml"
    path.write_text(content, "utf-8")
    return Mapping.read(path)


def test_columns_constants_and_formulas(tmp_path):
    mapping = read(
        tmp_path,
        """
        case_id = "{id}-{n}"
        stem = "Question"
        condition = "real"
        repeat = 0
        options = ["Choice A", "Choice B"]
        named = {A = "Choice A", B = "Choice B"}
        braces = "{{{id}}}"
        """,
    ).bind(COLUMNS)
    row = {"id": 7, "n": 2.0, "Question": "Why?", "Choice A": "x", "Choice B": "y"}
    assert mapping.row(row) == {
        "case_id": "7-2",
        "stem": "Why?",
        "condition": "real",
        "repeat": 0,
        "options": ["x", "y"],
        "named": {"A": "x", "B": "y"},
        "braces": "{7}",
    }
    assert mapping.constants == {"condition": "real", "repeat": 0}
    assert mapping.used == {"id", "n", "Question", "Choice A", "Choice B"}


def test_a_column_goes_before_a_constant_and_a_table_settles_it(tmp_path):
    mapping = read(tmp_path, 'condition = "full"\nplain = {constant = "full"}\nsure = {column = "full"}').bind(COLUMNS)
    assert mapping.row({"full": "from the column"}) == {
        "condition": "from the column",
        "plain": "full",
        "sure": "from the column",
    }
    # A row that lacks the column does not turn its name into a value.
    assert mapping.row({})["condition"] is None


def test_unbound_mappings_decide_by_the_record():
    mapping = Mapping.of({"condition": "full"})
    assert mapping.row({"id": 1}) == {"condition": "full"}
    assert mapping.row({"full": "x"}) == {"condition": "x"}


def test_a_formula_with_an_empty_column_is_empty():
    mapping = Mapping.of({"id": "{a}-{b}"})
    assert mapping.row({"a": 1, "b": None}) == {"id": None}
    assert mapping.row({"a": 1, "b": 0}) == {"id": "1-0"}


def test_formulas_reach_nothing_but_columns():
    mapping = Mapping.of({"id": "{id.__class__}{id!r}{id:>9}"})
    assert mapping.row({"id": "x"}) == {"id": None}
    with pytest.raises(DataError, match=r"'id.__class__' is no column"):
        mapping.bind(["id"])


def test_misspelt_columns_are_found():
    with pytest.raises(DataError, match=r"field 'case': 'idd' is no column of the table\. Did you mean 'id'"):
        Mapping.of({"case": "{idd}"}).bind(COLUMNS)
    with pytest.raises(DataError, match=r"field 'answer': 'Anwser' is no column.*Columns: id"):
        Mapping.of({"answer": "Anwser"}).bind(("id", "q"), varying=("answer",))
    with pytest.raises(DataError, match=r"field 'options.A': 'Choice C' is no column"):
        Mapping.of({"options": {"A": {"column": "Choice C"}}}).bind(COLUMNS)
    # A constant that says so is believed.
    assert Mapping.of({"answer": {"constant": "yes"}}).bind(("id",), varying=("answer",)).row({}) == {"answer": "yes"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"map\.toml is empty"),
        ("stem = Question", r"map\.toml is not TOML: .*line 1"),
        ("stem = {column = 3}", r"field 'stem': column = 3; a text was expected"),
    ],
)
def test_bad_files(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, content)


def test_a_missing_file(tmp_path):
    with pytest.raises(DataError, match=r"gone\.toml cannot be read: No such file"):
        Mapping.read(tmp_path / "gone.toml")


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ({"findings": "refrence"}, "findings"),
        ({"sections": {"impression": "refrence"}}, "sections.impression"),
        ({"images": ["id", "refrence"]}, "images"),
        ({"labels": {"Edema": "refrence"}}, "labels.Edema"),
        ({"options": "refrence"}, "options"),
        ({"options": {"A": "id", "B": "refrence"}}, "options.B"),
    ],
)
def test_a_misspelt_column_is_no_constant_in_members_either(rules, place):
    fields = ("findings", "sections", "images", "labels")
    with pytest.raises(DataError, match=rf"field '{place}': 'refrence' is no column .*Did you mean 'Reference'"):
        Mapping.of(rules).bind(("id", "Reference"), varying=fields, members=("options",))


def test_options_may_be_the_same_in_every_row():
    mapping = Mapping.of({"options": {"A": "Yes", "B": "No"}}).bind(("id", "stem"), members=("options",))
    assert mapping.row({"id": 1}) == {"options": {"A": "Yes", "B": "No"}}


def test_a_line_for_no_field():
    with pytest.raises(DataError, match=r"mapping: there is no field 'findngs'\. Did you mean findings\?"):
        Mapping.of({"id": "id", "findngs": "x"}).refuse_unknown(("id", "findings"))
    with pytest.raises(DataError, match=r"no field 'foo'\. Fields: findings, id\. .*hidden = \{"):
        Mapping.of({"foo": "x"}).refuse_unknown(("id", "findings"))
