"""The page of screens: the answer first, then odds, prevalence, context, data set, and what only a human can judge."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from perimetry.inference import Summary
from perimetry.reports import Block, Column, FailureRow, Reproduce, Section, Site, TableBlock, TextBlock, Verdict
from perimetry.reports.charts.screens import key_places, odds_ratios, prevalence, resolved
from perimetry.reports.numbers import interval_text
from perimetry.screening.appendix import checklist
from perimetry.screening.item_browser import item_browser
from perimetry.screening.judging.opinion import Opinion
from perimetry.screening.judging.section import judge_notes, judge_section
from perimetry.screening.run import Screening
from perimetry.screening.tally import FEW_TABLES

__all__ = ["page"]

FEW_ITEMS = 30
NAMED = 3

CUE_COLUMNS = (
    Column("dataset", "Data set", "name"),
    Column("title", "Cue"),
    Column("items", "Items looked at", "integer", help="to which the screen applies"),
    Column("items_with_cue", "With the cue", "integer"),
    Column("share_of_items", "% of items", "share"),
    Column("key_has_cue", "Keys with it", "integer"),
    Column("share_of_keys", "% of keys", "share"),
    Column("odds_ratio", "Odds ratio", "number", 2, low="ci_low", high="ci_high"),
    Column(
        "p_holm",
        "p, Holm",
        "p",
        help="Mantel-Haenszel test, adjusted over the cues of the data set that rest on ten items",
    ),
    Column("informative", "Rests on", "integer", help="items in which some options have the cue and others do not"),
)


def page(
    screenings: Sequence[Screening],
    cues: pl.DataFrame,
    candidates: pl.DataFrame,
    reproduce: Reproduce,
    opinions: Sequence[Opinion] = (),
    summaries: Sequence[Summary] = (),
) -> Site:
    """Compose the page.

    Parameters
    ----------
    screenings : sequence of Screening
    cues : polars.DataFrame
        `prevalence.cue_frame` of them.
    candidates : polars.DataFrame
    reproduce : Reproduce
    opinions : sequence of Opinion
        What a judge says: a part of the page by itself.
    summaries : sequence of Summary
        How each asking of the judge ended.
    """
    rows = cues.to_dicts()
    items = sum(one.denominators.items for one in screenings)
    return Site(
        title="Shortcut screens",
        subtitle=(
            f"{', '.join(one.dataset for one in screenings)} · {items:,} items"
            f" · {len(screenings[0].screens)} screens · {sum(one.candidates.height for one in screenings):,} candidates"
        ),
        verdicts=tuple(_verdict(one, [row for row in rows if row["dataset"] == one.dataset]) for one in screenings),
        sections=tuple(_sections(screenings, rows, opinions)),
        browser=item_browser(screenings, candidates),
        reproduce=reproduce,
        notes=(
            "A screen names candidates, nothing more: that a cue is there shows neither that a model uses it nor that "
            "the item is at fault.",
            *_notes(screenings),
            *judge_notes(opinions),
        ),
        failures=tuple(
            FailureRow(one.judge, kind, count, one.dataset, example=_said(summaries, kind))
            for one in opinions
            for kind, count in one.failures.items()
        ),
        verdict_heading="Which cues could lead to the key?",
        asked=bool(opinions),
        unit_note="Shares are percent of the items that a cue could be looked for in; odds ratios have 95% intervals.",
    )


def _said(summaries: Sequence[Summary], kind: str) -> str:
    """What the latest failure of a kind said, as far as one occurred in this invocation."""
    return next((text for it in reversed(summaries) for each, text in it.examples if each == kind), "")


def _verdict(screening: Screening, rows: Sequence[Mapping[str, Any]]) -> Verdict:
    counts = screening.denominators
    name = screening.dataset
    if not counts.valid:
        told = (
            f"None of its {counts.items:,} questions has options that can be compared: only cues of the stem are shown."
        )
        return Verdict(name, "no options to compare", told, "open")
    apart = [row for row in rows if resolved(row) and row["odds_ratio"] is not None]
    leaning = [row for row in apart if row["odds_ratio"] > 1]
    leaning.sort(key=lambda row: (-row["odds_ratio"], row["cue"]))
    against = sum(row["odds_ratio"] < 1 for row in apart)
    by_cue = {row["cue"]: row for row in rows}
    parts = []
    if {"longest-option", "unique-longest-option"} <= by_cue.keys():
        ties, lone = by_cue["longest-option"], by_cue["unique-longest-option"]
        parts.append(
            f"Of {counts.valid:,} items with options the key is a longest option in {ties['key_has_cue']:,} "
            f"({100 * ties['share_of_keys']:.1f}%) and alone the longest in {lone['key_has_cue']:,} "
            f"({100 * lone['share_of_keys']:.1f}%); a random key is right in {100 * counts.random:.1f}%."
        )
    if leaning:
        named = ", ".join(
            f"{row['title'].lower()} {interval_text(row['odds_ratio'], row['ci_low'], row['ci_high'], 1, scale=1)}"
            for row in leaning[:NAMED]
        )
        parts.append(f"More often on the key than on other options (odds ratio): {named}.")
    else:
        parts.append("No cue is resolved as more frequent on the key, after adjustment for the number of cues.")
    if against:
        parts.append(f"{against} cue{'s are' if against > 1 else ' is'} resolved as rarer on the key.")
    sides = ((len(leaning), "to the key"), (against, "away from it" if leaning else "away from the key"))
    found = [f"{number} cue{'s' * (number != 1)} lean{'s' * (number == 1)} {side}" for number, side in sides if number]
    return Verdict(name, ", ".join(found) or "no cue resolved", " ".join(parts), "partial" if found else "open")


def _notes(screenings: Sequence[Screening]) -> Iterator[str]:
    for one in screenings:
        counts = one.denominators
        left = "; ".join(f"{remark.items:,} {remark.what}" for remark in counts.unusable)
        if left and counts.valid:
            yield f"{one.dataset}: option screens use {counts.valid:,} of {counts.items:,} items; left out: {left}."
        if one.funnel is not None:
            told = one.funnel.summary_lines(one.dataset, quoting=one.data_use == "open")
            yield from told[: len(told) - len(one.funnel.notes)]
        if 0 < counts.valid < FEW_ITEMS:
            yield f"{one.dataset}: with {counts.valid} items with options, intervals are wide."


def _sections(
    screenings: Sequence[Screening], rows: Sequence[dict[str, Any]], opinions: Sequence[Opinion]
) -> Iterator[Section]:
    option = [row for row in rows if row["unit"] == "option" and row["items_with_cue"]]
    ratio = sorted(option, key=_by_ratio)
    wide = [row for row in ratio if (row["informative"] or 0) >= FEW_TABLES]
    yield Section(
        "Cues on the key",
        "How much more often an option with a cue is the key than one without, within the same item.",
        (
            odds_ratios(wide),
            TableBlock(
                _columns(screenings),
                tuple(ratio),
                f"Every cue that was found on an option. The drawing leaves out those that rest on fewer than "
                f"{FEW_TABLES} items.",
                "option-cues",
                "Cues of options",
            ),
        ),
    )
    yield Section("How often", "Candidates per data set, by cue.", _often(rows, _columns(screenings)))
    context = [row for row in rows if row["layer"] == "context" and row["items_with_cue"]]
    yield Section(
        "Natural clinical context",
        "Race, language, travel, work, habits, housing, means, function, family, reproduction and other context in the "
        "stem. Often it belongs there: only a clinician can say.",
        (_context(context),),
    )
    if opinions:
        yield judge_section(opinions)
    yield Section("Over the data set", "What somebody could learn from other items.", tuple(_dataset(screenings)))
    yield Section("What was read", "Every record is accounted for.", tuple(_read(screenings)))
    yield Section(
        "For a human to judge",
        "Cues of the dictionary (MedQA-MM, Appendix F) that screens do not see, or see in part. checklist.md has them "
        "as a list to tick.",
        (_checklist(),),
    )
    yield Section("The screens", "docs/cues.md has the whole dictionary.", (_screens(screenings[0]),))


def _columns(screenings: Sequence[Screening]) -> tuple[Column, ...]:
    """The columns of a table of cues; the data set only where there are several."""
    return CUE_COLUMNS if len(screenings) > 1 else CUE_COLUMNS[1:]


def _often(rows: Sequence[dict[str, Any]], known: tuple[Column, ...]) -> tuple[Block, ...]:
    found = [row for row in rows if row["items_with_cue"] and row["layer"] != "context"]
    found.sort(key=lambda row: (row["unit"] == "item", -row["share_of_items"], row["cue"]))
    table = tuple(row for row in rows if row["unit"] == "item" and row["items_with_cue"])
    columns = tuple(column for column in known if column.key not in _OF_OPTIONS)
    return (
        prevalence(found),
        TableBlock(
            columns, table, "Cues of the whole item: every option shares them.", "item-cues", "Cues of the item"
        ),
    )


_OF_OPTIONS = frozenset({"key_has_cue", "share_of_keys", "odds_ratio", "p_holm", "informative"})


def _context(rows: Sequence[dict[str, Any]]) -> Block:
    if not rows:
        return TextBlock(("No phrase of the lists was found in a stem.",))
    ordered = sorted(rows, key=lambda row: (row["dataset"], -row["items_with_cue"], row["cue"]))
    return prevalence(ordered, name="context", title="Context by category")


def _dataset(screenings: Sequence[Screening]) -> Iterator[Block]:
    chances = {
        (one.dataset, place): _chance(one, place)
        for one in screenings
        for place in one.positions
        if one.denominators.valid
    }
    places = [
        {
            "dataset": one.dataset,
            "place": place,
            "items": tally.items,
            "keys": tally.key,
            "share": tally.key / tally.items,
            "chance": chances[one.dataset, place],
        }
        for one in screenings
        for place, tally in one.positions.items()
    ]
    yield key_places(places)
    rows: list[dict[str, Any]] = []
    for one in screenings:
        known = one.statistics
        text, most = known.majority
        near = len(known.near_duplicates)
        quoted = one.data_use == "open" and most > 1
        rows += [
            _fact(one, "most frequent key", f"“{text[:60]}”" if quoted else "(not quoted)", most, known.items),
            *(
                _fact(one, "options an item", str(value), known.option_counts[value], known.items)
                for value in sorted(known.option_counts)
            ),
            *(
                _fact(one, "images an item", str(value), known.image_counts[value], known.items)
                for value in sorted(known.image_counts)
            ),
            _fact(one, "items with a near duplicate", "", near, known.items),
            _fact(
                one,
                "lead-ins that occur more than once",
                f"{len(known.templates):,} lead-ins",
                sum(known.templates.values()),
                known.items,
            ),
        ]
    columns = (
        Column("dataset", "Data set", "name"),
        Column("what", "What"),
        Column("value", "Value"),
        Column("items", "Items", "integer"),
        Column("share", "% of items", "share"),
    )
    yield TableBlock(columns, tuple(rows), "Answer priors, counts and repetition.", "data-set", "Regularities")


def _chance(screening: Screening, place: int) -> float:
    """Chance of the key at a place among the items that have it: mean of 1/K."""
    counts = {value: number for value, number in screening.statistics.option_counts.items() if value >= place}
    total = sum(counts.values())
    return sum(number / value for value, number in counts.items()) / total if total else math.nan


def _fact(screening: Screening, what: str, value: str, items: int, whole: int) -> dict[str, Any]:
    return {"dataset": screening.dataset, "what": what, "value": value or None, "items": items, "share": items / whole}


def _read(screenings: Sequence[Screening]) -> Iterator[Block]:
    rows: list[dict[str, Any]] = []
    for one in screenings:
        counts = one.denominators
        if one.funnel is not None:
            rows.append(_step(one, "records read", one.funnel.entered, "", ""))
            for step in one.funnel.steps:
                shown = "; ".join(step.examples[:2]) if one.data_use == "open" else ""
                rows.append(_step(one, f"left out: {step.reason}", step.removed, "not screened", shown))
            rows += [_step(one, note, None, "", "") for note in one.funnel.notes]
        rows += [_step(one, note, None, "", "") for note in one.image_notes]
        rows.append(_step(one, "questions screened", counts.items, "", ""))
        rows.append(
            _step(one, "with options that can be compared", counts.valid, "the denominator of option screens", "")
        )
        rows += [
            _step(one, remark.what, remark.items, remark.consequence, ", ".join(remark.examples))
            for remark in (*counts.unusable, *counts.peculiar)
        ]
    columns = (
        Column("dataset", "Data set", "name"),
        Column("what", "What"),
        Column("items", "Items", "integer"),
        Column("consequence", "What that means"),
        Column("examples", "For example"),
    )
    yield TableBlock(columns, tuple(rows), "funnel.json has the denominators of every screen.", "funnel", "Funnel")


def _step(screening: Screening, what: str, items: int | None, consequence: str, examples: str) -> dict[str, Any]:
    return {
        "dataset": screening.dataset,
        "what": what,
        "items": items,
        "consequence": consequence or None,
        "examples": examples or None,
    }


def _checklist() -> TableBlock:
    rows = tuple({"cue": cue, "question": question} for cue, question in checklist())
    columns = (Column("cue", "Cue"), Column("question", "Question"))
    return TableBlock(columns, rows, "One mark an item and question.", "checklist", "Checklist")


def _screens(screening: Screening) -> TableBlock:
    rows = tuple(
        {
            "name": screen.name,
            "layer": screen.layer,
            "unit": screen.unit,
            "looks_at": screen.looks_at,
            "needs": screen.needs,
            "version": screen.version,
            "citation": screen.citation,
        }
        for screen in screening.screens
    )
    columns = (
        Column("name", "Screen", "code"),
        Column("layer", "Layer"),
        Column("unit", "Unit"),
        Column("looks_at", "What it looks at"),
        Column("needs", "Needs"),
        Column("version", "Version", "integer"),
        Column("citation", "Source"),
    )
    return TableBlock(
        columns, rows, "Each is a pure function of the item and the data set's counts.", "screens", "Screens"
    )


def _by_ratio(row: Mapping[str, Any]) -> tuple[float, str]:
    ratio = row["odds_ratio"]
    return (-ratio if ratio is not None else math.inf), row["cue"]
