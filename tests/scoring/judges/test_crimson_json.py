"""CRIMSON's JSON, official and ours: hand-worked answers, contradictions, lost sections."""

from __future__ import annotations

import json
from math import isclose
from typing import Any

import pytest

from perimetry.scoring.judges.crimson_counts import CrimsonCounts
from perimetry.scoring.judges.crimson_json import OFFICIAL, OWN, CrimsonLayout, read_crimson_json
from perimetry.scoring.judges.judgement import Missing


def finding(identity: str, label: str) -> dict[str, str]:
    return {"id": identity, "finding": "x", "clinical_significance": label}


def official() -> dict[str, Any]:
    """N = 1 + 1/2 + 1/4 + 0; R1 earns 1 / (1 + 1/2), R3 earns 1/4; P3 is worth 1/2."""
    return {
        "reference_findings": [
            finding("R1", "urgent"),
            finding("R2", "actionable_not_urgent"),
            finding("R3", "not_actionable_not_urgent"),
            finding("R4", "benign_expected"),
        ],
        "predicted_findings": [
            finding("P1", "urgent"),
            finding("P2", "not_actionable_not_urgent"),
            finding("P3", "actionable_not_urgent"),
            finding("P4", "benign_expected"),
        ],
        "matched_findings": [{"ref_id": "R1", "pred_id": "P1"}, {"ref_id": "R3", "pred_id": "P2"}],
        "errors": {
            "false_findings": ["P3", "P4"],
            "missing_findings": ["R2", "R4"],
            "attribute_errors": [
                {"ref_id": "R1", "pred_id": "P1", "severity": "significant", "error_types": ["location"]},
                {"ref_id": "R3", "pred_id": "P2", "severity": "negligible", "error_types": ["descriptor"]},
            ],
        },
    }


def own() -> dict[str, Any]:
    words = {"urgent": "urgent", "actionable_not_urgent": "actionable", "benign_expected": "expected"}

    def renamed(item: dict[str, str]) -> dict[str, str]:
        label = words.get(item["clinical_significance"], "not_actionable")
        return {"id": item["id"].replace("P", "C"), "finding": "x", "importance": label}

    answer = official()
    return {
        "reference": [renamed(item) for item in answer["reference_findings"]],
        "candidate": [renamed(item) for item in answer["predicted_findings"]],
        "matched": [{"reference_id": "R1", "candidate_id": "C1"}, {"reference_id": "R3", "candidate_id": "C2"}],
        "missed": ["R2", "R4"],
        "invented": ["C3", "C4"],
        "attribute_errors": [
            {"reference_id": "R1", "attribute": "location", "severity": "significant"},
            {"reference_id": "R3", "attribute": "description", "severity": "negligible"},
        ],
    }


def read(answer: Any, layout: CrimsonLayout = OFFICIAL) -> CrimsonCounts:
    found = read_crimson_json(json.dumps(answer), layout)
    assert isinstance(found, CrimsonCounts), found
    return found


def missing(answer: Any, layout: CrimsonLayout = OFFICIAL) -> str:
    found = read_crimson_json(answer if isinstance(answer, str) else json.dumps(answer), layout)
    assert isinstance(found, Missing), found
    return found.reason


@pytest.mark.parametrize(("answer", "layout"), [(official(), OFFICIAL), (own(), OWN)])
def test_an_answer_worked_by_hand(answer: dict[str, Any], layout: CrimsonLayout) -> None:
    counts = read(answer, layout)
    assert (counts.total, counts.false, counts.missed, counts.unknown_labels) == (1.75, 0.5, 0.5, 0)
    assert isclose(counts.correct, 2 / 3 + 1 / 4)
    assert isclose(counts.value, (2 / 3 + 1 / 4 - 1 / 2) / 1.75)


def test_a_normal_study() -> None:
    nothing: dict[str, Any] = {
        "reference_findings": [],
        "predicted_findings": [],
        "matched_findings": [],
        "errors": {"false_findings": [], "missing_findings": [], "attribute_errors": []},
    }
    assert read(nothing).value == 1.0
    invented = {**nothing, "predicted_findings": [finding("P1", "urgent")]}
    invented["errors"] = {**nothing["errors"], "false_findings": ["P1"]}
    assert read(invented).value == -0.5


def test_a_finding_matched_twice_earns_once() -> None:
    answer = official()
    before = read(answer)
    answer["matched_findings"] += [{"ref_id": "R1", "pred_id": "P2"}, {"ref_id": "R3", "pred_id": "P2"}]
    assert read(answer) == before


