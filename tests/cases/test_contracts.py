"""Digests, funnels and lazy images: what plans and stores are keyed by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from perimetry.cases import BytesSource, Funnel, Image, Option, Question, Shown, Study
from perimetry.cases.digest import digest_parts
from perimetry.cases.image import Operation, recipes
from perimetry.cases.png import encode_png

PIXELS = np.arange(12, dtype=np.uint8).reshape(3, 4)
IMAGE = Image(BytesSource(encode_png(PIXELS), "made"))
QUESTION = Question(
    id="1",
    dataset="mine",
    group="g",
    stem="Which one?",
    answer="A",
    answer_type="choice",
    options=(Option("A", "lung"), Option("B", "heart")),
    images=(IMAGE,),
    hidden={"topic": "chest"},
)


@dataclass(frozen=True)
class Add:
    amount: int

    @property
    def spelling(self) -> str:
        return f"add({self.amount})"

    def apply(self, pixels, image_digest):
        return pixels + np.uint8(self.amount)


def test_digests_follow_what_is_shown_and_nothing_else():
    shown_changes: list[dict[str, Any]] = [
        {"id": "2"},
        {"stem": "Which?"},
        {"answer_type": "open"},
        {"options": (Option("B", "lung"), Option("A", "heart"))},
        {"options": (Option("A", "lung", IMAGE), Option("B", "heart"))},
        {"images": (IMAGE.with_operations(Add(1)),)},
        {"images": ()},
    ]
    digests = [replace(QUESTION, **change).digest for change in shown_changes]
    assert len({QUESTION.digest, *digests}) == len(shown_changes) + 1
    assert replace(QUESTION, answer="B").digest == QUESTION.digest
    assert replace(QUESTION, hidden={"topic": "brain"}).digest == QUESTION.digest
    assert replace(QUESTION, also_accepted=("C",)).digest == QUESTION.digest


def test_hidden_is_neither_compared_nor_printed():
    other = replace(QUESTION, hidden={"rationale": "the secret"})
    assert other == QUESTION
    assert "the secret" not in repr(other)


def test_parts_do_not_collide():
    assert digest_parts(["ab", "c"]) != digest_parts(["a", "bc"])
    assert digest_parts(["", "a"]) != digest_parts(["a", ""])
    assert digest_parts(["a", "\ud800"]) != digest_parts(["a", "b"])


def test_images_are_lazy_and_operations_are_part_of_the_recipe():
    twice = IMAGE.with_operations(Add(1), Add(2))
    assert isinstance(Add(1), Operation)
    assert np.array_equal(twice.pixels(), PIXELS + 3)
    assert np.array_equal(IMAGE.pixels(), PIXELS)
    assert twice.digest == IMAGE.digest
    assert recipes([IMAGE, twice]) == (IMAGE.digest, f"{IMAGE.digest}|add(1)|add(2)")


def test_shown_and_accepted():
    assert Shown(stem=False).spelling == "options+images"
    assert QUESTION.labels == ("A", "B")
    assert replace(QUESTION, also_accepted=("B",)).accepted == ("A", "B")


def test_study_digests_follow_sections_and_images():
    study = Study("s", "mine", "p", (IMAGE,), {"findings": "Clear."})
    assert study.digest != replace(study, sections={"impression": "Clear."}).digest
    assert study.digest != replace(study, images=()).digest
    assert study.digest == replace(study, labels={"Edema": 1.0}).digest


def test_the_funnel_counts_everything_and_keeps_a_few_examples():
    funnel = Funnel("mine")
    funnel.enter(20)
    for number in range(9):
        funnel.leave_out("no answer", str(number))
    funnel.leave_out("duplicate")
    funnel.note("mended")
    funnel.note("mended")
    assert funnel.kept == 10
    assert funnel.to_dict() == {
        "dataset": "mine",
        "entered": 20,
        "kept": 10,
        "left_out": [
            {"reason": "no answer", "removed": 9, "examples": ["0", "1", "2", "3", "4"]},
            {"reason": "duplicate", "removed": 1, "examples": []},
        ],
        "notes": ["mended"],
    }


def test_the_funnel_tells_what_nobody_asked_for():
    funnel = Funnel("mine")
    funnel.enter(9)
    funnel.leave_out("of the split train", "row 1", asked_for=True)
    assert funnel.summary_lines() == ()
    for number in range(3):
        funnel.leave_out("no answer", str(number))
    funnel.leave_out("no id")
    funnel.note("mended")
    assert funnel.summary_lines("ward") == (
        "ward: 4 of 9 records left out: 3 no answer (0; 1; ...); 1 no id",
        "ward: mended",
    )
    assert funnel.summary_lines(quoting=False)[0] == "mine: 4 of 9 records left out: 3 no answer; 1 no id"


def test_examples_of_the_funnel_are_short_and_printable():
    funnel = Funnel("mine")
    funnel.leave_out("no answer", "\x1b[2J" + "x" * 1000)
    (example,) = funnel.steps[0].examples
    assert example.isprintable()
    assert len(example) < 320
