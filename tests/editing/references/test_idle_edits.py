"""A harmless edit brings no report into a form that it has nothing to do with."""

from __future__ import annotations

import re

import pytest
from tests.editing.reports import composed

from perimetry.cases import load
from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.rules import RULES

SYNONYMS = (
    ("within normal limits", "normal"),
    ("unremarkable", "normal"),
    ("pleural effusion", "effusion"),
    ("osseous", "bony"),
    ("bony", "osseous"),
    ("cardiac silhouette", "heart"),
    ("there is no", "no"),
    ("opacities", "opacification"),
    ("small", "small amount of"),
    ("is seen", "is noted"),
    ("superior vena cava", "SVC"),
    ("unchanged", "stable"),
)
CASES = [
    ("The lungs are clear. Heart size is within normal limits.", ""),
    ("Right upper lobe nodule. No effusion. Osseous structures are intact.", "Nodule."),
    ("A 7 mm nodule in the left lower lobe, likely a granuloma. The heart is normal in size.", "Granuloma."),
    ("Posterior rib fracture. Small left pleural effusion. There is no pneumothorax.", "No acute disease."),
    ("1. The lungs are clear.\n2. Heart size is within normal limits.", "1. No acute disease."),
    ("LUNGS: No opacities.\nHEART: Within normal limits.", "No acute osseous abnormality."),
    ("No acute osseous abnormality. Unchanged nodule measuring 4 mm.", "Nodule may represent a granuloma."),
]
# Without the wanted move, a section that is one sentence cannot be put in another order.
WORDING = frozenset({"terminology:alternative"})


def with_synonyms(text):
    for one, other in SYNONYMS:
        text = re.sub(rf"\b{one}\b", other, text, count=1, flags=re.IGNORECASE)
    return text


def turned(text):
    if "\n" in text or re.search(r"\d\.|XXXX", text):
        return text
    return " ".join(reversed(re.findall(r"[^.]+\.", text))).strip() or text


def punctuated(text):
    return text.replace(",", "").removesuffix(".") + "!"


def in_capitals(text):
    return text.upper()


def doubled(text):
    return text.replace(". ", ".  ")


EDITS = {
    "synonyms": with_synonyms,
    "order": turned,
    "stops": punctuated,
    "capitals": in_capitals,
    "blanks": doubled,
    "order and synonyms": lambda text: turned(with_synonyms(text)),
}


def accepted(reports):
    """What is accepted of idle edits under each form; and how many were tried."""
    taken, tried = [], 0
    for findings, impression in reports:
        original = ReportText(findings, impression)
        for name, edit in EDITS.items():
            alternative = ReportText(edit(findings), edit(impression) if impression else "")
            for target in RULES:
                if target in WORDING and "synonyms" in name:
                    continue
                tried += 1
                if judge(original, alternative, target).outcome == "accepted":
                    taken.append((target, name, findings, impression))
    return taken, tried


def test_no_idle_edit_of_composed_reports_is_taken_for_a_variation():
    taken, tried = accepted([*CASES, *composed(40)])
    assert tried > 3000
    assert taken == []


def test_nor_of_real_reports(shared_data):
    cases = load(f"iu-xray:{shared_data / 'rexrank_iu_xray'}", split="validation").studies[:80]
    taken, tried = accepted(
        [(case.sections.get("findings", ""), case.sections.get("impression", "")) for case in cases]
    )
    assert tried > 5000
    assert taken == []


@pytest.mark.parametrize(
    ("before", "target", "outcome", "why"),
    [
        ("Heart size within normal limits.", "findings_scope:exhaustive", "rejected", "no more normal statements"),
        ("Heart size within normal limits.", "anatomical_granularity:high", "rejected", "no place became finer"),
        (
            "Heart size within normal limits.",
            "anatomical_granularity:low",
            "already_in_form",
            "no place is named that a coarser one could stand for",
        ),
        (
            "Heart size within normal limits. Right lower lobe rib nodule.",
            "anatomical_granularity:low",
            "rejected",
            "no place became coarser",
        ),
        (
            "Heart size within normal limits.",
            "quantitative_granularity:low",
            "already_in_form",
            "it holds no measurement",
        ),
        (
            "Heart size within normal limits. 4 mm nodule.",
            "quantitative_granularity:low",
            "rejected",
            "a measurement is left: 4 mm",
        ),
        ("Heart size within normal limits.", "structure:free_text", "already_in_form", "it is running text"),
        (
            "Heart size within normal limits.",
            "findings_scope:minimal",
            "rejected",
            "no fewer normal statements",
        ),
    ],
)
def test_what_an_idle_edit_is_told(before, target, outcome, why):
    verdict = judge(ReportText(before), ReportText(with_synonyms(before)), target)
    assert (verdict.outcome, verdict.reason) == (outcome, why)
