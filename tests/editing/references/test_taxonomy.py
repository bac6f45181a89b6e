"""The axes as data, and what a user may ask for."""

from __future__ import annotations

import pytest

from perimetry.cases import UsageError
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import RULES
from perimetry.editing.references.rules.wording import examples
from perimetry.editing.references.taxonomy import AXES, axes, parse_targets, targets

KINDS = {
    "structure": ("absolute", {"structured", "free_text"}),
    "section_assignment": ("relative", {"alternative"}),
    "findings_scope": ("absolute", {"exhaustive", "minimal"}),
    "anatomical_granularity": ("absolute", {"high", "low"}),
    "quantitative_granularity": ("absolute", {"high", "low"}),
    "terminology": ("relative", {"alternative"}),
    "hedging": ("relative", {"alternative"}),
    "negation": ("absolute", {"explicit", "implicit"}),
}


@pytest.mark.parametrize("name", AXES)
def test_an_axis_is_whole(name):
    axis = axes()[name]
    kind, forms = KINDS[name]
    assert (axis.name, axis.kind, {each.name for each in axis.variations}) == (name, kind, forms)
    assert len(axis.examples) >= 3
    assert axis.constraints
    named = forms if kind == "absolute" else {"original", "alternative"}
    assert all(set(example) == named for example in axis.examples)
    assert all(f"{name}:{form}" in RULES for form in forms)


def test_rules_build_free_text_from_structured_forms():
    *twelve, built = parse_targets(["all"], by_rules=True)
    assert tuple(twelve) == parse_targets(["all"])
    assert [step.spelling for step in built] == ["structure:structured", "structure:free_text"]
    assert parse_targets(["structure"], by_rules=True) == parse_targets(["structure"])


def test_twelve_variations_are_evaluated():
    every = [target.spelling for axis in AXES for target in targets(axis)]
    assert len(every) == 12
    assert "quantitative_granularity:high" not in every
    assert [steps[0].spelling for steps in parse_targets(["all"])] == every
    assert parse_targets(["quantitative_granularity:high"])[0][0].variation.name == "high"


def test_compounds_and_lists():
    spelled = [[step.spelling for step in steps] for steps in parse_targets(["hedging", "negation:implicit+hedging"])]
    assert spelled == [["hedging:alternative"], ["negation:implicit", "hedging:alternative"]]
    assert len(parse_targets(["all,hedging"])) == 12  # asked for twice is once


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["termnology"], "Did you mean terminology"),
        (["negation:implicitt"], "Did you mean implicit"),
        (["negation+hedging"], "leaves the form open"),
        ([","], "names no axis"),
    ],
)
def test_what_is_not_there_is_named(asked, said):
    with pytest.raises(UsageError, match=said):
        parse_targets(asked)


@pytest.mark.parametrize(("name", "axis"), [("terms", "terminology"), ("hedges", "hedging")])
def test_every_example_of_the_lexicons_passes_the_verifier(name, axis):
    """The generator's lexicon and the verifier's are separate files: each pair of one is held against the other."""
    for said, before, after in examples(name):
        verdict = judge(ReportText(before), ReportText(after), f"{axis}:alternative")
        assert verdict.outcome == "accepted", (said, verdict.reason)
