"""The page of a review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perimetry.protocols.review.agreement import agreement_section, interval_column
from perimetry.protocols.review.estimates import ALIKE, IN_PAIRS, NO_WORSE
from perimetry.protocols.review.outcomes import Settled
from perimetry.protocols.review.pairs import variations
from perimetry.protocols.review.study import ReviewStudy, ReviewTask
from perimetry.protocols.review.tables import FEW, few_rated, progress, variation_rows
from perimetry.reports import (
    Block,
    ChartBlock,
    Column,
    Passage,
    PassageGroup,
    PassagesBlock,
    Reproduce,
    Section,
    Site,
    TableBlock,
    TextBlock,
    Verdict,
    interval_text,
)
from perimetry.reports.charts.intervals import Mark, interval_chart
from perimetry.reports.charts.selection import select_estimates
from perimetry.runs.estimates import Estimate, estimate_frame

__all__ = ["PageFacts", "review_page"]

GROUPS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What the page needs beside the estimates.

    Parameters
    ----------
    texts : bool
        Whether reports and comments may be quoted.
    reproduce : Reproduce or None
    """

    texts: bool = False
    reproduce: Reproduce | None = None


def review_page(
    study: ReviewStudy, settled: Sequence[Settled], estimates: Sequence[Estimate], facts: PageFacts
) -> Site:
    """The page model; reports and comments stand on it only where `facts` says so."""
    told = progress(study, settled)
    raters = {rating.rater for each in settled for rating in each.ratings if rating is not None}
    notes = tuple(
        f"{one['task']}: {one['open']:,} of {one['items']:,} items have no consensus yet "
        f"({', '.join(f'{count:,} {how}' for how, count in one['waiting'].items())}). They are in no share and no "
        "mean; while third ratings are missing, what is shown leans towards items on which raters agree at once."
        for one in told
        if one["open"]
    )
    notes += tuple(_few(study, settled, held) for held in study.tasks if few_rated(study, settled, held.task.name))
    sections = [_task_section(study, held, estimates) for held in study.tasks]
    sections += [agreement_section(study, settled, estimates, told)]
    if facts.texts:
        sections += [_texts_section(study, settled)]
    return Site(
        title="Expert review",
        subtitle=f"{len(study.pairs):,} pairs · {len(raters)} raters · study {study.id}",
        verdicts=tuple(_verdict(held, estimates) for held in study.tasks),
        sections=tuple(sections),
        reproduce=facts.reproduce,
        notes=notes,
        verdict_heading="What did the raters find?",
        asked=False,
        unit_note="Shares in percent, scores as they are, with 95% intervals in brackets.",
    )


def _few(study: ReviewStudy, settled: Sequence[Settled], held: ReviewTask) -> str:
    """A caution on what few items say."""
    few = few_rated(study, settled, held.task.name)
    every = [f"{side}s: {count}" if side != "pair" else f"{count}" for name, side, count in few if name == "all"]
    if every:
        return (
            f"{held.task.name}: fewer than {FEW} items are settled ({', '.join(every)}). Shares and means of so few "
            "are a rough picture, and what is alike in all of them may not be so in the next."
        )
    told = ", ".join(f"{name} ({count}{'' if side == 'pair' else f' {side}s'})" for name, side, count in few)
    return f"{held.task.name}: fewer than {FEW} items are settled of {told}: their rows are a rough picture."


def _find(estimates: Sequence[Estimate], metric: str, condition: str, comparator: str = "") -> Estimate | None:
    rows = [
        row
        for row in estimates
        if (row.metric, row.condition, row.comparator, row.stratum) == (metric, condition, comparator, "all")
    ]
    return next((row for row in rows if row.dataset == "pooled"), rows[0] if rows else None)


def _verdict(held: ReviewTask, estimates: Sequence[Estimate]) -> Verdict:
    task = held.task
    if task.shows == "each" and task.ordered:
        row = _find(estimates, task.name, "alternative", "original")
        share = _find(estimates, f"{task.name}_{NO_WORSE}", "alternative", "original")
        if row is None or share is None or not row.n:
            return Verdict(task.title, "nothing rated yet", "No pair has a consensus on both sides.")
        clear = row.p_value < 0.05 if row.method.startswith(ALIKE) else row.ci_high < 0 or row.ci_low > 0
        worse, better = clear and row.value < 0, clear and row.value > 0
        headline = (
            "alternatives are rated lower"
            if worse
            else "alternatives are rated higher"
            if better
            else "no change shown"
        )
        sentence = (
            f"{interval_text(share.value, share.ci_low, share.ci_high)} percent of {row.n:,} pairs have an alternative "
            f"rated no lower than its original; the mean score changes by "
            f"{interval_text(row.value, row.ci_low, row.ci_high, 2, scale=1.0, sign=True)}"
            f"{' in every study' if row.method.startswith(ALIKE) else ''}."
        )
        tone: Any = "bad" if worse else "good" if better else "open"
        return Verdict(task.title, headline, sentence, tone)
    side = "pair" if task.shows == "pair" else "alternative"
    best, worst = task.ratings[0], task.ratings[-1]
    top = _find(estimates, f"{task.name}={best.value}", side)
    low = _find(estimates, f"{task.name}={worst.value}", side)
    if top is None or low is None or not top.n:
        return Verdict(task.title, "nothing rated yet", "No item has a consensus.")
    sentence = (
        f"{best.label}: {interval_text(top.value, top.ci_low, top.ci_high)} percent of {top.n:,}; "
        f"{worst.label}: {interval_text(low.value, low.ci_low, low.ci_high)} percent."
    )
    return Verdict(task.title, f"{100 * top.value:.0f} percent {best.label.lower()}", sentence)


