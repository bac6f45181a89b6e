from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import f1_score

from perimetry.cases.errors import UsageError
from perimetry.scoring.labels import CHEXBERT_ORDER, RuleLabeller, RulesF1
from perimetry.scoring.metrics_registry import metric_kinds, parse_metric


@pytest.fixture
def reports(shared_data):
    lines = (shared_data / "iu_generated" / "reports.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_registry_knows_it_and_its_spelling_is_its_signature():
    assert metric_kinds().get("f1_rules").needs == ""
    metric = parse_metric("f1_rules(classes=5,average=macro,uncertain=positive)")
    assert metric.info.name == "f1_rules"
    assert metric.info.version == RuleLabeller().version
    assert metric.info.parameters == (("average", "macro"), ("classes", "5"), ("uncertain", "positive"))
    assert metric.obstacle() == ""


def test_a_parameter_it_does_not_take_is_named():
    with pytest.raises(UsageError, match="'weights'"):
        parse_metric("f1_rules(weights=x)")


def test_the_fixed_template_and_sentence_fusion_find_nothing_abnormal(reports):
    metric = parse_metric("f1_rules(classes=13)")
    references = [report["reference"] for report in reports]
    for system in ("fixed_template", "sentence_fusion"):
        assert metric.aggregate(metric.score([report[system] for report in reports], references)) == 0.0
    table = metric.score(references, references)
    assert metric.aggregate(table) == 1.0
    assert set(table.values[~np.isnan(table.values)]) == {1.0}


def test_real_reports_give_the_f1_of_scikit_learn(reports):
    hypotheses = [report["llm_sft_beam3"] for report in reports]
    references = [report["reference"] for report in reports]
    labeller = RuleLabeller()
    said = np.asarray([labeller.read(text).codes for text in hypotheses]) == 1
    meant = np.asarray([labeller.read(text).codes for text in references]) == 1
    for average in ("micro", "macro", "weighted"):
        metric = parse_metric(f"f1_rules(average={average})")
        table = metric.score(hypotheses, references)
        expected = f1_score(meant, said, average=average, zero_division=0)
        assert metric.aggregate(table) == pytest.approx(expected, abs=1e-6)
        assert table.columns[:14] == tuple(f"tp:{name}" for name in CHEXBERT_ORDER)


def test_bad_reports_are_missing_with_a_reason_or_score_the_worst():
    table = RulesF1().score(
        ["", None, "...", "Effusion.", "Kein Pneumothorax.", "Effusion."],
        ["Effusion.", "Effusion.", "", "Kein Pneumothorax.", "Effusion.", "Mild scoliosis."],
    )
    np.testing.assert_array_equal(table.values, [0.0, 0.0, np.nan, np.nan, 0.0, 0.0])
    assert [bool(reason) for reason in table.reasons] == [False, False, True, True, False, False]
    assert table.reasons[3] == "reference: is not in English"


def test_importing_it_brings_no_torch_and_reads_no_lexicon():
    code = (
        "import sys; from perimetry.scoring.labels import RulesF1; m = RulesF1(); "
        "from perimetry.scoring.labels.lexicon import default_lexicon as d; "
        "print('torch' in sys.modules, 'transformers' in sys.modules, d.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "0"]
