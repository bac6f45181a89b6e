"""GREEN's sectioned answer: every failure string of the specification, and what a judge's layout may do to it."""

from __future__ import annotations

import pytest

from perimetry.scoring.judges.green_counts import GreenCounts
from perimetry.scoring.judges.green_text import read_green_text
from perimetry.scoring.judges.judgement import Missing

EXPLANATION = "[Explanation]:\nThe candidate calls the heart large and misses the effusion.\n\n"
SIGNIFICANT = """[Clinically Significant Errors]:
(a) False report of a finding in the candidate: 1. Enlarged heart
(b) Missing a finding present in the reference: 2. Left effusion; rib fracture at level 7
(c) Misidentification of a finding's anatomic location/position: 0.
(d) Misassessment of the severity of a finding: 0.
(e) Mentioning a comparison that isn't in the reference: 0.
(f) Omitting a comparison detailing a change from a prior study: 1. Effusion has grown from 3. to 5. rib

"""
INSIGNIFICANT = "[Clinically Insignificant Errors]:\n(a) False report of a finding in the candidate: 4. w; x; y; z\n\n"
MATCHED = "[Matched Findings]:\n6. Clear lungs; no pneumothorax; 2 mm nodule; a; b; c"
WHOLE = EXPLANATION + SIGNIFICANT + INSIGNIFICANT + MATCHED
COUNTS = GreenCounts(6, (1, 2, 0, 0, 0, 1))  # 6 / (6 + 4) = 0.6


def missing(text: str) -> str:
    found = read_green_text(text)
    assert isinstance(found, Missing), found
    return found.reason


def test_an_answer_as_it_is_meant() -> None:
    assert read_green_text(WHOLE) == COUNTS
    assert COUNTS.value == 0.6


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[Clinically Significant Errors]:\n(a) False: 0.\n\n[Matched Findings]:\n2. a; b", 1.0),
        ("[Clinically Significant Errors]:\n(a) False: 2. a; b\n\n[Matched Findings]:\n0.", 0.0),
        ("[Clinically Significant Errors]:\n(a) False: 2. a; b\n\n[Matched Findings]:\nNone.", 0.0),
        ("[Clinically Significant Errors]:\n(d) Severity: 1. a\n\n[Matched Findings]:\n3. a; b; c", 0.75),
        ("[Clinically Significant Errors]:\nNo clinically significant errors.\n[Matched Findings]:\n1. a", 1.0),
        ("[Clinically Significant Errors]:\n(a) False: none\n(b) Missing: 1\n[Matched Findings]:\n1. a", 0.5),
        ("[Clinically Significant Errors]:\n(1) False: 1. a\n(6) Omitted: 2. b; c\n[Matched Findings]:\n1. a", 0.25),
    ],
)
def test_arithmetic_by_hand(text: str, value: float) -> None:
    found = read_green_text(text)
    assert isinstance(found, GreenCounts)
    assert found.value == value


# The failure strings of spec/metrics.md, in its order; those that concern JSON are in test_failure_strings.py.


def test_a_refusal() -> None:
    for text in (
        "I'm sorry, but I cannot compare medical reports.",
        "As an AI language model I am unable to judge clinical content.",
        "I can’t help with that.",
    ):
        assert missing(text).startswith("refused: ")


def test_cut_before_the_matched_findings() -> None:
    assert missing(EXPLANATION + SIGNIFICANT) == "unreadable: no section 'matched findings'"
    assert missing(EXPLANATION + SIGNIFICANT + "[Matched Findings]:\n").startswith("unreadable: no count")
    assert missing(EXPLANATION + SIGNIFICANT[:90]).startswith("unreadable: ")


def test_every_cut_is_missing_or_right_but_for_numbers_cut_in_two() -> None:
    for end in range(len(WHOLE)):
        found = read_green_text(WHOLE[:end])
        assert isinstance(found, Missing) or found == COUNTS, WHOLE[:end]


def test_an_absent_significant_section() -> None:
    assert missing(EXPLANATION + INSIGNIFICANT + MATCHED) == "unreadable: no section 'clinically significant errors'"
    empty = "[Clinically Significant Errors]:\n\n[Matched Findings]:\n3. a; b; c"
    assert missing(empty).startswith("unreadable: no category (a) to (f)")


def test_counts_as_words() -> None:
    assert missing(WHOLE.replace("6. Clear", "Six. Clear")).startswith("unreadable: no count")
    assert missing(WHOLE.replace("2. Left", "two. Left")) == "unreadable: no count such as '2.' in category (b)"
    assert missing(WHOLE.replace("2. Left", "several. Left")).startswith("unreadable: no count")


def test_a_count_without_its_dot() -> None:
    assert missing(WHOLE.replace("6. Clear", "3 a")).startswith("unreadable: no count")
    assert missing(WHOLE.replace("6. Clear", "3 mm nodule; clear")).startswith("unreadable: no count")
    assert missing(WHOLE.replace("6. Clear", "2.5 cm mass")).startswith("unreadable: no count")
    assert missing(WHOLE.replace("2. Left", "2 left")).startswith("unreadable: no count")


