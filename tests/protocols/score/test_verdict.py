"""The answer in words: leaders, ties, reversals, and systems praised by words that see nothing."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from tests.protocols.score.standins import Overlap, Words

from perimetry.protocols.score.estimates import estimate
from perimetry.protocols.score.reports import read_reports
from perimetry.protocols.score.running import named_metrics, run_metrics
from perimetry.protocols.score.verdict import OVERALL, answers, contradictions, ordinal
from perimetry.scoring.labels.options import LabelOptions

SICK = ["there is edema in both lungs today", "a fracture of the left rib is seen", "pneumonia at the right base"]
HEALTHY = "the heart is normal and the lungs are clear"


def told(columns, metrics):
    table = pl.DataFrame({"id": [str(row) for row in range(len(columns["gold"]))], **columns})
    systems = [name for name in columns if name != "gold"]
    reports = read_reports(table, reference="gold", systems=systems, id_column="id")
    scored = run_metrics(reports, named_metrics(metrics))
    found = estimate(scored, resamples=200)
    return scored, found, {one.metric: one for one in answers(scored, found)}


@pytest.fixture(scope="module")
def blind():
    """One healthy sentence for everybody against a clumsy system that names most findings."""
    gold = [f"{HEALTHY} , but {SICK[row % 3]} , {HEALTHY}" for row in range(60)]
    seeing = [SICK[row % 3].split(" ", 4)[0] + " " + ("edema", "fracture", "pneumonia")[row % 3] for row in range(60)]
    return told({"gold": gold, "template": [HEALTHY] * 60, "seer": seeing}, [Overlap(), Words()])


def test_a_system_that_sees_nothing_is_named_with_its_praise(blind):
    scored, found, said = blind
    against = contradictions(scored, found)
    assert [(one.system, one.ahead_of, one.labels) for one in against] == [("template", ("seer",), "words")]
    assert [(praise.metric, praise.place) for praise in against[0].praise] == [("overlap", 1)]
    answer = said[OVERALL]
    assert (answer.verdict, answer.tone) == ("the metrics contradict", "bad")
    assert "template comes first by overlap" in answer.reason
    assert "template has an F1 of 0 on the abnormal classes (words)" in answer.reason


def test_systems_that_tie_share_their_place_and_are_each_named_once():
    gold = [f"{HEALTHY} , but {SICK[row % 3]} , {HEALTHY}" for row in range(30)]
    seeing = [("edema", "fracture", "pneumonia")[row % 3] for row in range(30)]
    columns = {"gold": gold, "best": gold, "one": [HEALTHY] * 30, "two": [HEALTHY] * 30, "seer": seeing}
    scored, found, said = told(columns, [Overlap(), Words(), "f1_rules"])
    against = contradictions(scored, found)
    assert [(one.system, one.praise[0].place, one.ahead_of) for one in against] == [
        ("one", 2, ("seer",)),
        ("two", 2, ("seer",)),
    ]
    assert said["overlap"].reason.count("=2.") == 2
    assert "one comes second by overlap" in said[OVERALL].reason
    assert "one and two have an F1 of 0" in said[OVERALL].reason


def test_without_no_finding_the_whole_is_what_tells():
    gold = [f"{HEALTHY} , but {SICK[row % 3]} , {HEALTHY}" for row in range(30)]
    seeing = [("edema", "fracture", "pneumonia")[row % 3] for row in range(30)]
    metric = Words(LabelOptions(classes="13"))
    _, _, said = told({"gold": gold, "template": [HEALTHY] * 30, "seer": seeing}, [Overlap(), metric])
    assert list(said) == [OVERALL, "overlap", "words"]
    assert said[OVERALL].verdict == "the metrics contradict"


def test_each_metric_has_its_own_ranking(blind):
    _, _, said = blind
    assert list(said) == [OVERALL, "overlap", "words", "words, abnormal classes"]
    assert said["overlap"].verdict == "template is best"
    assert said["words, abnormal classes"].verdict == "seer is best"
    assert said["overlap"].reason.startswith("1. template 0.")
    assert "First in 100% of the resamples." in said["overlap"].reason


def test_equal_systems_are_not_ordered():
    gold = [SICK[row % 3] for row in range(30)]
    same = [HEALTHY] * 30
    _, _, said = told({"gold": gold, "one": same, "two": same, "three": same}, [Overlap()])
    assert said["overlap"].verdict == "nobody clearly ahead"
    assert said["overlap"].reason.count("=1.") == 3


def test_a_leader_that_is_not_alone():
    gold = [SICK[row % 3] for row in range(40)]
    nearly = [text if row != 7 else "a" for row, text in enumerate(gold)]
    _, _, said = told({"gold": gold, "best": gold, "near": nearly, "far": [HEALTHY] * 40}, [Overlap()])
    assert (said["overlap"].verdict, said["overlap"].tone) == ("best ahead, not alone", "partial")
    assert "Not told from near." in said["overlap"].reason


def test_two_metrics_that_order_two_systems_differently():
    gold = [SICK[row % 3] for row in range(40)]
    metrics = [Overlap("up"), Overlap("down", "lower")]
    _, _, said = told({"gold": gold, "one": gold, "two": [HEALTHY] * 40}, metrics)
    assert (said[OVERALL].verdict, said[OVERALL].tone) == ("the metrics disagree", "mixed")
    assert "one is above two by up and below by down, both resolved." in said[OVERALL].reason


def test_metrics_that_agree():
    gold = [SICK[row % 3] for row in range(40)]
    _, _, said = told({"gold": gold, "one": gold, "two": [HEALTHY] * 40}, [Overlap("x"), Overlap("y")])
    assert said[OVERALL].verdict == "one leads throughout"


def test_one_system_gets_values_and_no_ranking():
    _, _, said = told({"gold": SICK, "one": SICK}, [Overlap(), Words()])
    assert {answer.verdict for answer in said.values()} == {"one system"}
    assert "one: 1.000" in said["overlap"].reason


def test_what_cannot_be_ranked_says_why():
    _, _, said = told({"gold": ["", ""], "one": ["", ""], "two": [None, ""]}, [Overlap()])
    assert [(one.verdict, one.tone) for one in said.values()] == [("not ranked", "open")] * 2
    assert said["overlap"].reason == "No report has a value for every system."
    _, _, said = told({"gold": SICK, "one": SICK, "two": SICK}, [Overlap(direction="neutral")])
    assert said["overlap"].reason.startswith("one 1.000")
    assert said["overlap"].reason.endswith("It has no better direction.")


def test_a_system_without_values_leaves_the_others_theirs():
    gold = [*SICK, ""]
    _, found, said = told({"gold": gold, "one": gold, "two": [*SICK, "x"]}, [Overlap(), Words()])
    assert said["words"].verdict != "not ranked"
    assert found.rankings[0].n == 3


def test_places_and_values_in_one_sentence_are_of_the_same_reports():
    """A system that is silent on the hard half has no value there; its own mean is higher, its place is not."""
    gold = ["edema of the lung"] * 20 + [""] * 20 + ["clear"] * 5
    steady = ["edema of the lung"] * 20 + ["edema"] * 20 + ["clear"] * 5  # worst where there is nothing to say
    silent = ["edema of the heart"] * 20 + [""] * 20 + ["clear"] * 5  # and no value there
    _, found, said = told({"gold": gold, "steady": steady, "silent": silent}, [Overlap()])
    own = {row.model: row.value for row in found.estimates if row.metric == "overlap" and not row.comparator}
    assert own["silent"] > own["steady"]
    assert said["overlap"].verdict == "steady is best"
    assert said["overlap"].reason.startswith("1. steady 1.000")
    assert "(on the 25 of 45 reports that every system has a value for)" in said["overlap"].reason


def test_a_leader_on_the_shared_reports_is_not_best_where_its_paired_difference_says_otherwise():
    """Places need all three systems; the difference of two does not, and here says the opposite."""
    rows = 60
    gold = ["edema now"] * 10 + [""] * 50
    third = ["edema"] * 10 + [""] * 50
    first = ["edema now"] * 10 + ["x"] * 50
    columns = {"gold": gold, "first": first, "second": ["edema"] * 10 + ["x"] * 50, "third": third}
    scored, found, said = told(columns, [Overlap()])
    assert said["overlap"].verdict.startswith("first")
    turned = [
        replace(row, value=-0.5, ci_low=-0.6, ci_high=-0.4)
        if (row.model, row.comparator) in (("second", "model:first"), ("third", "model:first"))
        else row
        for row in found.estimates
    ]
    assert len(scored.reports) == rows
    assert {one.metric: one for one in answers(scored, replace(found, estimates=tuple(turned)))}[
        "overlap"
    ].verdict.startswith("first")
    against = [
        replace(row, value=0.5, ci_low=0.4, ci_high=0.6) if row.comparator == "model:first" else row for row in turned
    ]
    said = {one.metric: one for one in answers(scored, replace(found, estimates=tuple(against)))}
    assert said["overlap"].verdict == "nobody clearly ahead"


def test_places_in_words():
    assert [ordinal(number) for number in (1, 4, 12, 21, 101, 113)] == [
        "first",
        "4th",
        "12th",
        "21st",
        "101st",
        "113th",
    ]


def test_equal_systems_have_no_leader():
    import polars as pl

    from perimetry.protocols.score import score

    words = ["no effusion", "clear lungs", "large effusion"]
    table = pl.DataFrame({"gold": words, "a": words, "b": words})
    result = score(table, reference="gold", systems=["a", "b"], metrics="bleu_1,rouge_l", resamples=50)
    assert (result.verdicts[0].metric, result.verdicts[0].verdict) == ("all metrics", "nobody ahead")
