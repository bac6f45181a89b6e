"""`perimetry build` and `perimetry sample-for-review` from the command line."""

from __future__ import annotations

import json

import pytest
from tests.builders.miniature import mimic_folders, nih_folder, padchest_folder

from perimetry.cli import main


def test_build_shows_the_funnel_beside_the_published_counts(tmp_path, capsys):
    padchest_folder(tmp_path / "in")
    command = ["build", "padchest-gr", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--min-images", "2"]
    assert main(command) == 0
    shown = capsys.readouterr()
    for words in (
        "4,555",
        "3,008",
        "1,997 boxes",
        "1 of 6 boxes of a CheXpert class fall",
        "in the paper",
        "3 of 6 that",
    ):
        assert words in shown.out
    assert "'gossypiboma' (1)" in shown.err
    assert "1 a box without area" in shown.err or "a box without area" in shown.err
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [stage["images"] for stage in told["stages"]] == [10, 7, 5, 4, 3, 2]
    assert told["names"]["unknown"] == {"gossypiboma": 1}


def test_build_mimic_and_nih(tmp_path, capsys):
    jpg, imagenome = mimic_folders(tmp_path)
    assert main(["build", "mimic-cxr", str(jpg), "--imagenome", str(imagenome), "--out", str(tmp_path / "m")]) == 0
    shown = capsys.readouterr()
    assert "image-class pairs: 0.667 (in the paper 0.935)" in shown.out
    assert main(["build", "nih-cxr14", str(nih_folder(tmp_path / "nih")), "--out", str(tmp_path / "n")]) == 0
    assert "880 in the official list" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--labeller", "doctor"], 2, "expected rules or chexbert:WEIGHTS"),
        (["--split", "holdout"], 2, "--split holdout was found; one of all, train, validation, test was expected"),
        ([], 1, "no study is left"),
    ],
)
def test_what_cannot_be_built_is_one_line(tmp_path, capsys, more, code, message):
    padchest_folder(tmp_path / "in")
    assert main(["build", "padchest-gr", str(tmp_path / "in"), "--out", str(tmp_path / "out"), *more]) == code
    shown = capsys.readouterr().err
    assert message in shown
    assert len(shown.strip().splitlines()) == 1


def test_a_review_there_and_back(tmp_path, capsys):
    padchest_folder(tmp_path / "in")
    out = str(tmp_path / "built")
    main(["build", "padchest-gr", str(tmp_path / "in"), "--out", out, "--min-images", "1"])
    capsys.readouterr()
    review = tmp_path / "review"
    assert main(["sample-for-review", out]) == 2
    assert "--out DIR is missing" in capsys.readouterr().err
    assert main(["sample-for-review", out, "--out", str(review)]) == 0
    shown = capsys.readouterr()
    assert "4 cases of 3 classes." in shown.out
    assert "credentialed" in shown.err
    key = json.loads((review / "key.json").read_text())["cases"]
    sheet = review / "review" / "cases.csv"
    sheet.write_text("case,label,comment\n" + "".join(f"{name},{said['class']},\n" for name, said in key.items()))
    assert main(["sample-for-review", str(review), "--read", str(sheet)]) == 0
    assert "100% [51%, 100%]" in capsys.readouterr().out
    assert main(["sample-for-review", str(review), "--read", str(sheet), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"][-1]["agreed"] == 4
    sheet.write_text("case,label,comment\ncase-001,Oedema,\n")
    assert main(["sample-for-review", str(review), "--read", str(sheet)]) == 1
    assert "Did you mean Edema?" in capsys.readouterr().err


def test_built_studies_do_not_leave_this_machine_unless_their_source_is_named(tmp_path, capsys):
    padchest_folder(tmp_path / "in")
    out = str(tmp_path / "built")
    main(["build", "padchest-gr", str(tmp_path / "in"), "--out", out, "--min-images", "1"])
    capsys.readouterr()
    audit = ["audit", "occlusion", "--data", f"studies:{out}", "--min-images", "1", "--out", str(tmp_path / "run")]
    # A dry run: it is refused before anything could be sent.
    assert main([*audit, "--model", "openai:m@https://example.org/v1", "--dry-run"]) == 2
    assert "padchest-gr is credentialed" in capsys.readouterr().err
    assert main([*audit, "--model", "openai:m@http://127.0.0.1:9/v1", "--dry-run"]) == 0
