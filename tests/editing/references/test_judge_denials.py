"""Denials taken apart wrongly: the verifier turns down what says no to something affirmed, or says no twice."""

from __future__ import annotations

import pytest

from perimetry.editing.references.accounting import judge
from perimetry.editing.references.report import ReportText

PLEURA, AIR = "The pleural spaces are clear.", "The airspaces are clear."
WRONG = [
    (
        "No pleural effusion, infiltrate, or pneumothorax, mild cardiomegaly is present.",
        f"{PLEURA} {AIR} No mild cardiomegaly.",
    ),
    ("No effusion or pneumothorax, but mild edema is present.", f"{PLEURA} No but mild edema."),
    ("No effusion or pneumothorax, but mild edema is present.", f"{PLEURA} No mild edema."),
    ("No effusion, pneumothorax, although there is a nodule.", f"{PLEURA} No although there is a nodule."),
    ("No effusion or pneumothorax, and there is a mass.", f"{PLEURA} No there is a mass."),
    ("No effusion, pneumothorax or but there is a mass.", f"{PLEURA} No but there is a mass."),
    ("No effusion or pneumothorax, although there is a nodule.", f"{PLEURA} No nodule."),
    ("No pneumothorax or pleural effusion, bones are intact.", f"{PLEURA} No bones are intact."),
    ("No effusion or pneumothorax, nodule unchanged.", f"{PLEURA} No nodule unchanged."),
    ("No effusion or pneumothorax, stable cardiomegaly.", f"{PLEURA} No stable cardiomegaly."),
    ("No infiltrate, no definite pleural effusion seen.", f"{AIR} No no definite pleural effusion."),
    ("No effusion or pneumothorax or no change in the nodule.", f"{PLEURA} No no change in the nodule."),
    ("No effusion or pneumothorax.", "No no effusion or pneumothorax."),
    ("No focal consolidation.", AIR),
    ("No focal airspace consolidation.", AIR),
    ("No focal consolidation in the right lung.", AIR),
    ("No effusion or pneumothorax on the left.", PLEURA),
    ("No infiltrate in the right lung.", AIR),
]


@pytest.mark.parametrize(("before", "after"), WRONG)
def test_a_denial_taken_apart_wrongly_is_rejected(before, after):
    verdict = judge(ReportText(before), ReportText(after), "negation:implicit")
    assert verdict.outcome == "rejected"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("No effusion or pneumothorax.", PLEURA),
        ("No airspace disease.", AIR),
        ("No consolidation or opacity.", AIR),
        ("No infiltrate, effusion, or pneumothorax.", f"{AIR} {PLEURA}"),
        ("No effusion, pneumothorax, or fracture.", f"{PLEURA} No fracture."),
    ],
)
def test_one_taken_apart_rightly_is_accepted(before, after):
    verdict = judge(ReportText(before), ReportText(after), "negation:implicit")
    assert verdict.outcome == "accepted", verdict.reason
