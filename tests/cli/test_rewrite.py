"""`perimetry rewrite` from end to end, by rules."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest
from tests.editing.helpers import REPORT, rewritten, scripted, write_reports
from tests.models.loopback import LoopbackServer, error, raw
from typer.testing import CliRunner

from perimetry.cases import PerimetryError
from perimetry.cli.app import app

REPORTS = (
    REPORT,
    ("1. Possible <q>nodule</q> in the left upper lobe measuring 7 mm. 2. No effusion or pneumothorax.", ""),
    ("", "No findings section here."),
)


def call(*arguments):
    return CliRunner().invoke(app, ["rewrite", *map(str, arguments)])


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rewrite")
    data = write_reports(folder / "data", REPORTS)
    ended = call("--data", data, "--axes", "all,structure:free_text+terminology", "--out", folder / "out")
    assert ended.exit_code == 0, ended.output
    return folder / "out", ended.output


def test_every_report_under_every_form(done):
    out, _ = done
    rows = [json.loads(line) for line in (out / "alternatives.jsonl").read_text().splitlines()]
    assert len(rows) == 2 * 14
    accepted = {(row["id"], row["target"]) for row in rows if row["status"] == "accepted"}
    assert ("R1", "terminology:alternative") in accepted
    assert ("R2", "quantitative_granularity:low") in accepted
    assert ("R2", "structure:free_text") in accepted
    assert all((row["alternative"] is None) == (row["status"] != "accepted") for row in rows)
    assert all(row["reason"] for row in rows if row["status"] != "accepted")
    frame = pl.read_parquet(out / "alternatives.parquet")
    assert frame["status"].to_list() == [row["status"] for row in rows]
    assert frame["original_findings"][0] == REPORT[0]


def test_the_funnel_adds_up_and_says_what_was_left_out(done):
    out, shown = done
    funnel = json.loads((out / "funnel.json").read_text())
    names = ("accepted", "infeasible", "already_in_form", "rejected", "failed")
    assert all(sum(axis[name] for name in names) == axis["tasks"] == 2 for axis in funnel["axes"])
    assert len(funnel["axes"]) == 14
    assert "1 of 3 reports have no findings section" in shown
    assert funnel["left_out"]


def test_the_page_shows_both_texts_and_escapes_them(done):
    out, _ = done
    page = (out / "report" / "index.html").read_text()
    assert "Mildly enlarged" in page
    assert "&lt;q&gt;nodule" in page
    assert "<q>nodule" not in page
    assert not re.search(r"https?://(?!www\.w3\.org|vega\.github\.io)", page.split("Reproduce")[0])


def test_the_same_command_gives_the_same_alternatives(done, tmp_path):
    data = write_reports(tmp_path / "data", REPORTS)
    assert (
        call("--data", data, "--axes", "all,structure:free_text+terminology", "--out", tmp_path / "out").exit_code == 0
    )
    assert (tmp_path / "out" / "alternatives.jsonl").read_bytes() == (done[0] / "alternatives.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--axes", "tone"), "no axis called 'tone'"),
        (("--rewriter", "gpt"), "gpt"),
        (("--rounds", "0"), "rounds"),
    ],
)
def test_bad_calls_say_what_is_wrong(tmp_path, arguments, said):
    data = write_reports(tmp_path / "data")
    ended = call("--data", data, "--out", tmp_path / "out", *arguments)
    assert ended.exit_code != 0
    assert said in str(ended.exception) + ended.output
    assert not (tmp_path / "out").exists()


def test_data_without_reports_and_folders_of_others_are_refused(tmp_path):
    ended = call("--data", "phantom:n=5", "--out", tmp_path / "out")
    assert isinstance(ended.exception, PerimetryError)
    assert "no reports to rewrite" in str(ended.exception)
    only = write_reports(tmp_path / "only", [("", "Normal chest.")])
    assert "has a findings section" in str(call("--data", only, "--out", tmp_path / "out").exception)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("x")
    data = write_reports(tmp_path / "data")
    assert "holds other files" in str(call("--data", data, "--out", tmp_path / "mine").exception)


def test_what_stands_for_no_report_is_left_out_with_the_reason(tmp_path):
    odd = ["N/A", "None", "nan", "True", '["Clear lungs."]', "{'a': 'b'}"]
    data = write_reports(tmp_path / "data", [*((each, "Normal.") for each in odd), REPORT])
    ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out")
    assert ended.exit_code == 0, ended.output
    assert "6 of 7 findings sections are no report (first: R1: it stands for no text: 'N/A')" in ended.output
    rows = (tmp_path / "out" / "alternatives.jsonl").read_text().splitlines()
    assert [json.loads(row)["id"] for row in rows] == ["R7"]
    none = write_reports(tmp_path / "none", [("N/A", "")])
    assert "R1: it stands for no text" in str(call("--data", none, "--out", tmp_path / "no").exception)


@pytest.mark.parametrize("recorded", [True, False], ids=["with its request", "of an earlier version"])
def test_a_finished_folder_is_kept_from_other_requests(tmp_path, recorded):
    data, out = write_reports(tmp_path / "data", REPORTS[:2]), tmp_path / "out"
    first = ("--data", data, "--axes", "terminology", "--out", out)
    assert call(*first).exit_code == 0
    kept = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    if not recorded:
        (out / "request.json").unlink()
        del kept[out / "request.json"]
    dead = "openai:m@http://127.0.0.1:9"
    others = [
        (("--limit", "1"), "reports (--data, --split, --limit or --map): 2 there, 1 now"),
        (("--axes", "hedging"), "axes (--axes): terminology:alternative there"),
        (("--rewriter", dead), "rewriter (--rewriter): rules/5 there, openai:m now"),
        (("--verifier", dead), "verifier (--verifier)"),
        (("--seed", "7"), "seed (--seed): 42 there, 7 now"),
    ]
    for more, said in others:
        for dry in ((), ("--dry-run",)):
            ended = call(*first[: 2 if "--axes" in more else 4], "--out", out, *more, *dry)
            assert isinstance(ended.exception, PerimetryError), more
            assert said in str(ended.exception)
            assert "another --out" in str(ended.exception)
    assert kept == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    assert call(*first).exit_code == 0
    assert (out / "alternatives.jsonl").read_bytes() == kept[out / "alternatives.jsonl"]


def test_as_many_other_reports_are_another_request(tmp_path):
    out = tmp_path / "out"
    assert call("--data", write_reports(tmp_path / "a"), "--axes", "terminology", "--out", out).exit_code == 0
    other = write_reports(tmp_path / "b", [("Cardiomegaly.", "")])
    ended = call("--data", other, "--axes", "terminology", "--out", out)
    assert "data (--data, --split, --limit or --map)" in str(ended.exception)


def test_restricted_reports_are_not_shown(tmp_path):
    study = {"id": "1", "dataset": "ward", "group": "p", "images": [], "sections": {"findings": REPORT[0]}}
    (tmp_path / "studies.jsonl").write_text(json.dumps(study) + "\n")
    data = f"studies:{tmp_path / 'studies.jsonl'},data_use=restricted"
    ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out")
    assert ended.exit_code == 0, ended.output
    assert "cardiomegaly" not in (tmp_path / "out" / "report" / "index.html").read_text().lower()
    assert "ardiomegaly" in (tmp_path / "out" / "alternatives.jsonl").read_text()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("It looks fine to me.", "unreadable: no JSON object with 'findings'."),
        ("null", "unreadable: no JSON object with 'findings'."),
        ('{"findings": null, "impression": ""}', "unreadable: 'findings' is no text."),
        ("", "unreadable: the answer is empty."),
        ("I'm sorry, I cannot help with that.", "refused: the judge declined in words."),
    ],
)
def test_a_rewriter_that_gives_nothing_readable_is_named_with_the_reason(tmp_path, said, reason):
    data = write_reports(tmp_path / "data", REPORTS)
    with LoopbackServer(said) as server:
        spec = f"openai:m@{server.url}"
        ended = call("--data", data, "--axes", "terminology", "--rewriter", spec, "--out", tmp_path / "out")
    assert ended.exit_code == 1, ended.output
    assert f"openai:m: 2 of 2 edits failed without an answer that could be used: {reason} edits" in ended.output


def test_a_verifier_that_gives_no_verdict_is_no_success_either(tmp_path):
    data = write_reports(tmp_path / "data")
    with LoopbackServer("Fine.") as server:
        more = ["--verifier", f"openai:m@{server.url}", "--rounds", "1"]
        ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out", *more)
    assert ended.exit_code == 1, ended.output
    assert "1 of 1 edits failed without an answer that could be used: unreadable: no JSON" in ended.output


def test_one_answer_that_can_be_used_is_enough(tmp_path):
    data = write_reports(tmp_path / "data", REPORTS[:2])
    with LoopbackServer(scripted(lambda n: rewritten("Cardiomegaly.") if n == 1 else "null")) as server:
        more = ["--rewriter", f"openai:m@{server.url}", "--rounds", "2"]
        ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out", *more)
    assert ended.exit_code == 0, ended.output
    assert "1 of 2 edits failed without an answer" in ended.output


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (error(401, "Incorrect API key provided"), "HTTP 401: Incorrect API key provided. Set PERIMETRY_API_KEY"),
        (raw(b"<html><title>Sign in</title></html>", content_type="text/html"), "invalid_response"),
    ],
    ids=["401", "HTML"],
)
def test_what_a_server_said_instead_of_an_answer_is_shown(tmp_path, reply, said):
    data = write_reports(tmp_path / "data")
    with LoopbackServer(reply) as server:
        spec = f"openai:m@{server.url}"
        ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out", "--rewriter", spec)
    shown = " ".join(ended.output.split())
    assert said in shown
    assert "round 1 of at most 5: 1 of 1 asked" in shown


def test_edits_that_wait_have_a_column_of_their_own(tmp_path):
    data = write_reports(tmp_path / "data")
    with LoopbackServer(error(401, "no")) as server:
        spec = f"openai:m@{server.url}"
        ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out", "--rewriter", spec)
    assert ended.exit_code == 3
    assert "waiting" in ended.output
    (axis,) = json.loads((tmp_path / "out" / "funnel.json").read_text())["axes"]
    assert (axis["waiting"], axis["failed"], axis["tasks"]) == (1, 0, 1)
    assert [reason["status"] for reason in axis["reasons"]] == ["waiting"]


def test_the_rounds_are_told_apart_while_a_model_is_asked(tmp_path):
    data = write_reports(tmp_path / "data")
    with LoopbackServer("garbage") as server:
        more = ["--rewriter", f"openai:m@{server.url}", "--rounds", "2"]
        ended = call("--data", data, "--axes", "terminology", "--out", tmp_path / "out", *more)
    shown = " ".join(ended.output.split())
    assert "round 1 of at most 2: 1 of 1" in shown
    assert "round 2 of at most 2: 1 of 1" in shown
