"""Every kind of estimate is found again by a short script that shares nothing with the project."""

from __future__ import annotations

import numpy as np
import pytest
from tests.protocols.references.made import one_set
from tests.protocols.references.recompute import METRICS, Again

from perimetry.protocols.references import Wanted, audit_references

SPELLED = "bleu_2,rouge_l(tokens=whitespace)"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    north = one_set(folder / "north", 60, 1)
    south = one_set(folder / "south", 44, 2, ("one", "two"))
    wanted = Wanted(
        (north["data"], south["data"]),
        (north["folder"], south["folder"]),
        (_merged(folder, north, south),),
        SPELLED,
        resamples=2000,
    )
    result = audit_references(wanted)
    sets = {
        "set1": (north["rows"], north["alternatives"], ("one", "two", "three")),
        "set2": (south["rows"], south["alternatives"], ("one", "two")),
    }
    table = {
        (row["metric"], row["dataset"], row["model"], row["condition"], row["comparator"]): row
        for row in result.estimates.to_dicts()
        if row["stratum"] == "all"
    }
    return table, {metric: Again(metric, sets) for metric in METRICS}


def _merged(folder, north, south):
    from tests.protocols.references.made import write_lines

    rows = [
        {"id": row["id"], "system": system, "report": row[system]}
        for each in (north, south)
        for row in each["rows"]
        for system in ("one", "two", "three")
        if system in row
    ]
    return str(write_lines(folder / "systems.jsonl", rows))


