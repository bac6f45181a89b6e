"""Denials that are taken apart, and those that are left alone because something else stands behind them."""

from __future__ import annotations

import pytest

from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rules import rewrite_by_rules
from perimetry.editing.references.rules.outcome import Declined

# A denial of both, and of airspace disease, with what follows it.
DENIALS = (
    "No effusion or pneumothorax",
    "No pleural effusion, infiltrate, or pneumothorax",
    "No pneumothorax, effusion",
)
BEHIND = (
    ", mild cardiomegaly is present.",
    ", but mild edema is present.",
    ", although there is a nodule.",
    ", and there is a mass.",
    " or but there is a mass.",
    ", however a small nodule.",
    ", stable cardiomegaly.",
    ", old rib fractures.",
    ", moderate edema.",
    ", no definite mass seen.",
    ", no no findings of edema.",
    " or no change in the nodule.",
    ", without change in the mass.",
    ", not excluding edema.",
    ", heart normal.",
    ", bones are intact.",
    ", nodule unchanged.",
    " in the right lung.",
    " on the left.",
    ", and edema is present.",
    ", xxxx.",
)


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("denial", DENIALS)
def test_a_denial_with_anything_else_behind_it_is_left_alone(denial, behind):
    made = rewrite_by_rules(ReportText(f"{denial}{behind} Bones are intact."), "negation:implicit")
    assert isinstance(made, Declined), made
    assert made.status == "infeasible"


@pytest.mark.parametrize("denial", DENIALS)
def test_the_same_denials_alone_are_taken_apart(denial):
    made = rewrite_by_rules(ReportText(f"{denial}. Bones are intact."), "negation:implicit")
    assert isinstance(made, ReportText)
    assert made.findings.startswith("The pleural spaces are clear.")
    assert "o effusion" not in made.findings


@pytest.mark.parametrize(
    "text",
    [
        "No focal consolidation.",
        "No focal lung consolidation. No effusion.",
        "No focal airspace consolidation.",
        "No focal opacity.",
        "No effusion.",
        "No pneumothorax. No large effusion.",
        "RIGHT LUNG: No infiltrate.\nLEFT LUNG: Nothing.",
        "LEFT: No effusion or pneumothorax.",
        "No infiltrate. No fracture, 5 mm nodule in the left lung.",
        "No infiltrate. No fracture, mild interstitial edema is present.",
        "No effusion or pneumothorax. No mass, but blunting of the left angle.",
    ],
)
def test_what_is_not_denied_in_full_is_not_called_clear(text):
    made = rewrite_by_rules(ReportText(text), "negation:implicit")
    assert isinstance(made, Declined), made
    assert made.status == "infeasible"


@pytest.mark.parametrize(
    ("text", "clear"),
    [
        ("No focal airspace disease.", "The airspaces are clear."),
        ("No infiltrates.", "The airspaces are clear."),
        ("No consolidation or opacity.", "The airspaces are clear."),
        ("No focal consolidation. No focal opacity.", "The airspaces are clear."),
        ("No consolidation, effusion, or pneumothorax.", "The pleural spaces are clear. No consolidation."),
    ],
)
def test_what_is_denied_in_full_is(text, clear):
    assert rewrite_by_rules(ReportText(text), "negation:implicit") == ReportText(clear)


def test_lungs_are_not_spelled_out_where_a_denial_turns_to_something_in_them():
    report = ReportText("The lungs are clear. No effusion, but there is a small nodule.")
    assert isinstance(rewrite_by_rules(report, "negation:explicit"), Declined)