def test_no_errors_no_matches() -> None:
    assert missing("no errors, no matches").startswith("unreadable: no section")
    nothing = "[Clinically Significant Errors]:\nNo errors.\n\n[Matched Findings]:\nNo matched findings."
    assert missing(nothing) == "nothing_to_compare: no matched finding and no significant error"
    assert missing(nothing.replace("No errors.", "(a) False: 0.").replace("No matched findings.", "0.")).startswith(
        "nothing_to_compare: "
    )


def test_a_negative_finding_is_not_the_absence_of_findings() -> None:
    assert missing(SIGNIFICANT + "[Matched Findings]:\nNo effusion; no pneumothorax").startswith("unreadable: no count")


def test_sections_in_another_order() -> None:
    assert read_green_text("\n\n".join([MATCHED, INSIGNIFICANT, SIGNIFICANT, EXPLANATION])) == COUNTS
    assert read_green_text(INSIGNIFICANT + SIGNIFICANT + MATCHED) == COUNTS


def test_duplicated_sections() -> None:
    assert read_green_text(f"{WHOLE}\n\n{WHOLE}") == COUNTS
    assert missing(f"{WHOLE}\n\n{MATCHED.replace('6.', '7.')}") == (
        "unreadable: section 'matched findings' stands twice with different counts"
    )
    assert missing(SIGNIFICANT.replace("2. Left", "3. Left") + WHOLE).endswith("different counts")
    twice = "[Clinically Significant Errors]:\n(a) False: 1. x\n(a) False: 1. y\n[Matched Findings]:\n1. a"
    assert missing(twice).startswith("unreadable: category (a) stands twice")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("**", "**:"),
        ("**", ":**"),
        ("## ", ""),
        ("### **", ":**"),
        ("__", "__:"),
        ("> ", ":"),
        ("1. **", "**"),
        ("`", "`:"),
    ],
)
@pytest.mark.parametrize("bracket", [True, False])
def test_markdown_around_the_headings(before: str, after: str, bracket: bool) -> None:
    text = WHOLE
    for name in ("Explanation", "Clinically Significant Errors", "Clinically Insignificant Errors", "Matched Findings"):
        text = text.replace(f"[{name}]:", f"{before}[{name}]{after}" if bracket else f"{before}{name}{after}")
    assert read_green_text(text) == COUNTS


def test_markdown_within_the_sections() -> None:
    text = (
        WHOLE.replace("(a)", "- **(a)**")
        .replace("(b) Missing", "* (b) **Missing")
        .replace("reference: 2", "reference:** 2")
    )
    assert read_green_text(text.replace("6. Clear", "**6.** Clear")) == COUNTS


def test_layouts_that_change_nothing() -> None:
    assert read_green_text(f"```\n{WHOLE}\n```") == COUNTS
    assert read_green_text(f"{WHOLE}</s>") == COUNTS
    assert read_green_text(WHOLE[: WHOLE.index(". Clear")] + "</s>") == COUNTS
    assert read_green_text(WHOLE.replace("\n", "\r\n")) == COUNTS
    assert read_green_text(WHOLE.replace("]:\n", "]: ")) == COUNTS
    assert read_green_text(WHOLE.upper()) == COUNTS
    assert read_green_text(WHOLE.replace("(b)", "\n(b)")) == COUNTS
    assert read_green_text(f"<|user|>[Matched Findings]:\n9. of the prompt<|assistant|>{WHOLE}") == COUNTS


def test_categories_on_one_line() -> None:
    assert read_green_text(WHOLE.replace("\n(", " (")) == COUNTS
    assert read_green_text(WHOLE.replace("\n", " ")) == COUNTS
    assert missing(WHOLE.replace("\n(", " (").replace("1. Effusion has", "one. Effusion has")).endswith("category (f)")
    assert read_green_text(WHOLE.replace("Enlarged heart", "Enlarged heart (b) as it were")) == COUNTS
    assert read_green_text(WHOLE.replace("(a) ", "a) ").replace("(f) ", "f) ")) == COUNTS


def test_a_numbered_heading_is_no_count() -> None:
    text = "1. [Matched Findings]:\n2. [Clinically Significant Errors]:\n(a) False: 1. x"
    assert missing(text).startswith("unreadable: no count")


def test_prose_that_names_a_section_is_no_heading() -> None:
    text = f"{EXPLANATION}Matched findings include the clear lungs.\n{SIGNIFICANT}{MATCHED}"
    assert read_green_text(text) == COUNTS


def test_long_runs_of_marks_are_read_quickly() -> None:
    assert missing("-" * 20_000 + " " * 20_000 + "[" * 20_000).startswith("unreadable: ")
