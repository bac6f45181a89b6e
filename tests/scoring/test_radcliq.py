"""RadCliQ-v1: its constants, its rules for what is missing or empty, and its parts from the registry."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import TextCache
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import metric_kinds, parse_metric
from perimetry.scoring.radcliq import (
    EMPTY,
    PERFECT,
    STANDARD,
    RadCliQ,
    radcliq_from_parts,
    radcliq_from_standard,
)
from perimetry.scoring.radgraph import Annotation, Entity, GivenAnnotations, RadGraphCombined
from perimetry.scoring.report_metric import Report, ScoreTable, mean_table


@dataclass
class Table:
    """A part whose value stands in the hypothesis: ``"name=0.5 other=?"``; a question mark is missing."""

    name: str
    asked: list[int] = field(default_factory=list)
    hindrance: str = ""

    @property
    def info(self) -> MetricInfo:
        return MetricInfo(self.name, f"{self.name}/1", "higher", -1.0, 1.0, "A stand-in.", "none", (("kind", "table"),))

    def obstacle(self) -> str:
        return self.hindrance

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        self.asked.append(len(hypotheses))
        read = [dict(entry.split("=") for entry in (text or "").split()).get(self.name, "0") for text in hypotheses]
        values = [math.nan if text == "?" else float(text) for text in read]
        table = mean_table(values, [f"no {self.name}" if text == "?" else "" for text in read])
        notes = tuple("cut" if text == "1.0" else "" for text in read)
        return ScoreTable(table.values, table.reasons, table.statistics, table.columns, notes)


def metric() -> RadCliQ:
    return RadCliQ(Table("radgraph"), Table("bertscore"), Table("semb"))


def test_a_perfect_report_and_nothing_at_all() -> None:
    assert round(float(radcliq_from_parts(1, 1, 1)), 5) == round(PERFECT, 5) == -1.44069
    assert round(float(radcliq_from_parts(0, 0, 0)), 5) == round(EMPTY, 5) == 2.45014
    assert round(float(radcliq_from_standard(1, 1, 1, 1)), 5) == -1.44069
    assert round(float(radcliq_from_standard(0, 0, 0, 0)), 5) == 2.45014


def test_both_forms_agree() -> None:
    parts = np.random.Generator(np.random.Philox(11)).uniform(-1.0, 1.0, size=(4, 2_000))
    assert np.abs(radcliq_from_parts(*parts) - radcliq_from_standard(*parts)).max() < 1e-9
    # BLEU-2 may be left out.
    assert np.abs(radcliq_from_parts(*parts[:3]) - radcliq_from_standard(*parts)).max() < 1e-9


def test_slopes_follow_from_the_standardisation_exactly() -> None:
    """In fractions of the published decimals: each slope is coefficient / scale, to the short form's ten digits."""
    base = radcliq_from_parts(0, 0, 0)
    for at, short in enumerate((1.2452163302, 1.6508453287, 0.9947717072)):
        one = [0.0, 0.0, 0.0]
        one[at] = 1.0
        exact = Fraction(repr(STANDARD.coefficient[at])) / Fraction(repr(STANDARD.scale[at]))
        assert float(-exact) == pytest.approx(short, abs=5e-11)
        assert float(base - radcliq_from_parts(*one)) == pytest.approx(short, abs=1e-12)


def test_lower_is_better_and_never_a_reciprocal() -> None:
    assert metric().info.direction == "lower"
    better = radcliq_from_parts([0.1, 0.2, 0.1, 0.1], [0.1, 0.1, 0.2, 0.1], [0.1, 0.1, 0.1, 0.2])
    assert (better[1:] < better[0]).all()
    # About the zero of the scale the value is smooth, where a reciprocal changes sign through infinity.
    line = np.linspace(0.55, 0.75, 201)
    values = radcliq_from_parts(line, line, line)
    assert values[0] > 0 > values[-1]
    assert np.abs(np.diff(values)).max() < 0.01


