"""Rule files: the one of the package, what a rule asks, and errors that name file, rule and field."""

import polars as pl
import pytest
from tests.screening.tiers import folders

from perimetry.cases.errors import DataError, UsageError
from perimetry.screening.subset import make_subset, parse_rules, read_rules
from perimetry.screening.subset.answers import divide
from perimetry.screening.subset.dependence import choosing_guessers, settings_read
from perimetry.screening.subset.rules import Choosing
from perimetry.screening.tiers import read_inputs

HEAD = 'version = 1\nname = "mine"\n'
IMAGES = '[[rule]]\nname = "r"\nwhen = "images"\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("version = ", "is not TOML"),
        ('version = 2\nname = "mine"\n' + IMAGES, "version is 2; expected 1"),
        (HEAD, "rule is missing"),
        (HEAD + 'colour = "red"\n' + IMAGES, "colour is not a field here"),
        (HEAD + IMAGES + "fewer = 1\n", r"rule 'r': fewer is not a field here \(did you mean fewer_than\?"),
        (HEAD + IMAGES + IMAGES, "two rules are called r"),
        (HEAD + '[[rule]]\nname = "r"\nwhen = "moon"\n', "rule 'r': when is 'moon'; expected one of cue, guesser"),
        (
            HEAD + '[[rule]]\nname = "r"\nwhen = "cue"\ntiers = ["sure"]\n',
            r"rule 'r': tiers, entry 1, is 'sure'; expected 'candidate'",
        ),
        (
            HEAD + '[[rule]]\nname = "r"\nwhen = "guesser"\nguesser = "options"\nconfidence = 2\n',
            "rule 'r': confidence is 2; expected at most 1",
        ),
    ],
)
def test_errors_name_place_and_field(text, told):
    with pytest.raises(DataError, match=told) as error:
        parse_rules(text, "mine.toml")
    assert str(error.value).startswith("mine.toml")


@pytest.mark.parametrize(
    "text",
    [
        HEAD + '[[rules]]\nname = "r"\nwhen = "images"\n',
        HEAD + '[[rule]]\nname = "r"\nwhn = "cue"\n',
        HEAD + '[[rule]]\nwhen = "cue"\n',
        HEAD + '[rule]\nname = "r"\nwhen = "cue"\n',
        HEAD + '[[rule]]\nname = "r"\nwhen = "cue"\ntiers = "x"\n',
        HEAD + '[[rule]]\nname = "r"\nwhen = "lattice"\nsetting = "textonly"\nanswers = 1.5\n',
        HEAD + "rule = []\n",
        HEAD + "choosing = 3\n" + IMAGES,
        HEAD + "[tiers]\nlevel = 0\n" + IMAGES,
    ],
)
def test_one_mistake_is_one_error_in_words(text):
    with pytest.raises(DataError) as error:
        parse_rules(text, "mine.toml")
    told = str(error.value)
    assert told.startswith("mine.toml does not hold rules: ")
    assert told.removesuffix(" docs/tiers-and-subsets.md has every field.").count("; expected") <= 1
    assert told.count(" is ") - told.count("(did you mean") <= 2
    for noise in ("Input should", "valid", "tuple", "pydantic", "type=", "at least one;"):
        assert noise not in told


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ('cues = ["lage-gap"]', "cues has 'lage-gap'.*Did you mean large-gap"),
        ('cues = ["zzz*"]', "cues has 'zzz"),
        ('layers = ["option from"]', "layers has 'option from'.*Did you mean option form"),
    ],
)
def test_cues_and_layers_that_nothing_is_called_are_refused(tmp_path, rule, told):
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + f'[[rule]]\nname = "r"\nwhen = "cue"\n{rule}\n')
    run = folders.outcomes(tmp_path / "run", [{"case_id": "1"}])
    with pytest.raises(DataError, match=rf"mine\.toml, rule 'r': {told}"):
        make_subset([run], rules=file)


def test_items_in_no_guess_are_flagged_and_told(tmp_path):
    run = folders.outcomes(tmp_path / "run", [{"case_id": it} for it in "123"])
    made = make_subset([run, folders.guesses(tmp_path / "g", [{"case_id": "1"}, {"case_id": "2"}])], resamples=50)
    assert any(
        it.startswith("1 items are in no guess: these rules could not be asked: no image") for it in made.card["notes"]
    )
    assert made.items.filter(pl.col("flags") == "in no guess")["case_id"].to_list() == ["3"]
    assert made.card["counts"]["kept_and_flagged"] == 1
    assert made.card["flagged_by"][-1]["items"] == 1


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
        (TIERED + 'layers = ["stem"]\n', {"question+options"}),
        (TIERED + 'layers = ["image"]\n', set()),
        (TIERED + 'action = "flag"\n', set()),
        ('[[rule]]\nname = "t"\nwhen = "cue"\ntiers = ["candidate"]\n', {"options", "question+options"}),
        ('[[rule]]\nname = "t"\nwhen = "cue"\ntiers = ["repair-supported"]\n', set()),
        ('[[rule]]\nname = "t"\nwhen = "cue"\ntiers = ["candidate", "ablation-supported"]\n', set()),
        ('[[rule]]\nname = "t"\nwhen = "cue"\ndispositions = ["flag"]\n', {"options", "question+options"}),
        ('[[rule]]\nname = "t"\nwhen = "cue"\ndispositions = ["exclude"]\n', set()),
        ('[[rule]]\nname = "t"\nwhen = "cue"\n', set()),
    ],
)
def test_guessers_choose_where_their_right_answers_do(text, names):
    assert choosing_guessers(parse_rules(HEAD + text, "x")) == names


