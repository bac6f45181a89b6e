"""Sets of entities and relations: hand-worked examples of each level."""

from __future__ import annotations

from fractions import Fraction

import pytest

from perimetry.scoring.radgraph import (
    Annotation,
    Entity,
    combined_f1,
    elements,
    overlap,
    read_annotation,
    relation_elements,
    set_f1,
)

# Reference: "Small left pleural effusion . No pneumothorax . Heart size normal ."
REFERENCE = Annotation(
    (
        Entity("Small", "OBS-DP", (("modify", 3),)),
        Entity("left", "ANAT-DP", (("modify", 2),)),
        Entity("pleural", "ANAT-DP"),
        Entity("effusion", "OBS-DP", (("located_at", 2),)),
        Entity("pneumothorax", "OBS-DA"),
        Entity("Heart", "ANAT-DP"),
        Entity("normal", "OBS-DP", (("located_at", 5),)),
    )
)
# Hypothesis: "Pleural effusion . No pneumothorax . heart normal ."
HYPOTHESIS = Annotation(
    (
        Entity("pleural", "ANAT-DP"),
        Entity("effusion", "OBS-DP"),
        Entity("pneumothorax", "OBS-DA"),
        Entity("heart", "ANAT-DP"),
        Entity("normal", "OBS-DP", (("located_at", 3),)),
    )
)


@pytest.mark.parametrize(
    ("level", "case", "expected"),
    [
        # Shared: pleural, effusion, pneumothorax, normal. 4 of 5 and 4 of 7: 8/12.
        ("simple", "upstream", Fraction(8, 12)),
        # and heart: 5 of 5, 5 of 7.
        ("simple", "fold", Fraction(10, 12)),
        # effusion has a relation on one side only: pleural, pneumothorax, normal.
        ("partial", "upstream", Fraction(6, 12)),
        ("partial", "fold", Fraction(8, 12)),
        # pleural, pneumothorax, and (normal, located_at, heart), whose ends are in lower case upstream too.
        ("complete", "upstream", Fraction(6, 12)),
        ("complete", "fold", Fraction(8, 12)),
    ],
)
def test_levels_by_hand(level: str, case: str, expected: Fraction) -> None:
    counts = overlap(elements(HYPOTHESIS, level, case), elements(REFERENCE, level, case))  # type: ignore[arg-type]
    assert set_f1(counts) == pytest.approx(float(expected), abs=1e-15)


def test_complete_has_one_element_a_relation() -> None:
    twice = Annotation(
        (Entity("opacity", "OBS-DP", (("located_at", 1), ("suggestive_of", 2))), Entity("base", "A"), Entity("x", "O"))
    )
    assert elements(twice, "complete") == {
        ("opacity", "OBS-DP", "located_at", "base"),
        ("opacity", "OBS-DP", "suggestive_of", "x"),
        ("base", "A"),
        ("x", "O"),
    }
    assert elements(twice, "partial") == {("opacity", "OBS-DP", True), ("base", "A", False), ("x", "O", False)}


def test_sets_count_an_entity_once_and_see_labels() -> None:
    twice = Annotation((Entity("effusion", "OBS-DP"), Entity("effusion", "OBS-DP")))
    absent = Annotation((Entity("effusion", "OBS-DA"),))
    assert len(elements(twice, "simple")) == 1
    assert set_f1(overlap(elements(twice, "simple"), elements(absent, "simple"))) == 0.0


def test_combined_by_hand() -> None:
    # Relations of the reference: 4; of the hypothesis: normal at heart, which is Heart there.
    assert len(relation_elements(REFERENCE)) == 4
    assert combined_f1(HYPOTHESIS, REFERENCE) == pytest.approx((8 / 12 + 0) / 2)
    assert combined_f1(HYPOTHESIS, REFERENCE, case="fold") == pytest.approx((10 / 12 + 2 / 5) / 2)
    assert combined_f1(REFERENCE, REFERENCE) == 1.0


