"""What holds for any text."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.cases.question import Option, Question
from perimetry.scoring.answers import AnswerSpace, extract, extract_in, is_right
from perimetry.scoring.answers.folding import fold
from perimetry.scoring.answers.thinking import cut_thinking

TEXTS = ("Large left effusion", "Pneumothorax", "A fracture of the rib", "Cardiomegaly", "Both lungs", "Normal")
CHOICE = Question("1", "d", "g", "?", "A", "choice", tuple(map(Option, "ABCDEF", TEXTS)))
TEN = Question("2", "d", "g", "?", "A", "choice", tuple(Option(c, f"finding {c.lower() * 3}") for c in "ABCDEFGHIJ"))
CLOSED = Question("3", "d", "g", "?", "yes", "closed")
OPEN = Question("4", "d", "g", "?", "left lung", "open")
QUESTIONS = st.sampled_from([CHOICE, TEN, CLOSED, OPEN])

PIECES = st.sampled_from(
    [
        *"ABCDEFIJabi",
        *TEXTS,
        " ",
        "\n",
        "\n\n",
        ". ",
        ", ",
        ": ",
        "**",
        "(",
        ")",
        "{",
        "}",
        "$",
        "\\boxed{",
        "\\text{",
        "<think>",
        "</think>",
        "<answer>",
        "</answer>",
        "The answer is ",
        "Answer: ",
        "not ",
        " or ",
        " and ",
        "Option ",
        "yes",
        "No",
        "5.6 cm",
        "is the correct answer",
        "because",
        "I",
        "Ｂ",
        "—",
        "答案",
        "是",
        "’",
        "left lung",
        "cannot",
        "<|channel|>final",
        "\u200b",
        "\x00",
    ]
)
RESPONSES = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map("".join))


@settings(max_examples=800, deadline=None)
@given(RESPONSES, QUESTIONS, st.sampled_from(["strict", "lenient"]))
def test_any_text_gives_an_allowed_answer_with_its_span_or_a_reason(text: str, question: Question, policy: str) -> None:
    found = extract(text, question, policy)  # type: ignore[arg-type]
    if found.answer is None:
        assert (found.start, found.end, found.surface) == (-1, -1, "")
        assert found.reason
        assert not is_right(found, question)
        return
    assert found.rule and not found.reason
    assert 0 <= found.start < found.end <= len(text)
    assert found.surface == text[found.start : found.end]
    if question.options:
        assert found.answer in question.labels
    assert extract(text, question, policy) == found  # type: ignore[arg-type]


@settings(max_examples=300, deadline=None)
@given(RESPONSES, QUESTIONS, st.text(max_size=10))
def test_the_gold_answer_plays_no_part(text: str, question: Question, gold: str) -> None:
    assert extract(text, replace(question, answer=gold)) == extract(text, question)


@settings(max_examples=300, deadline=None)
@given(RESPONSES)
def test_folding_and_cutting_keep_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)
    assert len(cut_thinking(text).body) == len(text)


@settings(max_examples=300, deadline=None)
@given(RESPONSES)
def test_lenient_keeps_what_strict_reads(text: str) -> None:
    strict = extract(text, CHOICE)
    if strict.answer is not None or strict.rule:
        assert extract(text, CHOICE, "lenient") == strict


SHAPES = [
    "{label}",
    "({label})",
    "{label}.",
    "**{label}**",
    "{label}. {text}",
    "{label}) {text}",
    "Option {label}",
    "{text}",
    "{text}.",
    "Answer: {label}",
    "The answer is {label}.",
    "The answer is {text}.",
    "It is dark.\n\n**Answer: {label}. {text}**",
    "\\boxed{{{label}}}",
    "\\boxed{{\\text{{{text}}}}}",
    "<think>A or B</think>{label}",
    "<answer>{text}</answer>",
    "{label}\n\nIt is dark.",
    "{label} is the correct answer.",
    "{text}\n\nIt is dark.",
    "{label} or {other}",
    "{label}. {othertext}",
    "not {label}",
    "{text} or {othertext}",
]


@settings(max_examples=400, deadline=None)
@given(st.permutations(range(len(TEXTS))), st.sampled_from(SHAPES), st.integers(0, 5), st.integers(1, 5))
def test_permuting_options_does_not_change_the_chosen_content(
    order: list[int], shape: str, chosen: int, step: int
) -> None:
    """Labels stay at their places, contents move: the same content is chosen, or nothing in both."""
    other = (chosen + step) % len(TEXTS)

    def content(texts: list[str]) -> str | None:
        question = Question("1", "d", "g", "?", "A", "choice", tuple(map(Option, "ABCDEF", texts)))
        label = {text: letter for letter, text in zip("ABCDEF", texts, strict=True)}
        response = shape.format(
            label=label[TEXTS[chosen]], text=TEXTS[chosen], other=label[TEXTS[other]], othertext=TEXTS[other]
        )
        found = extract(response, question).answer
        return None if found is None else texts["ABCDEF".index(found)]

    first = content(list(TEXTS))
    assert content([TEXTS[index] for index in order]) == first
    assert first in (None, TEXTS[chosen])
    assert (first is None) == ("other" in shape or shape.startswith("not"))


@pytest.mark.parametrize("labels", ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "1234567", "PQRST"])
def test_every_label_is_read_in_every_dress(labels: str) -> None:
    options = tuple(
        Option(label, f"{word} thing") for label, word in zip(labels, map(chr, range(0x3B1, 0x3D0)), strict=False)
    )
    question = Question("1", "d", "g", "?", labels[0], "choice", options)
    for label in question.labels:
        for shape in (
            "{}",
            "({})",
            "{}.",
            "{})",
            "**{}**",
            "Option {}",
            "Answer: {}",
            "The answer is {}.",
            "\\boxed{{{}}}",
        ):
            assert extract(shape.format(label), question).answer == label, shape.format(label)


ATTACKS = [
    "answer is ",
    "\\boxed{",
    "\\boxed{B} ",
    "*",
    "<think>",
    "<answer>",
    "B ",
    "A. x\n",
    "(",
    "The best option ",
    "A, B and ",
    "answer: not ",
    "B is ",
    "\n",
    " ",
    "<|channel|>",
    "no yes ",
    "-",
    "1. ",
    "$\\",
    "option ",
    "the ",
    "is the correct answer ",
    "\"'",
    "B is the correct answer. ",
]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ATTACKS, ids=repr)
@pytest.mark.parametrize("question", [CHOICE, OPEN, CLOSED], ids=["choice", "open", "closed"])
def test_work_grows_no_faster_than_the_text(piece: str, question: Question) -> None:
    """A hundred kilobytes of one hostile piece take under a second; quadratic work would run into the timeout."""
    space = AnswerSpace.of(question)
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    found = extract_in(text, space, "lenient")
    assert found.answer is None or found.surface == text[found.start : found.end]


def test_a_long_rationale_before_the_answer() -> None:
    words = ["lung", "answer", "is", "not", "B", "A", "effusion.", "(C)", "\n", "the", "option", "**"]
    text = " ".join(random.Random(7).choices(words, k=20_000)) + "\n\n**Answer: D**"
    assert len(text) > 80_000
    found = extract(text, CHOICE)
    assert found.answer in ("D", None)
    assert found.rule == "phrase"
