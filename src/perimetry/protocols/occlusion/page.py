"""The report page of the occlusion audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from perimetry.conditions.spelling import read_spelling
from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.common_page import failure_rows, funnel, reproduction, subtitle
from perimetry.protocols.occlusion import tables
from perimetry.protocols.occlusion.cases import browser
from perimetry.protocols.occlusion.cautions import cautions
from perimetry.protocols.occlusion.layout import is_region
from perimetry.protocols.occlusion.options import OcclusionOptions
from perimetry.protocols.occlusion.picture import montage_of
from perimetry.protocols.occlusion.precision import WIDTH_TOLD, shown
from perimetry.protocols.occlusion.verdict import Verdict, find_row, judge
from perimetry.reports import Block, Figure, Section, Site, TextBlock, interval_text
from perimetry.reports import Verdict as Card
from perimetry.reports.charts import occlusion as charts
from perimetry.runs.estimates import Estimate, estimate_frame
from perimetry.runs.folder import RunFolder
from perimetry.scoring.labels.spelled import labeller_name

__all__ = ["page"]

_TONES: Mapping[str, str] = {
    "grounded in the regions": "good",
    "regions and context": "partial",
    "leans on context": "bad",
    "rests on priors": "bad",
    "states too little": "bad",
    "set off by noise": "mixed",
    "disturbed by any cover": "mixed",
}


def page(folder: RunFolder, store: RequestStore, analysis: Analysis, estimates: Sequence[Estimate]) -> Site:
    """Compose the page: verdicts, charts, tables, a study under every condition, cases, failures.

    Parameters
    ----------
    folder : RunFolder
    store : RequestStore
    analysis : Analysis
    estimates : sequence of Estimate
    """
    drawn = shown(estimates)
    told = (
        (WIDTH_TOLD,) if any(one is not other for one, other in zip(drawn, estimates, strict=True) if one.model) else ()
    )
    return Site(
        title="Occlusion audit",
        subtitle=subtitle(analysis),
        verdicts=tuple(_card(one, drawn) for one in judge(analysis.models, estimates).values()),
        sections=tuple(section for section in _sections(analysis, drawn) if section.blocks),
        browser=browser(store, analysis),
        failures=failure_rows(analysis),
        reproduce=reproduction(folder, analysis),
        notes=(*cautions(analysis, estimates), *told),
        verdict_heading="What do the findings in the reports rest on?",
    )


def _card(verdict: Verdict, estimates: Sequence[Estimate]) -> Card:
    figure = None
    row = find_row(estimates, verdict.model, "delta_oco") or find_row(estimates, verdict.model, "delta_oco_matched")
    if row is not None and row.value == row.value:
        figure = Figure("Cost of covering the finding", row.value, _end(row.ci_low), _end(row.ci_high))
    tone = _TONES.get(verdict.verdict, "open")
    return Card(verdict.model, verdict.verdict, verdict.reason, tone, figure)  # type: ignore[arg-type]


def _sections(analysis: Analysis, estimates: Sequence[Estimate]) -> Iterator[Section]:
    frame = estimate_frame(estimates)
    options = OcclusionOptions.of(analysis.preparation.asked.options)
    reader = labeller_name(options.labeller)
    strengths = _strengths(analysis)
    tops = _tops(analysis)
    yield Section(
        "What each cover costs",
        "Control minus cover: how much of the true findings a model no longer states when their region is covered, "
        "or when the regions of other findings are.",
        _there(charts.delta_forest(frame), *tables.delta_tables(analysis, estimates)),
    )
    yield Section(
        "As regions fade",
        "From the image as it is (0) to pure noise in the region (100).",
        _there(charts.strength_curves(frame, strengths), tables.sensitivity_table(analysis, estimates)),
    )
    yield Section(
        "Class by class",
        f"Each class on its own studies; findings are read from the reports by the {reader}.",
        _there(charts.class_bars(frame, tops)),
    )
    yield Section(
        "Statements of what is not there",
        "On a study that shows a class every statement of it is right, so that a model which always states it scores "
        "full marks. Studies without the class tell the two apart.",
        _there(charts.false_statements(frame, tops), tables.balance_table(analysis, estimates, tops)),
    )
    yield Section(
        "The whole image",
        "Reports of the images as they are, and of images replaced by noise of the same mean and deviation.",
        _there(tables.image_table(analysis, estimates, options)),
    )
    yield Section(
        "Which finding is read from which region",
        "",
        _there(charts.flip_matrix(frame), charts.flip_matrix(frame, "reverse_flip_rate", name="reverse-flips")),
    )
    yield Section("One study under every condition", "", _there(montage_of(analysis)))
    if len(analysis.models) > 1:
        yield Section(
            f"Each model against {analysis.models[0]}",
            f"Model minus {analysis.models[0]}, on the studies that both have under the condition.",
            _there(tables.comparison_table(analysis, estimates)),
        )
    yield Section(
        "Does it matter how reports are read?",
        f"Findings are read by the {reader}; an uncertain statement counts as one. Below, it counts as none.",
        _there(tables.policy_table(analysis, estimates), *_agreement(estimates, reader, options)),
    )
    yield Section(
        "What was covered",
        "Studies of each class, studies without it, and how the covered areas compare.",
        _there(tables.class_table(analysis, estimates)),
    )
    yield Section(
        "All numbers",
        "estimates.csv has all classes, p values, groups and missing cases as well.",
        tuple(tables.metric_tables(analysis, estimates)),
    )
    yield funnel(analysis)


def _agreement(estimates: Sequence[Estimate], reader: str, options: OcclusionOptions) -> Iterator[Block]:
    row = find_row(estimates, "", "reference_agreement")
    if row is None or row.value != row.value:
        yield TextBlock(("The studies have no reference reports: classes are held against their boxes.",))
        return
    agreed = interval_text(row.value, _end(row.ci_low), _end(row.ci_high))
    held = "boxes" if options.truth == "box" else f"what the {reader} reads from the reference report"
    yield TextBlock(
        (
            f"Box and reference report agree on {agreed} percent of {row.n:,} cases, as the {reader} reads the "
            f"reference. Classes are held against {held}.",
        )
    )


def _end(value: float) -> float | None:
    return value if value == value else None


def _there(*blocks: Block | None) -> tuple[Block, ...]:
    return tuple(block for block in blocks if block is not None)


def _strengths(analysis: Analysis) -> dict[str, tuple[str, float]]:
    """Region conditions by spelling: region (with its fill, if it is not the default) and strength."""
    found: dict[str, tuple[str, float]] = {}
    for text in analysis.preparation.plan.conditions:
        if is_region(text):
            spelling = read_spelling(text)
            tail = text.partition("(")[2].rstrip(")")
            found[text] = (f"{spelling.name}({tail})" if tail else spelling.name, float(spelling.at or 100))
    return found


def _tops(analysis: Analysis) -> dict[str, str]:
    """``real`` and each region at its highest strength: condition to region."""
    best: dict[str, tuple[float, str]] = {}
    for text, (region, strength) in _strengths(analysis).items():
        best[region] = max(best.get(region, (-1.0, "")), (strength, text))
    there = {"real": "real"} if "real" in analysis.preparation.plan.conditions else {}
    return there | {text: region for region, (_, text) in best.items()}
