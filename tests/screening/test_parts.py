"""Words, lexicon, near duplicates and statistics."""

import itertools

import pytest
from tests.screening.builders import found, item, sure

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.lexicon import Lexicon
from perimetry.screening.near_duplicates import NearDuplicates
from perimetry.screening.words import find_run, is_english, visible, words


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("p < 0.05 and q > 3", "p < 0.05 and q > 3"),
        ("<i>E. coli</i> &lt; 5", "E. coli < 5"),
        ("<image 1>", ""),
        (r"\textbf{x}^2", "x^2"),
        ("{set}", "{set}"),
        ("$5 copay", "5 copay"),
        ("  x  ", "x"),
    ],
)
def test_what_a_reader_sees(text, seen):
    assert visible(text) == seen


def test_places_of_words_are_those_of_the_text_with_its_markup():
    text = "a <b>bold</b> &amp; $\\alpha$ word"
    assert [text[word.start : word.end] for word in words(text)] == ["a", "bold", "word"]


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("", True),
        ("Gout", True),
        ("Dermatitis herpetiformis, erythema nodosum, lichen planus, tinea, scabies, psoriasis", True),
        ("A patient of Dr. van der Berg with pain in the hip is seen at La Jolla", True),
        ("Der Patient hat seit drei Tagen Schmerzen und ist mit dem Bein umgeknickt", False),
        ("图中显示的病变是什么", False),
        ("What is α-thalassemia in the β chain, as seen here?", True),
    ],
)
def test_english_is_told_from_script_and_small_words(text, english):
    assert is_english(text, words(text)) is english


def test_runs_of_words():
    assert find_run(["b"], ["a", "b", "b"]) == 1
    assert find_run(["b", "a"], ["a", "b"]) == -1


def test_a_longer_phrase_and_a_false_friend_come_before_a_shorter_one():
    lexicon = Lexicon({"short": ["nursing"], "long": ["nursing home"]}, ["nursing bra"])
    assert [hit.label for hit in lexicon.find(words("nursing homes, nursing bra, nursing"))] == ["long", "short"]


def test_plurals_and_capitals_of_a_lexicon():
    lexicon = Lexicon({"x": ["factory", "wife", "Turkey", "fisherman"]})
    assert [hit.label for hit in lexicon.find(words("factories Wives turkey Turkey fishermen"))] == ["x"] * 4


def _near(*items):
    near = NearDuplicates()
    for each in items:
        near.add(each)
    return near.groups()


LONG = "A man of forty five years falls from a ladder and lands on his outstretched right hand in the garden"


def test_an_item_with_one_word_changed_is_a_near_duplicate_and_another_one_is_not():
    changed = LONG.replace("garden", "kitchen")
    other = "A woman with fever and a cough of two weeks has an opacity in the right upper lobe on her radiograph"
    assert _near(item(LONG, identity="1"), item(changed, identity="2"), item(other, identity="3")) == {
        "1": ("2",),
        "2": ("1",),
    }


def test_a_short_question_of_another_image_is_no_duplicate():
    same = item("What is shown?", identity="1", group="image a"), item("What is shown?", identity="2", group="image a")
    other = item("What is shown?", identity="3", group="image b")
    assert _near(*same, other) == {"1": ("2",), "2": ("1",)}


def test_near_duplicates_do_not_depend_on_the_order():
    members = [item(LONG + " " * n + ("x" * (n // 3)), identity=str(n)) for n in range(7)]
    expected = _near(*members)
    assert all(_near(*turned) == expected for turned in itertools.islice(itertools.permutations(members), 0, 5040, 700))


def test_a_template_is_told_where_enough_items_share_it():
    items = [item(f"Case {n}. What is seen at {n} days?", identity=str(n)) for n in range(5)]
    known = DatasetStatistics.of(items)
    assert known.templates == {"what is seen at 0 days?": 5}
    assert (
        sure(found("repeated-template", "A man. What is seen at 77 days?", known=known)).note
        == "the lead-in of 5 items"
    )
    fewer = DatasetStatistics.of(items[:4])
    assert found("repeated-template", "A man. What is seen at 77 days?", known=fewer) is None


def test_counts_of_the_data_set():
    items = [
        item("What?", "gout", "node", key="B", identity="1"),
        item("What?", "Node", "gout", "tear", key="A", identity="2"),
        item("What?", "tear", "gout", key="B", identity="3"),
    ]
    known = DatasetStatistics.of(items)
    assert known.majority == ("node", 2)
    assert dict(known.option_counts) == {2: 2, 3: 1}
    assert dict(known.key_positions) == {2: 2, 1: 1}


def test_a_word_is_never_counted_too_low():
    items = [item(f"word{n} shared", identity=str(n)) for n in range(500)]
    known = DatasetStatistics.of(items)
    assert known.stems_with("shared") == 500
    assert all(known.stems_with(f"word{n}") >= 1 for n in range(500))
    assert sum(known.stems_with(f"word{n}") > 1 for n in range(500)) <= 5
