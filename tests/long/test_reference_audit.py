"""The reference audit on 382 real references and four systems, from the file of reports to estimates."""

from __future__ import annotations

import json
import random

import pytest
from tests.editing.corruptions import KINDS, corrupted

from perimetry.editing.references import rewrite
from perimetry.protocols.references import Wanted, audit_references

pytestmark = pytest.mark.long

SYSTEMS = "llm_sft_beam3,sentence_fusion,fixed_template,retrieval_oracle"
LEXICAL = ("bleu_1", "bleu_2", "bleu_4", "rouge_l")


@pytest.fixture(scope="module")
def audited(shared_data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    reports = shared_data / "iu_generated" / "reports.jsonl"
    mapping = folder / "map.toml"
    mapping.write_text('id = "study_id"\nfindings = "reference"\n', encoding="utf-8")
    data = f"table:{reports},name=iu_generated"
    rewrite(data, out=folder / "rewritten", axes=["all"], mapping=mapping)
    wanted = Wanted(
        (data,),
        (folder / "rewritten",),
        (f"{reports}:{SYSTEMS}",),
        mapping=mapping,
        corrupted=_planted(reports, folder / "corrupted.jsonl"),
    )
    return audit_references(wanted)


def _planted(reports, path):
    """Errors by code that shares no word list with the rewriter or the labeller, in every reference with a place."""
    lines = []
    for line in reports.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        said = [each.strip(" .").capitalize() for each in row["reference"].split(" . ") if each.strip(" .")]
        text = " ".join(f"{each}." for each in said)
        for kind in KINDS:
            made = corrupted(kind, (text, ""), random.Random(f"{row['study_id']} {kind}"))
            if made is not None and made[0].strip():
                lines.append(json.dumps({"id": row["study_id"], "kind": kind, "text": made[0]}) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_which_orders_hold(audited):
    counts = {one.label: sum(order.plain for order in one.orders) for one in audited.findings.metrics}
    assert counts["rouge_l"] == counts["f1_rules"] == 0
    assert counts["bleu_1"] > 0
    lost = {
        (pair.after.left, pair.after.right)
        for one in audited.findings.metrics
        if one.label == "bleu_4"
        for order in one.orders
        if order.condition == "findings_scope:minimal"
        for pair in order.pairs
        if pair.change == "lost"
    }
    assert lost == {("sentence_fusion", "fixed_template")}


def test_errors_cost_labels_more_than_style_and_words_less(audited):
    rows = {row["metric"]: row for row in audited.estimates.to_dicts() if row["metric"].startswith("trust:")}
    assert rows["trust:f1_rules"]["ci_low"] > 1.0
    for metric in LEXICAL:
        assert rows[f"trust:{metric}"]["ci_high"] < 1.0


def test_every_metric_moves_but_labels_hardly(audited):
    rows = {row["metric"]: row["value"] for row in audited.estimates.to_dicts() if row["condition"] == ""}
    for metric in LEXICAL:
        assert rows[f"iqr_max:{metric}"] > 4 * rows["iqr_max:f1_rules"]
