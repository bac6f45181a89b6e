"""Tables of the occlusion page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from perimetry.cases.chexpert import ABNORMAL
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.common_page import file_name
from perimetry.protocols.occlusion.declared import TABLE
from perimetry.protocols.occlusion.estimates import STRICT
from perimetry.protocols.occlusion.family import families_of
from perimetry.protocols.occlusion.options import OcclusionOptions
from perimetry.protocols.occlusion.verdict import find_row
from perimetry.reports import Column, TableBlock
from perimetry.reports.blocks import Cell, ColumnKind
from perimetry.runs.estimates import Estimate

__all__ = [
    "balance_table",
    "class_table",
    "comparison_table",
    "delta_tables",
    "image_table",
    "metric_tables",
    "policy_table",
    "sensitivity_table",
]

_SHOWN_STATISTICS = ("f1_14", "f1_14_macro", "f1_5", "f1_5_macro")


def delta_tables(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[TableBlock | None]:
    """Deltas beside the same as shares of their controls."""
    columns: list[Column] = [Column("model", "Model", "name")]
    names = {
        "delta_oco": "Finding vs random",
        "delta_oco_relative": "% of random",
        "delta_oco_matched": "Finding vs equal area",
        "delta_doco": "Others vs random",
        "delta_doco_matched": "Others vs equal area",
    }
    for metric, label in names.items():
        kind: ColumnKind = "share" if "relative" in metric else "points"
        columns.append(_column(metric, label, kind, resolve=kind == "points"))
    rows: list[dict[str, Cell]] = []
    for model in analysis.models:
        found = {metric: find_row(estimates, model, metric) for metric in names}
        counts = {
            "n": _used(found["delta_oco"] or found["delta_oco_matched"]),
            "n_others": _used(found["delta_doco"] or found["delta_doco_matched"]),
        }
        rows.append({**_row(model, found), **counts})
    columns.insert(4, Column("n", "Studies", "integer", help="studies that show the class, over all classes"))
    columns.append(Column("n_others", "Studies", "integer", help="those that show other findings as well"))
    yield _table(
        columns,
        rows,
        "What covering the finding, or the other findings of the study, costs beyond the control: a random cover, or "
        "one of equal area. Points of mean F1 with 95% intervals; in percent of mean F1 under the random cover, so "
        "that a model that states little is not taken for one that reads nothing. The numbers of studies stand behind "
        "the columns that rest on them.",
        "deltas",
        "Deltas",
    )


def sensitivity_table(analysis: Analysis, estimates: Sequence[Estimate]) -> TableBlock | None:
    """Areas between flat and fading curves."""
    names = {
        "s_auc_oco": "Finding",
        "s_auc_doco": "Others",
        "s_auc_ro": "Random",
        "s_auc_romatched": "Equal area",
        "s_auc_oco_excess": "Finding over random",
        "s_auc_oco_excess_matched": "Finding over equal area",
    }
    rows = [_row(model, {metric: find_row(estimates, model, metric) for metric in names}) for model in analysis.models]
    columns = [Column("model", "Model", "name"), *(_column(metric, label, "share") for metric, label in names.items())]
    return _table(
        columns,
        rows,
        "Share of mean F1 lost over all strengths together (s_auc), percent with 95% intervals. 0 never falls; "
        f"{_reached(analysis)} Runs over other strengths have another range: their values cannot be compared.",
        "sensitivity",
        "Sensitivity over strengths",
    )


def _reached(analysis: Analysis) -> str:
    """The largest share of a fall at the first strength that was run: the trapezoid before it is half lost."""
    steps = {strength for family in families_of(analysis.preparation.plan.conditions) for strength, _ in family.members}
    first = min((strength for strength in steps if strength), default=100.0)
    return (
        f"a model that loses everything at the first strength ({first:g}) has {100 - first / 2:g}, the most there is."
    )


def balance_table(
    analysis: Analysis, estimates: Sequence[Estimate], conditions: Mapping[str, str]
) -> TableBlock | None:
    """False statements and balanced accuracy under every cover at its highest strength."""
    rows: list[dict[str, Cell]] = []
    for model in analysis.models:
        for condition in conditions:
            row = _row(
                model,
                {
                    metric: find_row(estimates, model, metric, condition=condition)
                    for metric in ("false_statement_rate", "false_statement_rise", "mu_f1", "balanced_accuracy")
                },
            )
            counts = {
                "n_without": _used(find_row(estimates, model, "false_statement_rate", condition=condition)),
                "n_with": _used(find_row(estimates, model, "mu_f1", condition=condition)),
            }
            rows.append({**row, **counts, "condition": condition})
    uneven = len({(row["n_without"], row["n_with"]) for row in rows if row["n_with"] is not None}) > 1
    columns = [
        Column("model", "Model", "name"),
        Column("condition", "Condition", "code"),
        _column("false_statement_rate", "False statements, %", "share"),
        _column("false_statement_rise", "vs uncovered", "points", resolve=True),
        Column("n_without", "Studies", "integer", help="studies without the class, over all classes"),
        _column("mu_f1", "Mean F1, %", "share"),
        Column("n_with", "Studies", "integer", help="studies that show the class, over all classes"),
        _column("balanced_accuracy", "Balanced acc., %", "share"),
    ]
    return _table(
        columns,
        rows,
        "Means over classes with 95% intervals, and the studies that false statements (without the class) and F1 (with "
        "it) rest on. 50% balanced accuracy is what stating a class always, or never, gives."
        + (
            " Rows rest on different studies: other findings can be covered only where there are any. Rows whose "
            "numbers of studies differ cannot be held against each other; the deltas use the same studies on both "
            "sides."
            if uneven
            else ""
        ),
        "balance",
        "With and without the class",
    )


def image_table(analysis: Analysis, estimates: Sequence[Estimate], options: OcclusionOptions) -> TableBlock | None:
    """The paper's Table 1: image-level metrics as the image is and under noise, and the difference."""
    rows: list[dict[str, Cell]] = []
    for model in analysis.models:
        for metric in (*_SHOWN_STATISTICS, *options.metrics):
            drop = f"delta_fn_{metric.removeprefix('f1_')}" if metric.startswith("f1_") else f"delta_fn_{metric}"
            found = {
                "real": find_row(estimates, model, metric, condition="real"),
                "noise": find_row(estimates, model, metric, condition="fullnoise"),
                "drop": find_row(estimates, model, drop),
            }
            rows.append({**_row(model, found), "metric": metric})
    columns = [
        Column("model", "Model", "name"),
        Column("metric", "Metric", "code"),
        _column("real", "Image as it is", "share"),
        _column("noise", "Noise all over", "share"),
        _column("drop", "Difference", "points", resolve=True),
    ]
    missing = [name for name in ("f1_radgraph", "green") if not any(one.startswith(name) for one in options.metrics)]
    told = f" Not measured here: {', '.join(missing)}." if missing else ""
    return _table(
        columns,
        rows,
        "Percent with 95% intervals; f1_14 and f1_5 sum the counts of all classes, _macro is the mean over classes."
        + told,
        "image-level",
        "Image level",
    )


