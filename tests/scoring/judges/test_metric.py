"""Judge metrics end to end: what is sent to a server on this machine, what is kept, what is never asked twice."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.models.loopback import LoopbackServer, Recorded, Reply, answer, error

from perimetry.cases.errors import DataError, UsageError
from perimetry.inference import Budget, RequestStore, Summary
from perimetry.models.registry import ModelContext
from perimetry.models.spec import resolve_model
from perimetry.scoring.judges import Crimson, CrimsonJudge, Green, GreenJudge, Judge, JudgeMetric, count_missing
from perimetry.scoring.metrics_registry import metric_kinds, parse_metric

GREEN_PROMPT = "Compare.\nREF {reference}\nCAND {candidate}\n[Clinically Significant Errors]: [Matched Findings]:\n"
CRIMSON_PROMPT = "REF {reference} CAND {candidate} matched_findings false_findings missing_findings"
REFERENCE = "No effusion. Clear lungs."


def green_answer(matched: int, significant: int) -> str:
    errors = [{"category": "false_finding", "significance": "significant", "text": f"e{i}"} for i in range(significant)]
    agreed = [{"reference": f"m{i}", "candidate": f"m{i}"} for i in range(matched)]
    return json.dumps({"matched": agreed, "errors": errors})


def scripted(request: Recorded) -> Reply | str:
    """An answer that the candidate's text asks for, so that no order of asking matters."""
    candidate = request.text.split("<candidate_report>")[1].split("</candidate_report>")[0].strip()
    if candidate == "refuse":
        return "I'm sorry, but I cannot compare reports."
    if candidate == "cut":
        return answer(green_answer(3, 0), finish_reason="length")
    if candidate == "filter":
        return answer(None, finish_reason="content_filter")
    if candidate == "prose":
        return "The candidate is fine, 3 matched."
    if candidate == "bad":
        return error(400, "this server dislikes it")
    return green_answer(*map(int, candidate.split("/")))


def judge_at(
    server: LoopbackServer,
    folder: Path,
    budget: Budget | None = None,
    on_summary: Callable[[Summary], None] | None = None,
) -> Judge:
    model = resolve_model(f"openai:judge@{server.url}", ModelContext(max_retries=0, concurrency=4))
    return Judge(model, RequestStore(folder), budget=budget, on_summary=on_summary)


def test_values_reasons_and_resume(tmp_path: Path) -> None:
    candidates = ["3/1", "0/2", "refuse", "cut", "filter", "prose", "0/0", "bad", None, "3/1"]
    with LoopbackServer(scripted) as server:
        metric = GreenJudge().asked_by(judge_at(server, tmp_path))
        first = metric.score(candidates, [REFERENCE] * 10)
        asked = server.count
        again = metric.score(candidates, [REFERENCE] * 10)
        assert asked == 8  # two pairs are equal, one has no report
        assert server.count == 9  # what the server rejected is asked again, nothing else
    np.testing.assert_array_equal(first.values, [0.75, 0, *[np.nan] * 6, 0, 0.75])
    np.testing.assert_array_equal(again.values, first.values)
    assert [reason.partition(":")[0] for reason in first.reasons] == [
        *["", "", "refused", "cut_off", "refused", "unreadable", "nothing_to_compare", "failed", "", ""]
    ]
    assert count_missing(first) == {
        "refused": 2,
        "cut_off": 1,
        "unreadable": 1,
        "nothing_to_compare": 1,
        "failed": 1,
    }
    assert metric.aggregate(first) == pytest.approx((0.75 + 0 + 0 + 0.75) / 4)
    kept = RequestStore(tmp_path).responses("openai:judge").collect().get_column("text").to_list()
    assert "The candidate is fine, 3 matched." in kept
    assert "I'm sorry, but I cannot compare reports." in kept


def test_order_and_batches_never_change_a_score(tmp_path: Path) -> None:
    candidates = [f"{matched}/{errors}" for matched in range(1, 5) for errors in range(4)]
    order = np.random.default_rng(3).permutation(len(candidates))
    with LoopbackServer(scripted) as server:
        whole = GreenJudge().asked_by(judge_at(server, tmp_path / "a")).score(candidates, [REFERENCE] * 16)
        metric = GreenJudge().asked_by(judge_at(server, tmp_path / "b"))
        shuffled = metric.score([candidates[i] for i in order], [REFERENCE] * 16)
        single = [metric.score([text], [REFERENCE]).values[0] for text in candidates]
        assert server.count == 32
    np.testing.assert_array_equal(whole.values, [m / (m + e) for m in range(1, 5) for e in range(4)])
    np.testing.assert_array_equal(shuffled.values, whole.values[order])
    np.testing.assert_array_equal(single, whole.values)


