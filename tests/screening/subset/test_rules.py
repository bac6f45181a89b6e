"""Rule files: the one of the package, what a rule asks, and errors that name file, rule and field."""

import pytest
from tests.screening.tiers import folders

from perimetry.cases.errors import DataError, UsageError
from perimetry.screening.subset import parse_rules, read_rules
from perimetry.screening.subset.answers import choosing_guessers, divide
from perimetry.screening.subset.rules import Choosing
from perimetry.screening.tiers import read_inputs

HEAD = 'version = 1\nname = "mine"\n'
IMAGES = '[[rule]]\nname = "r"\nwhen = "images"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version = ", "is not TOML"),
        ('version = 2\nname = "mine"\n' + IMAGES, "version: Input should be 1, found 2"),
        (HEAD, "rule is missing"),
        (HEAD + 'colour = "red"\n' + IMAGES, "colour is not a field here"),
        (HEAD + IMAGES + "fewer = 1\n", r"rule\.1\.images\.fewer is not a field here"),
        (HEAD + IMAGES + IMAGES, "two rules are called r"),
        (HEAD + '[[rule]]\nname = "r"\nwhen = "moon"\n', "rule.1: Input tag 'moon'"),
        (HEAD + '[[rule]]\nname = "r"\nwhen = "cue"\ntiers = ["sure"]\n', r"rule\.1\.cue\.tiers\.1"),
        (HEAD + '[[rule]]\nname = "r"\nwhen = "guesser"\nguesser = "options"\nconfidence = 2\n', "found 2"),
    ],
)
def test_errors_name_place_and_field(text, told):
    with pytest.raises(DataError, match=told) as error:
        parse_rules(text, "mine.toml")
    assert str(error.value).startswith("mine.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="There is no rule file"):
        read_rules(tmp_path / "mine.toml")


def test_the_file_of_the_package_has_a_reason_for_every_rule():
    rules, text = read_rules()
    assert all(rule.because for rule in rules.rule)
    assert {rule.when for rule in rules.rule} == {"cue", "guesser", "lattice", "images"}
    assert parse_rules(text, "again") == rules


GUESSER = '[[rule]]\nname = "g"\nwhen = "guesser"\nguesser = "options"\n'
TIERED = '[[rule]]\nname = "t"\nwhen = "cue"\ntiers = ["ablation-supported"]\n'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (GUESSER, {"options"}),
        (GUESSER + "right = false\n", set()),
        (GUESSER + 'action = "flag"\n', set()),
        (TIERED, {"options", "question+options"}),
        (TIERED + GUESSER + "right = false\nconfidence = 0.4\n", {"question+options"}),
        (TIERED + GUESSER + "right = false\nconfidence = 0.9\n", {"options", "question+options"}),
    ],
)
def test_guessers_choose_where_their_right_answers_do(text, names):
    assert choosing_guessers(parse_rules(HEAD + text, "x")) == names


def divided(tmp_path, rows, **choosing):
    inputs = read_inputs([folders.outcomes(tmp_path / "run", rows)])
    parts = divide(inputs.answers, Choosing(**choosing))
    return [set(part.select("model", "repeat").iter_rows()) for part in (parts.choosing, parts.reporting)], parts.notes


def test_half_of_the_repeats_choose_and_the_others_report(tmp_path):
    rows = [{"case_id": "1", "repeat": n} for n in range(5)]
    (choosing, reporting), notes = divided(tmp_path, rows)
    assert choosing == {("m", 0), ("m", 1)}
    assert reporting == {("m", 2), ("m", 3), ("m", 4)}
    assert notes == ()


def test_models_that_may_not_choose_report_with_all_they_have(tmp_path):
    rows = [{"case_id": "1", "model": name, "repeat": n} for name in ("org/a", "org/b") for n in range(2)]
    (choosing, reporting), _ = divided(tmp_path, rows, models=["*/a"], repeats=1)
    assert choosing == {("org/a", 0)}
    assert reporting == {("org/a", 1), ("org/b", 0), ("org/b", 1)}


def test_nothing_is_left_to_report_of_a_single_repeat_and_that_is_told(tmp_path):
    (choosing, reporting), notes = divided(tmp_path, [{"case_id": "1"}])
    assert (choosing, reporting) == ({("m", 0)}, set())
    assert notes[0].startswith("m: every answer chose items")
