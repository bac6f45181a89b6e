"""The metrics f1_radgraph and radgraph_combined."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases.errors import UsageError
from perimetry.scoring.metrics_registry import parse_metric
from perimetry.scoring.radgraph import Annotation, Entity, GivenAnnotations, RadGraphCombined, RadGraphF1, Unread
from perimetry.scoring.radgraph.combined import KINDS as COMBINED_KINDS
from perimetry.scoring.radgraph.f1 import KINDS

EFFUSION, EDEMA, NOTHING = Entity("effusion", "OBS-DP"), Entity("edema", "OBS-DP"), Annotation(())
SOURCE = GivenAnnotations(
    {
        "both": Annotation((EFFUSION, EDEMA)),
        "one": Annotation((EFFUSION,)),
        "other": Annotation((Entity("edema", "OBS-DA"),)),
        "plain": NOTHING,
        "broken": Unread("the annotation is of another text than the report"),
        "later": Annotation((Entity("effusion", "Observation::definitely present"),)),
        "mixed": Annotation((EFFUSION, Entity("edema", "Observation::definitely present"))),
    }
)

CASES = [
    ("one", "both", 2 / 3, ""),
    ("both", "both", 1.0, ""),
    ("other", "both", 0.0, ""),
    ("plain", "both", 0.0, ""),
    ("one", "plain", 0.0, ""),
    ("plain", "plain", None, "neither report has an entity"),
    ("broken", "one", None, "hypothesis: the annotation is of another text than the report"),
    ("one", "broken", None, "reference: the annotation is of another text than the report"),
    ("unknown", "one", None, "hypothesis: there is no annotation of this text"),
    ("later", "one", None, "the annotations have labels of different RadGraph models"),
    ("mixed", "one", None, "the annotations have labels of different RadGraph models"),
    ("", "both", 0.0, ""),
    (None, "both", 0.0, ""),
    (" ... ", "plain", 0.0, ""),
    ("both", "", 0.0, ""),
    ("", None, None, "the hypothesis is empty and the reference is None"),
    ("...", "\n", None, "the hypothesis holds no word and the reference is empty"),
    ("\x00", "one", 0.0, ""),
]


@pytest.mark.parametrize("metric", [RadGraphF1(SOURCE, "simple"), RadGraphF1(SOURCE), RadGraphF1(SOURCE, "complete")])
def test_values_and_reasons(metric: RadGraphF1) -> None:
    told, meant, values, reasons = map(list, zip(*CASES, strict=True))
    table = metric.score(told, meant)
    assert table.values.tolist() == pytest.approx([np.nan if v is None else v for v in values], nan_ok=True)
    assert list(table.reasons) == reasons
    assert not table.statistics[np.isnan(table.values)].any()
    known = table.values[~np.isnan(table.values)]
    assert metric.aggregate(table) == pytest.approx(known.mean())
    assert metric.aggregate(table, np.arange(len(CASES), dtype=np.float64)) == pytest.approx(
        np.average(known, weights=np.flatnonzero(~np.isnan(table.values)))
    )


def test_counts_stand_beside_the_values() -> None:
    table = RadGraphF1(SOURCE).score(["one", "both", ""], ["both", "other", "one"])
    assert table.columns == ("value", "reports", "shared", "hypothesis_only", "reference_only")
    assert table.statistics[:, 2:].tolist() == [[1, 0, 1], [0, 2, 1], [0, 0, 0]]


def test_row_order_and_batches_change_nothing() -> None:
    told, meant, *_ = map(list, zip(*CASES, strict=True))
    metric = RadGraphF1(SOURCE)
    whole = metric.score(told, meant)
    order = np.random.Generator(np.random.Philox(3)).permutation(len(CASES)).tolist()
    shuffled = metric.score([told[at] for at in order], [meant[at] for at in order])
    assert shuffled.values.tolist() == pytest.approx(whole.values[order].tolist(), nan_ok=True, abs=0)
    alone = [metric.score([ours], [theirs]) for ours, theirs in zip(told, meant, strict=True)]
    assert [table.values[0] for table in alone] == pytest.approx(whole.values.tolist(), nan_ok=True, abs=0)
    assert tuple(table.reasons[0] for table in alone) == whole.reasons


def test_no_rows() -> None:
    assert RadGraphF1(SOURCE).score([], []).values.shape == (0,)
    assert np.isnan(RadGraphF1(SOURCE).aggregate(RadGraphF1(SOURCE).score([], [])))


def test_combined_rules_and_labels() -> None:
    told = ["both", "plain", "one", "later", "", "broken"]
    meant = ["both", "plain", "both", "later", "both", "one"]
    ours = RadGraphCombined(SOURCE).score(told, meant)
    theirs = RadGraphCombined(SOURCE, "zero").score(told, meant)
    nan = np.nan
    assert ours.values.tolist() == pytest.approx([1.0, nan, 2 / 3, nan, 0.0, nan], nan_ok=True)
    assert theirs.values.tolist() == pytest.approx([0.5, 0.0, 1 / 3, nan, 0.0, nan], nan_ok=True)
    assert ours.reasons[1] == "neither report has an entity"
    assert "first RadGraph model" in ours.reasons[3]
    assert theirs.reasons[1] == ""


def test_signatures_hold_what_changes_values(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"0": {"text": "Ok .", "entities": {}}}))
    made = KINDS[0].make
    spellings: list[dict[str, str]] = [
        {"annotations": str(file)},
        {"annotations": str(file), "level": "simple"},
        {"annotations": str(file), "case": "fold"},
        {"annotations": str(file), "tokens": "upstream"},
        {"extractor": "python a.py"},
        {"extractor": "python b.py"},
        {"extractor": "python a.py", "model": "radgraph"},
        {"extractor": "python a.py", "tokens": "upstream"},
    ]
    signatures = {made(spelling).info.signature for spelling in spellings}
    assert len(signatures) == len(spellings)
    same = {made({"extractor": "python a.py", "timeout": "3", "retries": "0"}).info.signature}
    assert same <= signatures


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"levels": "partial"}, "takes no parameter 'levels'.*level"),
        ({"level": "all"}, "level is 'all'; expected one of simple, partial, complete"),
        ({"case": "lower"}, "expected one of upstream, fold"),
        ({"tokens": "split"}, "expected one of whole, upstream"),
        ({"annotations": "a", "extractor": "b"}, "not both"),
        ({"annotations": ""}, "annotations is empty"),
        ({"annotations": "a", "model": "radgraph"}, "model goes with extractor"),
        ({"extractor": ""}, "extractor is empty"),
        ({"extractor": "a", "timeout": "soon"}, "timeout is 'soon'"),
        ({"extractor": "a", "timeout": "-1"}, "timeout is -1"),
        ({"extractor": "a", "retries": "1.5"}, "retries is '1.5'"),
    ],
)
def test_parameters_that_cannot_be_read(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        KINDS[0].make(parameters)


def test_without_a_source_it_says_what_it_needs() -> None:
    for kind in (*KINDS, *COMBINED_KINDS):
        metric = kind.make({})
        assert "annotations=FILE or extractor=COMMAND" in metric.obstacle()
        with pytest.raises(UsageError, match="annotations=FILE"):
            metric.score(["one"], ["one"])


def test_unequal_lengths() -> None:
    with pytest.raises(UsageError, match="2 hypotheses and 1 references"):
        RadGraphF1(SOURCE).score(["one", "one"], ["one"])
    with pytest.raises(UsageError, match=r"references\[0\] is of type float"):
        RadGraphF1(SOURCE).score(["one"], [float("nan")])  # type: ignore[list-item]


def test_from_its_spelling_to_a_value(tmp_path: Path) -> None:
    fake = Path(__file__).with_name("fake_extractor.py")
    command = shlex.join([sys.executable, "-S", str(fake), "--state", str(tmp_path)])
    metric = parse_metric(f"f1_radgraph(level=simple,extractor={command},timeout=20)")
    assert metric.obstacle() == ""
    table = metric.score(["Small effusion.", "CRASH now.", ""], ["Large effusion.", "Clear.", "Clear."])
    assert table.values.tolist() == pytest.approx([0.5, np.nan, 0.0], nan_ok=True)
    assert "exit code 3" in table.reasons[1]
