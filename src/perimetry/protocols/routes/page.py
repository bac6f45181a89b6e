"""The report page of the route audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.common_page import failure_rows, file_name, funnel, reproduction, subtitle
from perimetry.protocols.question_browser import question_browser
from perimetry.protocols.routes.estimates import LENIENT, PANEL
from perimetry.protocols.routes.verdict import Verdict, absent_routes, judge
from perimetry.reports import Block, Column, Figure, Section, Site, TableBlock, TextBlock
from perimetry.reports import Verdict as Card
from perimetry.reports.blocks import Cell
from perimetry.reports.charts import routes as charts
from perimetry.runs.cube import Cube, Flags
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder
from perimetry.scoring.routes import ROUTES
from perimetry.screening.registry import chosen_screens

__all__ = ["page"]

_TONES: Mapping[str, str] = {
    "needs the image": "good",
    "needs more than options": "partial",
    "above chance without the image": "partial",
    "options give the key away": "bad",
    "rests on the order of options": "bad",
    "text gives the key away": "bad",
    "no better than chance": "mixed",
}

BARE = "right from the options alone"
NO_IMAGE = "right without the image"
ONLY_FULL = "right only with everything"
ORDER_DEPENDENT = "choice changes with the order"
UNPARSED = "answer not read"
FAILED = "request failed"

_IN_TABLE = (
    "accuracy", "above_chance", "gain_text", "gain_image", "gain_full", "image_effect", "union", "unparsed",
    "order_consistency", "order_gap", "position_bias",
)  # fmt: skip


def page(folder: RunFolder, store: RequestStore, analysis: Analysis, estimates: Sequence[Estimate]) -> Site:
    """Compose the page: verdicts, lattice, cues, orders, cases, failures, how to reproduce."""
    verdicts = judge(analysis.models, estimates)
    flags = [_flags(analysis, model) for model in analysis.models]
    return Site(
        title="Route audit",
        subtitle=subtitle(analysis),
        verdicts=tuple(_card(verdict, estimates) for verdict in verdicts.values()),
        sections=tuple(_sections(analysis, estimate_frame(estimates), estimates)),
        browser=question_browser(
            store, analysis, flags, (BARE, ORDER_DEPENDENT, NO_IMAGE, ONLY_FULL, UNPARSED, FAILED)
        ),
        failures=failure_rows(analysis),
        reproduce=reproduction(folder, analysis),
        notes=tuple(_cautions(verdicts, analysis, estimates)),
    )


def _card(verdict: Verdict, estimates: Sequence[Estimate]) -> Card:
    figure = None
    for row in estimates:
        named = (row.model, row.metric, row.dataset, row.stratum)
        if named == (verdict.model, "image_effect", "macro", "all") and row.value == row.value:
            figure = Figure("The image adds to text and options", row.value, row.ci_low, row.ci_high)
    sentence = f"{verdict.reason} {verdict.position}".strip()
    tone = _TONES.get(verdict.verdict, "open")
    return Card(verdict.model, verdict.verdict, sentence, tone, figure)  # type: ignore[arg-type]


def _sections(analysis: Analysis, frame: pl.DataFrame, estimates: Sequence[Estimate]) -> Iterator[Section]:
    measured = {row.metric for row in estimates if row.value == row.value and row.model}
    blocks: list[Block] = []
    if "accuracy" in measured:
        blocks.append(charts.lattice(frame))
    if measured & {"gain_text", "gain_image", "gain_full", "image_effect"}:
        blocks.append(charts.gains(frame))
    yield Section(
        "Which inputs lead to the key",
        "Every model gets the same items with the options alone, with stem or image added, and whole. Accuracy above "
        "chance without the image shows that something else leads to the key.",
        (*blocks, *_tables(analysis, estimates)) if blocks else (TextBlock(("No route was measured.",)),),
    )
    yield from _cue_section(analysis, frame, estimates)
    yield from _order_section(frame, measured, estimates)
    yield _parser(analysis, estimates)
    yield funnel(analysis)


def _tables(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[TableBlock]:
    """One table a data set: a row for each metric and route, a column for each model."""
    names = [*analysis.models, *([PANEL] if len(analysis.models) > 1 else [])]
    datasets = list(dict.fromkeys(dataset for dataset, _ in analysis.preparation.plan.keys))
    titles = {"macro": "Mean over data sets", "pooled": "All items pooled"}
    for dataset in ["macro", "pooled", *datasets] if len(datasets) > 1 else datasets:
        rows: dict[tuple[str, str], dict[str, Cell]] = {}
        for row in estimates:
            if row.dataset != dataset or row.stratum != "all" or row.metric not in (*_IN_TABLE, "chance", "majority"):
                continue
            named: dict[str, Cell] = {
                "metric": row.metric, "condition": row.condition, "meaning": ROUTES[row.metric].meaning
            }  # fmt: skip
            cells = rows.setdefault((row.metric, row.condition), named)
            for number, name in enumerate(names):
                if row.model in ("", name):
                    cells |= {
                        f"value{number}": row.value if row.value == row.value else None,
                        f"low{number}": row.ci_low if row.ci_low == row.ci_low else None,
                        f"high{number}": row.ci_high if row.ci_high == row.ci_high else None,
                        "n": min(row.n, int(cells.get("n") or row.n)),
                    }
        order = list(ROUTES)
        kept = [rows[key] for key in sorted(rows, key=lambda key: order.index(key[0]))]
        columns = (
            Column("metric", "Metric", "code"),
            Column("condition", "Route", "code"),
            *(
                Column(f"value{number}", name, "share", low=f"low{number}", high=f"high{number}")
                for number, name in enumerate(names)
            ),
            Column("n", "Items", "integer", help="fewest over the models"),
            Column("meaning", "What it says"),
        )
        caption = (
            "Percent and percentage points with 95% intervals. position_bias is above zero by chance alone. "
            "estimates.csv has the strata, p values and groups."
        )
        title = titles.get(dataset, f"All metrics on {dataset}")
        yield TableBlock(columns, tuple(kept), caption, f"metrics-{file_name(dataset)}", title)


def _cue_section(analysis: Analysis, frame: pl.DataFrame, estimates: Sequence[Estimate]) -> Iterator[Section]:
    gaps = [row for row in estimates if row.metric == "cue_gap" and row.value == row.value]
    if not gaps:
        return
    routes = {row.condition for row in gaps}
    drawn = [route for route in ("optionsonly", "full") if route in routes] or sorted(routes)[:1]
    main = "macro" if len(analysis.preparation.case_sets) > 1 else gaps[0].dataset
    titles = {screen.name: screen.title for screen in chosen_screens()}
    table: dict[tuple[str, str], dict[str, Cell]] = {}
    for row in gaps:
        if row.dataset == main:
            cells = table.setdefault(
                (row.model, row.stratum), {"model": row.model, "cue": titles.get(row.stratum, row.stratum), "n": row.n}
            )
            cells |= {
                row.condition: row.value,
                f"{row.condition}-low": row.ci_low,
                f"{row.condition}-high": row.ci_high,
            }
    columns = (
        Column("model", "Model", "name"),
        Column("cue", "Cue"),
        *(
            Column(route, f"{label}, points", "points", low=f"{route}-low", high=f"{route}-high", resolve=True)
            for route, label in charts.ROUTE_LABELS.items()
            if route in routes
        ),
        Column("n", "Items", "integer"),
    )
    yield Section(
        "Accuracy where a cue is present",
        "A screen only names candidates. Where accuracy is higher on items with a cue even when the image is hidden, "
        "the cue deserves an expert's eye. Many cues are looked at: some intervals exclude zero by chance.",
        (
            charts.cue_gaps(frame, drawn, titles),
            TableBlock(
                columns, tuple(table.values()), "Cues with at least 10 items on both sides.", "cue-gaps", "All cues"
            ),
        ),
    )


def _order_section(frame: pl.DataFrame, measured: set[str], estimates: Sequence[Estimate]) -> Iterator[Section]:
    if "position_excess" not in measured:
        return
    rows = [
        {
            "model": row.model, "dataset": row.dataset, "place": row.stratum.removeprefix("key at "),
            "value": row.value, "low": row.ci_low, "high": row.ci_high, "n": row.n,
        }
        for row in estimates
        if row.metric == "accuracy" and row.stratum.startswith("key at ") and row.value == row.value
        and row.dataset not in ("macro", "pooled")
    ]  # fmt: skip
    columns = (
        Column("model", "Model", "name"),
        Column("dataset", "Data set"),
        Column("place", "Key at place", "code"),
        Column("value", "Accuracy, %", "share", low="low", high="high"),
        Column("n", "Items", "integer"),
    )
    yield Section(
        "Does the answer follow the option or its place?",
        "The same items under other orders of their options. A model that reads the options chooses the same one "
        "wherever it stands.",
        (
            charts.positions(frame),
            TableBlock(columns, tuple(rows), "Over all orders that were asked.", "key-places", "By place of the key"),
        ),
    )


def _parser(analysis: Analysis, estimates: Sequence[Estimate]) -> Section:
    rows: dict[tuple[str, str, str], dict[str, Cell]] = {}
    for row in estimates:
        if row.model not in analysis.models or row.dataset in ("macro", "pooled") or row.value != row.value:
            continue
        key = {("accuracy", "all"): "strict", ("accuracy", LENIENT): "lenient", ("unparsed", "all"): "unparsed"}.get(
            (row.metric, row.stratum)
        )
        if key is None:
            continue
        names: dict[str, Cell] = {"model": row.model, "dataset": row.dataset, "condition": row.condition}
        rows.setdefault((row.model, row.dataset, row.condition), names)[key] = row.value
    columns = (
        Column("model", "Model", "name"),
        Column("dataset", "Data set"),
        Column("condition", "Route", "code"),
        Column("strict", "Strict rules, %", "share"),
        Column("lenient", "Lenient rules, %", "share"),
        Column("unparsed", "Not read, %", "share"),
    )
    return Section(
        "How answers were read",
        "An answer that no rule can read counts as wrong. Lenient rules read more of them, at a higher risk of error.",
        (TableBlock(columns, tuple(rows.values()), "The same responses under both sets of rules.", "parser"),),
    )


def _flags(analysis: Analysis, model: str) -> dict[str, Flags]:
    """Which items carry which flag, for one model (first repeat)."""
    cube = Cube.from_outcomes(analysis.outcomes[model], analysis.preparation.plan.conditions)
    answered, correct, answers = cube.answered[:, :, 0], cube.correct[:, :, 0], cube.answers[:, :, 0]
    found: dict[str, Flags] = {
        UNPARSED: np.asarray((answered & (answers < 0)).any(axis=1), dtype=bool),
        FAILED: np.asarray((cube.applies & ~answered).any(axis=1), dtype=bool),
    }
    places = {name: cube.index(name) for name in ("full", "textonly", "optionsonly", "imageoptions")}
    full, text, bare = places["full"], places["textonly"], places["optionsonly"]
    if bare is not None:
        found[BARE] = answered[:, bare] & correct[:, bare]
    if text is not None:
        found[NO_IMAGE] = answered[:, text] & correct[:, text]
    others = [place for name, place in places.items() if name != "full" and place is not None]
    if full is not None and others:
        found[ONLY_FULL] = np.asarray(correct[:, full] & ~correct[:, others].any(axis=1), dtype=bool)
    orders = [index for index, name in enumerate(cube.conditions) if name.startswith("order")]
    if full is not None and orders:
        differs = (answers[:, orders] != answers[:, [full]]) & answered[:, orders] & answered[:, [full]]
        found[ORDER_DEPENDENT] = np.asarray(differs.any(axis=1), dtype=bool)
    return found


def _cautions(verdicts: Mapping[str, Verdict], analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[str]:
    """What a reader has to know before believing the verdicts."""
    for verdict in verdicts.values():
        if verdict.missing:
            for reason, routes in absent_routes(verdict.model, verdict.missing, estimates).items():
                yield f"{verdict.model}: not measured: {', '.join(routes)} ({reason})."
    for row in estimates:
        named = (row.metric, row.condition, row.dataset, row.stratum)
        if named == ("unparsed", "full", "macro", "all") and row.value > 0.05 and row.model in analysis.models:
            yield f"{row.model}: no answer could be read from {100 * row.value:.0f}% of its responses; they are wrong."
    sizes = [len(case_set.cases) for case_set in analysis.preparation.case_sets]
    if min(sizes, default=0) < 100:
        yield "A data set of this run has fewer than 100 items: intervals are wide."