def test_ids_listed_twice_count_once() -> None:
    answer = official()
    before = read(answer)
    answer["errors"]["false_findings"] *= 3
    answer["reference_findings"] *= 2
    assert read(answer) == before
    answer["reference_findings"].append(finding("R2", "urgent"))
    assert missing(answer) == "unreadable: an id stands twice in 'reference_findings' with different labels"


def test_unknown_severities_weigh_a_quarter_and_are_counted() -> None:
    answer = official()
    answer["errors"]["attribute_errors"][0]["severity"] = "grave"
    answer["reference_findings"][1]["clinical_significance"] = "perhaps"
    del answer["predicted_findings"][2]["clinical_significance"]
    counts = read(answer)
    assert counts.unknown_labels == 3
    assert isclose(counts.correct, 1 / 1.25 + 0.25)
    assert (counts.total, counts.false, counts.missed) == (1.5, 0.25, 0.25)


@pytest.mark.parametrize(
    "place",
    [
        ("matched_findings", {"ref_id": "R9", "pred_id": "P1"}),
        ("matched_findings", {"ref_id": "R1", "pred_id": "P9"}),
        ("false_findings", "P9"),
        ("false_findings", "R1"),
        ("missing_findings", "R9"),
        ("attribute_errors", {"ref_id": "R9", "severity": "significant"}),
    ],
)
def test_ids_that_do_not_exist(place: tuple[str, Any]) -> None:
    answer = official()
    section, item = place
    (answer if section in answer else answer["errors"])[section].append(item)
    assert missing(answer).startswith("unreadable: an id that ")


@pytest.mark.parametrize("item", [{}, {"pred_id": "P1"}, {"ref_id": None}, {"ref_id": ""}, True, None, 1.5, ["R1"]])
def test_entries_without_an_id(item: Any) -> None:
    answer = official()
    answer["matched_findings"].append(item)
    assert missing(answer) == "unreadable: an entry without an id"


def test_ids_may_be_numbers() -> None:
    text = json.dumps(official())
    numbers = text
    for kind in "RP":
        for number in "1234":
            numbers = numbers.replace(f'"{kind}{number}"', number if kind == "R" else f'"{number}"')
    assert read(json.loads(numbers)) == read(official())


@pytest.mark.parametrize("section", ["matched_findings", "errors"])
def test_a_lost_section(section: str) -> None:
    answer = official()
    del answer[section]
    assert missing(answer) == f"unreadable: no section {section!r}"


@pytest.mark.parametrize("section", ["false_findings", "missing_findings", "attribute_errors"])
def test_a_lost_list_of_errors(section: str) -> None:
    answer = official()
    del answer["errors"][section]
    assert missing(answer) == f"unreadable: no section {section!r}"
    answer["errors"][section] = "none"
    assert missing(answer) == f"unreadable: section {section!r} is no list"


def test_without_a_list_of_reference_findings_n_is_what_was_matched_and_missed() -> None:
    answer = official()
    del answer["reference_findings"]
    answer["errors"]["attribute_errors"] = []
    counts = read(answer)  # R1, R3 matched and R2, R4 missed, all without labels: 1/4 each
    assert (counts.total, counts.correct, counts.missed, counts.unknown_labels) == (1.0, 0.5, 0.5, 4)
    answer["matched_findings"][0]["clinical_significance"] = "urgent"
    answer["errors"]["missing_findings"] = [{"id": "R2", "clinical_significance": "actionable_not_urgent"}]
    counts = read(answer)
    assert (counts.total, counts.correct, counts.missed) == (1.75, 1.25, 0.5)


def test_with_nothing_listed_there_is_no_score() -> None:
    answer = official()
    del answer["reference_findings"]
    answer["matched_findings"] = []
    answer["errors"] = {"false_findings": [], "missing_findings": [], "attribute_errors": []}
    assert missing(answer) == "unreadable: no section 'reference_findings', and nothing matched or missed"


def test_inventions_need_their_list() -> None:
    answer = official()
    del answer["predicted_findings"]
    assert missing(answer).startswith("unreadable: no section 'predicted_findings'")
    answer["errors"]["false_findings"] = []
    assert read(answer).false == 0


@pytest.mark.parametrize(
    "text", ["{}", " {} ", "```json\n{}\n```", '{"errors": {}}', "[]", "null", '{"other": 1}', '"x"']
)
def test_empty_json_is_missing(text: str) -> None:
    assert missing(text).startswith("unreadable: ")
