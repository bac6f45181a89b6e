"""Annotations from files in the RadGraph JSON format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perimetry.cases.errors import DataError
from perimetry.scoring.radgraph import Annotation, FileAnnotations, RadGraphF1, Unread


def record(text: str, *observed: str) -> dict[str, object]:
    words = text.split()
    return {
        "text": text,
        "entities": {
            str(at + 1): {
                "tokens": word,
                "label": "OBS-DP",
                "start_ix": words.index(word),
                "end_ix": words.index(word),
                "relations": [],
            }
            for at, word in enumerate(observed)
        },
        "data_source": None,
        "data_split": "inference",
    }


def write(path: Path, records: object) -> Path:
    path.write_text(json.dumps(records))
    return path


def tokens(read: Annotation | Unread) -> list[str] | str:
    return [entity.tokens for entity in read.entities] if isinstance(read, Annotation) else read.reason


def test_reports_meet_their_records_by_text_not_by_place(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {"0": record("Edema .", "Edema"), "1": record("Lungs clear .", "clear")})
    source = FileAnnotations(path)
    assert [tokens(read) for read in source.annotate(["Lungs clear.", "Edema.", "edema.", "Effusion."])] == [
        ["clear"],
        ["Edema"],
        ["Edema"],
        "the annotation file has no record of this text",
    ]


def test_a_record_without_text_is_known_by_its_key(tmp_path: Path) -> None:
    entity = {"tokens": "clear", "label": "OBS-DP", "start_ix": 9, "end_ix": 9, "relations": []}
    path = write(tmp_path / "a.json", {"Lungs clear.": {"entities": {"1": entity}}})
    assert tokens(FileAnnotations(path).annotate(["Lungs  clear ."])[0]) == ["clear"]


def test_folders_and_lines(tmp_path: Path) -> None:
    write(tmp_path / "references.json", {"r": record("Edema .", "Edema")})
    line = record("Lungs\u2028clear .", "clear")
    (tmp_path / "system.jsonl").write_text(
        json.dumps(line, ensure_ascii=False) + "\n\n" + json.dumps(record("Ok .")) + "\n"
    )
    (tmp_path / "notes.txt").write_text("not read")
    source = FileAnnotations(tmp_path)
    assert [tokens(read) for read in source.annotate(["Edema.", "Lungs clear.", "Ok."])] == [["Edema"], ["clear"], []]


def test_two_records_of_one_text(tmp_path: Path) -> None:
    same = write(tmp_path / "same.json", {"a": record("Edema .", "Edema"), "b": record("Edema .", "Edema")})
    assert tokens(FileAnnotations(same).annotate(["Edema."])[0]) == ["Edema"]
    apart = write(
        tmp_path / "apart.json", {"a": record("Edema .", "Edema"), "b": record("Edema ."), "c": record("Ok .")}
    )
    source = FileAnnotations(apart)
    assert "two records" in str(tokens(source.annotate(["Edema."])[0]))
    assert tokens(source.annotate(["Ok."])[0]) == []


def test_a_cut_decimal_is_missing_unless_any_cut_will_do(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {"0": record("Tip 2 . 5 cm .", "Tip"), "1": record("Tip 2.5 mm .", "2.5")})
    cut, whole = FileAnnotations(path).annotate(["Tip 2.5 cm.", "Tip 2.5 mm."])
    assert "cuts the decimal 2.5" in str(tokens(cut))
    assert tokens(whole) == ["2.5"]
    assert "cuts the decimal 2.5" in str(tokens(FileAnnotations(path).annotate(["TIP 2.5 cm."])[0]))
    assert tokens(FileAnnotations(path, "upstream").annotate(["Tip 2.5 cm."])[0]) == ["Tip"]


def test_one_bad_record_is_its_own_report_s_affair(tmp_path: Path) -> None:
    bad = record("Edema .", "Edema")
    bad["entities"] = {"1": {"tokens": "effusion", "label": "OBS-DP", "start_ix": 0, "end_ix": 0, "relations": []}}
    path = write(tmp_path / "a.json", {"0": bad, "1": record("Ok .")})
    table = RadGraphF1(FileAnnotations(path)).score(["Edema.", "Edema."], ["Ok.", "Edema."])
    assert table.missing == 2
    assert table.reasons[0] == "hypothesis: entity '1' of the annotation is not the words of its text that it points to"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "cannot be read as JSON"),
        ("[1]", "holds list"),
        ('{"0": 1}', "record '0' is int"),
        ('{"0": {"text": 1, "entities": {}}}', "text that is int"),
        ("{}", "holds no annotation"),
    ],
)
def test_a_file_of_another_form_is_one_error(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(DataError, match=message):
        FileAnnotations(path).annotate(["Edema."])


def test_absent_files(tmp_path: Path) -> None:
    source = FileAnnotations(tmp_path / "none.json")
    assert "is not there" in source.obstacle()
    assert source.parameters["annotations"] == "absent"
    with pytest.raises(DataError, match="is not there"):
        source.annotate(["Edema."])
    assert "no .json" in FileAnnotations(tmp_path).obstacle()


def test_the_signature_follows_the_content(tmp_path: Path) -> None:
    one = FileAnnotations(write(tmp_path / "one.json", {"0": record("Ok .")})).parameters
    copy = FileAnnotations(write(tmp_path / "copy.json", {"0": record("Ok .")})).parameters
    other = FileAnnotations(write(tmp_path / "other.json", {"0": record("Edema .")})).parameters
    assert one == copy
    assert one != other
