"""Every entry of the lexicons in many frames: what comes out reads as English and says something."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from perimetry.editing.references import ReportText
from perimetry.editing.references.accounting import judge
from perimetry.editing.references.rules.outcome import Declined
from perimetry.editing.references.rules.wording import other_hedges, other_terms

PLACE = files("perimetry.editing.references.rules")
TERMS = tomllib.loads((PLACE / "terms.toml").read_text(encoding="utf-8"))["terms"]
SLOTS = tomllib.loads((PLACE / "hedges.toml").read_text(encoding="utf-8"))["slots"]
FRAMES = (
    "{X}.",
    "{X}",
    "{X}, with a small nodule.",
    "There is {x}.",
    "There is a {x}.",
    "There is an {x}.",
    "No {x} is seen.",
    "{X} patient.",
    "The patient has {x}, and {x} was seen before.",
    "The {x} is present.",
    "The {x} are present.",
    "The {x} appears present.",
    "The {x} appear present.",
    "The {x} has improved.",
    "The {x} have improved.",
    "Pneumonia is {x}.",
    "Pneumonia is {x}, and a nodule is seen.",
    "The lungs are {x}.",
    "The lungs are {x} and the ribs are intact.",
    "The heart is {x} in the chest.",
    "A {x} explanation is pneumonia.",
    "This is {x} to be pneumonia.",
    "The most {x} pneumonia.",
    "Findings {x} prior.",
    "Findings are {x} prior.",
    "Findings are {x} the prior study.",
    "Findings are {x} prior exam.",
    "Opacity {x} pneumonia.",
    "{X} vital signs.",
    "Bilateral {x} atelectasis.",
    "{X} (SVC), {x} (NG tube), {x} (ET tube).",
    "Lungs, {x} are normal.",
    "Ribs and {x} is normal.",
    "{X} and scar.",
    "A small amount of {x}.",
    "As soon as {x}.",
    "{X} of questionable significance.",
)
FIRST, LAST = (lambda _, n: 0), (lambda _, n: n - 1)
FAULTS = {
    "an article": r"\ba (?:[aeio]|un(?!i)|NG\b|ET\b)|\ban (?![aeiou]|NG\b|ET\b|SVC\b)",
    "a doubled word": r"\b(\w+),? \(?\1\b",
    "an empty hedge": r"\b(?:is|are) (?:probably|perhaps|possibly)[.,]|(?:with|for|of|to|represents?|reflects?)\.$",
    "agreement": r"\b(?:structures|contours|opacities) (?:is|has|was|appears)\b|\bsilhouette (?:are|have|appear)\b",
    "an adjective for an adverb": r"\ba (?:probably|possibly|perhaps)\b|\bprobably to be\b|\bmost suggesting\b",
    "a noun that describes": r"\b(?:enlargement|emphysema|scar|structures|opacity) patient",
    "a comparison made a doubt": r"\b(?:compatible|in keeping|consistent) with (?:the )?prior(?: study| exam)?\.",
    "no doubt any more": r"\bis questionable[.,]|questionable\.$|possible significance",
    "what is not counted": r"\ban? (?:\w+ )?(?:airspace disease|emphysema)\b|amount of pleural effusion",
    "unstable vital signs": r"unchanged vital|vital signs unchanged",
    "what lacks its article": r"\b[Tt]here is (?:mildly|moderately)\b",
    "one half of a list": r"[,d] cardiomediastinal silhouette is",
}


def forms():
    for row in TERMS:
        yield other_terms, row["from"]
        if "agrees" in row:
            yield other_terms, row["agrees"]
    for row in SLOTS:
        for form in row["forms"]:
            yield other_hedges, form


@pytest.mark.parametrize(("rule", "said"), sorted(set(forms()), key=str))
def test_every_entry_in_every_frame(rule, said):
    for frame in FRAMES:
        text = frame.format(x=said, X=said[0].upper() + said[1:])
        for draw in (FIRST, LAST):
            made = rule(ReportText(text), draw)
            if isinstance(made, Declined):
                continue
            assert made.findings[0].isupper() == text[0].isupper()
            for name, pattern in FAULTS.items():
                # A frame that is bad English to begin with says nothing about the entry.
                if not re.search(pattern, text):
                    assert not re.search(pattern, made.findings), (name, text, made.findings)


@pytest.mark.parametrize(("rule", "said"), sorted(set(forms()), key=str))
def test_every_entry_is_used_and_accepted_in_some_frame(rule, said):
    target = "terminology:alternative" if rule is other_terms else "hedging:alternative"
    used = []
    for frame in FRAMES:
        text = ReportText(frame.format(x=said, X=said[0].upper() + said[1:]))
        made = rule(text, FIRST)
        if not isinstance(made, Declined):
            used.append(judge(text, made, target).outcome)
    assert "accepted" in used


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Pneumonia is likely.", None),
        ("Findings are consistent with prior.", None),
        ("Findings are consistent with prior granulomatous disease.", "compatible with prior granulomatous disease"),
        ("Opacity, likely atelectasis.", "probably atelectasis"),
        ("As soon as possible.", None),
        ("There is a possible nodule.", "a questionable nodule"),
        ("Possible nodule.", "Questionable nodule"),
        ("The findings are most suggestive of edema.", None),
    ],
)
def test_doubt_in_its_place(before, after):
    made = other_hedges(ReportText(before), FIRST)
    said = None if isinstance(made, Declined) else made.findings
    assert said is None if after is None else after in (said or "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Stable vital signs.", None),
        ("Unchanged medication.", None),
        ("Stable therapy.", None),
        # Scarring is in many places or one, a scar is in one; and so is what is held against it.
        ("Patchy bilateral scarring versus atelectasis.", None),
        ("Bilateral scarring.", None),
        ("Bilateral apical scarring.", None),
        ("Streaky opacities, possibly scarring.", None),
        ("Opacities are gone. Apical scarring.", "Opacities are gone. Apical scar."),
        ("Apical scarring.", "Apical scar."),
        ("The silhouette is within normal limits for appearance.", None),
        ("The silhouette is within normal limits for size.", None),
        ("Cardiomegaly patient.", None),
        ("There is a nasogastric tube.", "There is an NG tube."),
        ("An osseous structures survey.", "A bony structures survey."),
        ("A stable nodule.", "An unchanged nodule."),
        ("There is mild cardiomegaly.", "There is mild cardiac enlargement."),
        ("Mild cardiomegaly.", "Mildly enlarged heart."),
        ("CARDIOMEGALY.", "CARDIAC ENLARGEMENT."),
        ("Bilateral bibasilar opacities.", None),
        ("The effusion is right-sided.", None),
        ("Right-sided effusion.", "Right effusion."),
        ("The superior vena cava (SVC) is dilated.", None),
        ("The lungs, heart and mediastinum are normal.", "The lungs, heart and mediastinum are within normal limits."),
        ("The heart and mediastinum are normal.", "The cardiomediastinal silhouette is within normal limits."),
    ],
)
def test_terms_in_their_place(before, after):
    made = other_terms(ReportText(before), FIRST)
    assert (None if isinstance(made, Declined) else made.findings) == after