def _task_section(study: ReviewStudy, held: ReviewTask, estimates: Sequence[Estimate]) -> Section:
    task = held.task
    rows = tuple(variation_rows(study, estimates, task.name))
    name = task.name.replace("_", "-")
    blocks: list[Block] = [_chart(study, held, estimates)]
    columns: tuple[Column, ...]
    if task.shows == "each" and task.ordered:
        key, worse = (f"{metric} alternative-original" for metric in (task.name, f"{task.name}_{NO_WORSE}"))
        columns = (
            Column("variation", "Variation", "code"),
            Column(f"{key}_n", "Pairs", "integer"),
            interval_column(f"{task.name}_{IN_PAIRS} original", "Score, originals", "number", 2),
            interval_column(f"{task.name}_{IN_PAIRS} alternative", "Score, alternatives", "number", 2),
            interval_column(key, "Difference", "number", 2),
            Column("p_holm", "p (Holm)", "p", help="two-sided, adjusted over the variations"),
            interval_column(worse, "Rated no lower, %", "share"),
        )
        caption = (
            "Consensus scores of alternatives and of their own originals. Every column is of the same pairs: those "
            "with a consensus on both sides. What is equal in all studies has no interval that resamples could show."
        )
        blocks.append(TableBlock(columns, rows, caption, f"{name}-differences", "Alternatives against originals"))
    sides = {"pair": ("pair",), "alternative": ("alternative",), "each": ("original", "alternative")}[task.shows]
    for side in sides:
        label = "" if side == "pair" else f"{side}s"
        shares = [f"{task.name}={choice.value} {side}" for choice in task.ratings]
        columns = (
            Column("variation", "Variation", "code"),
            Column(f"{shares[0]}_n", "Items", "integer"),
            *(interval_column(key, choice.label, "share") for key, choice in zip(shares, task.ratings, strict=True)),
        )
        caption = (
            "Consensus ratings, in percent of the items that have one. Shares of 0 and 100 have Wilson's interval."
        )
        blocks.append(TableBlock(columns, rows, caption, f"{name}-ratings-{side}", f"Ratings of {label or 'pairs'}"))
    meanings = tuple(f"{choice.label}: {choice.meaning}" for choice in task.ratings if choice.meaning)
    blocks.append(TextBlock((task.question, *meanings), title="What was asked"))
    return Section(task.title, "", tuple(blocks))


def _chart(study: ReviewStudy, held: ReviewTask, estimates: Sequence[Estimate]) -> ChartBlock:
    """Differences where both sides are rated, else the share of each rating."""
    task = held.task
    table = estimate_frame(estimates)
    datasets = {row.dataset for row in estimates}
    main = "pooled" if "pooled" in datasets else next(iter(datasets), "")
    differs = task.shows == "each" and task.ordered
    metrics = [task.name] if differs else [f"{task.name}={choice.value}" for choice in task.ratings]
    labels = {f"{task.name}={choice.value}": choice.label for choice in task.ratings}
    picked = [
        row
        for row in select_estimates(table, metrics, stratum=None)
        if row.dataset == main and (row.comparator == "original") == differs
    ]
    marks = [Mark(row.stratum, row, "" if differs else labels[row.metric]) for row in picked]
    order = ["all", *variations(study.pairs)]
    chart = interval_chart(
        marks,
        rows=order,
        series=[""] if differs else list(labels.values()),
        axis="score, alternative minus original" if differs else "percent of pairs",
        signed=differs,
        zero_line=differs,
        show_resolved=differs,
        scale=1.0 if differs else 100.0,
        digits=2 if differs else 1,
    )
    scale, digits = (1.0, 2) if differs else (100.0, 1)
    told = [
        f"{row.stratum}{'' if differs else f', {labels[row.metric]}'}: "
        f"{interval_text(row.value, row.ci_low, row.ci_high, digits, scale=scale, sign=differs)}"
        for row in picked[:12]
    ]
    caption = "Consensus ratings, with 95% intervals of a bootstrap over studies."
    return ChartBlock(
        chart, caption, f"{task.name.replace('_', '-')}-by-variation", f"{task.title}. {'; '.join(told)}."
    )


def _texts_section(study: ReviewStudy, settled: Sequence[Settled]) -> Section:
    """Pairs with anything but the best rating, the worst first."""
    best = {held.task.name: held.task.values[0] for held in study.tasks}
    labels = {(held.task.name, choice.value): choice for held in study.tasks for choice in held.task.ratings}
    told: dict[int, list[Settled]] = {}
    for each in settled:
        if each.value is not None and each.value != best[each.task] and each.side != "original":
            told.setdefault(each.item.pair, []).append(each)
    worst = sorted(told, key=lambda place: (min(labels[e.task, str(e.value)].score for e in told[place]), place))
    groups = []
    for place in worst[:GROUPS_SHOWN]:
        pair = study.pairs[place]
        said = "; ".join(
            f"{each.task}: {labels[each.task, str(each.value)].label} ({each.how})" for each in told[place]
        )
        why = [
            (f"{rating.task}, {labels[rating.task, rating.value].label}", rating.comment)
            for each in told[place]
            for rating in each.ratings
            if rating is not None and rating.comment
        ]
        groups.append(
            PassageGroup(
                f"{pair.case_id} · {pair.variation}",
                said,
                (
                    Passage("Original", pair.original, reference=True),
                    Passage("Alternative", pair.alternative, facts=tuple(why)),
                ),
            )
        )
    if not groups:
        return Section("Pairs that were not rated best", "There is none.")
    caption = f"{len(groups)} of {len(worst)} pairs, the worst first, with what raters wrote."
    return Section("Pairs that were not rated best", "", (PassagesBlock(tuple(groups), caption),))