@pytest.mark.parametrize("metric", METRICS)
def test_levels_shifts_and_gaps(both, metric):
    table, again = both[0], both[1][metric]
    for name, system in again.pairs:
        for condition in ("original", *again.variations):
            row = table[metric, name, system, condition, ""]
            assert row["value"] == pytest.approx(again.level(name, system, condition), abs=1e-9)
        for variation in again.variations:
            row = table[metric, name, system, variation, "original"]
            assert row["value"] == pytest.approx(again.shift(name, system, variation), abs=1e-9)
            assert row["n"] == again.feasible[name, variation].sum()
            gap = table[metric, name, "one", variation, "model:two"]
            expected = again.level(name, "one", variation) - again.level(name, "two", variation)
            assert gap["value"] == pytest.approx(expected, abs=1e-9)
    assert (metric, "macro", "three", "original", "") not in table  # it has no report in the second data set
    macro = np.mean([again.level(name, "one", "original") for name in ("set1", "set2")])
    assert table[metric, "macro", "one", "original", ""]["value"] == pytest.approx(macro, abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_intervals(both, metric):
    table, again = both[0], both[1][metric]
    for variation in again.variations:
        row = table[metric, "set1", "two", variation, "original"]
        ends = again.spread("set1", lambda weights, at=variation: again.shift("set1", "two", at, weights))
        width = ends[1] - ends[0]
        assert row["ci_low"] == pytest.approx(ends[0], abs=0.1 * width)
        assert row["ci_high"] == pytest.approx(ends[1], abs=0.1 * width)
    row = table[metric, "set1", "one", "findings_scope:minimal", "model:two"]
    ends = again.spread(
        "set1",
        lambda weights: (
            again.level("set1", "one", "findings_scope:minimal", weights)
            - again.level("set1", "two", "findings_scope:minimal", weights)
        ),
    )
    assert row["ci_low"] == pytest.approx(ends[0], abs=0.1 * (ends[1] - ends[0]))
    assert row["ci_high"] == pytest.approx(ends[1], abs=0.1 * (ends[1] - ends[0]))


@pytest.mark.parametrize("metric", METRICS)
def test_spread_over_pairs(both, metric):
    table, again = both[0], both[1][metric]
    ranges = []
    for variation in again.variations:
        expected = again.percentiles(variation)
        for share, value in zip((5, 25, 50, 75, 95), expected, strict=True):
            row = table[f"shift_p{share:02d}:{metric}", "pooled", "all systems", variation, "original"]
            assert row["value"] == pytest.approx(value, abs=1e-9)
            assert row["n"] == 5
        ranges.append(expected[3] - expected[1])
        row = table[f"iqr:{metric}", "pooled", "all systems", variation, "original"]
        assert row["value"] == pytest.approx(ranges[-1], abs=1e-9)
        assert row["ci_low"] <= row["value"] <= row["ci_high"] * 1.5
    for name, value in (("iqr_mean", np.mean(ranges)), ("iqr_max", max(ranges))):
        row = table[f"{name}:{metric}", "pooled", "all systems", "", "original"]
        assert row["value"] == pytest.approx(value, abs=1e-9)
    row = table[f"sd:{metric}", "pooled", "all systems", "original", ""]
    assert row["value"] == pytest.approx(again.deviation(), abs=1e-9)


@pytest.mark.parametrize("metric", METRICS)
def test_order_and_bands(both, metric):
    table, again = both[0], both[1][metric]
    for name in ("set1", "set2"):
        systems = [system for of, system in again.pairs if of == name]
        for condition in ("original", *again.variations):
            levels = {system: again.level(name, system, condition) for system in systems}
            for system in systems:
                place = 1 + sum(value > levels[system] for value in levels.values())
                assert table[f"rank:{metric}", name, system, condition, ""]["value"] == place
        for variation in again.variations:
            row = table[f"reversals:{metric}", name, "all systems", variation, "original"]
            assert row["value"] == again.reversed(name, variation)
        for system in systems:
            held = [again.level(name, system, condition) for condition in ("original", *again.variations)]
            expected = {
                "multi": np.mean(held),
                "style_sd": np.std(held, ddof=1),
                "style_min": min(held),
                "style_max": max(held),
            }
            for kind, value in expected.items():
                row = table[f"{kind}:{metric}", name, system, "alternatives", ""]
                assert row["value"] == pytest.approx(value, abs=1e-9)


def test_style_by_hand(both):
    table, again = both
    rows = {"set1": again["rouge_l"].counts["set1", "one", "original"]}
    words = table["style:words", "set1", "one", "", ""]
    assert words["n"] == len(rows["set1"])
    denied = table["style:negations", "set1", "references", "original", ""]["value"]
    fewer = table["style:negations", "set1", "references", "findings_scope:minimal", ""]["value"]
    listed = table["style:structure", "set1", "references", "structure:structured", ""]["value"]
    assert denied > fewer
    assert listed == 1.0
    assert table["style:structure", "set1", "references", "original", ""]["value"] == 0.0


def test_regression_of_shifts_on_length(tmp_path):
    """Shifts of ROUGE-L against how much nearer the alternative comes to the report in length."""
    made = one_set(tmp_path, 50, 4, ("one", "two"))
    wanted = Wanted((made["data"],), (made["folder"],), (made["systems"],), SPELLED, resamples=50)
    rows = {
        (row["metric"], row["condition"]): row
        for row in audit_references(wanted).estimates.to_dicts()
        if row["stratum"] == "words"
    }
    held = {(each["id"], each["target"]): each["alternative"] for each in made["alternatives"]}
    x, y = [], []
    for row in made["rows"]:
        text = held[row["id"], "findings_scope:minimal"]
        for system in ("one", "two"):
            if text is not None:
                lengths = [
                    len([word for word in each.split() if word != "."])
                    for each in (row[system], row["findings"], text["findings"])
                ]
                x.append(abs(lengths[0] - lengths[1]) - abs(lengths[0] - lengths[2]))
                scores = [METRICS["rouge_l"][0](row[system], each)[0] for each in (row["findings"], text["findings"])]
                y.append(scores[1] - scores[0])
    slope, link = (rows[f"{name}:rouge_l", "findings_scope:minimal"] for name in ("style_slope", "style_link"))
    assert slope["value"] == pytest.approx(np.polyfit(x, y, 1)[0], abs=1e-9)
    assert link["value"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
