"""The reference audit on 382 real references and four systems, from the file of reports to its tables.

What it writes is computed again by `recompute`, from the file of reports, the alternatives and the planted errors.
"""

from __future__ import annotations

import csv
import json
import random
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.editing.corruptions import KINDS, corrupted
from tests.protocols.references.recompute import (
    Again,
    Losses,
    default_metrics,
    in_form,
    read_lines,
    read_set,
    runs_of_letters,
)

from perimetry.editing.references import rewrite
from perimetry.protocols.references import ReferenceResult, Wanted, audit_references
from perimetry.scoring.labels import RuleLabeller

pytestmark = pytest.mark.long

NAME = "iu_generated"
SYSTEMS = ("llm_sft_beam3", "sentence_fusion", "fixed_template", "retrieval_oracle")
LEXICAL = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l")
ALL = (*LEXICAL, "f1_rules")  # every metric that needs no weights
DRAWS = 10_000  # as many as the audit has, from another stream


@dataclass(frozen=True)
class Audited:
    result: ReferenceResult
    folder: Path
    rewritten: Path
    reports: Path
    planted: Path

    def table(self, name: str) -> list[dict[str, str]]:
        with (self.folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def audited(shared_data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    reports = shared_data / NAME / "reports.jsonl"
    mapping = folder / "map.toml"
    mapping.write_text('id = "study_id"\nfindings = "reference"\n', encoding="utf-8")
    data = f"table:{reports},name={NAME}"
    rewrite(data, out=folder / "rewritten", axes=["all"], mapping=mapping)
    planted = _planted(reports, folder / "corrupted.jsonl")
    wanted = Wanted(
        (data,),
        (folder / "rewritten",),
        (f"{reports}:{','.join(SYSTEMS)}",),
        metrics=ALL,
        mapping=mapping,
        corrupted=planted,
    )
    result = audit_references(wanted, folder / "run")
    return Audited(result, folder / "run", folder / "rewritten" / "alternatives.jsonl", reports, planted)


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
    counts = {one.label: sum(order.plain for order in one.orders) for one in audited.result.findings.metrics}
    assert counts["rouge_l"] == counts["f1_rules"] == 0
    assert counts["bleu_1"] > 0
    lost = {
        (pair.after.left, pair.after.right)
        for one in audited.result.findings.metrics
        if one.label == "bleu_4"
        for order in one.orders
        if order.condition == "findings_scope:minimal"
        for pair in order.pairs
        if pair.change == "lost"
    }
    assert lost == {("sentence_fusion", "fixed_template")}


def test_errors_cost_labels_more_than_style_and_words_less(audited):
    rows = {row["metric"]: row for row in audited.result.estimates.to_dicts() if row["metric"].startswith("trust:")}
    assert rows["trust:f1_rules"]["ci_low"] > 1.0
    for metric in LEXICAL:
        assert rows[f"trust:{metric}"]["ci_high"] < 1.0


def test_every_metric_moves_but_labels_hardly(audited):
    rows = {row["metric"]: row["value"] for row in audited.result.estimates.to_dicts() if row["condition"] == ""}
    for metric in LEXICAL:
        assert rows[f"iqr_max:{metric}"] > 4 * rows["iqr_max:f1_rules"]


@dataclass(frozen=True)
class Recomputed:
    """Our own figures beside the written tables, whose rows are taken out as they are compared."""

    again: dict[str, Again]
    metrics: dict[str, Any]
    levels: dict[str, dict[Any, np.ndarray]]
    shifts: dict[str, dict[Any, np.ndarray]]
    estimates: dict[tuple[str, str, str, str], dict[str, str]]
    pairs: dict[tuple[str, str, str, str], dict[str, str]]

    def row(self, metric: str, model: str, condition: str, comparator: str = "") -> dict[str, str]:
        return self.estimates[metric, model, condition, comparator]

    def conditions(self, metric: str) -> tuple[str, ...]:
        return ("original", *self.again[metric].variations)


@pytest.fixture(scope="module")
def tables(audited):
    labeller = RuleLabeller()

    def positive(text):
        table = labeller.label([text])
        return None if table.reasons[0] else frozenset(np.flatnonzero(table.labels[0] == 1).tolist())

    metrics = default_metrics(positive)
    sets = {NAME: read_set(audited.reports, audited.rewritten, "study_id", "reference", SYSTEMS)}
    again = {metric: Again(metric, sets, metrics) for metric in ALL}
    weights = again["bleu_1"].weights(NAME, DRAWS, seed=5)
    drawn = {metric: one.drawn(NAME, weights) for metric, one in again.items()}
    estimates = [row for row in audited.table("estimates") if row["stratum"] == "all"]
    pairs = audited.table("pairs")
    keyed = {(row["metric"], row["model"], row["condition"], row["comparator"]): row for row in estimates}
    assert len(keyed) == len(estimates)
    return Recomputed(
        again,
        metrics,
        {metric: levels for metric, (levels, _) in drawn.items()},
        {metric: shifts for metric, (_, shifts) in drawn.items()},
        keyed,
        {(row["metric"], row["condition"], row["first"], row["second"]): row for row in pairs},
    )


def _same(row, name, value):
    assert float(row[name]) == pytest.approx(value, abs=1e-9), row


def _ends(row, samples, low="ci_low", high="ci_high", times=6.0):
    """Ends of both bootstraps within their Monte Carlo error, six times over.

    The error is one of rank, the share of draws below an end: few studies may make a tail whose values lie far apart.
    """
    error = 100 * times * np.sqrt(2 * 0.025 * 0.975 / DRAWS)
    for name, share in ((low, 2.5), (high, 97.5)):
        least, most = np.percentile(samples[~np.isnan(samples)], [share - error, share + error])
        assert least - 1e-9 <= float(row[name]) <= most + 1e-9, (name, least, most, row)


def test_nothing_is_left_out(audited, tables):
    """Every metric has every system and pair under every set of references, and each variation the studies it has."""
    accepted = Counter(each["target"] for each in read_lines(audited.rewritten) if each["status"] == "accepted")
    unread = {}
    for metric in ALL:
        again = tables.again[metric]
        assert set(again.variations) == set(accepted)
        for variation, count in accepted.items():
            used = int(again.feasible[NAME, variation].sum())
            if used < count:
                unread[metric, variation] = count - used
            for system in SYSTEMS:
                row = tables.row(metric, system, variation, "original")
                assert (int(row["n"]), int(row["missing"])) == (used, count - used)
        ranked = int(again.ranked[NAME].sum())
        for system in SYSTEMS:
            for condition in tables.conditions(metric):
                row = tables.row(metric, system, condition)
                assert (int(row["n"]), int(row["missing"])) == (ranked, 382 - ranked)
    # A reference cut down to one rare finding may hold no wording that the labeller knows.
    assert {metric for metric, _ in unread} <= {"f1_rules"}
    assert sum(unread.values()) < 4
    expected = {(metric, at, *pair) for metric in ALL for at in ("original", *accepted) for pair in _pairs()}
    assert set(tables.pairs) == expected
    assert len(audited.table("scores")) == len(ALL) * len(SYSTEMS) * (382 + sum(accepted.values()))
    assert len(audited.table("shifts")) == len(ALL) * len(SYSTEMS) * len(accepted)
    assert len(audited.table("bands")) == len(ALL) * len(SYSTEMS)


def _pairs():
    return list(combinations(SYSTEMS, 2))


@pytest.mark.parametrize("metric", ALL)
def test_levels_and_shifts(tables, metric):
    again = tables.again[metric]
    for system in SYSTEMS:
        for condition in tables.conditions(metric):
            row = tables.row(metric, system, condition)
            _same(row, "value", again.level(NAME, system, condition))
            _ends(row, tables.levels[metric][system, condition])
        for variation in again.variations:
            row = tables.row(metric, system, variation, "original")
            _same(row, "value", again.shift(NAME, system, variation))
            if again.feasible[NAME, variation].sum() > 50:  # of fewer the shifts are too grained for ends to agree
                _ends(row, tables.shifts[metric][system, variation])


@pytest.mark.parametrize("metric", ALL)
def test_gaps_verdicts_and_what_becomes_of_them(audited, tables, metric):
    again, levels = tables.again[metric], tables.levels[metric]
    gaps = {(at, *pair): levels[pair[0], at] - levels[pair[1], at] for at in again.variations for pair in _pairs()}
    before = {pair: levels[pair[0], "original"] - levels[pair[1], "original"] for pair in _pairs()}
    all_turned = all_by_verdict = 0
    for variation in again.variations:
        turned = again.turned(NAME, variation)
        changes = {}
        for one, two in _pairs():
            row = tables.pairs[metric, variation, one, two]
            gap = again.level(NAME, one, variation) - again.level(NAME, two, variation)
            _same(row, "gap", gap)
            _same(row, "original", again.level(NAME, one, "original") - again.level(NAME, two, "original"))
            _same(tables.row(metric, one, variation, f"model:{two}"), "value", gap)
            samples = gaps[variation, one, two]
            _ends(row, samples, "gap_low", "gap_high")
            _ends(row, before[one, two], "original_low", "original_high")
            assert row["verdict"] in _verdicts(samples)
            assert row["original_verdict"] in _verdicts(before[one, two])
            changes[one, two] = _change(row["original_verdict"], row["verdict"])
            assert row["change"] == changes[one, two]  # no system scores zero here
            assert row["reversed"] == str(turned[one, two]).lower()
            assert float(row["p_reversed"]) == pytest.approx((before[one, two] * samples < 0).mean(), abs=0.035)
        by_verdict = [pair for pair in _pairs() if turned[pair] and changes[pair] != "kept"]
        counts = {
            "reversals": sum(turned.values()),
            "reversals_by_verdict": len(by_verdict),
            "flips": sum(changes[pair] == "flipped" for pair in by_verdict),
            "lost": sum(change == "lost" for change in changes.values()),
            "gained": sum(change == "gained" for change in changes.values()),
            "lost_to_zero": 0,
        }
        for name, count in counts.items():
            assert float(tables.row(f"{name}:{metric}", "all systems", variation, "original")["value"]) == count
        all_turned += counts["reversals"]
        all_by_verdict += counts["reversals_by_verdict"]
    told = json.loads((audited.folder / "verdicts.json").read_text(encoding="utf-8"))[metric]["reason"]
    assert f"{all_turned} of {6 * len(again.variations)} pairs" in told
    assert f"{all_by_verdict} of them with another verdict" in told


def _verdicts(samples, share=0.05):
    """The verdict; both that are possible where an end of the interval is nearer to zero than chance moves it."""
    low, high = np.percentile(samples, [2.5, 97.5])
    room = share * (high - low)
    return {"tie" if low + by <= 0.0 <= high + by else "win" if low + by > 0.0 else "loss" for by in (-room, 0.0, room)}


def _change(before, after):
    if before == after:
        return "kept"
    return "lost" if after == "tie" else "gained" if before == "tie" else "flipped"


@pytest.mark.parametrize("metric", ALL)
def test_ranks_and_taus(tables, metric):
    again = tables.again[metric]
    signs = {}
    for condition in tables.conditions(metric):
        levels = {system: again.level(NAME, system, condition) for system in SYSTEMS}
        assert len(set(levels.values())) == len(SYSTEMS)
        for place, system in enumerate(sorted(SYSTEMS, key=levels.__getitem__, reverse=True), 1):
            assert float(tables.row(f"rank:{metric}", system, condition)["value"]) == place
        signs[condition] = [1 if levels[one] > levels[two] else -1 for one, two in _pairs()]
    for variation in again.variations:
        row = tables.row(f"kendall_tau:{metric}", "all systems", variation, "original")
        _same(row, "value", np.mean(np.multiply(signs["original"], signs[variation])))


@pytest.mark.parametrize("metric", ALL)
def test_percentiles_and_interquartile_ranges(audited, tables, metric):
    again = tables.again[metric]
    levels, shifts = tables.levels[metric], tables.shifts[metric]
    deviation = np.std([levels[system, "original"] for system in SYSTEMS], axis=0, ddof=1)
    rows = [row for row in audited.table("shifts") if row["metric"] == metric]
    for row in rows:
        _same(row, "shift", again.shift(NAME, row["system"], row["condition"]) / again.deviation())
    ranges, drawn = [], []
    for variation in again.variations:
        expected = again.percentiles(variation)
        for share, value in zip((5, 25, 50, 75, 95), expected, strict=True):
            _same(tables.row(f"shift_p{share:02d}:{metric}", "all systems", variation, "original"), "value", value)
            for row in rows:
                if row["condition"] == variation:
                    _same(row, f"p{share:02d}", value)
        ranges.append(expected[3] - expected[1])
        table = np.stack([shifts[system, variation] / deviation for system in SYSTEMS])
        drawn.append(np.subtract(*np.percentile(table, [75, 25], axis=0)))
        row = tables.row(f"iqr:{metric}", "all systems", variation, "original")
        _same(row, "value", ranges[-1])
        if again.feasible[NAME, variation].sum() > 50:
            _ends(row, drawn[-1])
    row = tables.row(f"iqr_mean:{metric}", "all systems", "", "original")
    _same(row, "value", np.mean(ranges))
    _ends(row, np.mean(drawn, axis=0))
    row = tables.row(f"iqr_max:{metric}", "all systems", "", "original")
    _same(row, "value", max(ranges))
    _ends(row, np.max(drawn, axis=0))
    _same(tables.row(f"sd:{metric}", "all systems", "original"), "value", again.deviation())


@pytest.mark.parametrize("metric", ALL)
def test_bands(audited, tables, metric):
    again = tables.again[metric]
    for row in audited.table("bands"):
        if row["metric"] != metric:
            continue
        held = {at: again.level(NAME, row["system"], at) for at in tables.conditions(metric)}
        assert (row["min_under"], row["max_under"]) == (
            min(held, key=lambda at: held[at]),
            max(held, key=lambda at: held[at]),
        )
        values = list(held.values())
        for name, value in (
            ("original", held["original"]),
            ("multi", np.mean(values)),
            ("style_sd", np.std(values, ddof=1)),
            ("style_min", min(values)),
            ("style_max", max(values)),
        ):
            _same(row, name, value)
        samples = np.mean([tables.levels[metric][row["system"], at] for at in held], axis=0)
        _ends(row, samples, "multi_low", "multi_high")


@pytest.mark.parametrize("metric", ALL)
def test_what_errors_and_style_cost(audited, tables, metric):
    rows, alternatives, _ = read_set(audited.reports, audited.rewritten, "study_id", "reference", SYSTEMS)
    known = {row["id"]: row["findings"] for row in rows}
    styles: dict[str, dict[str, str]] = {}
    errors: dict[str, dict[str, str]] = {}
    for each in alternatives:
        if each["alternative"] is not None:
            styles.setdefault(each["target"], {})[each["id"]] = each["alternative"]["findings"]
    for each in read_lines(audited.planted):
        errors.setdefault(each["kind"], {})[each["id"]] = in_form(each["text"], {".", "-"})
    count, finish = tables.metrics[metric]
    losses = Losses(count, finish, known, styles, errors)
    once = np.ones(len(known))
    for (role, name), value in losses.losses(once).items():
        _same(tables.row(f"{role}_loss:{metric}", "references", name, "original"), "value", value)
    style, error = losses.sensitivity("style", once), losses.sensitivity("error", once)
    _same(tables.row(f"style_sensitivity:{metric}", "references", ""), "value", style)
    _same(tables.row(f"error_sensitivity:{metric}", "references", ""), "value", error)
    row = tables.row(f"trust:{metric}", "references", "")
    _same(row, "value", error / style)
    weights = tables.again[metric].weights(NAME, DRAWS, seed=6)
    drawn = losses.sensitivity("error", weights) / losses.sensitivity("style", weights)
    # Some kinds are in a handful of studies, which some resamples lack: a tenth of the width, and no error of rank.
    low, high = np.percentile(drawn[~np.isnan(drawn)], [2.5, 97.5])
    assert [float(row["ci_low"]), float(row["ci_high"])] == pytest.approx([low, high], abs=0.1 * (high - low)), row


@pytest.mark.parametrize("order", [1, 2, 4])
def test_corpus_values_are_those_of_sacrebleu(audited, tables, order):
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(tokenize="none", smooth_method="none", max_ngram_order=order, effective_order=False)
    rows, _, _ = read_set(audited.reports, audited.rewritten, "study_id", "reference", SYSTEMS)
    for system in SYSTEMS:
        # Blanks in a row are one boundary to both.
        ours = [" ".join(row[system].split()) for row in rows]
        theirs = [" ".join(row["findings"].split()) for row in rows]
        value = scorer.corpus_score(ours, [theirs]).score / 100.0
        _same(tables.row(f"bleu_{order}", system, "original"), "value", value)


def test_rouge_is_that_of_rouge_score(audited, tables):
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=False)
    rows, _, _ = read_set(audited.reports, audited.rewritten, "study_id", "reference", SYSTEMS)
    assert runs_of_letters("A 5.2 cm B-line.") == ["a", "5", "2", "cm", "b", "line"]
    for system in SYSTEMS:
        values = [scorer.score(row["findings"], row[system])["rougeL"].fmeasure for row in rows]
        _same(tables.row("rouge_l", system, "original"), "value", np.mean(values))
