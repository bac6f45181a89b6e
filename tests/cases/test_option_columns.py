"""Options in columns of their own."""

import csv
import json

import pytest

from perimetry.cases import DataError, load
from perimetry.cases.option_columns import option_columns

TEXTS = ("lung", "heart", "liver", "bone")


def write(path, names, rows, **fixed):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "question", *names, "answer", *fixed])
        for number, (texts, answer) in enumerate(rows):
            writer.writerow([number, "What is shown?", *texts, answer, *fixed.values()])
    return f"table:{path}"


@pytest.mark.parametrize(
    "names",
    [
        ("A", "B", "C", "D"),
        ("a", "b", "c", "d"),
        ("option_a", "option_b", "option_c", "option_d"),
        ("Choice A", "Choice B", "Choice C", "Choice D"),
        ("opa", "opb", "opc", "opd"),
        ("opt-A", "opt-B", "opt-C", "opt-D"),
        ("OptionA", "OptionB", "OptionC", "OptionD"),
    ],
)
def test_lettered_columns_are_the_options(tmp_path, names):
    loaded = load(write(tmp_path / "mine.csv", names, [(TEXTS, "C"), (("gout", "node", "", ""), "node")]))
    first, second = loaded.questions
    assert [option.text for option in first.options] == list(TEXTS)
    assert (first.answer_type, first.answer, first.labels) == ("choice", "C", ("A", "B", "C", "D"))
    assert (second.answer, second.labels) == ("B", ("A", "B"))
    assert not first.hidden
    assert any(f"{names[0]}, {names[1]}" in note and "read as the options" in note for note in loaded.funnel.notes)


@pytest.mark.parametrize(
    "names",
    [
        ("option_1", "option_2", "option_3", "option_4"),
        ("A", "B", "D", "E"),
        ("A", "B", "opt_a", "opt_b"),
        ("choice_b", "choice_c", "choice_d", "choice_e"),
    ],
)
def test_what_can_be_read_in_several_ways_is_asked(tmp_path, names):
    with pytest.raises(DataError, match=rf"mine\.csv: are the columns {names[0]}, .* the options\?.* --map FILE"):
        load(write(tmp_path / "mine.csv", names, [(TEXTS, "A")]))


def test_the_line_in_the_question_answers_it(tmp_path):
    names = [f"option_{number}" for number in range(4)]
    spec = write(tmp_path / "mine.csv", names, [(TEXTS, 0), (TEXTS, 3)])
    with pytest.raises(DataError) as asked:
        load(spec)
    line = str(asked.value).split("a line as ")[1].split(" in it")[0]
    (tmp_path / "map.toml").write_text(f'id = "id"\nstem = "question"\nanswer = "answer"\n{line}\n')
    assert [one.answer for one in load(spec, mapping=tmp_path / "map.toml").questions] == ["0", "3"]


def test_a_mapping_without_options_still_finds_them_unless_it_says_open(tmp_path):
    spec = write(tmp_path / "mine.csv", ("A", "B", "C", "D"), [(TEXTS, "lung")])
    rules = 'id = "id"\nstem = "question"\nanswer = "answer"\n'
    (tmp_path / "map.toml").write_text(rules)
    assert load(spec, mapping=tmp_path / "map.toml").questions[0].answer == "A"
    (tmp_path / "map.toml").write_text(rules + 'answer_type = "open"\n')
    assert load(spec, mapping=tmp_path / "map.toml").questions[0].options == ()


def test_rows_that_say_that_they_are_open_keep_the_columns_hidden(tmp_path):
    spec = write(tmp_path / "mine.csv", ("A", "B", "C", "D"), [(TEXTS, "lung")], answer_type="open")
    (question,) = load(spec).questions
    assert (question.options, question.hidden["A"]) == ((), "lung")


def test_one_column_or_other_words_are_no_options():
    assert option_columns(["A", "ward", "age", "option", "opening"], "mine.csv") == {}
    assert option_columns([], "mine.csv") == {}


def test_json_lines_with_letters(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"id": "1", "question": "Which?", "A": "lung", "B": "heart", "answer": "(b)"}))
    assert load(f"table:{path}").questions[0].answer == "B"


def test_a_key_as_text_of_two_options_accepts_both(tmp_path):
    spec = write(tmp_path / "mine.csv", ("A", "B", "C"), [(("lung", "heart", "Lung"), "lung")])
    assert load(spec).questions[0].accepted == ("A", "C")


def test_a_list_of_keys_in_a_cell(tmp_path):
    spec = write(tmp_path / "mine.csv", ("A", "B", "C"), [(TEXTS[:3], '["C", "lung"]')])
    assert load(spec).questions[0].accepted == ("C", "A")


@pytest.mark.parametrize(("key", "why"), [("A, C", "several options in one text"), ("1", "0 or 1 cannot be told")])
def test_keys_that_name_no_option_stop_with_the_reason(tmp_path, key, why):
    spec = write(tmp_path / "mine.csv", ("A", "B", "C"), [(TEXTS[:3], key)])
    with pytest.raises(DataError, match=why):
        load(spec)


def test_the_way_out_of_an_index_as_the_key_works(tmp_path):
    spec = write(tmp_path / "mine.csv", ("A", "B"), [(TEXTS[:2], "1")])
    rules = 'id = "id"\nstem = "question"\nanswer = "answer"\n'
    (tmp_path / "map.toml").write_text(rules + 'options = { 0 = "A", 1 = "B" }\n')
    (question,) = load(spec, mapping=tmp_path / "map.toml").questions
    assert (question.answer, question.options[1].text) == ("1", "heart")
