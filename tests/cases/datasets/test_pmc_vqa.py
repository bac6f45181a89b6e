"""PMC-VQA in the spellings of its several files."""

from __future__ import annotations

import csv

import pytest

from perimetry.cases import DataError, load

CHOICES = {"Choice A": " A:Lung ", "Choice B": " B: A: heart", "Choice C": "C. B", "Choice D": "Liver"}


def write(path, row):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"Answer": " A:Lung ", "Answer_label": "A"}, "A"),
        ({"Answer": "B", "Answer_label": "C"}, "C"),
        ({"Anwser": "Liver"}, "D"),
        ({"Anwser": " D:Liver"}, "D"),
        ({"Answer": "B"}, "B"),
        ({"Answer": "lung"}, "A"),
    ],
)
def test_answers(tmp_path, answer, expected):
    row = {"Figure_path": "PMC1_F1.jpg", "Caption": "secret", "Question": " What? ", **CHOICES, **answer}
    write(tmp_path / "test.csv", row)
    case = load(f"pmc-vqa:{tmp_path}").questions[0]
    assert [option.text for option in case.options] == ["Lung", "A: heart", "B", "Liver"]
    assert case.answer == expected
    assert (case.id, case.group, case.stem) == ("test-0", "PMC1_F1.jpg", "What?")
    assert case.hidden["Caption"] == "secret"
    assert not any(name.startswith("Choice") or name == "Question" for name in case.hidden)


def test_the_second_version_and_its_index(tmp_path):
    row = {"index": "17", "Figure_path": "f.jpg", "Question": "What?", **CHOICES, "Answer": "D", "split": "test"}
    write(tmp_path / "test_2.csv", row)
    case = load(f"pmc-vqa:{tmp_path}", split="test_2").questions[0]
    assert (case.id, case.answer) == ("17", "D")


def test_an_answer_that_is_none_of_the_choices(tmp_path):
    row = {"Figure_path": "f.jpg", "Question": "What?", **CHOICES, "Answer": "Spleen"}
    write(tmp_path / "test.csv", row)
    with pytest.raises(DataError, match=r"answer not among the options \(test-0 \('Spleen' of A, B, C, D\)\)"):
        load(f"pmc-vqa:{tmp_path}")


def test_a_missing_csv(tmp_path):
    (tmp_path / "train.csv").write_text("x")
    with pytest.raises(DataError, match=r"test_clean\.csv was looked for\. Found in .*: train\.csv"):
        load(f"pmc-vqa:{tmp_path}", split="test_clean")