def comparison_table(analysis: Analysis, estimates: Sequence[Estimate]) -> TableBlock | None:
    """Every later model minus the first one."""
    first = analysis.models[0]
    wanted = ("mu_f1", "delta_oco", "delta_oco_matched", "delta_doco", "delta_doco_matched", "delta_fn_14")
    rows: list[dict[str, Cell]] = []
    for row in estimates:
        if row.dataset != "macro" or row.comparator != f"model:{first}" or row.metric not in wanted:
            continue
        if row.metric == "mu_f1" and row.condition != "real":
            continue
        rows.append({**_row(row.model, {"value": row}), "metric": row.metric, "p": _known(row.p_holm)})
    columns = [
        Column("model", "Model", "name"),
        Column("metric", "Metric", "code"),
        _column("value", "Difference", "points", resolve=True),
        Column("p", "p (Holm)", "p"),
    ]
    return _table(columns, rows, "Paired differences with 95% intervals.", "comparison", "")


def policy_table(analysis: Analysis, estimates: Sequence[Estimate]) -> TableBlock | None:
    """Headline metrics with uncertain statements as positive and as negative."""
    rows: list[dict[str, Cell]] = []
    for model in analysis.models:
        for metric, condition in (("f1_14", "real"), ("mu_f1", "real"), ("delta_oco", ""), ("delta_doco", "")):
            found = {
                "counts": find_row(estimates, model, metric, condition=condition),
                "none": find_row(estimates, model, metric, condition=condition, stratum=STRICT),
            }
            rows.append({**_row(model, found), "metric": metric})
    columns = [
        Column("model", "Model", "name"),
        Column("metric", "Metric", "code"),
        _column("counts", "Uncertain counts, %", "share"),
        _column("none", "Uncertain does not, %", "share"),
    ]
    return _table(columns, rows, "The same reports under both policies.", "policy", "")


