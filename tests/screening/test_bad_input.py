"""Odd items are counted and explained; none is dropped in silence, none stops the screening."""

import json

import pytest

from perimetry.cases import DataError, UsageError
from perimetry.screening.output import funnel_of, screen


@pytest.fixture
def table(tmp_path):
    def write(*records):
        path = tmp_path / "mine.jsonl"
        rows = [
            {"id": str(number), "stem": "What is shown here?", "answer": "A", **record}
            for number, record in enumerate(records)
        ]
        path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        return f"table:{path}"

    return write


def test_from_two_to_ten_options(table):
    records = [
        {"options": [f"finding {word}" for word in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"][:count]]}
        for count in range(2, 11)
    ]
    screening = screen([table(*records)]).screenings[0]
    assert screening.denominators.valid == 9
    assert dict(screening.statistics.option_counts) == dict.fromkeys(range(2, 11), 1)
    assert screening.denominators.random == pytest.approx(sum(1 / count for count in range(2, 11)) / 9)
    assert screening.positions[10].items == 1 and screening.positions[1].items == 9


def test_what_cannot_be_an_item_is_left_out_with_its_reason(table):
    records = [
        {"options": ["one", "two"]},
        {"options": ["alone"]},
        {"options": ["one", "two"], "answer": "F"},
        {"options": ["one", "two"], "answer": ""},
        {"options": ["one", "two"], "stem": "Twice", "id": "0"},
        {"options": [str(number) for number in range(30)]},
    ]
    screening = screen([table(*records)]).screenings[0]
    told = funnel_of(screening)["load"]
    assert told["entered"] == 6 and told["kept"] == 1
    assert [step["reason"] for step in told["left_out"]] == [
        "fewer than two options",
        "answer not among the options",
        "no answer",
        "duplicate id (the first one is kept)",
        "a field that cannot be understood",
    ]


def test_keys_as_text_and_options_as_the_text_of_a_list(table):
    records = [
        {"options": "['effusion', 'node']", "answer": "node"},
        {"options": "effusion | node", "answer": "(b)"},
        {"options": {"A": "effusion", "B": "node"}, "answer": "B"},
    ]
    screening = screen([table(*records)]).screenings[0]
    assert screening.denominators.valid == 3
    assert screening.positions[2].key == 3


def test_several_keys_count_as_the_key_each(table):
    records = [{"options": ["effusion", "a much longer finding", "node"], "answer": "A", "also_accepted": ["B"]}]
    screening = screen([table(*records)]).screenings[0]
    assert screening.tallies["longest-option"].key == 1
    assert screening.denominators.random == pytest.approx(2 / 3)
    assert {remark.what for remark in screening.denominators.peculiar} >= {"several keys", "no image"}


def test_peculiar_items_are_screened_and_told(table):
    records = [
        {"options": ["<b>effusion</b>", r"$\alpha$ node", "gout"]},
        {"options": ["gout", "Gout", "node"]},
        {"options": ["积液", "骨折", "结节"], "stem": "图中显示什么病变？"},
        {
            "options": ["un derrame", "una fractura", "un nodo"],
            "stem": "¿Qué se ve en la imagen de los pulmones del paciente?",
        },
    ]
    screening = screen([table(*records)]).screenings[0]
    told = {remark.what: (remark.items, remark.examples) for remark in screening.denominators.peculiar}
    assert told["HTML or LaTeX in stem or options"] == (1, ("0",))
    assert told["options of the same text"] == (1, ("1",))
    assert told["not in English"] == (2, ("2", "3"))
    assert screening.tallies["longest-option"].items == 4
    assert screening.tallies["absolute-word"].items == 2


def test_an_empty_stem_is_vague_and_still_screened(tmp_path):
    import numpy as np
    from PIL import Image

    Image.fromarray(np.zeros((8, 8), np.uint8)).save(tmp_path / "a.png")
    row = {"id": "1", "stem": "", "answer": "A", "options": ["gout", "node"], "image": "a.png"}
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps(row))
    screening = screen([f"table:{path}"]).screenings[0]
    assert screening.tallies["vague-stem"].found == 1
    assert screening.tallies["longest-option"].items == 1


def test_options_without_text_leave_option_screens_and_are_counted(table):
    records = [
        {"options": [{"label": "A", "text": "<image 1>"}, {"label": "B", "text": "node"}]},
        {"options": ["gout", "node"]},
    ]
    screening = screen([table(*records)]).screenings[0]
    assert screening.denominators.valid == 1
    assert [(remark.items, remark.what) for remark in screening.denominators.unusable] == [
        (1, "an option without text (an image, or nothing)")
    ]


def test_hostile_text_is_screened(table):
    records = [
        {
            "options": ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "\ud800 half"],
            "stem": "What? </script><img src=x>",
        }
    ]
    assert screen([table(*records)]).screenings[0].denominators.valid == 1


def test_no_data_set_and_one_given_twice(table):
    with pytest.raises(UsageError, match="No data set was given"):
        screen([])
    spec = table({"options": ["gout", "node"]})
    with pytest.raises(UsageError, match="given twice"):
        screen([spec, spec])


def test_a_folder_of_somebody_else_is_refused(table, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match=r"holds other files \(thesis.tex\)"):
        screen([table({"options": ["gout", "node"]})], out=tmp_path / "out")


def test_studies_are_no_items(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"id": "1", "findings": "Clear lungs."}))
    with pytest.raises(DataError, match="no question was found"):
        screen([f"table:{path}"])


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (1, "answer is a number, not a label"),
        (["C"], "answer not among the options"),
        ("F", "answer not among the options"),
        ("AB", "answer names several options in one text"),
    ],
    ids=["index", "list", "beyond", "several"],
)
def test_a_key_that_names_no_option_is_told_with_what_was_found(table, key, reason):
    records = [{"options": ["gout", "node"]}, {"options": ["gout", "node"], "answer": key}]
    screening = screen([table(*records)]).screenings[0]
    told = funnel_of(screening)["load"]
    (step,) = told["left_out"]
    assert step["reason"].startswith(reason)
    assert "of A, B" in step["examples"][0]


@pytest.mark.parametrize(("key", "chance"), [(["A"], 1 / 3), (["B", "gout"], 2 / 3)])
def test_keys_in_a_list_are_all_keys(table, key, chance):
    screening = screen([table({"options": ["gout", "node", "tear"], "answer": key})]).screenings[0]
    assert screening.denominators.random == pytest.approx(chance)
