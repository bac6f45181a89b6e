"""Rationales: where they are, what they claim, what stands again without the image."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perimetry.cases.errors import DataError
from perimetry.cases.question import Option, Question
from perimetry.scoring.answers import extract
from perimetry.scoring.metric import Ratio
from perimetry.scoring.rationale import (
    claim_words,
    default_lexicon,
    hvrr,
    nvcr,
    rcr,
    read_lexicon,
    sentences,
    split_rationale,
    visual_claims,
)

CHEST = Question(
    "1", "d", "g", "What is the finding?", "A", "choice", (Option("A", "Effusion"), Option("B", "Pneumothorax"))
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("One is seen. Two are not.", ("One is seen.", "Two are not.")),
        ("It is 3.4 cm wide. It is round", ("It is 3.4 cm wide.", "It is round")),
        ("A mass, e.g. a cyst, is seen.", ("A mass, e.g. a cyst, is seen.",)),
        ("Seen by Dr. Roe vs. Dr. Doe.", ("Seen by Dr. Roe vs. Dr. Doe.",)),
        ("1. First thing\n2. Second thing", ("First thing", "Second thing")),
        ("- **Heart**: large\n\n* Lungs clear!", ("Heart**: large", "Lungs clear!")),
        ("See Fig. 2. It is dark.", ("See Fig. 2. It is dark.",)),
        ("Really?! Yes indeed.", ("Really?!", "Yes indeed.")),
        ("左肺有阴影。右肺正常。", ("左肺有阴影。", "右肺正常。")),
        ("...\n---\n42\n", ()),
        ("", ()),
    ],
)
def test_sentences(text: str, wanted: tuple[str, ...]) -> None:
    assert sentences(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<think>An opacity is seen.</think>A", "An opacity is seen."),
        ("An opacity is seen.</think>A", "An opacity is seen."),
        ("<think></think>A", None),
        ("<think>An opacity is seen", "An opacity is seen"),
        ("<think>One is seen.</think><think>Two are.</think>A", "One is seen.\nTwo are."),
        ("The base is white. The angle is blunted. The answer is A.", "The base is white. The angle is blunted."),
        ("The base is white.\n\n**Answer: A**", "The base is white."),
        ("The base is white.\n\nA", "The base is white."),
        ("The answer is A.", None),
        ("Answer: A", None),
        ("A", None),
        ("A. Effusion", None),
        ("A\n\nThe base is white. The angle is blunted.", None),
        ("I see white. I see black.", "I see white. I see black."),
        ("I see white.", None),
        ("", None),
        (None, None),
    ],
)
def test_split(text: str | None, wanted: str | None) -> None:
    assert split_rationale(text, extract(text, CHEST)) == wanted


@pytest.mark.parametrize(
    ("sentence", "stem", "wanted"),
    [
        ("The image shows a left pleural effusion.", "What is the finding?", {"left", "pleura", "effusion"}),
        ("The image shows a left pleural effusion.", "Is there a pleural effusion?", {"left"}),
        ("The image shows an effusion.", "Is there an effusion?", None),
        ("No effusions are seen.", "What is the finding?", {"no:effusion"}),
        ("No effusion is seen.", "Is there an effusion?", None),
        ("There is no effusion, but a nodule is seen.", "What?", {"no:effusion", "nodule"}),
        ("The lesion isn't seen.", "What?", {"lesion"}),
        ("It isn't a lesion that we see.", "What?", {"no:lesion"}),
        ("A hyperintense focus in the right temporal lobe.", "What?", {"hyperintense", "right", "temporal", "lobe"}),
        ("The angle is blunted.", "What?", {"blunted"}),
        ("The cardiac silhouette appears enlarged.", "What?", {"heart", "enlarged"}),
        ("The sample is stained pink.", "What?", {"stain", "pink"}),
        ("Gout typically affects the joints.", "What?", None),
        ("An effusion would typically be white.", "What?", None),
        ("Effusions are treated by drainage.", "What?", None),
        ("Let me think about this step by step.", "What?", None),
        ("Metastases are visible in both the liver and the spleen.", "What?", {"metastasis", "liver", "spleen"}),
        ("Ground glass opacities are noted.", "What?", {"ground glass", "opacity"}),
        ("", "What?", None),
    ],
)
def test_visual_claims(sentence: str, stem: str, wanted: set[str] | None) -> None:
    assert visual_claims(sentence, stem) == (() if wanted is None else (frozenset(wanted),))


def test_variants_are_one_claim_in_any_order() -> None:
    one = visual_claims("The image shows oedema of the left lungs.", "What?")
    other = visual_claims("In the pulmonary field on the left, edema is seen.", "What?")
    assert one == other != ()


def test_nvcr_by_hand() -> None:
    rationale = "Let me look. The image shows a left effusion. It is white. Effusions are common."
    assert nvcr(rationale, "What is shown?") == Ratio(2, 4)
    assert nvcr(None, "What is shown?") is None


def test_hvrr_by_hand() -> None:
    real = "There is a left effusion. The heart appears enlarged. A tube is seen. Think."
    without = "An effusion on the left is seen. The heart is seen. A tube is visible in the stomach."
    assert hvrr(real, without, "What?") == Ratio(1, 3)
    assert hvrr(real, real, "What?") == Ratio(3, 3)
    assert hvrr(real, "I cannot tell. I have no picture.", "What?") == Ratio(0, 3)
    assert hvrr("I think so. Yes.", without, "What?") == Ratio(0, 0)
    assert hvrr(real, None, "What?") is None
    assert hvrr(None, real, "What?") is None


def test_another_detector_takes_the_place_of_the_lexicon() -> None:
    def detector(sentence: str, stem: str) -> tuple[frozenset[str], ...]:
        return (frozenset({stem}),) if "x" in sentence else ()

    assert nvcr("xa one. two.", "stem", detector) == Ratio(1, 2)
    assert hvrr("xa one. xb two.", "an x here", "stem", detector) == Ratio(2, 2)


def test_rcr_by_hand() -> None:
    assert rcr("The left lung", "the LEFT lung") == 0.0
    assert rcr("left lung", "right heart") == 1.0
    assert rcr("one two three", "two three four") == 0.5
    assert rcr("...", "!!") is None
    assert rcr(None, "left") is None
    assert rcr("left", None) is None


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120), st.text(max_size=120))
def test_measures_stay_in_their_range(one: str, other: str) -> None:
    change = rcr(one, other)
    assert change is None or 0.0 <= change <= 1.0
    assert change == rcr(other, one)
    for ratio in (nvcr(one, other), hvrr(one, other, "")):
        assert ratio is not None and 0 <= ratio.numerator <= ratio.denominator


def test_lexicon_has_no_content_word_under_two_concepts_and_finds_each_of_its_words() -> None:
    lexicon = default_lexicon()
    assert len(lexicon.concepts) > 300
    for word, (concept, kind) in lexicon.concepts.items():
        assert claim_words(word, lexicon) == ((concept, kind),), word


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        'version = "1"',
        'version="1"\n[content]\nfinding=["a1|b1","b1"]\n[cues]\nseeing=["see"]\ngeneral=["can"]\nnegation=["no"]',
    ],
)
def test_broken_lexicons_are_named(text: str) -> None:
    with pytest.raises(DataError, match="lexicon"):
        read_lexicon(text)


def test_real_rationales(shared_data: Path) -> None:
    """Chain-of-thought rows have rationales, direct one-liners none; claims are neither everywhere nor nowhere."""
    folder = shared_data / "mmmu_pro"
    total = Ratio(0, 0)
    found = 0
    with (folder / "gpt-4o_standard_10_options_cot.jsonl").open(encoding="utf-8") as lines:
        for line in itertools.islice(lines, 120):
            row = json.loads(line)
            options = tuple(Option(label, label * 9) for label in "ABCDEFGHIJ")
            question = Question(row["id"], "d", "g", row["question"], "A", "choice", options)
            rationale = split_rationale(row["response"], extract(row["response"], question))
            found += rationale is not None
            part = nvcr(rationale, row["question"])
            total += part or Ratio(0, 0)
    assert found == 120
    assert total.value is not None and 0.02 < total.value < 0.5