def class_table(analysis: Analysis, estimates: Sequence[Estimate]) -> TableBlock | None:
    """Studies of each class, and areas."""
    found = analysis.preparation.laid.findings.by_dataset
    rows: list[dict[str, Cell]] = []
    for dataset, examination in found.items():
        for name in ABNORMAL:
            images = examination.images.get(name, examination.few.get(name))
            if images is None:
                continue
            cases = [case.examined for case in examination.cases if case.examined and case.examined.finding == name]
            cells: dict[str, Cell] = {
                "dataset": dataset,
                "finding": name,
                "used": name in examination.images,
                "with": sum(one.present for one in cases) or images,
                "without": sum(not one.present for one in cases),
                "company": sum(one.present and bool(one.others) for one in cases),
            }
            for key, metric, condition in (("spill", "spill", ""), *_areas(analysis)):
                row = _of(estimates, dataset, metric, condition, name)
                cells |= {key: None if row is None else _known(row.value)}
            rows.append(cells)
    columns = [
        *([Column("dataset", "Data set", "name")] if len(found) > 1 else []),
        Column("finding", "Class"),
        Column("used", "Examined", "flag"),
        Column("with", "Studies", "integer"),
        Column("company", "with others", "integer", help="studies on which boxes of other classes can be covered"),
        Column("without", "without it", "integer", help="studies without the class"),
        Column("spill", "Spill, %", "share", help="share of the finding's area under boxes of other findings"),
        *(
            Column(key, f"{key}, %", "share", help="covered area / area of the finding")
            for key, _, _ in _areas(analysis)
        ),
    ]
    return _table(
        columns,
        rows,
        "Classes with too few images are not examined. Spill, and the area that each control covers: means over "
        "studies, in percent of the finding's own area.",
        "classes",
        "",
    )


def _areas(analysis: Analysis) -> list[tuple[str, str, str]]:
    conditions = analysis.preparation.plan.conditions
    return [
        (conditions[family.top[1]], "area_reached", conditions[family.top[1]])
        for family in families_of(conditions)
        if family.region != "oco"
    ]


def metric_tables(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[TableBlock]:
    """One table a data set: a row for each metric and condition, a column for each model."""
    datasets = list(dict.fromkeys(dataset for dataset, _ in analysis.preparation.plan.keys))
    order = list(TABLE)
    for dataset in ["macro", *datasets] if len(datasets) > 1 else datasets:
        rows: dict[tuple[str, str, str], dict[str, Cell]] = {}
        for row in estimates:
            if row.dataset != dataset or row.stratum != "all" or not row.model or row.comparator.startswith("model:"):
                continue
            if row.value != row.value:
                continue
            key = (row.metric, row.condition, row.comparator)
            cells = rows.setdefault(key, dict(zip(("metric", "condition", "comparator"), key, strict=True)))
            number = analysis.models.index(row.model)
            cells |= {
                f"value{number}": _known(row.value),
                f"low{number}": _known(row.ci_low),
                f"high{number}": _known(row.ci_high),
                "n": min(row.n, int(cells.get("n") or row.n)),
            }
        columns = (
            Column("metric", "Metric", "code"),
            Column("condition", "Condition", "code"),
            Column("comparator", "Against", "code"),
            *(
                Column(f"value{number}", model, "share", low=f"low{number}", high=f"high{number}")
                for number, model in enumerate(analysis.models)
            ),
            Column("n", "Cases", "integer", help="fewest over the models"),
        )
        kept = sorted(rows, key=lambda key: order.index(key[0]) if key[0] in order else len(order))
        title = "Mean over data sets" if dataset == "macro" else f"All metrics on {dataset}"
        yield TableBlock(
            columns,
            tuple(rows[key] for key in kept),
            "Percent and percentage points with 95% intervals.",
            f"metrics-{file_name(dataset)}",
            title,
        )


def _column(key: str, label: str, kind: ColumnKind, resolve: bool = False) -> Column:
    return Column(key, label, kind, low=f"{key}_low", high=f"{key}_high", resolve=resolve)


def _row(model: str, found: Mapping[str, Estimate | None]) -> dict[str, Cell]:
    cells: dict[str, Cell] = {"model": model}
    for key, row in found.items():
        if row is not None:
            cells |= {key: _known(row.value), f"{key}_low": _known(row.ci_low), f"{key}_high": _known(row.ci_high)}
    return cells


def _table(
    columns: Sequence[Column], rows: Sequence[dict[str, Cell]], caption: str, name: str, title: str
) -> TableBlock | None:
    """A table without the columns and rows that hold no number; None where nothing is left."""
    facts = ("name", "text", "code", "flag")
    numeric = [column for column in columns if column.kind not in facts]
    has: Callable[[Mapping[str, Cell]], bool] = lambda row: any(row.get(column.key) is not None for column in numeric)  # noqa: E731
    kept = tuple(row for row in rows if has(row))
    shown = tuple(
        column for column in columns if column.kind in facts or any(row.get(column.key) is not None for row in kept)
    )
    return TableBlock(shown, kept, caption, name, title) if kept else None


def _of(estimates: Sequence[Estimate], dataset: str, metric: str, condition: str, stratum: str) -> Estimate | None:
    for row in estimates:
        if (row.dataset, row.metric, row.condition, row.stratum) == (dataset, metric, condition, stratum):
            return row
    return None


def _used(row: Estimate | None) -> int | None:
    return row.n if row is not None and row.value == row.value else None


def _known(value: float) -> float | None:
    return value if value == value else None