def test_a_budget_leaves_pairs_unasked_and_a_later_call_goes_on(tmp_path: Path) -> None:
    ended: list[Summary] = []
    candidates = ["1/0", "1/1", "1/2", "1/3"]
    with LoopbackServer(scripted) as server:
        judge = judge_at(server, tmp_path, budget=Budget(3), on_summary=ended.append)
        metric = GreenJudge().asked_by(judge)
        plan = metric.plan(candidates, [REFERENCE] * 4)
        assert judge.unasked(plan) == 4
        table = metric.score(candidates, [REFERENCE] * 4)
        assert (server.count, judge.unasked(plan)) == (3, 1)
        table_of_the_store = metric.score_from(candidates, [REFERENCE] * 4, judge.answers(plan))
        assert server.count == 3
        assert GreenJudge().asked_by(judge_at(server, tmp_path)).score(candidates, [REFERENCE] * 4).missing == 0
        assert server.count == 4
    assert count_missing(table) == count_missing(table_of_the_store) == {"not_asked": 1}
    assert [summary.stopped for summary in ended] == ["budget"]


def test_failures_that_may_pass_are_asked_again(tmp_path: Path) -> None:
    with LoopbackServer([error(503), green_answer(1, 0)]) as server:
        metric = GreenJudge().asked_by(judge_at(server, tmp_path))
        assert metric.score(["clear"], [REFERENCE]).reasons == ("failed: server_error",)
        assert metric.score(["clear"], [REFERENCE]).values.tolist() == [1.0]
        assert server.count == 2


def test_official_green_is_sent_as_it_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "green.txt"
    file.write_text(GREEN_PROMPT)
    said = "[Clinically Significant Errors]:\n(a) False: 1. x\n\n[Matched Findings]:\n3. a; b; c"
    with LoopbackServer(said) as server:
        metric = parse_metric(f"green(prompt={file})")
        assert isinstance(metric, Green)
        assert metric.obstacle() == "It needs a judge: give a model with --judge SPEC."
        metric = metric.asked_by(judge_at(server, tmp_path / "store"))
        assert metric.obstacle() == ""
        table = metric.score(["c\n" * 10_000], [" ".join(f"r{i}" for i in range(301))])
        body = server.requests[0].body
    assert table.values.tolist() == [0.75]
    assert body["messages"] == [
        {
            "role": "user",
            "content": GREEN_PROMPT.replace("{reference}", " ".join(f"r{i}" for i in range(300))).replace(
                "{candidate}", " ".join(["c"] * 300)
            ),
        }
    ]
    assert (body["max_tokens"], body["temperature"]) == (2048, 0.0)
    assert "response_format" not in body
    assert dict(metric.info.parameters) == {
        "decoding": "max_new_tokens=2048,temperature=0,top_p=1",
        "judge": "openai:judge",
        "prompt": metric.prompt.spelling,
        "structured": "no",
        "words": "300",
    }


