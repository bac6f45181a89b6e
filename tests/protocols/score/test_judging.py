"""Judges of a scoring run: asked once, kept, guarded, counted."""

from __future__ import annotations

import json

import polars as pl
import pytest
from tests.models.loopback import LoopbackServer, Recorded, Reply, answer, error
from tests.protocols.score.standins import Overlap

import perimetry
from perimetry.cases.errors import UsageError
from perimetry.inference import Settings
from perimetry.models import ModelContext
from perimetry.protocols.score import count_requests
from perimetry.protocols.score.judging import bench_of
from perimetry.protocols.score.running import named_metrics

TABLE = pl.DataFrame(
    {
        "gold": ["edema", "fracture", "clear", "pneumonia", ""],
        "ours": ["edema", "nothing", "clear", "refused", "edema"],
        "theirs": ["edema", "fracture", "clear", "pneumonia", ""],
    }
)


def judged(request: Recorded) -> Reply | str:
    """Agrees where both reports are alike."""
    text = request.text
    candidate = text.split("<candidate_report>")[1].split("</candidate_report>")[0].strip()
    reference = text.split("<reference_report>")[1].split("</reference_report>")[0].strip()
    if candidate == "refused":
        return answer(None, finish_reason="content_filter")
    if candidate == reference:
        return json.dumps({"matched": [{"reference": reference, "candidate": candidate}], "errors": []})
    wrong = {"category": "false_finding", "significance": "significant", "text": candidate}
    return json.dumps({"matched": [], "errors": [wrong]})


def score(url, out, metrics="green_judge", **options):
    return perimetry.score(
        TABLE,
        reference="gold",
        systems=["ours", "theirs"],
        metrics=metrics,
        judge=f"openai:judge@{url}",
        out=out,
        resamples=20,
        options=ModelContext(max_retries=0, concurrency=2),
        **options,
    )


def test_a_judge_is_asked_once_and_its_silence_is_missing(tmp_path):
    with LoopbackServer(judged) as server:
        first = score(server.url, tmp_path)
        asked = server.count
        again = score(server.url, tmp_path)
        assert server.count == asked
    assert asked == 6  # of ten pairs two are equal to others, and two have an empty side
    values = first.scores.sort("system", "id")["green_judge"].to_list()
    assert values == [1.0, 0.0, 1.0, None, 0.0, 1.0, 1.0, 1.0, 1.0, None]
    assert again.scores.equals(first.scores)
    assert (first.pending, again.pending) == (0, 0)
    assert any(reason.startswith("refused") for reason in first.missing["reason"])
    row = first.estimates.filter((pl.col("model") == "theirs") & (pl.col("comparator") == "model:ours"))
    assert row.filter(pl.col("metric") == "green_judge").select("n", "missing").rows() == [(3, 2)]


def test_what_has_no_answer_yet_is_pending_and_asked_again(tmp_path):
    with LoopbackServer(judged) as server:
        first = score(server.url, tmp_path, settings=Settings(max_requests=2))
        assert (server.count, first.pending) == (2, 4)
        assert any(reason.startswith("not_asked") for reason in first.missing["reason"])
        assert "not_asked" in (tmp_path / "missing.csv").read_text()
        again = score(server.url, tmp_path)
        assert (server.count, again.pending) == (6, 0)


def test_a_failing_endpoint_takes_nothing_else_down(tmp_path):
    with LoopbackServer(error(503, "busy")) as server:
        result = score(server.url, tmp_path, metrics=["green_judge", Overlap()])
    assert result.scores["overlap"].null_count() == 1
    assert result.pending > 0
    assert result.scores["green_judge"].drop_nulls().to_list() == [0.0]  # an empty reference needs no judge


def test_a_dry_run_asks_and_writes_nothing(tmp_path):
    with LoopbackServer(judged) as server:
        given = {
            "reference": "gold",
            "systems": ["ours", "theirs"],
            "metrics": "green_judge,bleu_1",
            "judge": f"openai:judge@{server.url}",
            "out": tmp_path / "out",
        }
        assert count_requests(TABLE, **given) == {"green_judge": (6, 6)}
        assert server.count == 0
    assert not (tmp_path / "out").exists()


REMOTE = "openai:judge@https://example.invalid/v1"


@pytest.mark.parametrize(
    ("data_use", "allowed", "said"),
    [
        (None, (), "--data-use"),
        ("credentialed", (), "--allow-remote reports"),
        ("credentialed", ("mine",), "credentialed"),
    ],
)
def test_reports_do_not_leave_the_machine_unsaid(tmp_path, data_use, allowed, said):
    with pytest.raises(UsageError, match=said):
        perimetry.score(
            TABLE,
            reference="gold",
            systems="ours",
            metrics="green_judge",
            judge=REMOTE,
            out=tmp_path / "out",
            data_use=data_use,
            allow_remote=allowed,
        )
    assert not (tmp_path / "out").exists()


def test_what_may_leave_may(tmp_path):
    with bench_of(named_metrics("green_judge"), REMOTE, tmp_path, Settings()) as bench:
        bench.check("mine", "open", ())
        bench.check("mine", "restricted", ())
        bench.check("mine", "credentialed", ("mine",))


def test_a_metric_may_bring_a_judge_of_its_own(tmp_path):
    own = f"green_judge(judge={REMOTE})"
    with bench_of(named_metrics([own, "crimson_judge"]), "reader:blind", tmp_path, Settings()) as bench:
        assert [judge.name for judge in bench.judges] == ["openai:judge", "reader:blind"]


def test_a_judge_needs_a_place_for_its_answers():
    with pytest.raises(UsageError, match="output folder"):
        perimetry.score(TABLE, reference="gold", systems="ours", metrics="green_judge", judge="reader:blind")


def test_keys_in_the_command_are_not_written_down(tmp_path):
    with LoopbackServer(judged) as server:
        score(server.url, tmp_path, command=f"perimetry score --judge openai:judge@http://me:secret@{server.url[7:]}")
    told = [path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.suffix in (".toml", ".html")]
    assert told
    assert not any("secret" in text for text in told)
