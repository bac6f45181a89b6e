"""Neighbours on real questions and radiographs."""

from __future__ import annotations

from collections import defaultdict

import pytest

from perimetry.cases.question import Question
from perimetry.conditions import Surroundings, parse_condition, parse_conditions
from perimetry.conditions.neighbours import NeighbourIndex, build_neighbours, overlap
from perimetry.conditions.neighbours.text import normalised

CONDITIONS = "hardneg,hardneg(match=question),hardneg(match=label),hardneg(rank=5),mismatch"


@pytest.fixture(scope="module")
def contested(vqa_rad: dict[str, list[Question]]) -> list[Question]:
    """Closed questions that are asked of several images and have different answers there."""
    asked: dict[str, list[Question]] = defaultdict(list)
    for question in vqa_rad["train"] + vqa_rad["test"]:
        if question.answer_type == "closed":
            asked[normalised(question.stem)].append(question)
    found = []
    for questions in asked.values():
        by_answer: dict[str, set[str]] = defaultdict(set)
        for question in questions:
            by_answer[normalised(question.answer)].add(question.images[0].digest)
        if len(by_answer) > 1 and len(set.union(*by_answer.values())) > 1:
            found += questions
    return found


@pytest.fixture(scope="module")
def index(contested: list[Question]) -> NeighbourIndex:
    return build_neighbours(contested, contested, parse_conditions(CONDITIONS))


def test_contested_questions_find_an_image_with_another_answer(
    contested: list[Question], index: NeighbourIndex
) -> None:
    assert len({normalised(question.stem) for question in contested}) >= 30
    by_id = {question.id: question for question in contested}
    for case in contested:
        match = index.find(case, "hardneg(match=question)")
        assert match is not None
        other = by_id[match.case_id]
        assert normalised(other.stem) == normalised(case.stem)
        assert normalised(other.answer) != normalised(case.answer)
        assert match.images[0].digest != case.images[0].digest
        assert match.cosine < 0.999
        assert match.gold_known
        assert index.find(case, "hardneg") == match


def test_every_question_finds_a_label_negative_and_a_mismatch(contested: list[Question], index: NeighbourIndex) -> None:
    surroundings = Surroundings(neighbours={"vqa-rad": index})
    for case in contested:
        label, fifth = index.find(case, "hardneg(match=label)"), index.find(case, "hardneg(rank=5)")
        assert label is not None
        assert fifth is not None
        question = index.find(case, "hardneg(match=question)")
        assert question is not None
        assert question.cosine <= label.cosine
        changed = parse_condition("mismatch").apply(case, surroundings)
        assert changed is not None
        assert changed.images[0].digest != case.images[0].digest


def test_pool_table_tells_hard_negatives_from_mismatches(index: NeighbourIndex) -> None:
    rows = {(row["condition"], row["rule"]): row for row in index.pool_table().iter_rows(named=True)}
    near, far = rows["hardneg(match=label)", "label"], rows["mismatch", "derangement"]
    assert near["cosine_mean"] > far["cosine_mean"] + 0.2
    assert near["cosine_max"] < 0.999


def test_nearly_all_test_images_occur_in_training(vqa_rad: dict[str, list[Question]]) -> None:
    table = overlap(vqa_rad["train"], vqa_rad["test"])
    assert (table.same, table.images) == (202, 203)
    assert table.questions == 451
    assert table.unreadable == {}
