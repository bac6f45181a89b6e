"""Evidence tiers: what carries a cue up, what stands over everything, what was not given."""

import pytest
from tests.screening.tiers import folders

from perimetry.cases.errors import DataError, UsageError
from perimetry.screening.tiers import SupportSettings, assign_tiers, read_inputs
from perimetry.screening.tiers.support import tail
from perimetry.screening.tiers.tier import TIERS, default_disposition, stronger

DECISIONS = "dataset,case_id,cue,tier,by,disposition,note\n"


def standing(inputs, **settings):
    table = assign_tiers(inputs, SupportSettings(**settings))
    return {(row["case_id"], row["cue"]): row for row in table.iter_rows(named=True)}


@pytest.fixture
def evidence(tmp_path):
    """Three items with a cue of the options and one of the stem each; items 1 and 2 are answered from parts."""
    cues = [{"case_id": it, "cue": "large-gap"} for it in "123"]
    cues += [{"case_id": it, "cue": "clang", "layer": "stem"} for it in "123"]
    screens = folders.screens(tmp_path / "screens", cues)
    guesses = folders.guesses(
        tmp_path / "guesses",
        [
            {"case_id": "1", "correct": True, "p_answer": 0.9},
            {"case_id": "2"},
            {"case_id": "3", "correct": True, "p_answer": 0.5},
        ],
    )
    runs = folders.outcomes(
        tmp_path / "run",
        [{"case_id": it, "repeat": n, "correct": it == "2"} for it in "123" for n in range(4)]
        + [{"case_id": "1", "condition": "optionsonly", "repeat": n, "correct": False} for n in range(4)],
    )
    return screens, guesses, runs


def test_partial_input_supports_cues_of_the_part_that_holds_them(evidence):
    found = standing(read_inputs(evidence))
    assert found["1", "large-gap"]["tier"] == "ablation-supported"
    assert found["1", "large-gap"]["decided_by"] == "guesser options"
    assert "90%" in found["1", "large-gap"]["evidence"]
    assert found["1", "clang"]["tier"] == "candidate"
    assert found["2", "clang"]["tier"] == "ablation-supported"
    assert found["2", "clang"]["decided_by"] == "lattice textonly"
    assert found["2", "clang"]["evidence"] == "lattice textonly: 4 of 4 answers of 1 model right, chance 20%"
    assert found["2", "large-gap"]["tier"] == "candidate"
    # Right, but not sure of it.
    assert found["3", "large-gap"]["decided_by"] == "screen large-gap v1"


def test_what_counts_as_support_can_be_set(evidence):
    inputs = read_inputs(evidence)
    assert standing(inputs, confidence=0.37)["3", "large-gap"]["tier"] == "ablation-supported"
    assert standing(inputs, level=0.001)["2", "clang"]["tier"] == "candidate"


def test_the_binomial_tail_is_the_sum_of_its_terms():
    from math import comb

    for number, right, chance in ((4, 4, 0.2), (10, 3, 0.25), (7, 0, 0.5)):
        expected = sum(comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(right, number + 1))
        assert tail(right, number, chance) == pytest.approx(expected)


def test_what_people_decided_stands_as_the_ladder_says(evidence, tmp_path):
    file = tmp_path / "decisions.csv"
    file.write_text(
        DECISIONS
        + "d,1,large-gap,shortcut-risk,radiologist A,,\n"
        + "d,2,clang,clinically relevant,surgeon B,,the target is named\n"
        + "d,3,large-gap,shortcut-risk,radiologist A,exclude,\n"
        + "d,3,splint,unsafe repair,panel,,edit hides the fracture\n"
    )
    found = standing(read_inputs(evidence, file))
    # Behaviour is the stronger evidence; the judgement is kept beside it.
    assert found["1", "large-gap"]["tier"] == "ablation-supported"
    assert "radiologist A: shortcut-risk" in found["1", "large-gap"]["evidence"]
    assert (found["2", "clang"]["tier"], found["2", "clang"]["decided_by"]) == ("clinically relevant", "surgeon B")
    assert found["2", "clang"]["disposition"] == "keep as clinically relevant"
    assert (found["3", "large-gap"]["tier"], found["3", "large-gap"]["disposition"]) == ("shortcut-risk", "exclude")
    # A cue that no screen sees.
    assert (found["3", "splint"]["layer"], found["3", "splint"]["tier"]) == ("review", "unsafe repair")
    assert found["3", "splint"]["disposition"] == "exclude"


