"""Estimates of scored reports against scikit-learn, plain loops and the metrics' own aggregates."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import f1_score
from tests.protocols.score.standins import Overlap, Words

from perimetry.protocols.score.estimates import ABNORMAL, estimate
from perimetry.protocols.score.reports import read_reports
from perimetry.protocols.score.running import named_metrics, run_metrics
from perimetry.scoring.labels.classes import CHEXBERT_ORDER, NO_FINDING
from perimetry.scoring.labels.options import LabelOptions
from perimetry.scoring.metrics_registry import parse_metric
from perimetry.statistics import Resampling

CLASSES = ("Edema", "Fracture", "Pneumonia", NO_FINDING)
RESAMPLES = 300


def made(rows=80, seed=5):
    """Reports that name classes at random; some empty, in groups of two."""
    draw = np.random.default_rng(seed)

    def report() -> str | None:
        stated = [name for name in CLASSES if draw.random() < 0.4]
        words = [*stated, *draw.choice(["heart", "lung", "clear", "stable", "line"], 3)]
        return None if draw.random() < 0.12 else "" if draw.random() < 0.12 else " ".join(words)

    return pl.DataFrame(
        {
            "id": [f"r{row:03d}" for row in range(rows)],
            "patient": [f"p{row // 2}" for row in range(rows)],
            **{name: [report() for _ in range(rows)] for name in ("gold", "a", "b", "c")},
        }
    )


def scored_of(table, metrics, systems=("a", "b", "c"), **options):
    reports = read_reports(table, reference="gold", systems=systems, **{"id_column": "id", **options})
    return run_metrics(reports, named_metrics(metrics))


@pytest.fixture(scope="module")
def scored():
    return scored_of(made(), [Overlap(), Words(), "bleu_2"], group_column="patient")


@pytest.fixture(scope="module")
def found(scored):
    return estimate(scored, resamples=RESAMPLES, seed=9)


def one(found, metric, system, comparator="", stratum="all"):
    rows = [
        row
        for row in found.estimates
        if (row.metric, row.model, row.comparator, row.stratum) == (metric, system, comparator, stratum)
    ]
    assert len(rows) == 1
    return rows[0]


def test_values_are_the_metrics_own_aggregates(scored, found):
    for named in scored.metrics:
        for system in scored.systems:
            table = scored.tables[named.label][system]
            row = one(found, named.label, system)
            assert row.value == pytest.approx(named.metric.aggregate(table))
            assert (row.protocol, row.dataset) == ("score", "reports")
            assert (row.direction, row.version) == (named.info.direction, named.info.signature)
            assert row.ci_low <= row.value <= row.ci_high


def test_f1_of_classes_is_that_of_scikit_learn(scored, found):
    def stated(texts, names):
        return np.array([[name in (text or "") for name in names] for text in texts])

    meant = scored.reports.references
    # A pair of which a side has no word is scored, unless both have none.
    for system in scored.systems:
        said = scored.reports.systems[system]
        for name in CLASSES:
            expected = f1_score(stated(meant, [name])[:, 0], stated(said, [name])[:, 0])
            assert one(found, "words", system, stratum=name).value == pytest.approx(expected)
        abnormal = [name for name in CHEXBERT_ORDER if name != NO_FINDING]
        expected = f1_score(stated(meant, abnormal), stated(said, abnormal), average="micro")
        assert one(found, "words", system, stratum=ABNORMAL).value == pytest.approx(expected)
        assert np.isnan(one(found, "words", system, stratum="Lung Lesion").value)


def test_macro_average_holds_for_the_abnormal_classes_too():
    table = made()
    found = estimate(scored_of(table, [Words(LabelOptions(average="macro"))]), resamples=20)

    def stated(column):
        names = [name for name in CHEXBERT_ORDER if name != NO_FINDING]
        return np.array([[name in (text or "") for name in names] for text in table[column].to_list()])

    expected = f1_score(stated("gold"), stated("b"), average="macro", zero_division=0)
    assert one(found, "words", "b", stratum=ABNORMAL).value == pytest.approx(expected)


def test_a_difference_is_a_plain_loop_over_the_reports_that_both_have(scored, found):
    for metric in ("overlap", "words"):
        row = one(found, metric, "c", "model:a")
        tables = scored.tables[metric]
        kept = np.ones(len(scored.reports), dtype=bool)
        for system in ("a", "c"):
            pairs = zip(tables[system].values, tables[system].reasons, strict=True)
            lost = [not (np.isfinite(value) or "neither" in reason) for value, reason in pairs]
            kept &= ~np.array(lost)
        plan = Resampling.from_groups(scored.reports.groups, ["reports"] * len(kept), resamples=RESAMPLES, seed=9)
        rate = next(named.metric.rate for named in scored.metrics if named.label == metric)
        drawn = [
            float(rate((weights * kept) @ tables["c"].statistics) - rate((weights * kept) @ tables["a"].statistics))
            for weights in plan.weights(0)[:, plan.codes]
        ]
        assert row.value == pytest.approx(
            float(rate(kept @ tables["c"].statistics) - rate(kept @ tables["a"].statistics))
        )
        assert (row.ci_low, row.ci_high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))
        assert row.p_positive == pytest.approx(np.mean(np.array(drawn) > 1e-9))
        assert (row.n, row.missing) == (int(kept.sum()), int((~kept).sum()))
        assert row.n < len(kept)
        assert row.groups < row.n
        assert row.groups <= 40


def test_a_report_that_states_nothing_counts_where_the_other_system_is_wrong():
    """A false alarm on a healthy case must cost, although the quiet system has no value there."""
    table = pl.DataFrame(
        {"id": ["1", "2"], "gold": ["Edema", "clear"], "quiet": ["Edema", "clear"], "loud": ["Edema", "Edema"]}
    )
    found = estimate(scored_of(table, [Words()], ("quiet", "loud")), resamples=20)
    row = one(found, "words", "loud", "model:quiet")
    assert row.value == pytest.approx(2 / 3 - 1)
    assert (row.n, row.missing) == (2, 0)


def test_every_pair_once_and_holm_within_a_metric(found):
    pairs = [(row.model, row.comparator) for row in found.estimates if row.metric == "overlap" and row.comparator]
    assert pairs == [("b", "model:a"), ("c", "model:a"), ("c", "model:b")]
    values = [one(found, "overlap", later, earlier) for later, earlier in pairs]
    smallest = min(values, key=lambda row: row.p_value)
    assert smallest.p_holm == pytest.approx(min(1.0, 3 * smallest.p_value))


def test_ranks_agree_with_the_values(scored, found):
    ranking = next(one for one in found.rankings if (one.metric, one.stratum) == ("overlap", "all"))
    tables = scored.tables["overlap"]
    complete = np.all([np.isfinite(tables[system].values) for system in scored.systems], axis=0)
    means = {system: tables[system].values[complete].mean() for system in scored.systems}
    assert ranking.order == tuple(sorted(means, key=lambda system: -means[system]))
    assert ranking.n == int(complete.sum())
    for system in scored.systems:
        assert sum(ranking.shares[system]) == pytest.approx(1.0)
        row = one(found, "rank:overlap", system)
        assert (row.value, row.direction, row.n) == (ranking.place(system).rank, "lower", ranking.n)
    for place in range(3):
        assert sum(ranking.shares[system][place] for system in scored.systems) == pytest.approx(1.0)


def test_lower_is_better_turns_the_ranking(found):
    table = made()
    up = estimate(scored_of(table, [Overlap()]), resamples=20).rankings[0].order
    down = estimate(scored_of(table, [Overlap(direction="lower")]), resamples=20).rankings[0].order
    assert down == up[::-1]
    assert estimate(scored_of(table, [Overlap(direction="neutral")]), resamples=20).rankings == ()


def test_the_order_of_rows_changes_nothing():
    table = made()
    metrics = [Overlap(), Words(), "rouge_l"]
    for options in ({}, {"group_column": "patient"}, {"id_column": ""}):
        there = estimate(scored_of(table, metrics, **options), resamples=60)
        mixed = table.sample(fraction=1.0, shuffle=True, seed=3)
        back = estimate(scored_of(mixed, metrics, **options), resamples=60)
        assert [repr(row) for row in there.estimates] == [repr(row) for row in back.estimates]


def test_one_system_alone_has_values_and_no_rank():
    found = estimate(scored_of(made(), [Overlap()], ("a",)), resamples=20)
    assert [(row.model, row.metric) for row in found.estimates] == [("a", "overlap")]
    assert found.rankings == ()


def test_a_system_without_any_value_is_empty_not_zero():
    table = made().with_columns(pl.lit(None, dtype=pl.String).alias("a"), pl.lit("").alias("gold"))
    found = estimate(scored_of(table, [Overlap()], ("a", "b")), resamples=20)
    row = one(found, "overlap", "a")
    assert np.isnan(row.value)
    assert (row.n, row.missing) == (0, 80)
    assert np.isnan(one(found, "overlap", "b", "model:a").value)


def test_bleu_is_that_of_the_whole_set(scored, found):
    metric = parse_metric("bleu_2")
    table = metric.score(scored.reports.systems["a"], scored.reports.references)
    assert one(found, "bleu_2", "a").value == pytest.approx(metric.aggregate(table))
    assert one(found, "bleu_2", "a").value != pytest.approx(np.nanmean(table.values), abs=1e-4)


def test_what_stands_side_by_side_is_of_the_same_reports(scored, found):
    """A system without a value for the hard reports must not look better for it."""
    for metric in ("overlap", "words"):
        tables = scored.tables[metric]
        shared = np.all(
            [
                np.isfinite(table.values) | np.array(["neither" in why for why in table.reasons])
                for table in tables.values()
            ],
            axis=0,
        )
        assert 0 < shared.sum() < len(shared)
        rate = next(named.metric.rate for named in scored.metrics if named.label == metric)
        rows = {row.model: row for row in found.compared if (row.metric, row.stratum) == (metric, "all")}
        ranking = next(one for one in found.rankings if (one.metric, one.stratum) == (metric, "all"))
        for system in scored.systems:
            expected = float(rate(shared @ tables[system].statistics))
            assert rows[system].value == pytest.approx(expected)
            assert ranking.values[system].value == pytest.approx(expected)
            assert (rows[system].n, rows[system].missing) == (int(shared.sum()), int((~shared).sum()))
        assert len({row.n for row in rows.values()}) == 1
        assert all(one(found, metric, system).n > int(shared.sum()) for system in scored.systems)


def test_where_nothing_is_missing_a_systems_own_values_are_those_compared():
    table = made().fill_null("x").with_columns(pl.col("gold") + " y")
    found = estimate(scored_of(table, [Overlap(), Words()]), resamples=20)
    own = [row for row in found.estimates if not row.comparator and not row.metric.startswith("rank:")]
    assert list(found.compared) == own
