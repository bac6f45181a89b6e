"""The rules against real model outputs and real gold answers."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from perimetry.cases.question import AnswerType, Option, Question
from perimetry.scoring.answers import extract, score_answers

REPOSITORY = Path(__file__).resolve().parents[3]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

DISAGREEMENTS = {
    "test_Pharmacy_355": ("G", None),
    "test_Diagnostics_and_Laboratory_Medicine_72": ("C", "F"),
    "test_Clinical_Medicine_312": ("B", "D"),
    "test_Public_Health_19": ("J", "B"),
    "test_Clinical_Medicine_189": ("A", "C"),
    "validation_Public_Health_15": ("B", None),
    "validation_Diagnostics_and_Laboratory_Medicine_13": ("C", "D"),
    "test_Clinical_Medicine_316": ("C", "D"),
    "test_Public_Health_152": ("I", "C"),
    "validation_Basic_Medical_Science_13": ("I", "H"),
    "validation_Pharmacy_24": ("A", "F"),
    "test_Diagnostics_and_Laboratory_Medicine_5": ("A", "B"),
    "validation_Diagnostics_and_Laboratory_Medicine_5": ("A", "E"),
}
"""Direct rows where the published parse and ours differ: id -> (published, ours); each read in docs/answers.md."""


def outputs(folder: Path, kind: str) -> list[tuple[Question, str, str]]:
    path = folder / "mmmu_pro" / f"gpt-4o_standard_10_options_{kind}.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts = ast.literal_eval(row["options"])
        options = tuple(Option(label, str(text)) for label, text in zip(LETTERS, texts, strict=False))
        question = Question(row["id"], "mmmu-pro", row["id"], row["question"], row["answer"], "choice", options)
        rows.append((question, row["response"], row["pred_indexs"]))
    return rows


@pytest.mark.parametrize("policy", ["strict", "lenient"])
def test_every_chain_of_thought_row_meets_the_published_parse(shared_data: Path, policy: str) -> None:
    rows = outputs(shared_data, "cot")
    assert len(rows) == 286
    found = {question.id: extract(text, question, policy) for question, text, _ in rows}  # type: ignore[arg-type]
    assert {key: one.answer for key, one in found.items()} == {question.id: parse for question, _, parse in rows}
    assert {one.rule for one in found.values()} == {"phrase"}


def test_direct_rows_differ_exactly_where_the_documentation_says(shared_data: Path) -> None:
    rows = outputs(shared_data, "direct")
    assert len(rows) == 286
    differ = {}
    for question, text, parse in rows:
        found = extract(text, question)
        if found.answer is None:
            assert found.reason
        else:
            assert found.rule
            assert text[found.start : found.end] == found.surface
            assert found.answer in found.surface  # the label itself stands in the span: nothing was guessed
        if found.answer != parse:
            differ[question.id] = (parse, found.answer)
    assert differ == DISAGREEMENTS


def test_the_documentation_lists_each_disagreement() -> None:
    text = (REPOSITORY / "docs" / "answers.md").read_text(encoding="utf-8")
    listed = {
        row[1]: (row[2], None if row[3] == "none" else row[3])
        for row in re.finditer(r"^\| `(\w+)` \|[^|]*\| (\w) \| (\w+) \|", text, re.MULTILINE)
    }
    assert listed == DISAGREEMENTS


def golds(folder: Path) -> list[Question]:
    questions = []
    for row in json.loads((folder / "vqa_rad" / "VQA_RAD Dataset Public.json").read_text(encoding="utf-8")):
        kind: AnswerType = "closed" if row["answer_type"].strip() == "CLOSED" else "open"
        questions.append(Question(str(row["qid"]), "vqa-rad", "g", row["question"], str(row["answer"]), kind))
    for row in json.loads((folder / "slake" / "test.json").read_text(encoding="utf-8")):
        kind = "closed" if row["answer_type"] == "CLOSED" else "open"
        questions.append(Question(str(row["qid"]), "slake", "g", row["question"], row["answer"], kind))
    return questions


def test_every_gold_answer_of_vqa_rad_and_slake_is_read_and_right(shared_data: Path) -> None:
    questions = golds(shared_data)
    assert len(questions) == 2248 + 2094
    scored = score_answers([question.answer for question in questions], questions)
    assert scored["correct"].all()
    assert (scored["token_f1"] > 0.999).all()


@pytest.mark.parametrize("frame", ["Answer: {}", "**Final answer:** {}", "\\boxed{{{}}}", "<answer>{}</answer>"])
def test_gold_answers_in_frames(shared_data: Path, frame: str) -> None:
    questions = golds(shared_data)
    scored = score_answers([frame.format(question.answer) for question in questions], questions)
    assert scored["correct"].all()


def test_gold_answers_after_a_copula(shared_data: Path) -> None:
    """All but two: "the answer is not seen" reads as a denial."""
    questions = golds(shared_data)
    scored = score_answers([f"The answer is {question.answer}." for question in questions], questions)
    wrong = [question.answer for question, right in zip(questions, scored["correct"], strict=True) if not right]
    assert wrong == ["Not seen here", "Not seen"]
