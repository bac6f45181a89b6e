"""Text that means harm, or looks like it, in data, ids, answers, names and what servers say."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys

import polars as pl
import pytest
from tests.bad_input import (
    ROOT,
    audit,
    command,
    every_file,
    outcomes,
    page,
    records,
    write_answers,
    write_table,
)
from tests.models.loopback import LoopbackServer, answer, error

MARK = "<script>alert(1)</script>"
HOSTILE = {
    "markup": f"{MARK}<img src=x onerror=alert(2)>",
    "end of script": "</script><!--<script>]]>",
    "template": "{{ 7 * 7 }}{% for x in y %}${x}",
    "control": "\x1b[2J\x07\x08\x00\r\x7f\x9b31m",
    "surrogates": "half \ud83d and \udc00 alone",
    "separators": "one\u2028two\u2029three\x85four",
    "formula": '=HYPERLINK("http://x","y")',
    "at": "@SUM(A1)",
    "direction": "\u202eevil\u202c\u200b\ufeff",
    "rich markup": "[bold red]x[/] [link=http://x]y[/link]",
    "quotes": "'; DROP TABLE answers; -- \"\\",
    "line breaks": "a\nb\r\nc\td",
    "astral": "\U0001f9e0\U0010ffff",
    "path": "../../etc/passwd",
    "long": "x" * 3000,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Hostile text in every field that a user's data and a model's answers have."""
    folder = tmp_path_factory.mktemp("hostile")
    rows = [
        {**row, "id": f"{number} {text}", "question": f"Is it {text}?", "group": text, "note": text}
        for number, (row, text) in enumerate(zip(records(len(HOSTILE)), HOSTILE.values(), strict=True))
    ]
    rows += [
        {**rows[0], "id": f"c{number}", "options": {"A": text, "B": f"not {text}"}, "answer": "A"}
        for number, text in enumerate(HOSTILE.values())
    ]
    rows.append({**rows[0], "id": f"left out {MARK}", "answer": ""})
    data = write_table(folder, rows)
    texts = list(HOSTILE.values())

    def reply(request):
        said = texts[request.index % len(texts)]
        return (
            error(400, f"quoted: {said}") if request.index % 9 == 8 else answer(f"Because {said}.\nAnswer: yes {said}")
        )

    with LoopbackServer(reply) as server:
        ended = audit(data, f"openai:{MARK} org/my model@{server.url}", folder / "run")
    assert ended.code == 3, ended
    return folder / "run", ended, len(rows) - 1


def test_every_item_is_kept_and_scored(run):
    table = outcomes(run[0])
    assert table["case_id"].n_unique() == run[2]
    assert table["answered"].sum() > 0.8 * table.height
    assert set(table["failure_kind"].drop_nulls()) == {"bad_request"}


def test_no_page_carries_markup_that_runs(run):
    for name, content in every_file(run[0] / "report").items():
        if name.endswith((".html", ".js", ".svg")) and not name.endswith("vega.js"):
            text = content.decode("utf-8")
            for harm in (MARK, "<img src=x", "{{ 7 * 7 }}") if name.endswith((".html", ".svg")) else (MARK, "</script"):
                assert harm not in text or harm == "{{ 7 * 7 }}", (name, harm)
            assert "49" not in re.findall(r"Is it (\d+)", text)
    scripts = re.findall(r"<script\b[^>]*>", page(run[0]))
    assert scripts
    assert all("nonce=" in script or "src=" in script for script in scripts)


def test_case_scripts_are_whole_javascript(run):
    for path in sorted((run[0] / "report" / "assets").glob("cases*.js")):
        text = path.read_text(encoding="utf-8")
        assert "\u2028" not in text
        assert not re.search(r"[\x00-\x08\x0b-\x1f]", text)
        body = text[text.index("{") : text.rindex("}") + 1] if path.name == "cases.js" else text
        assert json.loads(body if path.name == "cases.js" else text[text.index("[") : text.rindex("]") + 1])


def test_no_csv_holds_a_formula(run):
    files = [*(run[0] / "report" / "tables").glob("*.csv"), run[0] / "estimates.csv"]
    assert len(files) > 1
    for path in files:
        for line in csv.reader(path.open(encoding="utf-8", newline="")):
            for cell in line:
                assert not cell.startswith(("=", "@", "\t", "\r")), (path.name, cell)


def test_the_terminal_gets_no_control_character(run):
    ended = run[1]
    assert "bad_request" in ended.err
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", ended.out + ended.err)


def test_the_report_can_be_made_again_alike(run):
    before = outcomes(run[0])
    assert command("report", run[0]).code == run[1].code == 3  # the rejected requests may still be asked
    assert outcomes(run[0]).equals(before)


@pytest.mark.usefixtures("pageless")
def test_errors_that_quote_harm_are_plain(tmp_path):
    ended = audit("phantom:n=4,size=64", "reader:\x1b[2J\x07", tmp_path / "run")
    assert ended.code == 2
    assert "\x1b" not in ended.err
    rows = records(4)
    model = write_answers(tmp_path / "a.jsonl", [*rows, {"id": "\x1b]0;title\x07", "answer": "x"}])
    ended = audit(write_table(tmp_path, rows), model, tmp_path / "run")
    assert ended.code == 0
    assert "\x1b" not in ended.err


@pytest.mark.parametrize(
    "text",
    [
        "the answer is not yes and not no " * 32_000,
        "y" * 1_000_000,
        "(" * 50_000 + ")" * 50_000,
        "A) B) (C) D. **E** " * 5_000,
        "\\boxed{" * 15_000,
        "\n" * 1_000_000 + "Answer: yes",
        "<think>" * 7_000 + "no</think>" * 5_000 + "yes",
    ],
    ids=["words", "one word", "brackets", "options", "boxes", "lines", "thinking"],
)
def test_answers_of_up_to_a_megabyte(tmp_path, text):
    rows = records(1)
    model = write_answers(tmp_path / "a.jsonl", rows, "real,retest", answer=lambda *_: text)
    ended = audit(write_table(tmp_path, rows), model, tmp_path / "run", conditions="real,retest")
    assert ended.code == 0
    assert outcomes(tmp_path / "run")["answered"].all()
    assets = every_file(tmp_path / "run" / "report" / "assets")
    assert sum(len(content) for name, content in assets.items() if "cases" in name) < 200_000, "the page has the start"
    stored = pl.concat(pl.read_parquet(path) for path in (tmp_path / "run" / "responses").glob("*.parquet"))
    assert set(stored["text"]) == {text}, "the store has all of it"


def test_a_terminal_that_knows_only_ascii():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0", "LC_ALL": "C"}
    line = [sys.executable, "-m", "perimetry.cli", "datasets"]
    done = subprocess.run(line, capture_output=True, cwd=ROOT, env=environment, timeout=120)
    assert b"Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0
    assert b"vqa-rad" in done.stdout
