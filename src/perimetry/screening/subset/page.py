"""The page of a subset: what was removed and why, before and after, what stays a risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from perimetry.reports.charts.subset import subset_accuracy
from perimetry.screening.subset.measure import CHOOSERS

__all__ = ["subset_page"]


def subset_page(card: Mapping[str, Any], estimates: pl.DataFrame, reproduce: Reproduce | None = None) -> Site:
    """The page model, from the card. No text of an item stands on it."""
    counts = card["counts"]
    missing = tuple(f"Not given: {one}." for one in card["missing_evidence"])
    return Site(
        title=f"Subset {card['name']}",
        subtitle=f"{counts['kept']:,} of {counts['items']:,} items · rules {card['rules']['name']} · {card['status']}",
        verdicts=tuple(_verdicts(card)),
        sections=(_before_after(card, estimates), _removed(card), _cues(card), _risks(card), _sources(card)),
        reproduce=reproduce,
        notes=missing,
        verdict_heading="What did the rules change?",
        asked=False,
        unit_note="Accuracies in percent, changes in percentage points, with 95% intervals in brackets.",
    )


def _verdicts(card: Mapping[str, Any]) -> Sequence[Verdict]:
    found = []
    for it in card["accuracy"]:
        change, random = it["change"], it["random"]
        if it["chose_items"] or change is None or it["setting"] not in ("optionsonly", "textonly"):
            continue
        if len(card["sources"]) > 1 and it["dataset"] != "pooled":
            continue
        low, high = change[1], change[2]
        if high < 0:
            tone, headline = "good", "shortcut route weaker"
        elif low > 0:
            tone, headline = "bad", "shortcut route stronger"
        else:
            tone, headline = "open", "no change shown" if card["counts"]["removed"] else "nothing was removed"
        told = f"{100 * it['before'][0]:.1f} percent before, {100 * it['after'][0]:.1f} after"
        beside = "" if random is None else f"; a random filter changes it by {interval_text(*random, sign=True)} points"
        found.append(
            Verdict(
                f"{it['who']} · {it['setting']}",
                headline,
                f"{told}: {interval_text(*change, sign=True)} points{beside}.",
                tone,  # type: ignore[arg-type]
                Figure("Change of accuracy", change[0], low, high),
            )
        )
    return found


def _before_after(card: Mapping[str, Any], estimates: pl.DataFrame) -> Section:
    blocks: list[Block] = []
    held = subset_accuracy(estimates, "accuracy", name="before-after", title="Answers that did not choose the items")
    if held is None:
        chose = any(it["chose_items"] for it in card["accuracy"])
        text = (
            "Every answer and guess that was given took part in choosing the items: nothing is left that could tell "
            "what the subset does. Ask models again (--repeats), or let other models choose (choosing.models)."
            if chose
            else "Neither guesses nor answers were given that could tell what the subset does."
        )
        blocks.append(TextBlock((text,), "caution", "Nobody reports"))
    else:
        blocks.append(held)
    blocks.append(_table(card, chose=False))
    chosen = subset_accuracy(
        estimates,
        CHOOSERS,
        name="before-after-choosers",
        title="Answers that chose the items",
        caption="These drop because items were removed for being answered rightly; the drop says nothing about the "
        "subset. Dashed: chance on the kept items.",
    )
    if chosen is not None:
        blocks += [chosen, _table(card, chose=True)]
    lead = "The same answers on all items, on the kept ones, and after a random filter that keeps as many."
    return Section("Before and after", lead, tuple(blocks))


def _table(card: Mapping[str, Any], *, chose: bool) -> TableBlock:
    rows = []
    for it in card["accuracy"]:
        if it["chose_items"] != chose:
            continue
        row = {"dataset": it["dataset"], "who": it["who"], "setting": it["setting"] or None, "p": it["p_random"]}
        for name in ("before", "after", "change", "random"):
            value, low, high = it[name] or (None, None, None)
            row |= {name: value, f"{name}_low": low, f"{name}_high": high}
        rows.append(row)
    columns = (
        Column("dataset", "Data set", "name"),
        Column("who", "Who", "name"),
        Column("setting", "Setting", "code"),
        Column("before", "Before", "share", low="before_low", high="before_high"),
        Column("after", "After", "share", low="after_low", high="after_high"),
        Column("change", "Change", "points", low="change_low", high="change_high", resolve=True),
        Column("random", "Random filter, change", "points", low="random_low", high="random_high", resolve=True),
        Column("p", "p", "p", help="share of 1,000 random filters of the same size that lie at least as far off"),
    )
    name = "before-after-choosers" if chose else "before-after"
    title = "Those that chose" if chose else "Those that did not choose"
    shown = columns if len(card["sources"]) > 1 else columns[1:]
    return TableBlock(shown, tuple(rows), "p: against 1,000 random filters of the same size.", name, title)


def _removed(card: Mapping[str, Any]) -> Section:
    columns = (
        Column("rule", "Rule"),
        Column("because", "Because"),
        Column("items", "Items", "integer"),
        Column("by_this_rule_alone", "By this rule alone", "integer"),
    )
    blocks: list[Block] = [
        TableBlock(columns, tuple(card["removed_by"]), "reasons.csv has every item.", "removed", "Removed"),
    ]
    if card["flagged_by"]:
        blocks.append(
            TableBlock(columns, tuple(card["flagged_by"]), "Kept, with the risk named.", "flagged", "Flagged")
        )
    if card["idle_rules"]:
        blocks.append(TextBlock(tuple(card["idle_rules"]), "caution", "Rules that had nothing to look at"))
    counts = card["counts"]
    lead = (
        f"{counts['removed']:,} of {counts['items']:,} items are removed, {counts['kept_and_flagged']:,} are kept "
        f"with a flag. {card['rules']['summary']}"
    )
    return Section("Why items were removed", lead, tuple(blocks))


def _cues(card: Mapping[str, Any]) -> Section:
    cues = (
        Column("dataset", "Data set", "name"),
        Column("cue", "Cue", "code"),
        Column("layer", "Layer"),
        Column("before", "Items before", "integer"),
        Column("after", "After", "integer"),
        Column("alone_before", "Key alone, before", "integer", help="items whose key alone carries the cue"),
        Column("alone_after", "After", "integer"),
    )
    tiers = (
        Column("tier", "Tier"),
        Column("before", "Cues before", "integer"),
        Column("after", "Cues after", "integer"),
    )
    rows = tuple({"tier": tier, **count} for tier, count in card["tiers"].items())
    blocks: list[Block] = [TableBlock(tiers, rows, "tiers.csv says for each who or what decided.", "tiers", "Tiers")]
    if card["cues"]:
        blocks.append(
            TableBlock(cues, tuple(card["cues"]), "Candidates of the screens, and cues of reviewers.", "cues", "Cues")
        )
    return Section("Cues and evidence", "A screen says candidate; evidence carries a cue further.", tuple(blocks))


def _risks(card: Mapping[str, Any]) -> Section:
    checklist = (Column("cue", "Cue"), Column("question", "To be judged"))
    blocks: list[Block] = [
        TextBlock(tuple(card["residual_risks"]), "caution", "What stays"),
        TextBlock((f"{card['validation']['status']}.",), title="Validation"),
        TableBlock(
            checklist, tuple(card["human_checklist"]), "Per item, by a reviewer.", "checklist", "For human review"
        ),
    ]
    return Section("Residual risks", "A subset is mitigated, never free of shortcuts.", tuple(blocks))


def _sources(card: Mapping[str, Any]) -> Section:
    columns = (
        Column("name", "Data set", "name"),
        Column("items", "Items", "integer"),
        Column("kept", "Kept", "integer"),
        Column("licence", "Licence"),
        Column("data_use", "Terms", "code"),
        Column("redistribution", "Redistribution"),
        Column("citation", "Source"),
    )
    made = tuple(f"{it['kind']}: {it['folder']}" for it in card["made_from"])
    blocks: tuple[Block, ...] = (
        TableBlock(columns, tuple(card["sources"]), "This grants no rights.", "sources", "Sources"),
        TextBlock(made, title="Made from"),
    )
    return Section("Sources and terms", "Ids and audit data only; items stay with their sources.", blocks)
