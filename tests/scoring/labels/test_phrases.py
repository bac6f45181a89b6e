from __future__ import annotations

import pytest

from perimetry.cases.errors import DataError
from perimetry.scoring.labels.events import Kind
from perimetry.scoring.labels.lexicon import default_lexicon, read_lexicon
from perimetry.scoring.labels.phrases import Tree, spelled_out


def test_alternatives_and_optional_words_are_spelled_out():
    assert set(spelled_out("no [new/acute] nodule/nodules")) == {
        ("no", "new", "nodule"),
        ("no", "acute", "nodule"),
        ("no", "nodule"),
        ("no", "new", "nodules"),
        ("no", "acute", "nodules"),
        ("no", "nodules"),
    }


def test_the_longest_phrase_wins_and_none_overlap():
    tree = Tree([("a b", (Kind.MENTION, 1)), ("a b c d", (Kind.MENTION, 2)), ("c", (Kind.MENTION, 3))])
    assert tree.find(["a", "b", "c", "d"]) == [(Kind.MENTION, 2, 0, 4)]
    assert tree.find(["a", "b", "c", "a"]) == [(Kind.MENTION, 1, 0, 2), (Kind.MENTION, 3, 2, 3)]
    assert tree.find(["a", "x", "a", "b"]) == [(Kind.MENTION, 1, 2, 4)]


def test_a_phrase_with_two_meanings_is_refused():
    with pytest.raises(DataError, match="'pleural fluid'"):
        Tree([("pleural fluid", (Kind.MENTION, 1)), ("[pleural] fluid", (Kind.PREDICATE, 1))])


def test_a_lexicon_that_lacks_a_table_or_is_no_toml_is_one_clear_error():
    with pytest.raises(DataError, match="cannot be read"):
        read_lexicon("version = 'x'")
    with pytest.raises(DataError, match="cannot be read"):
        read_lexicon("version = ")


def test_every_phrase_of_the_lexicon_is_found_where_it_stands_alone():
    lexicon = default_lexicon()
    assert lexicon.tree.find(["airspace", "disease"])[0][0] is Kind.MENTION
    assert lexicon.groups[-1] == ()
    kinds = {kind for kind in Kind if Kind.DENIED_AFTER.value <= kind.value < Kind.COMMA.value}
    spoken = {
        Kind.DENIED_AFTER: "no", Kind.DENIED_BEFORE: "is not seen", Kind.DENIED_EITHER: "resolved",
        Kind.NO_DENIAL: "no change", Kind.DOUBTED_AFTER: "may", Kind.DOUBTED_BEFORE: "is possible",
        Kind.HINTED_AFTER: "suggesting", Kind.PAST_AFTER: "history of", Kind.ASKED_AFTER: "rule out",
        Kind.ASKED_BEFORE: "may be missed", Kind.ALTERNATIVES: "or", Kind.CONTRASTS: "versus", Kind.TURNS: "but",
        Kind.COMPANIONS: "with", Kind.COURSES: "stable", Kind.VERBS: "is", Kind.JOINTS: "and", Kind.ARTICLES: "the",
    }  # fmt: skip
    assert set(spoken) == kinds
    for kind, phrase in spoken.items():
        assert [event[0] for event in lexicon.tree.find(phrase.split())] == [kind]
