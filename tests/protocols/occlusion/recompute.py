"""Every estimate of an occlusion audit again, from outcomes.parquet alone: plain loops, nothing of the project."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import pairwise
from typing import Any

import polars as pl

CLASSES = (
    *("Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion", "Edema", "Consolidation"),
    *("Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion", "Pleural Other", "Fracture"),
    *("Support Devices", "No Finding"),
)
FIVE = ("Cardiomegaly", "Edema", "Consolidation", "Atelectasis", "Pleural Effusion")
STRICT = "uncertain as negative"


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def ratio(top, bottom):
    return top / bottom if bottom else math.nan


class Table:
    """The outcomes of a run, by model and case."""

    def __init__(self, outcomes: pl.DataFrame) -> None:
        self.rows: dict[Any, list[dict[str, Any]]] = defaultdict(list)
        self.facts: dict[Any, dict[str, Any]] = {}
        self.area: dict[Any, float | None] = {}
        self.asked: set[Any] = set()
        self.datasets = outcomes["dataset"].unique(maintain_order=True).to_list()
        self.conditions = outcomes["condition"].unique(maintain_order=True).to_list()
        for row in outcomes.iter_rows(named=True):
            case = (row["dataset"], row["case_id"])
            self.facts[case] = row
            if row["request_id"] is not None:
                self.asked.add((case, row["condition"]))
            if row["answered"]:
                self.rows[row["model"], case, row["condition"]].append(row)

    def value(self, dataset, model, metric, condition, comparator, stratum):
        if dataset == "macro":
            # A data set without a usable case leaves the mean, and its value is nan.
            values = [self.value(one, model, metric, condition, comparator, stratum) for one in self.datasets]
            return mean(value for value in values if not math.isnan(value))
        if comparator.startswith("model:"):
            one, other = View(self, model, dataset), View(self, comparator[6:], dataset)
            both = one.able(metric, condition) & other.able(metric, condition)
            return one.number(metric, condition, stratum, both) - other.number(metric, condition, stratum, both)
        view = View(self, model, dataset, stratum == STRICT)
        return view.number(metric, condition, "all" if stratum == STRICT else stratum, view.able(metric, condition))


class View:
    """One model on one data set under one policy."""

    def __init__(self, table, model, dataset, strict=False):
        self.table, self.model, self.dataset = table, model, dataset
        self.positive = (1,) if strict else (1, 3)
        self.true_name = "true_strict" if strict else "true"
        self.cases = [case for case in table.facts if case[0] == dataset]

    # what is needed

    def needed(self, metric, condition):
        tail = condition.partition("@")[2]
        if metric.startswith("delta_fn_") or metric.endswith("flip_rate") or metric == "false_statement_rise":
            return ["real", condition]
        if metric.startswith("delta_"):
            return [condition, ("romatched@" if metric.endswith("_matched") else "ro@") + tail]
        if metric.startswith("s_auc_"):
            regions = [condition]
            if "_excess" in metric:
                regions.append("romatched" if metric.endswith("_matched") else "ro")
            return ["real", *(name for region in regions for name in self.strengths(region).values())]
        return [condition]

    def strengths(self, region):
        found = {int(name.partition("@")[2]): name for name in self.table.conditions if name.startswith(region + "@")}
        return {strength: found[strength] for strength in sorted(found) if strength}

    def able(self, metric, condition):
        conditions = self.needed(metric, condition)
        return {case for case in self.cases if all((self.model, case, one) in self.table.rows for one in conditions)}

    # cells

    def said(self, case, condition, finding):
        rows = self.table.rows[self.model, case, condition]
        return mean(row["labels"][CLASSES.index(finding)] in self.positive for row in rows)

    def stated(self, case, condition):
        return self.said(case, condition, self.table.facts[case]["finding"])

    def voiced(self, case, condition):
        return mean(not row["silent"] for row in self.table.rows[self.model, case, condition])

    def own(self, finding, present, cases):
        def fits(case):
            facts = self.table.facts[case]
            true = facts[self.true_name]
            known = true is not None if present else not true
            return facts["finding"] == finding and facts["present"] == present and known

        return [case for case in cases if fits(case)]

    def true(self, case):
        return float(self.table.facts[case][self.true_name])

    # numbers of one class

    def f1(self, condition, finding, cases):
        own = self.own(finding, True, cases)
        both = sum(self.stated(case, condition) * self.true(case) for case in own)
        return ratio(2 * both, sum(self.stated(case, condition) + self.true(case) for case in own)), len(own)

    def false(self, condition, finding, cases):
        own = self.own(finding, False, cases)
        stated = sum(self.stated(case, condition) for case in own)
        return ratio(stated, sum(self.voiced(case, condition) for case in own)), len(own)

    def balanced(self, condition, finding, cases):
        shown, absent = self.own(finding, True, cases), self.own(finding, False, cases)
        caught = sum(self.stated(case, condition) * self.true(case) for case in shown)
        sensitivity = ratio(caught, sum(map(self.true, shown)))
        spared = sum(self.voiced(case, condition) - self.stated(case, condition) for case in absent)
        count = len(shown) + len(absent) if shown and absent else 0
        return (sensitivity + ratio(spared, len(absent))) / 2, count

    def over_classes(self, single, condition, cases):
        pairs = [single(condition, finding, cases) for finding in CLASSES[:13]]
        pairs = [(value, count) for value, count in pairs if count and not math.isnan(value)]
        return ratio(sum(value * count for value, count in pairs), sum(count for _, count in pairs))

    def either(self, single, condition, stratum, cases):
        return self.over_classes(single, condition, cases) if stratum == "all" else single(condition, stratum, cases)[0]

    # the metrics

    def number(self, metric, condition, stratum, cases):
        if metric == "mu_f1":
            return self.over_classes(self.f1, condition, cases)
        if metric == "f1":
            return self.f1(condition, stratum, cases)[0]
        if metric == "false_statement_rate":
            return self.either(self.false, condition, stratum, cases)
        if metric == "balanced_accuracy":
            return self.either(self.balanced, condition, stratum, cases)
        if metric == "false_statement_rise":
            return self.over_classes(self.false, condition, cases) - self.over_classes(self.false, "real", cases)
        if metric in ("flip_rate", "reverse_flip_rate"):
            return self.flip(metric, condition, stratum, cases)
        if metric.startswith("s_auc_"):
            return self.area(metric, condition, cases)
        if metric.startswith("delta_fn_"):
            name = metric.removeprefix("delta_fn_")
            name = f"f1_{name}" if name[0] in "15" else name
            return self.whole(name, "real", cases) - self.whole(name, condition, cases)
        if metric.startswith("delta_"):
            control = self.needed(metric, condition)[1]
            base = self.either(self.f1, control, stratum, cases)
            drop = base - self.either(self.f1, condition, stratum, cases)
            return ratio(drop, base) if "_relative" in metric else drop
        if metric in ("area_reached", "spill", "reference_agreement"):
            return self.fact(metric, condition, stratum)
        return self.whole(metric, condition, cases)

    def flip(self, metric, condition, stratum, cases):
        covered, finding = stratum.split(">")
        top = bottom = 0.0
        for case in self.own(covered, True, cases):
            code = self.table.facts[case]["truth"][CLASSES.index(finding)]
            before, after = self.said(case, "real", finding), self.said(case, condition, finding)
            if metric == "flip_rate" and code == 1:
                top, bottom = top + before * (1 - after), bottom + before
            if metric == "reverse_flip_rate" and code in (0, 2):
                top, bottom = top + (1 - before) * after, bottom + 1 - before
        return ratio(top, bottom)

    def area(self, metric, condition, cases):
        def one(region):
            start = self.over_classes(self.f1, "real", cases)
            points = [(0.0, 0.0)]
            for strength, name in self.strengths(region).items():
                points.append((strength / 100, ratio(start - self.over_classes(self.f1, name, cases), start)))
            return sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(points))

        if "_excess" not in metric:
            return one(condition)
        return one(condition) - one("romatched" if metric.endswith("_matched") else "ro")

    def whole(self, metric, condition, cases):
        plain = [case for case in cases if self.table.facts[case]["finding"] is None]
        if not metric.startswith("f1_"):
            return self.report_metric(metric, condition, plain)
        plain = [case for case in plain if self.table.facts[case][self.true_name] is not None]
        if not plain:
            return math.nan
        counts = []
        for finding in FIVE if metric.startswith("f1_5") else CLASSES:
            tp = fp = fn = 0.0
            for case in plain:
                said = self.said(case, condition, finding)
                true = self.table.facts[case]["truth"][CLASSES.index(finding)] in self.positive
                tp, fp, fn = tp + said * true, fp + said * (not true), fn + (1 - said) * true
            counts.append((tp, fp, fn))
        if metric.endswith("_macro"):
            return mean(ratio(2 * tp, 2 * tp + fp + fn) if tp + fp + fn else 0.0 for tp, fp, fn in counts)
        tp, fp, fn = map(sum, zip(*counts, strict=True))
        return ratio(2 * tp, 2 * tp + fp + fn)

    def report_metric(self, metric, condition, plain):
        sums: dict[str, float] = defaultdict(float)
        for case in plain:
            rows = [r for r in self.table.rows[self.model, case, condition] if r.get(self.first(metric)) is not None]
            for name in self.columns(metric) if rows else ():
                sums[name.partition(":")[2]] += mean(row[name] for row in rows)
        if metric == "rouge_l":
            return ratio(sums["value"], sums["reports"])
        order = int(metric[-1])
        said, meant = sums["hypothesis_tokens"], sums["reference_tokens"]
        shares = [ratio(sums[f"matches_{n}"], sums[f"ngrams_{n}"]) for n in range(1, order + 1)]
        if not said or not all(shares):
            return 0.0 if plain else math.nan
        brevity = 1.0 if said >= meant else math.exp(1 - meant / said)
        return brevity * math.exp(mean(math.log(share) for share in shares))

    def columns(self, metric):
        return [name for name in next(iter(self.table.facts.values())) if name.startswith(f"{metric}:")]

    def first(self, metric):
        return self.columns(metric)[0]

    def fact(self, metric, condition, stratum):
        values = []
        for case in self.cases:
            facts = self.table.facts[case]
            if facts["finding"] is None or stratum not in ("all", facts["finding"]):
                continue
            if metric == "reference_agreement":
                if facts["reference"] is not None:
                    values.append(float(facts["reference"] == facts["present"]))
            elif facts["present"]:
                value = facts["spill"] if metric == "spill" else self.table.area.get((case, condition))
                if value is not None:
                    values.append(value)
        return mean(values)


def load(outcomes: pl.DataFrame) -> Table:
    """The table, with the covered areas of the first model."""
    table = Table(outcomes)
    first = outcomes.filter(pl.col("model") == outcomes["model"][0])
    table.area = {
        ((row["dataset"], row["case_id"]), row["condition"]): row["area"] for row in first.iter_rows(named=True)
    }
    return table