def test_values_reasons_and_statistics() -> None:
    told = [
        "radgraph=0.5 bertscore=0.25 semb=0.8",
        "radgraph=? semb=0.5",
        "bertscore=? semb=?",
        "radgraph=1.0 semb=1.0",
    ]
    table = metric().score(told, ["a reference"] * 4)
    assert table.values[0] == pytest.approx(2.4501430833 - 0.6226081651 - 0.412711332175 - 0.79581736576)
    assert np.isnan(table.values[1:3]).all()
    assert table.reasons == ("", "radgraph: no radgraph", "bertscore: no bertscore", "")
    assert table.columns == ("value", "reports", "radgraph", "bertscore", "semb")
    assert table.statistics[0].tolist() == pytest.approx([table.values[0], 1.0, 0.5, 0.25, 0.8])
    assert not table.statistics[1:3].any()
    assert table.notes == ("", "", "", "radgraph: cut; semb: cut")
    assert metric().aggregate(table) == pytest.approx((table.values[0] + table.values[3]) / 2)


def test_silence_gets_the_empty_value_and_its_parts_are_not_computed() -> None:
    made = metric()
    told: list[Report] = ["", None, "...", "semb=0.5", "", None, "semb=1.0"]
    meant: list[Report] = ["a", "a", "a", "\n", None, "", "a"]
    table = made.score(told, meant)
    assert table.values[:4].tolist() == [EMPTY] * 4
    assert np.isnan(table.values[4:6]).all()
    assert table.reasons[4:6] == (
        "the hypothesis is empty and the reference is None",
        "the hypothesis is None and the reference is empty",
    )
    assert [part.asked for part in made.parts.values() if isinstance(part, Table)] == [[1], [1], [1]]


def test_row_order_and_batches_change_nothing() -> None:
    told = [f"radgraph={at / 20} bertscore={at / 40} semb={'?' if at % 7 == 3 else at / 25}" for at in range(20)] + [""]
    meant = ["a reference"] * 21
    whole = metric().score(told, meant)
    order = np.random.Generator(np.random.Philox(5)).permutation(21).tolist()
    shuffled = metric().score([told[at] for at in order], meant)
    assert shuffled.values.tolist() == pytest.approx(whole.values[order].tolist(), nan_ok=True, abs=0)
    alone = np.concatenate([metric().score([one], ["a reference"]).values for one in told])
    assert alone.tolist() == pytest.approx(whole.values.tolist(), nan_ok=True, abs=0)


def test_no_rows_and_unequal_lengths() -> None:
    assert metric().score([], []).values.shape == (0,)
    with pytest.raises(UsageError, match="1 hypotheses and 2 references"):
        metric().score(["a"], ["a", "b"])


def test_an_obstacle_of_a_part_is_one_error_before_any_work() -> None:
    parts = Table("radgraph"), Table("bertscore"), Table("semb", hindrance="give weights=PATH")
    made = RadCliQ(*parts)
    assert made.obstacle() == "semb: give weights=PATH"
    with pytest.raises(UsageError, match="radcliq_v1 cannot run: semb: give weights=PATH"):
        made.score(["a"], ["a"])
    assert [part.asked for part in parts] == [[], [], []]


def test_identical_reports_without_relations_are_perfect_but_not_upstream() -> None:
    found = GivenAnnotations(
        {"radgraph=0 bertscore=1 semb=1": Annotation((Entity("effusion", "OBS-DA"),)), "plain": Annotation(())}
    )
    rest = Table("bertscore"), Table("semb")
    text = ["radgraph=0 bertscore=1 semb=1"]
    ours = RadCliQ(RadGraphCombined(found), *rest).score(text, text)
    theirs = RadCliQ(RadGraphCombined(found, "zero"), *rest, name="radcliq_v1_upstream").score(text, text)
    assert ours.values[0] == pytest.approx(PERFECT)
    assert theirs.values[0] == pytest.approx(PERFECT + 1.2452163302 / 2)


