"""Style against errors: metrics that see one of the two alone, and what a table of errors may be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from polars.testing import assert_frame_equal
from tests.protocols.references.made import one_set, write_lines

from perimetry.cases.errors import DataError
from perimetry.editing.references.planting import plant_errors
from perimetry.protocols.references import Wanted, audit_references, count_requests
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table


class Errors(ReportMetric):
    """1 less half for every error word, and a little for being worded otherwise."""

    def __init__(self, direction: str = "higher", style: float = 0.1) -> None:
        self.direction, self.style = direction, style

    @property
    def info(self) -> MetricInfo:
        return MetricInfo("errors", "errors/1", self.direction, -9.0, 9.0, "Error words.", "tests")  # type: ignore[arg-type]

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        sign = 1.0 if self.direction == "higher" else -1.0
        values = [
            sign * (1.0 - 0.5 * ("haemothorax" in (ours or "")) - self.style * (ours != theirs))
            for ours, theirs in zip(hypotheses, references, strict=True)
        ]
        return mean_table(values, [""] * len(values))


def audited(tmp_path, metric, kinds=("new_finding",)):
    made = one_set(tmp_path, 24)
    rows = [
        {"id": row["id"], "kind": kind, "text": row["findings"] + " haemothorax ."}
        for row in made["rows"][:16]
        for kind in kinds
    ]
    path = write_lines(tmp_path / "corrupted.jsonl", [*rows, {"id": "elsewhere", "kind": "x", "text": "y"}])
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), (metric,), corrupted=path, resamples=100)
    return audit_references(wanted)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_losses_and_their_ratio(tmp_path, direction):
    result = audited(tmp_path, Errors(direction))
    rows = {(row["metric"], row["condition"]): row for row in result.estimates.to_dicts()}
    assert rows["error_loss:errors", "new_finding"]["value"] == pytest.approx(0.6)
    assert rows["error_loss:errors", "new_finding"]["n"] == 16
    assert rows["style_loss:errors", "structure:structured"]["value"] == pytest.approx(0.1)
    assert rows["style_loss:errors", "structure:structured"]["n"] == 16
    assert rows["trust:errors", ""]["value"] == pytest.approx(6.0)
    assert result.findings.planted.unknown == 1


def test_a_metric_that_style_costs_nothing_has_no_ratio(tmp_path):
    rows = {row["metric"]: row for row in audited(tmp_path, Errors(style=0.0)).estimates.to_dicts()}
    assert rows["style_sensitivity:errors"]["value"] == 0.0
    assert rows["trust:errors"]["value"] is None


def test_without_errors_there_is_no_answer(tmp_path):
    made = one_set(tmp_path, 12)
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), "rouge_l", resamples=20, plant=False)
    assert not [name for name in audit_references(wanted).estimates["metric"] if name.startswith("trust")]


def test_rules_plant_errors_where_none_are_brought(tmp_path):
    made = one_set(tmp_path, 24)
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), (Errors(style=0.0), "bleu_2"), resamples=50)
    out = tmp_path / "out"
    result = audit_references(wanted, out)
    held = [json.loads(line) for line in (out / "planted.jsonl").read_text(encoding="utf-8").splitlines()]
    references = {row["id"]: row["findings"] for row in made["rows"]}
    assert {(row["id"], row["kind"]): row["text"] for row in held} == {
        (name, kind): text for name, said in references.items() for kind, text in plant_errors(said).items()
    }
    rows = [row for row in result.estimates.to_dicts() if row["metric"] == "error_loss:bleu_2"]
    assert {row["condition"] for row in rows} == {row["kind"] for row in held}
    assert all(row["value"] > 0.0 for row in rows)
    # The same errors as a file give the same estimates.
    again = audit_references(replace(wanted, corrupted=out / "planted.jsonl"))
    key = ["metric", "model", "condition", "comparator", "stratum", "dataset"]
    assert_frame_equal(again.estimates.sort(key), result.estimates.sort(key))
    # A folder does not keep errors that its figures are no longer of.
    audit_references(replace(wanted, plant=False), out)
    assert not (out / "planted.jsonl").exists()


def test_no_judge_is_asked_about_what_rules_planted(tmp_path):
    made = one_set(tmp_path, 24)
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), "green_judge", judge="reader:constant")
    with_rules = count_requests(wanted, tmp_path / "out")
    assert with_rules == count_requests(replace(wanted, plant=False), tmp_path / "out")
    rows = [{"id": row["id"], "kind": "new", "text": row["findings"] + " haemothorax ."} for row in made["rows"]]
    path = write_lines(tmp_path / "corrupted.jsonl", rows)
    brought = count_requests(replace(wanted, corrupted=path), tmp_path / "out")
    assert brought["green_judge"][0] > with_rules["green_judge"][0]


def test_restricted_references_are_not_written_out_with_errors(tmp_path):
    made = one_set(tmp_path, 24)
    wanted = Wanted(
        (made["data"] + ",data_use=restricted",), (made["folder"],), (made["systems"],), "rouge_l", resamples=20
    )
    result = audit_references(wanted, tmp_path / "out")
    assert result.findings.metrics[0].trust is not None
    assert not (tmp_path / "out" / "planted.jsonl").exists()


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([{"id": "s1-000", "text": "x"}], "expected id, kind and text"),
        ([{"id": "s1-000", "kind": "", "text": "x"}], "a kind and a text were expected"),
        ([{"id": "s1-000", "kind": "new", "text": " "}], "a kind and a text were expected"),
        ([{"id": "nowhere", "kind": "new", "text": "x"}], "is of a study of this audit"),
    ],
)
def test_faults_of_the_table(tmp_path, rows, told):
    made = one_set(tmp_path, 12)
    path = write_lines(tmp_path / "corrupted.jsonl", rows)
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), "rouge_l", corrupted=path, resamples=20)
    with pytest.raises(DataError, match=told):
        audit_references(wanted)


def test_spread_needs_two_pairs_that_differ(tmp_path):
    made = one_set(tmp_path, 12, systems=("one",))
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), "rouge_l", resamples=20)
    result = audit_references(wanted)
    assert result.findings.metrics[0].spread is None
    assert result.findings.metrics[0].orders == ()
    assert result.verdicts[0].tone == "open"
    assert np.isfinite(result.findings.metrics[0].bands[0].mean.value)