def test_official_crimson_with_a_system_text(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(CRIMSON_PROMPT)
    (tmp_path / "s.txt").write_text("You judge.")
    said = {
        "reference_findings": [{"id": "R1", "clinical_significance": "urgent"}],
        "predicted_findings": [{"id": "P1", "clinical_significance": "urgent"}],
        "matched_findings": [],
        "errors": {"false_findings": ["P1"], "missing_findings": ["R1"], "attribute_errors": []},
    }
    with LoopbackServer(f"```json\n{json.dumps(said)}\n```") as server:
        metric = parse_metric(f"crimson(prompt={tmp_path / 'p.txt'},system={tmp_path / 's.txt'})")
        assert isinstance(metric, Crimson)
        table = metric.asked_by(judge_at(server, tmp_path / "store")).score(["nodule", ""], ["effusion", "effusion"])
        body = server.requests[0].body
        assert server.count == 1
    assert table.values.tolist() == [-0.5, -1.0]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["max_tokens"] == 4096


@pytest.mark.parametrize("make", [GreenJudge, CrimsonJudge])
def test_ours_ask_for_structured_output_unless_told(make: Callable[..., JudgeMetric], tmp_path: Path) -> None:
    with LoopbackServer("{}") as server:
        judge = judge_at(server, tmp_path)
        make().asked_by(judge).score(["a"], ["b"])
        make(structured=False).asked_by(judge).score(["a"], ["b"])
        first, second = (recorded.body for recorded in server.requests)
    assert first["response_format"]["json_schema"]["schema"] == json.loads(make().prompt.schema)
    assert "response_format" not in second
    assert first["messages"] == second["messages"]
    assert len(first["messages"]) == 1


def test_a_plan_knows_nothing_of_the_judge(tmp_path: Path) -> None:
    near = Judge(resolve_model("openai:a@http://127.0.0.1:9/v1"), RequestStore(tmp_path))
    far = Judge(resolve_model("openai:b@https://judge.example/v1"), RequestStore(tmp_path))
    plans = [CrimsonJudge(judge=judge).plan(["a"], ["b"]) for judge in (near, far, None)]
    assert len({plan.ids[0] for plan in plans}) == 1
    assert len({plan.build(0).prompt.text for plan in plans}) == 1
    assert near.model.is_local
    assert not far.model.is_local
    near.check("mimic", "credentialed")
    with pytest.raises(UsageError, match="--allow-remote mimic"):
        far.check("mimic", "credentialed")
    far.check("mimic", "credentialed", ["mimic"])


def test_what_makes_a_request_another() -> None:
    base = GreenJudge()
    ids = {
        metric.plan(*reports).ids[0]
        for metric, *reports in (
            (base, ["a b"], ["c"]),
            (base, ["a"], ["b c"]),
            (base, ["c"], ["a b"]),
            (base, ["b"], ["ca"]),
            (base, ["ab"], ["c"]),
            (replace(base, structured=False), ["a b"], ["c"]),
            (replace(base, decoding=replace(base.decoding, max_new_tokens=9)), ["a b"], ["c"]),
            (CrimsonJudge(), ["a b"], ["c"]),
        )
    }
    assert len(ids) == 8
    assert base.plan(["a  b\x00"], ["c\r\n"]).ids[0] == base.plan(["a b "], ["c"]).ids[0]


def test_equal_pairs_share_a_request_that_is_named_for_the_first() -> None:
    plan = GreenJudge().plan(["a", "", "a", "b"], ["r", "r", "r", "r"], ["one", "two", "three", "four"])
    requests = [pickle.loads(pickle.dumps(plan.build))(index) for index in range(len(plan))]
    assert [request.case_id for request in requests] == ["one", "four"]
    assert [request.id for request in requests] == plan.ids.to_list()
    assert {request.condition for request in requests} == {"green_judge"}
    with pytest.raises(UsageError, match="1 ids for 2 pairs"):
        GreenJudge().plan(["a", "b"], ["r", "r"], ["one"])


def test_empty_reports_are_settled_without_a_judge() -> None:
    for metric, worst in ((GreenJudge(), 0.0), (CrimsonJudge(), -1.0)):
        reports = ["", None, "...", "clear", "", None]
        table = metric.score_from(reports, ["x", "x", "x", None, None, ""], {})
        assert len(metric.plan(reports, ["x", "x", "x", None, None, ""])) == 0
        assert table.values[:4].tolist() == [worst] * 4
        assert table.reasons[4:] == (
            "empty: the report is empty and the reference is None",
            "empty: the report is None and the reference is empty",
        )
        assert table.statistics[4:].tolist() == [[0.0, 0.0]] * 2


def test_no_pairs_ask_nobody(tmp_path: Path) -> None:
    with LoopbackServer("{}") as server:
        assert len(GreenJudge().asked_by(judge_at(server, tmp_path)).score([], []).values) == 0
        assert server.count == 0


def test_without_a_judge_or_a_prompt_there_is_one_error() -> None:
    with pytest.raises(UsageError, match="green_judge needs a judge"):
        GreenJudge().score(["a"], ["b"])
    for name in ("green", "crimson"):
        metric = parse_metric(name)
        assert f"{name}(prompt=FILE)" in metric.obstacle()
        assert metric.info.name == name
        assert isinstance(metric, JudgeMetric)
        with pytest.raises(DataError, match="does not ship"):
            metric.plan(["a"], ["b"])
    missing = parse_metric("green(prompt=/nowhere/p.txt)").obstacle()
    assert missing.startswith("The prompt of green, /nowhere/p.txt, cannot be read")


@pytest.mark.parametrize(
    ("spelling", "words"),
    [
        ("green(structured=true)", "takes no parameter 'structured'"),
        ("green_judge(prompt=x)", "takes no parameter 'prompt'"),
        ("green_judge(words=-1)", "words is '-1'"),
        ("green_judge(max_new_tokens=0)", "max_new_tokens is 0"),
        ("crimson_judge(temperature=3)", "temperature is 3"),
        ("crimson_judge(temperature=nan)", "temperature is nan"),
        ("crimson_judge(structured=maybe)", "structured is 'maybe'"),
    ],
)
def test_bad_parameters(spelling: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse_metric(spelling)


def test_parameters_reach_the_metric() -> None:
    metric = parse_metric("crimson_judge(judge=openai:m@http://user:pw@localhost/v1,words=50,structured=false)")
    assert isinstance(metric, CrimsonJudge)
    assert metric.judge_spec == "openai:m@http://user:pw@localhost/v1"
    assert metric.obstacle() == ""
    assert "pw" not in metric.info.signature
    assert metric.info.signature.startswith("crimson_judge|judges/1|decoding=max_new_tokens=4096")
    kinds = metric_kinds()
    for name in ("green", "green_judge", "crimson", "crimson_judge"):
        info = kinds.get(name).make({}).info
        assert (info.name, info.direction) == (name, kinds.get(name).direction)


def test_real_reports_are_planned_once_a_text(shared_data: Path) -> None:
    rows = [json.loads(line) for line in (shared_data / "iu_generated" / "reports.jsonl").read_text().splitlines()]
    references = [row["reference"] for row in rows]
    plan = GreenJudge().plan([row["fixed_template"] for row in rows], references)
    assert 0 < len(plan) == len({" ".join(text.split()) for text in references})
