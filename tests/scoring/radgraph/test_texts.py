"""Texts: silence, sameness, and tokens that keep decimals."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perimetry.scoring.radgraph.texts import cut_decimal, same_form, whole_tokens


@pytest.mark.parametrize(
    ("text", "first", "later"),
    [
        ("ETT 2.5 cm above.", "ETT 2.5 cm above .", "ETT 2.5 cm above ."),
        ("measures 2.5.", "measures 2.5 .", "measures 2.5 ."),
        ("(1.5 x .7 cm)", "( 1.5 x .7 cm )", "( 1.5 x .7 cm )"),
        ("clear.No effusion", "clear . No effusion", "clear . No effusion"),
        ("clear.2 views", "clear . 2 views", "clear . 2 views"),
        ("1,5 cm, stable", "1,5 cm , stable", "1,5 cm , stable"),
        ("well-expanded 50%.", "well-expanded 50% .", "well - expanded 50 % ."),
        ("AP/lateral: normal?", "AP / lateral : normal ?", "AP / lateral : normal ?"),
        ("patient's (old).", "patient's ( old ) .", "patient ' s ( old ) ."),
        ("line\none\ttwo\x00three", "line one two three", "line one two three"),
        ("2.5cm", "2.5cm", "2.5cm"),
        ("(.5 cm)", "( .5 cm )", "( .5 cm )"),
    ],
)
def test_tokens_by_hand(text: str, first: str, later: str) -> None:
    assert " ".join(whole_tokens(text, "radgraph")) == first
    assert " ".join(whole_tokens(text, "radgraph-xl")) == later


@pytest.mark.parametrize("model", ["radgraph", "radgraph-xl"])
def test_without_decimals_the_cut_is_that_of_the_public_package(model: str) -> None:
    """Its two rules, written anew: marks with spaces about them, or runs of word characters and of others."""
    text = 'Lungs, well-aerated: no (focal) "opacity"; RLL/LLL clear! Rib #5 at 40% - old?'
    if model == "radgraph":
        expected = re.sub(r"([/,:.!?()])", r" \1 ", text).split()
    else:
        expected = re.findall(r"\w+|[^\w\s]+", text)
    assert list(whole_tokens(text, model)) == expected


@given(
    st.text(alphabet=st.sampled_from("ab 0159.,()/%-\n\t'é肺\x07"), max_size=40),
    st.sampled_from(["radgraph", "radgraph-xl"]),
)
def test_tokens_are_the_text_and_hold_every_decimal(text: str, model: str) -> None:
    tokens = whole_tokens(text, model)
    assert same_form(" ".join(tokens)) == same_form(text)
    assert cut_decimal(text, tokens) == ""


def test_a_cut_decimal_is_found() -> None:
    assert cut_decimal("at 2.5 cm", ("at", "2", ".", "5", "cm")) == "2.5"
    assert cut_decimal("at .5 cm", ("at", ".", "5", "cm")) == ".5"
    assert cut_decimal("at 2.5cm", ("at", "2", ".", "5cm")) == "2.5"
    assert cut_decimal("at 2 . 5 cm", ("at", "2", ".", "5", "cm")) == ""
    assert cut_decimal("on 10.12.2020", ("on", "10", ".", "12", ".", "2020")) == ""
    assert cut_decimal("level 5.", ("level", "5", ".")) == ""


def test_sameness() -> None:
    assert same_form("A \\n b\\f c\n(2.5)") == same_form("A b c ( 2 . 5 )")
    assert same_form("no effusion") != same_form("No effusion")
    assert same_form("no effusion") != same_form("noeffusion")
    assert same_form("50%.") == same_form("50 % .")
    assert same_form('an \\"old\\" one') == same_form("an `` old `` one") == same_form('an "old" one')
