"""`perimetry review` from the command line, and what its page shows."""

import csv
import json

import pytest
from tests.protocols.review.made_up import fill, sheets, write_pairs

from perimetry.cli import main


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("command")
    pairs = write_pairs(folder / "pairs.jsonl", ["iu"], ["hedging", "negation:explicit"], 3)
    lines = [
        json.loads(line) | {"original": f"<b>secret</b> {n}"} for n, line in enumerate(pairs.read_text().splitlines())
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in lines))
    review = folder / "review"
    assert main(["review", "export", str(pairs), "--out", str(review), "--rater", "ann,bob"]) == 0
    for sheet in sheets(review):
        fill(
            sheet, lambda item, rater: ("minor" if rater == "ann" else "major", "<i>why</i>") if "equ" in item else "3"
        )
    assert main(["review", "import", str(review), *map(str, sheets(review))]) == 0
    return review


def test_one_item_is_told_in_the_singular(tmp_path, capsys):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], 1)
    review = tmp_path / "review"
    assert main(["review", "export", str(pairs), "--out", str(review), "--rater", "ann,bob"]) == 0
    for sheet in sheets(review):
        fill(sheet, lambda item, rater: ("minor" if rater == "ann" else "major") if "equ" in item else "3")
    assert main(["review", "import", str(review), *map(str, sheets(review))]) == 0
    capsys.readouterr()
    assert main(["review", "summary", str(review), "--resamples", "50"]) == 0
    assert "1 item needs a third rating." in capsys.readouterr().err


def test_export_goes_on_with_what_is_disputed(rated, capsys):
    assert main(["review", "summary", str(rated), "--resamples", "50"]) == 0
    told = capsys.readouterr()
    assert "6 items need a third rating" in told.err
    assert "Realism of a report" in told.out
    assert main(["review", "export", str(rated), "--rater", "carol", "--json"]) == 0
    (deal,) = json.loads(capsys.readouterr().out)["deals"]
    assert deal == {"round": 2, "task": "equivalence", "rater": "carol", "step": "third", "items": 6}
    assert main(["review", "import", str(rated), str(fill(sheets(rated, 2)[0], lambda *_: "major")), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["new"] == 6
    assert main(["review", "summary", str(rated), "--resamples", "50", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["task"], one["unanimous"], one["majority"], one["open"]) for one in told["tasks"]] == [
        ("realism", 12, 0, 0),
        ("equivalence", 0, 6, 0),
    ]
    assert main(["review", "export", str(rated), "--rater", "dave"]) == 2
    assert "Every item is settled" in capsys.readouterr().err


def test_estimates_have_the_common_form(rated, tmp_path):
    from perimetry.runs.estimates import ESTIMATE_SCHEMA

    assert main(["review", "summary", str(rated), "--resamples", "50", "--out", str(tmp_path / "s")]) == 0
    with (tmp_path / "s" / "estimates.csv").open(newline="") as file:
        assert next(csv.reader(file)) == list(ESTIMATE_SCHEMA)


def test_the_page_quotes_reports_only_when_asked_and_escapes_them(rated, tmp_path):
    page = ""
    for texts in (False, True):
        out = tmp_path / str(texts)
        extra = ["--texts"] if texts else []
        assert main(["review", "summary", str(rated), "--resamples", "50", "--out", str(out), *extra]) == 0
        page = (out / "report" / "index.html").read_text()
        assert ("secret" in page) == texts
        assert "<b>secret" not in page
        assert "<i>why" not in page
    assert "&lt;i&gt;why" in page


def test_the_same_ratings_give_the_same_bytes(rated, tmp_path):
    for name in ("one", "two"):
        assert main(["review", "summary", str(rated), "--resamples", "50", "--out", str(tmp_path / name)]) == 0
    for file in ("estimates.csv", "consensus.csv"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["export", "PAIRS"], 2, "--out DIR is missing"),
        (["export", "nowhere.csv", "--out", "OUT"], 1, "nowhere.csv does not exist. Expected: the folder"),
        (["export", "/nope"], 1, "/nope does not exist. Expected: the folder"),
        (["export", "REVIEW", "--seed", "7", "--rater", "x"], 2, "--seed: the review"),
        (["export", "PAIRS", "--out", "OUT", "--adjudicator", "x"], 2, "--adjudicator and --fill"),
        (["export", "PAIRS", "--out", "OUT", "--data-use", "secret"], 2, "--data-use secret was found"),
        (["import", "REVIEW", "nowhere.csv"], 1, "There is no file nowhere.csv"),
        (["import", "REVIEW", "ABOVE"], 1, "is a folder. Name the sheets that came back, such as"),
        (["import", "REVIEW", "realism.html"], 1, "Import the sheet (realism.csv) that its button saves"),
        (["import", "OUT", "nowhere.csv"], 1, "key.json was looked for"),
        (["summary", "OUT"], 1, "key.json was looked for"),
        (["summary", "REVIEW", "--out", "ABOVE"], 2, "holds other files"),
    ],
)
def test_errors_are_one_line_and_write_nothing(rated, arguments, code, told, tmp_path, capsys):
    out = tmp_path / "out"
    names = {"PAIRS": rated.parent / "pairs.jsonl", "REVIEW": rated, "OUT": out, "ABOVE": rated.parent}
    assert main(["review", *(str(names.get(one, one)) for one in arguments)]) == code
    said = capsys.readouterr().err
    assert told in said
    assert "Traceback" not in said
    assert not out.exists()


def test_a_summary_before_any_rating(tmp_path, capsys):
    pairs = write_pairs(tmp_path / "pairs.jsonl", ["iu"], ["hedging"], 2)
    assert main(["review", "export", str(pairs), "--out", str(tmp_path / "r"), "--data-use", "credentialed"]) == 0
    assert "credentialed" in capsys.readouterr().err
    assert main(["review", "summary", str(tmp_path / "r"), "--resamples", "20"]) == 0
    assert "nothing rated yet" in (tmp_path / "r" / "summary" / "report" / "index.html").read_text()
