"""Tokenisers against the tools whose rules they follow."""

from __future__ import annotations

import random

import pytest

from perimetry.cases.errors import UnknownNameError
from perimetry.scoring.lexical import TOKENISERS, porter_stem, splitter

PIECES = (
    *("a", "B", "lung", "1", "25", ".", ",", "-", "\n", " ", "  ", "\t", "'", '"', "&", "$", "~", "_", "/", "(", "]"),
    *("&quot;", "&amp;", "lt;", "<skipped>", "<", "é", "İ", "٣", "肺", "\x00", "\x1c", "\x85", "\u2003", "\ud800"),
)


def odd_texts(seed: int, count: int = 5000) -> list[str]:
    draw = random.Random(seed)
    return ["".join(draw.choices(PIECES, k=draw.randint(0, 14))) for _ in range(count)]


def test_13a_is_sacrebleus():
    peer = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    split = splitter("13a")
    for text in odd_texts(1):
        assert split(text) == peer(text.rstrip()).split(), repr(text)


def test_13a_by_hand():
    split = splitter("13a")
    expected = "No effusion , 5.2 cm ; 1,000 ml ( left-sided ) vs . 3 - 4 ."
    assert " ".join(split("No effusion, 5.2 cm; 1,000 ml (left-sided) vs. 3-4.")) == expected
    assert split("consoli-\ndation\nseen") == ["consolidation", "seen"]


def test_rouge_is_rouge_scores():
    peer = pytest.importorskip("rouge_score.tokenize")
    split = splitter("rouge")
    for text in [each for each in odd_texts(2) if "\ud800" not in each]:
        assert split(text) == peer.tokenize(text, None), repr(text)


def test_rouge_by_hand():
    assert splitter("rouge")("Heart-size 5.2cm, no_edema ÄB") == ["heart", "size", "5", "2cm", "no", "edema", "b"]


def test_space_keeps_empty_tokens_and_whitespace_does_not():
    assert splitter("space")("clear  .\nlungs ") == ["clear", "", ".\nlungs", ""]
    assert splitter("whitespace")("clear  .\nlungs ") == ["clear", ".", "lungs"]


def test_stems_are_of_words_of_four_and_more():
    assert splitter("rouge", stem=True)("Gas lungs seen was") == ["gas", "lung", "seen", "was"]
    assert porter_stem("gas") == "ga"  # what three-letter words are spared


@pytest.mark.parametrize("name", TOKENISERS)
def test_a_splitter_that_has_seen_other_texts_gives_the_same(name):
    texts = odd_texts(3, 300)
    used = splitter(name)
    assert [used(text) for text in texts] == [splitter(name)(text) for text in texts]
    assert [used(text) for text in reversed(texts)] == [splitter(name)(text) for text in reversed(texts)]


def test_unknown_name():
    with pytest.raises(UnknownNameError, match=r"tokeniser called '13b'.*13a"):
        splitter("13b")
