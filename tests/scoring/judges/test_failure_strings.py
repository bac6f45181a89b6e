"""The failure strings of the specification that every reader of JSON must meet, for both of ours."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perimetry.scoring.judges.crimson_json import OFFICIAL, OWN, read_crimson_json
from perimetry.scoring.judges.green_json import read_green_json
from perimetry.scoring.judges.judgement import Judgement, Missing
from perimetry.scoring.judges.loose_json import read_object

Reader = Callable[[str], Judgement | Missing]

GREEN = (
    '{"matched": [{"reference": "clear {lungs}", "candidate": "lungs \\"clear\\""}, {"reference": "b, c,]", '
    '"candidate": "b"}, {"reference": "d", "candidate": "d"}], '
    '"errors": [{"category": "wrong_location", "significance": "significant", "text": "right, not left"}]}'
)
CRIMSON = (
    '{"reference": [{"id": "R1", "finding": "a {b}, ]", "importance": "urgent"}], '
    '"candidate": [{"id": "C1", "finding": "a", "importance": "urgent"}], '
    '"matched": [{"reference_id": "R1", "candidate_id": "C1"}], "missed": [], "invented": [], '
    '"attribute_errors": [{"reference_id": "R1", "attribute": "size", "severity": "significant"}]}'
)
THE_SAME_OFFICIAL = (
    '{"reference_findings": [{"id": "R1", "finding": "a", "clinical_significance": "urgent"}], '
    '"predicted_findings": [{"id": "P1", "finding": "a", "clinical_significance": "urgent"}], '
    '"matched_findings": [{"ref_id": "R1", "pred_id": "P1"}], "errors": {"false_findings": [], "missing_findings": [], '
    '"attribute_errors": [{"ref_id": "R1", "pred_id": "P1", "severity": "significant", "error_types": ["location"]}]}}'
)


def own_crimson(text: str) -> Judgement | Missing:
    return read_crimson_json(text, OWN)


def official_crimson(text: str) -> Judgement | Missing:
    return read_crimson_json(text, OFFICIAL)


CASES = pytest.mark.parametrize(
    ("read", "good", "value"),
    [(read_green_json, GREEN, 0.75), (own_crimson, CRIMSON, 2 / 3), (official_crimson, THE_SAME_OFFICIAL, 2 / 3)],
    ids=["green", "crimson", "crimson official"],
)


def value_of(found: Judgement | Missing) -> float:
    assert not isinstance(found, Missing), found
    return found.value


def reason_of(found: Judgement | Missing) -> str:
    assert isinstance(found, Missing), found
    return found.reason


@CASES
def test_json_in_prose_or_a_fence_with_trailing_commas(read: Reader, good: str, value: float) -> None:
    trailing = good.replace("}]", "},\n]").replace('"significant"}', '"significant" , }')
    for text in (
        good,
        f"```json\n{good}\n```",
        f"Here is what I found:\n\n{good}\n\nLet me know if you {{need}} more.",
        trailing,
        f"~~~\n{trailing}\n~~~",
        f"{good}\n{good}",
        good.replace(", ", ",\n\t"),
    ):
        assert value_of(read(text)) == pytest.approx(value, abs=1e-15), text


@CASES
def test_every_cut_is_missing(read: Reader, good: str, value: float) -> None:
    for end in range(len(good)):
        assert isinstance(read(good[:end]), Missing), good[:end]
    assert reason_of(read(good[:-1])) == "cut_off: the JSON ends before its last brace"


@CASES
def test_a_refusal_and_empty_json(read: Reader, good: str, value: float) -> None:
    assert reason_of(read("I'm sorry, I am not able to assess this.")).startswith("refused: ")
    assert reason_of(read("{}")) == "unreadable: the JSON object is empty"
    assert reason_of(read("no errors, no matches")).startswith("unreadable: no JSON object")
    assert reason_of(read("[Matched Findings]:\n3. a; b; c")).startswith("unreadable: ")


@CASES
def test_duplicated_sections(read: Reader, good: str, value: float) -> None:
    first = good.index("[")
    key = good[1:first].strip(' :"')
    same = good[:-1] + f', "{key}": ' + good[first : good.index("}], ") + 2] + "}"
    assert value_of(read(same)) == pytest.approx(value, abs=1e-15)
    assert reason_of(read(good[:-1] + f', "{key}": []}}')) == f"unreadable: {key!r} stands twice and differs"


@CASES
def test_two_different_answers_are_none(read: Reader, good: str, value: float) -> None:
    other = (
        good.replace("significant", "minor", 1)
        if "minor" in good
        else good.replace('"a', '"z', 1).replace('"d"', '"e"')
    )
    assert other != good
    assert reason_of(read(f"First: {good}\nOn reflection: {other}")) == "unreadable: several JSON objects that differ"


@CASES
def test_broken_json_is_missing(read: Reader, good: str, value: float) -> None:
    assert reason_of(read(good.replace(": [", " [", 1))) == "unreadable: the JSON is broken"
    assert isinstance(read(good.replace('"', "'")), Missing)


def test_sections_in_another_order() -> None:
    errors = GREEN[GREEN.index('"errors"') : -1]
    matched = GREEN[1 : GREEN.index(', "errors"')]
    assert value_of(read_green_json(f"{{{errors}, {matched}}}")) == 0.75


def test_counts_as_words_or_numbers_are_no_lists() -> None:
    assert (
        reason_of(read_green_json('{"matched": "three", "errors": []}')) == "unreadable: section 'matched' is no list"
    )
    assert reason_of(read_green_json('{"matched": 3, "errors": []}')) == "unreadable: section 'matched' is no list"


def test_an_absent_section_is_not_an_empty_one() -> None:
    assert reason_of(read_green_json('{"matched": ["a"]}')) == "unreadable: no section 'errors'"
    assert reason_of(read_green_json('{"errors": []}')) == "unreadable: no section 'matched'"


def test_no_errors_and_no_matches() -> None:
    assert reason_of(read_green_json('{"matched": [], "errors": []}')).startswith("nothing_to_compare: ")


def test_only_minor_errors_count_as_nothing_to_compare() -> None:
    minor = '{"category": "false_finding", "significance": "minor", "text": "x"}'
    assert reason_of(read_green_json(f'{{"matched": [], "errors": [{minor}]}}')).startswith("nothing_to_compare: ")
    assert value_of(read_green_json(f'{{"matched": ["a"], "errors": [{minor}]}}')) == 1.0


def test_the_same_finding_matched_twice_counts_once() -> None:
    twice = GREEN.replace('{"reference": "d"', '{"reference": " D. ", "candidate": "again"}, {"reference": "d"')
    assert value_of(read_green_json(twice)) == 0.75
    error = '{"category": "wrong_location", "significance": "significant", "text": "right, not left"}'
    assert value_of(read_green_json(GREEN.replace("]}", f", {error}]}}"))) == 0.75


@pytest.mark.parametrize("word", ["severe", "", "SIGNIFICANT?", "none"])
def test_unknown_significance_of_an_error(word: str) -> None:
    text = GREEN.replace('"significant"', f'"{word}"')
    assert reason_of(read_green_json(text)) == "unreadable: an error without a known significance"


def test_unknown_category_and_wordless_items() -> None:
    assert reason_of(read_green_json(GREEN.replace("wrong_location", "typo"))).endswith("known category")
    assert value_of(read_green_json(GREEN.replace("wrong_location", "Wrong location"))) == 0.75
    assert reason_of(read_green_json('{"matched": [""], "errors": []}')).startswith("unreadable: an item without words")
    assert reason_of(read_green_json('{"matched": [7], "errors": []}')).startswith("unreadable: an item without words")
    assert reason_of(read_green_json('{"matched": [], "errors": ["x"]}')).endswith("known category")


def test_depth_does_not_break_the_reader() -> None:
    deep = '{"matched":' * 5000 + "1" + "}" * 5000
    assert isinstance(read_green_json(deep), Missing)


def test_strings_hold_braces_commas_and_line_breaks() -> None:
    text = '{"matched": ["a},]{", "b\n,}"], "errors": []}'
    assert read_object(text, ["matched"]) == {"matched": ["a},]{", "b\n,}"], "errors": []}
    assert read_object('{"matched": ["keep ,] this",],}', ["matched"]) == {"matched": ["keep ,] this"]}
