"""The page of the guessers: against chance, the sanity check, the leakage proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from perimetry.reports import (
    Block,
    Column,
    Figure,
    Reproduce,
    Section,
    Site,
    TableBlock,
    TextBlock,
    Verdict,
    interval_text,
)
from perimetry.reports.charts.guessers import guesser_accuracy, guesser_option_counts
from perimetry.reports.site import Tone
from perimetry.runs.estimates import Estimate
from perimetry.screening.guessers.encoding import GUESSERS
from perimetry.screening.guessers.null import CHANCE
from perimetry.screening.guessers.result import GuessResult, Reading

__all__ = ["guess_page"]

SOLVED = 25

_KINDS = {
    "id": "item",
    "group": "group (image, patient or item)",
    "image": "image, by content",
    "stem": "stem, normalised",
    "options": "options, normalised, in any order",
    "stem+options": "stem and options",
}


def guess_page(result: GuessResult, reproduce: Reproduce | None = None) -> Site:
    """The page model. No text of an item stands on it, so it may be shown whatever the terms of the data are."""
    sets = [funnel.dataset for funnel in result.funnels]
    count = len(result.fit.items)
    cautions = [
        f"{one.guesser} on {one.dataset}: shuffled keys are not guessed at chance within the interval. One check in "
        "twenty fails by luck; if another --seed fails too, training has seen what it is asked."
        for one in result.readings
        if one.sane is False
    ]
    cautions += [
        f"{one.guesser} on {one.dataset} lies below chance. That is what comes of keys that were spread evenly over "
        "the places on purpose: a place that is rare among the keys of a fold is common among those it was trained on."
        for one in result.readings
        if one.verdict == "below chance" and one.dataset not in ("macro", "pooled")
    ]
    if result.leaked:
        cautions.append(
            f"Training and evaluation share {result.leaked:,} identities: the accuracies cannot be trusted."
        )
    return Site(
        title="Diagnostic guessers",
        subtitle=f"{', '.join(sets)} · {count:,} items · {len(result.fit.trained)} folds · no image, no language model",
        verdicts=tuple(_verdict(one) for one in result.readings if one.dataset not in ("macro", "pooled")),
        sections=(_accuracy(result), _sanity(result), _leakage(result), _solved(result), _denominators(result)),
        reproduce=reproduce,
        notes=(*cautions, *result.notes),
        verdict_heading="How far does the text alone go?",
        asked=False,
        unit_note="Accuracies in percent, differences in percentage points, with 95% intervals of a bootstrap over "
        "groups in brackets. The guessers are a floor: a language model may find more in the same text.",
    )


def _verdict(one: Reading) -> Verdict:
    tones: dict[str, Tone] = {"above chance": "bad", "not above chance": "good", "below chance": "mixed"}
    gain = interval_text(one.gain.value, one.gain.ci_low, one.gain.ci_high, sign=True)
    accuracy = interval_text(one.accuracy.value, one.accuracy.ci_low, one.accuracy.ci_high)
    return Verdict(
        f"{one.guesser} · {one.dataset}",
        one.verdict,
        f"Guesses {accuracy} percent of {one.accuracy.n:,} items, chance {100 * one.chance.value:.1f}: {gain} points.",
        tones[one.verdict],
        Figure("Accuracy less chance", one.gain.value, one.gain.ci_low, one.gain.ci_high),
    )


def _accuracy(result: GuessResult) -> Section:
    frame = result.frame
    blocks: list[Block] = [guesser_accuracy(frame)]
    counts = guesser_option_counts(frame)
    if counts is not None:
        blocks.append(counts)
    rows = [
        {
            "guesser": row.model.removeprefix("guesser:"),
            "dataset": row.dataset,
            "stratum": row.stratum,
            "n": row.n,
            "accuracy": row.value,
            "low": row.ci_low,
            "high": row.ci_high,
            "chance": chance.value,
            "gain": gain.value,
            "gain_low": gain.ci_low,
            "gain_high": gain.ci_high,
            "p": gain.p_value,
        }
        for row, chance, gain in _triples(result.estimates)
    ]
    columns = (
        Column("guesser", "Guesser"),
        Column("dataset", "Data set", "name"),
        Column("stratum", "Items"),
        Column("n", "n", "integer"),
        Column("accuracy", "Accuracy", "share", low="low", high="high"),
        Column("chance", "Chance", "share"),
        Column("gain", "Less chance", "points", low="gain_low", high="gain_high", resolve=True),
        Column("p", "p", "p", help="two-sided, against the spread under shuffled keys"),
    )
    caption = (
        "Intervals take the guesses as they are. Folds train on one another, which spreads accuracies further: p is "
        "held against shuffled keys, where that is so too. pooled: all items together; macro: the mean over data sets."
    )
    blocks.append(TableBlock(columns, tuple(rows), caption, "accuracy", "Accuracy"))
    sees = " ".join(f"{guesser.name}: {guesser.summary}" for guesser in GUESSERS.values())
    return Section("Against chance", sees, tuple(blocks))


def _triples(estimates: tuple[Estimate, ...]) -> Iterator[tuple[Estimate, Estimate, Estimate]]:
    """Accuracy, chance and gain of the same items; the mean of a lone data set is left out."""
    known = {
        (row.model, row.comparator, row.dataset, row.stratum): row for row in estimates if row.metric == "accuracy"
    }
    alone = len({row.dataset for row in estimates}) == 2
    for (model, comparator, dataset, stratum), row in known.items():
        if model != CHANCE and not comparator and row.n and not (alone and dataset == "macro"):
            yield row, known[CHANCE, "", dataset, stratum], known[model, CHANCE, dataset, stratum]


def _sanity(result: GuessResult) -> Section:
    rows = [
        {
            "guesser": one.guesser,
            "dataset": one.dataset,
            "value": one.shuffled.value,
            "low": one.shuffled.ci_low,
            "high": one.shuffled.ci_high,
            "sane": one.sane,
        }
        for one in result.readings
        if one.shuffled is not None
    ]
    title, lead = "Shuffled keys", "The same training and guessing, with every item's key drawn at random."
    if not rows:
        return Section(title, lead, (TextBlock(("Not done: --shuffles 0 was asked for.",)),))
    columns = (
        Column("guesser", "Guesser"),
        Column("dataset", "Data set", "name"),
        Column("value", "Accuracy less chance", "points", low="low", high="high", resolve=True),
        Column("sane", "At chance within the interval", "flag"),
    )
    draws = int(result.fit.predictions["shuffle"].max() or 0)  # type: ignore[arg-type]
    caption = f"Mean over {draws} draws of keys, with the interval between draws. shuffled.csv holds every guess."
    return Section(title, lead, (TableBlock(columns, tuple(rows), caption, "sanity", "Sanity check"),))


def _leakage(result: GuessResult) -> Section:
    rows = [
        {
            "kind": _KINDS[one.kind],
            "values": one.values,
            "repeated": one.repeated,
            "overlap": one.overlap,
            "templates": one.templates,
            "items": one.template_items,
        }
        for one in result.overlap
    ]
    columns = (
        Column("kind", "Identity"),
        Column("values", "Distinct values", "integer"),
        Column("repeated", "Held by two or more items", "integer", help="what could have leaked"),
        Column("overlap", "On both sides of a fold", "integer", help="summed over folds; zero is wanted"),
        Column(
            "templates", "Templates set apart", "integer", help="held by more than 2% of the items and more than 20"
        ),
        Column("items", "Their items", "integer"),
    )
    caption = (
        "Counted from the items that each fold trained on and guessed. A stem or a list of options that very many "
        "items share (yes / no, the four quadrants) tells nothing of an item and does not bind items together."
    )
    lead = "Items that share an identity are kept in one fold."
    return Section("Leakage proof", lead, (TableBlock(columns, tuple(rows), caption, "leakage", "Overlap"),))


def _solved(result: GuessResult) -> Section:
    """The right guesses with the highest probability: where to look for a cue first."""
    right = result.fit.predictions.filter((pl.col("shuffle") == 0) & pl.col("correct"))
    top = right.with_columns((pl.col("p_answer") - pl.col("chance")).alias("lead"))
    top = top.sort(["lead", "dataset", "case_id", "guesser"], descending=[True, False, False, False]).head(SOLVED)
    rows = tuple(top.select("guesser", "dataset", "case_id", "options", "answer", "p_answer").iter_rows(named=True))
    columns = (
        Column("guesser", "Guesser"),
        Column("dataset", "Data set", "name"),
        Column("case_id", "Item", "code"),
        Column("options", "Options", "integer"),
        Column("answer", "Key", "code"),
        Column("p_answer", "Probability given to it", "share"),
    )
    caption = (
        f"The {len(rows):,} highest of {right.height:,} right guesses. A list ordered like this has a top even where "
        "keys are guessed at chance: whether there is a cue is said above, not here. predictions.csv has every guess."
    )
    lead = "Where to look for a cue first: nothing is tested here. By the probability given to the key, less chance."
    table = TableBlock(columns, rows, caption, "solved", "Right guesses")
    return Section("Right guesses with the highest probability", lead, (table,))


def _denominators(result: GuessResult) -> Section:
    # What a load left out may quote fields of its records; of items that were guessed, ids alone are told.
    rows: list[dict[str, Any]] = [
        {"dataset": funnel.dataset, "step": step.reason, "count": step.removed, "examples": None}
        for funnel in result.loads
        for step in funnel.steps
    ]
    rows += [
        {"dataset": funnel.dataset, "step": step.reason, "count": step.removed, "examples": ", ".join(step.examples)}
        for funnel in result.funnels
        for step in funnel.steps
    ]
    rows += [
        {"dataset": funnel.dataset, "step": "guessed", "count": funnel.kept, "examples": None}
        for funnel in result.funnels
    ]
    columns = (
        Column("dataset", "Data set", "name"),
        Column("step", "Items"),
        Column("count", "Count", "integer"),
        Column("examples", "For example", "code"),
    )
    return Section(
        "Denominators",
        "Which questions could be guessed, and why others could not.",
        (
            TableBlock(
                columns,
                tuple(rows),
                "What was left out when the records were read, and when they were guessed.",
                "denominators",
                "Items",
            ),
        ),
    )
