"""No CSV that a command writes holds a cell that a spreadsheet would run, whatever the data set says."""

from __future__ import annotations

import ast
import csv
import json
import re

import polars as pl
import pytest
from tests.bad_input import ROOT, command, png

STARTS = ("=", "+", "-", "@", "\t", "=\n")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
TARGETS = ("findings_scope:minimal", "terminology:alternative")


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def items(count=24):
    """Items whose ids, groups, stems, options and keys all begin as formulas do; each shows a cue."""
    for number in range(count):
        start = STARTS[number % len(STARTS)]
        options = {
            "A": f"{start}always A{number % 5}(1)",
            "B": f"{start}rest of {number}",
            "C": f"{start}a nodule of the neck that is much longer than all of the others here {number}",
        }
        yield {
            "id": f"{start}cmd|' /C {number}'!A0",
            "group": f"{start}SUM({number // 2})",
            "question": f"{start}HYPERLINK({number})",
            "options": options,
            "answer": "ABC"[number % 3],
            "image": f"{number % 6}.png",
        }


def studies(count=8):
    """Studies of which half show a class, with reports and two systems."""
    for number in range(count):
        start = STARTS[number % len(STARTS)]
        box = {"image": 0, "x": 2, "y": 2, "width": 6, "height": 6, "classes": ["Cardiomegaly", f"{start}other"]}
        yield {
            "id": f"{start}study {number}",
            "group": f"{start}patient {number}",
            "image": f"{number % 6}.png",
            "findings": f"{start}the heart is large {number}.",
            "boxes": [box] if number % 2 else [],
            "labels": {"Cardiomegaly": number % 2},
            "@ours": f"{start}the heart is large.",
            "=theirs": f"{start}the heart is small.",
        }


def alternatives(rows):
    for row in rows:
        for target in TARGETS:
            text = {"findings": f"{row['findings']} So be it.", "impression": ""}
            original = {"findings": row["findings"], "impression": ""}
            yield {
                "id": row["id"], "target": target, "status": "accepted", "original": original, "alternative": text,
            }  # fmt: skip


def done(*given):
    ended = command(*given)
    assert ended.code == 0, ended
    return ended


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A folder in which every command that writes tables has written them."""
    folder = tmp_path_factory.mktemp("csv")
    for number in range(6):
        (folder / f"{number}.png").write_bytes(png(number))
    questions = f"table:{lines(folder / 'items.jsonl', items())}"
    cases = list(studies())
    table = lines(folder / "studies.jsonl", cases)
    (folder / "rewritten").mkdir()
    lines(folder / "rewritten" / "alternatives.jsonl", alternatives(cases))
    systems = ("@ours", "=theirs")
    few = ("--resamples", 50)
    done("screen", "--data", questions, "--images", folder, "--out", folder / "screens")
    done("guess", "--data", questions, "--shuffles", 1, *few, "--out", folder / "guesses")
    reader = ("--model", "reader:blind")
    done("audit", "routes", "--data", questions, *reader, "--repeats", 4, "--out", folder / "routes")
    decided = [
        {"dataset": "table", "case_id": row["id"], "cue": "*", "tier": "shortcut-risk", "by": "=ann", "note": "@why"}
        for row in items(6)
    ]
    made = [folder / name for name in ("screens", "guesses", "routes")]
    decisions = lines(folder / "decided.jsonl", decided)
    done("subset", *made, "--decisions", decisions, *few, "--out", folder / "subset")
    done("audit", "counterfactual", "--data", questions, *reader, "--out", folder / "counterfactual")
    strengths = ("--min-images", 1, "--strengths", 100)
    done("audit", "occlusion", "--data", f"table:{table}", *reader, *strengths, "--out", folder / "occlusion")
    scored = [word for name in systems for word in ("--system", name)]
    metrics = ("--metrics", "bleu_1,rouge_l", *few)
    reference = ("--reference", "findings", "--id", "id", "--group", "group")
    done("score", table, *reference, *scored, *metrics, "--out", folder / "scores")
    known = ("--alternatives", folder / "rewritten", "--systems", f"{table}:{','.join(systems)}")
    done("audit", "references", "--data", f"table:{table}", *known, *metrics, "--out", folder / "references")
    done("rewrite", "--data", f"table:{table}", "--axes", "all", "--out", folder / "rules")
    pairs = folder / "rewritten" / "alternatives.jsonl"
    done("review", "export", pairs, "--out", folder / "review")
    return folder


def test_no_cell_is_a_formula(written):
    files = sorted(written.rglob("*.csv"))
    by_command = {path.relative_to(written).parts[0] for path in files}
    assert by_command >= {"screens", "guesses", "routes", "subset", "counterfactual", "occlusion", "scores"}
    assert by_command >= {"references", "review"}
    disarmed = set()
    for path in files:
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.reader(file), start=1):
                for cell in row:
                    disarmed |= {path.relative_to(written)} if cell[:2] in ("'=", "'@") else set()
                    harmless = len(cell) == 1 or NUMBER.fullmatch(cell)
                    assert harmless or not cell.startswith(tuple("=+-@\t\r")), (path, number, cell)
    # The test would see nothing if the texts of the data set stood in no file.
    assert {"guesses/predictions.csv", "subset/kept.csv", "screens/candidates.csv"} <= set(map(str, disarmed))


AUDITS = ("screens", "guesses", "routes", "subset", "counterfactual", "occlusion")


def test_data_set_and_case_have_one_name_in_all_files(written):
    tables = {path: set(next(csv.reader(path.open(newline="")))) for path in written.rglob("*.csv")}
    tables |= {path: set(pl.read_parquet_schema(path)) for path in written.glob("*/*.parquet")}
    own = {path: names for path, names in tables.items() if path.relative_to(written).parts[0] in AUDITS}
    assert not [path for path, names in own.items() if names & {"item", "id", "case", "data set", "data_set"}]
    by_case = {path.name for path, names in own.items() if {"dataset", "case_id"} <= names}
    assert by_case >= {"candidates.csv", "items.parquet", "predictions.csv", "outcomes.parquet", "plan.parquet"}
    assert by_case >= {"items.csv", "kept.csv", "reasons.csv", "tiers.csv", "solved.csv"}


def test_csv_is_written_in_one_place():
    """What no data set of a test reaches goes through the same door."""
    elsewhere = []
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.attr if isinstance(node, ast.Attribute) else ""
            owner = getattr(getattr(node, "value", None), "id", "")
            if (name in ("writer", "DictWriter") and owner == "csv") or (name == "write_csv" and owner != "folder"):
                elsewhere.append(path.name)
    assert set(elsewhere) <= {"spreadsheet.py", "folder.py"}