def test_a_decision_about_every_cue_of_an_item(evidence, tmp_path):
    file = tmp_path / "decisions.csv"
    file.write_text(DECISIONS + "d,2,*,clinically relevant,surgeon B,,\n")
    found = standing(read_inputs(evidence, file))
    assert {found["2", cue]["tier"] for cue in ("large-gap", "clang")} == {"clinically relevant"}
    assert found["1", "clang"]["tier"] == "candidate"


@pytest.mark.parametrize("tier", TIERS)
def test_a_final_tier_is_moved_by_nothing(tier):
    for final in ("validated repair", "unsafe repair", "clinically relevant"):
        assert stronger(final, tier) == final
    assert default_disposition(tier)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("d,1,large-gap,certain,me,,\n", "record 1: tier is 'certain'; expected one of candidate"),
        ("d,1,large-gap,shortcut-risk,,,\n", "record 1: the field by is empty"),
        ("d,1,large-gap,shortcut-risk,me,burn,\n", "disposition is 'burn'"),
        ("d,9,large-gap,shortcut-risk,me,,\n", "1 of 1 decisions are about items that no folder holds"),
        (
            "d,1,x,unsafe repair,me,,\nd,1,x,clinically relevant,you,,\n",
            "'unsafe repair' by me and 'clinically relevant' by you",
        ),
    ],
)
def test_decisions_that_cannot_be_read(evidence, tmp_path, rows, told):
    file = tmp_path / "decisions.csv"
    file.write_text(DECISIONS + rows)
    with pytest.raises(DataError, match=told):
        read_inputs(evidence, file)


def test_what_was_not_given_is_named(evidence):
    screens, guesses, runs = evidence
    assert [one.split(":")[0] for one in read_inputs([guesses]).missing] == [
        "screens",
        "guesser question+options",
        "modality lattice",
        "matched repairs",
        "experts",
    ]
    only_run = read_inputs([runs, screens])
    assert any(one.startswith("guessers: no folder") for one in only_run.missing)
    assert "modality lattice: no answer in the settings full, imageoptions" in only_run.missing
    # Without numbers of options chance may be one half: four of four are 6%.
    assert standing(only_run)["2", "clang"]["tier"] == "candidate"
    assert "chance 50% at most" in standing(only_run, level=0.07)["2", "clang"]["evidence"]


def test_failed_requests_are_no_answers_and_unread_ones_are_wrong(tmp_path):
    run = folders.outcomes(
        tmp_path / "run",
        [
            {"case_id": "1", "answered": False, "correct": None},
            {"case_id": "1", "repeat": 1, "correct": None},
            {"case_id": "1", "repeat": 2},
            {"case_id": "1", "condition": "order@2"},
            {"case_id": "1", "condition": "noimage", "repeat": 2},
        ],
    )
    answers = read_inputs([run]).answers
    assert answers.select("setting", "repeat", "correct").rows() == [("textonly", 1, False), ("textonly", 2, True)]


def test_folders_that_cannot_be_read(evidence, tmp_path):
    screens, guesses, _ = evidence
    with pytest.raises(UsageError, match="No folder was given"):
        read_inputs([])
    with pytest.raises(DataError, match=r"nowhere does not exist; expected the --out of perimetry screen"):
        read_inputs([tmp_path / "nowhere"])
    with pytest.raises(UsageError, match="The items are not known"):
        read_inputs([screens])
    with pytest.raises(UsageError, match="told more than once"):
        read_inputs([guesses, guesses])