def test_rules_on_cues_read_only_the_layers_whose_cues_there_are(tmp_path):
    rows = [{"case_id": "1", "cue": "x"}, {"case_id": "1", "cue": "y", "layer": "image"}]
    screens = folders.screens(tmp_path / "s", rows)
    run = folders.outcomes(tmp_path / "run", [{"case_id": "1"}])
    candidates = read_inputs([screens, run]).candidates
    rules = parse_rules(HEAD + TIERED, "x")
    assert choosing_guessers(rules, candidates) == {"options"}
    assert settings_read(rules, candidates) == {"optionsonly", "imageoptions"}
    assert settings_read(rules, candidates.clear()) == frozenset()


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


def test_a_single_answer_reports_and_chooses_nothing(tmp_path):
    (choosing, reporting), notes = divided(tmp_path, [{"case_id": "1"}])
    assert (choosing, reporting, notes) == (set(), {("m", 0)}, ())


def test_nothing_is_left_to_report_where_the_rules_take_all_and_that_is_told(tmp_path):
    (choosing, reporting), notes = divided(tmp_path, [{"case_id": "1"}], repeats=1)
    assert (choosing, reporting) == ({("m", 0)}, set())
    assert notes[0].startswith("m: every answer in the settings that rules read chose items")


def test_of_models_with_one_repeat_half_choose(tmp_path):
    rows = [{"case_id": "1", "model": name} for name in "abcde"]
    (choosing, reporting), notes = divided(tmp_path, rows)
    assert choosing == {("a", 0), ("b", 0)}
    assert reporting == {("c", 0), ("d", 0), ("e", 0)}
    assert notes == ()


def test_answers_that_no_rule_reads_choose_nothing(tmp_path):
    rows = [{"case_id": "1", "repeat": n, "condition": name} for n in range(2) for name in ("full", "textonly")]
    inputs = read_inputs([folders.outcomes(tmp_path / "run", rows)])
    parts = divide(inputs.answers, Choosing(repeats=2), frozenset({"textonly"}))
    assert set(parts.choosing["setting"]) == {"textonly"}
    assert set(parts.reporting["setting"]) == {"full"}
    assert parts.looked_at.height == 4
    unread = divide(inputs.answers, Choosing(repeats=2), frozenset())
    assert (unread.choosing.height, unread.reporting.height, unread.notes) == (0, 4, ())


def test_a_pattern_that_matches_no_model_is_told(tmp_path):
    _, notes = divided(tmp_path, [{"case_id": "1"}], models=["m", "orgg/*"])
    assert notes == ("choosing.models: 'orgg/*' matches no model; there are m.",)


def lattice_run(tmp_path, models, repeats):
    rows = [
        {"case_id": str(item), "model": f"m{model}", "repeat": repeat, "condition": "textonly"}
        for item in range(4)
        for model in range(models)
        for repeat in range(repeats)
    ]
    ids = [{"case_id": str(item), "chance": 0.2} for item in range(5)]
    return [folders.outcomes(tmp_path / "run", rows), folders.guesses(tmp_path / "guesses", ids)]


@pytest.mark.parametrize(("models", "repeats"), [(1, 1), (1, 2), (1, 3), (2, 1), (3, 1)])
def test_lattice_rules_with_too_few_answers_say_what_to_give(tmp_path, models, repeats):
    made = make_subset(lattice_run(tmp_path, models, repeats), resamples=50)
    assert made.card["counts"]["removed"] == 0
    told = next(it for it in made.card["idle_rules"] if it.startswith("answered from text"))
    given = models * repeats // 2
    assert f"needs 2 choosing answers an item, {given} given" in told
    asked = -(-2 // models) * 2
    assert f"--repeats {asked}, or give 4 models with one repeat" in told


@pytest.mark.parametrize(("models", "repeats"), [(1, 4), (2, 2), (4, 1)])
def test_what_is_told_to_be_given_is_enough(tmp_path, models, repeats):
    made = make_subset(lattice_run(tmp_path, models, repeats), resamples=50)
    assert made.card["counts"]["kept"] == 1
    assert not any(it.startswith("answered from text") for it in made.card["idle_rules"])
    held = [it for it in made.card["accuracy"] if it["setting"] == "textonly" and not it["chose_items"]]
    assert held


def test_the_number_needed_grows_with_chance(tmp_path):
    rows = [{"case_id": "1", "repeat": n} for n in range(4)]
    run = folders.outcomes(tmp_path / "run", rows)
    guesses = folders.guesses(tmp_path / "g", [{"case_id": n, "options": 2, "chance": 0.5} for n in "12"])
    made = make_subset([run, guesses], resamples=50)
    assert any("needs 5 choosing answers an item, 2 given" in it for it in made.card["idle_rules"])