def test_the_registry_s_two_names() -> None:
    ours, theirs = parse_metric("radcliq_v1"), parse_metric("radcliq_v1_upstream")
    assert (ours.info.name, theirs.info.name) == ("radcliq_v1", "radcliq_v1_upstream")
    stated, original = dict(ours.info.parameters), dict(theirs.info.parameters)
    assert (stated["radgraph.relations"], original["radgraph.relations"]) == ("entities", "zero")
    assert (stated["bertscore.layer"], stated["bertscore.model"]) == ("5", "distilroberta-base")
    assert ours.info.holds(PERFECT)
    assert ours.info.holds(EMPTY)
    assert not ours.info.holds(-1.5)
    kinds = metric_kinds()
    assert all(kinds.get(name).direction == "lower" for name in ("radcliq_v1", "radcliq_v1_upstream"))
    assert "tokens=whole" in kinds.get("radcliq_v1").parameters
    assert "tokens=upstream" in kinds.get("radcliq_v1_upstream").parameters
    with pytest.raises(UsageError, match="takes no parameter 'weights'"):
        parse_metric("radcliq_v1(weights=a)")
    with pytest.raises(UsageError, match="first RadGraph model, model=radgraph; found model=radgraph-xl"):
        parse_metric("radcliq_v1(extractor=python a.py,model=radgraph-xl)")


def annotate(file: Path, *texts: str) -> Path:
    """Every word an observation, each modifying the next."""
    records = {}
    for at, text in enumerate(texts):
        words = text.replace(".", " .").replace(",", " ,").split()
        entities = {
            str(place): {
                "tokens": word,
                "label": "OBS-DP",
                "start_ix": place,
                "end_ix": place,
                "relations": [["modify", str(place + 1)]] if place + 1 < len(words) else [],
            }
            for place, word in enumerate(words)
        }
        records[str(at)] = {"text": " ".join(words), "entities": entities}
    file.write_text(json.dumps(records))
    return file


def test_each_part_comes_from_its_own_metric(tmp_path: Path) -> None:
    """With small models of random weights: the value is that of the three metrics by themselves."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.scoring.embeddings.tiny import REPORTS, bert_folder, chexbert_file, vocabulary_file

    encoder = bert_folder(tmp_path / "encoder", num_hidden_layers=6)
    chexbert, tokenizer = chexbert_file(tmp_path / "chexbert.pth"), vocabulary_file(tmp_path / "words").parent
    baseline = tmp_path / "baseline.csv"
    baseline.write_text("LAYER,P,R,F\n5,0.2,0.2,0.2\n")
    told, meant = [REPORTS[0], REPORTS[1], REPORTS[2], ""], [REPORTS[0], REPORTS[0], REPORTS[1], REPORTS[1]]
    file = annotate(tmp_path / "a.json", *REPORTS)
    paths = f"annotations={file},encoder={encoder},chexbert={chexbert},tokenizer={tokenizer},device=cpu"
    lacking = parse_metric(f"radcliq_v1({paths})")
    assert "give baseline=FILE" in lacking.obstacle()
    made = parse_metric(f"radcliq_v1({paths},baseline={baseline})")
    assert made.obstacle() == ""
    table = made.score(told, meant)
    rows = slice(0, 3)
    parts = [
        parse_metric(text).score(told[rows], meant[rows]).values
        for text in (
            f"radgraph_combined(annotations={file})",
            f"bertscore(model={encoder},layer=5,baseline={baseline},special=taken,device=cpu)",
            f"semb(weights={chexbert},tokenizer={tokenizer},device=cpu)",
        )
    ]
    assert table.statistics[rows, 2:].T.tolist() == pytest.approx(np.asarray(parts), abs=1e-6)
    assert table.values[0] == pytest.approx(PERFECT, abs=1e-5)
    assert made.info.holds(float(table.values[0]))
    assert table.values[rows].tolist() == pytest.approx(radcliq_from_standard(*parts).tolist(), abs=1e-5)
    assert table.values[3] == EMPTY
    assert isinstance(made, RadCliQ)
    with TextCache(tmp_path / "cache") as cache:
        assert made.with_cache(cache).score(told, meant).values.tolist() == pytest.approx(
            table.values.tolist(), abs=1e-5
        )
        assert cache.file.exists()