def test_combined_without_relations_is_the_entities_alone_but_not_upstream() -> None:
    one = Annotation((Entity("effusion", "OBS-DA"), Entity("edema", "OBS-DP")))
    other = Annotation((Entity("effusion", "OBS-DA"),))
    assert combined_f1(one, one) == 1.0
    assert combined_f1(one, one, "zero") == 0.5
    assert combined_f1(one, other) == pytest.approx(2 / 3)
    assert combined_f1(one, other, "zero") == pytest.approx(1 / 3)
    # A relation on one side only is a miss, not an absence.
    linked = Annotation((Entity("effusion", "OBS-DA", (("modify", 1),)), Entity("edema", "OBS-DP")))
    assert combined_f1(one, linked) == pytest.approx((1.0 + 0.0) / 2)


def test_combined_of_nothing() -> None:
    nothing = Annotation(())
    assert combined_f1(nothing, nothing) is None
    assert combined_f1(nothing, nothing, "zero") == 0.0
    assert combined_f1(nothing, REFERENCE) == combined_f1(REFERENCE, nothing) == 0.0


def test_f1_agrees_with_precision_and_recall() -> None:
    for both in range(4):
        for ours in range(4):
            for theirs in range(4):
                value = set_f1((both, ours, theirs))
                if both + ours + theirs == 0:
                    assert value is None
                    continue
                precision = both / (both + ours) if both + ours else 0.0
                recall = both / (both + theirs) if both + theirs else 0.0
                expected = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
                assert value == pytest.approx(expected, abs=1e-15)


GOOD = {"tokens": "clear", "label": "OBS-DP", "start_ix": 1, "end_ix": 1, "relations": []}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (None, "no entities by id"),
        ({"text": "Lungs clear ."}, "no entities by id"),
        ({"text": "Lungs clear .", "entities": [GOOD]}, "no entities by id"),
        ({"text": "Lungs clear .", "labeler_1": {"entities": {}}}, "several labellers"),
        ({"text": "Lungs are clear .", "entities": {}}, "another text"),
        ({"text": 7, "entities": {}}, "another text"),
        ({"text": "Lungs clear .", "entities": {"1": "clear"}}, "is str, not an object"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "tokens": " "}}}, "lacks its tokens"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "label": None}}}, "lacks its tokens or its label"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "start_ix": 0}}}, "not the words"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "end_ix": 3}}}, "of 3 words"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "start_ix": "1"}}}, "of 3 words"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "start_ix": -2}}}, "of 3 words"),
        ({"entities": {"1": {"tokens": "effusion", "label": "OBS-DP"}}}, "not in the report"),
        ({"entities": {"1": {"tokens": "lear", "label": "OBS-DP"}}}, "not in the report"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "relations": [["modify", "2"]]}}}, "no \\[kind, id"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "relations": [["modify"]]}}}, "no \\[kind, id"),
        ({"text": "Lungs clear .", "entities": {"1": {**GOOD, "relations": "modify"}}}, "no \\[kind, id"),
    ],
)
def test_annotations_that_do_not_fit_say_why(record: object, reason: str) -> None:
    read = read_annotation(record, "Lungs clear.")
    assert not isinstance(read, Annotation)
    import re

    assert re.search(reason, read.reason)


def test_annotations_that_fit() -> None:
    read = read_annotation({"text": "Lungs clear .", "entities": {"1": GOOD}}, "Lungs\n\x0cclear.")
    assert read == Annotation((Entity("clear", "OBS-DP"),))
    assert read_annotation({"entities": {"7": {"tokens": "clear", "label": "OBS-DP"}}}, "Lungs clear.") == read
    linked = {
        "3": {**GOOD, "relations": [["located_at", "9"]]},
        "9": {**GOOD, "tokens": "Lungs", "start_ix": 0, "end_ix": 0},
    }
    read = read_annotation({"text": "Lungs clear .", "entities": linked}, "Lungs clear.")
    assert isinstance(read, Annotation)
    assert read.entities[read.entities[0].relations[0][1]].tokens == "Lungs"
