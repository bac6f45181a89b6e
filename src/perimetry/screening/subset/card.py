"""The data card of a subset: plain data, and the same in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from perimetry.runs.estimates import Estimate
from perimetry.screening.appendix import checklist
from perimetry.screening.subset.apply import UNASKED, Choice
from perimetry.screening.subset.measure import CHOOSERS
from perimetry.screening.subset.rules import Rules
from perimetry.screening.tiers import TIERS, Inputs, Source

__all__ = ["FEW", "STATUS", "card_of", "markdown", "redistribution"]

STATUS = "shortcut-mitigated under the probes named here; not free of shortcuts"

FEW = 30
"""Kept items below which an accuracy and its resampled interval are marked."""

CUE_COUNTS = ("before", "after", "alone_before", "alone_after")

_TERMS = {
    "open": "open: the source's licence holds; rights in single images are to be confirmed",
    "restricted": "no redistribution: ids and audit data only",
    "credentialed": "no redistribution: ids and audit data only, for those with access of their own",
}


def redistribution(source: Source) -> str:
    """What may be passed on of an item of that source. It grants nothing.

    Examples
    --------
    >>> redistribution(Source("mine"))
    'not known: to be confirmed before anything is passed on'
    """
    if source.data_use == "open" and not source.licence:
        return "open, but no licence is named: to be confirmed"
    return _TERMS.get(source.data_use, "not known: to be confirmed before anything is passed on")


def card_of(
    name: str,
    rules: Rules,
    inputs: Inputs,
    choice: Choice,
    tiers: pl.DataFrame,
    estimates: Sequence[Estimate],
    notes: Sequence[str],
) -> dict[str, Any]:
    """The card as plain data: sources and terms, counts, reasons, cues, tiers, accuracies, risks, what is missing."""
    items = inputs.items.with_columns(choice.kept)
    kept = items.filter("kept")
    standing = tiers.join(items.select("dataset", "case_id", "kept"), on=["dataset", "case_id"])
    flagged = choice.reasons.filter(pl.col("action") == "flag").join(kept, on=["dataset", "case_id"], how="semi")
    few = list(_few(kept, inputs))
    return {
        "name": name,
        "status": STATUS,
        "rules": {"name": rules.name, "summary": rules.summary},
        "counts": {
            "items": items.height,
            "kept": kept.height,
            "removed": items.height - kept.height,
            "kept_and_flagged": flagged.select("dataset", "case_id").unique().height,
        },
        "sources": [_source(source, items) for source in inputs.sources],
        "made_from": [
            {"kind": folder.kind, "folder": folder.path.name, "command": folder.command} for folder in inputs.folders
        ],
        "removed_by": list(_by_rule(choice.reasons, "exclude", rules)),
        "flagged_by": list(_by_rule(flagged, "flag", rules)),
        "idle_rules": list(choice.idle),
        "cues": _cues(standing),
        "tiers": {
            tier: {
                "before": standing.filter(pl.col("tier") == tier).height,
                "after": standing.filter((pl.col("tier") == tier) & pl.col("kept")).height,
            }
            for tier in TIERS
        },
        "accuracy": list(_accuracies(estimates)),
        "validation": _validation(inputs),
        "notes": [*notes, *few],
        "residual_risks": list(_risks(flagged, inputs, choice, [*notes, *few])),
        "missing_evidence": list(inputs.missing),
        "human_checklist": [{"cue": cue, "question": question} for cue, question in checklist()],
    }


def _few(kept: pl.DataFrame, inputs: Inputs) -> Iterator[str]:
    for source in inputs.sources:
        count = kept.filter(pl.col("dataset") == source.name).height
        if count < FEW:
            yield (
                f"{source.name}: only {count:,} items are kept, fewer than {FEW}: accuracies after the choice, "
                "and their intervals, say little"
            )


def _source(source: Source, items: pl.DataFrame) -> dict[str, Any]:
    own = items.filter(pl.col("dataset") == source.name)
    return {
        "name": source.name,
        "citation": source.citation,
        "licence": source.licence or "not known",
        "data_use": source.data_use or "not known",
        "redistribution": redistribution(source),
        "items": own.height,
        "kept": int(own["kept"].sum()),
    }


def _by_rule(reasons: pl.DataFrame, action: str, rules: Rules) -> Iterator[dict[str, Any]]:
    own = reasons.filter(pl.col("action") == action)
    pairs = own.select("dataset", "case_id", "rule").unique()
    alone = pairs.filter(~pairs.select("dataset", "case_id").is_duplicated())
    told = [(rule.name, rule.because or rule.name) for rule in rules.rule if rule.action == action]
    unasked = own.filter(pl.col("rule") == UNASKED)
    if not unasked.is_empty():
        told.append((UNASKED, unasked["because"][0]))
    for name, because in told:
        yield {
            "rule": name,
            "because": because,
            "items": pairs.filter(pl.col("rule") == name).height,
            "by_this_rule_alone": alone.filter(pl.col("rule") == name).height,
        }


def _cues(standing: pl.DataFrame) -> list[dict[str, Any]]:
    alone = pl.col("singles_out_key").fill_null(False)
    counted = standing.group_by("dataset", "cue", "layer").agg(
        pl.len().cast(pl.Int64).alias("before"),
        pl.col("kept").sum().cast(pl.Int64).alias("after"),
        alone.sum().cast(pl.Int64).alias("alone_before"),
        (alone & pl.col("kept")).sum().cast(pl.Int64).alias("alone_after"),
    )
    return counted.sort("dataset", "cue", "layer").to_dicts()


def _accuracies(estimates: Sequence[Estimate]) -> Iterator[dict[str, Any]]:
    known = {(row.dataset, row.model, row.metric, row.condition, row.stratum, row.comparator): row for row in estimates}
    alone = len({row.dataset for row in estimates} - {"macro", "pooled"}) == 1
    for (dataset, model, metric, condition, stratum, comparator), row in known.items():
        if stratum != "all" or comparator or (alone and dataset == "macro") or not row.n:
            continue
        place = (dataset, model, metric, condition)
        told: dict[str, Any] = {
            "dataset": dataset,
            "who": model,
            "setting": condition,
            "chose_items": metric == CHOOSERS,
            "before": _triple(row),
        }
        left = known.get((*place, "kept", ""))
        told["items_after"] = 0 if left is None else left.n
        for name, key in (("after", ("kept", "")), ("change", ("kept", "all")), ("random", ("random", "all"))):
            told[name] = _triple(known.get((*place, *key)))
        against = known.get((*place, "kept", "random"))
        told["p_random"] = None if against is None else against.p_value
        yield told


def _triple(row: Estimate | None) -> list[float] | None:
    if row is None or row.value != row.value:
        return None
    return [row.value, row.ci_low, row.ci_high]


def _validation(inputs: Inputs) -> dict[str, Any]:
    by = sorted({one.by for one in inputs.decisions})
    items = len({(one.dataset, one.case_id) for one in inputs.decisions})
    status = "not validated by experts" if not by else f"{len(inputs.decisions):,} decisions on {items:,} items"
    return {"status": status, "decided_by": by, "decisions": len(inputs.decisions), "items": items}


def _risks(flagged: pl.DataFrame, inputs: Inputs, choice: Choice, notes: Sequence[str]) -> Iterator[str]:
    for (rule,), part in sorted(flagged.partition_by("rule", as_dict=True).items()):
        count = part.select("dataset", "case_id").unique().height
        yield f"{count:,} kept items: {part['because'][0]} (rule {rule})"
    yield "cues that nobody but a human sees are on the checklist; they were looked at only where a decision says so"
    yield from notes
    yield from (f"rule without effect: {one}" for one in choice.idle)
    if not inputs.answers.filter(pl.col("setting") == "imageoptions").height:
        yield "what image and options alone give was not measured"


def markdown(card: Mapping[str, Any]) -> str:
    """The card in Markdown."""
    counts = card["counts"]
    lines = [
        f"# {card['name']}",
        "",
        f"{counts['kept']:,} of {counts['items']:,} items. **{card['status'][0].upper()}{card['status'][1:]}.**",
        "",
        f"Rules: {card['rules']['name']}. {card['rules']['summary']}",
        "",
        "## Sources",
        "",
        "| data set | items | kept | licence | terms | redistribution |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for it in card["sources"]:
        cells = (it["name"], f"{it['items']:,}", f"{it['kept']:,}", it["licence"], it["data_use"], it["redistribution"])
        lines.append(_row(cells))
    lines += ["", *(f"- {it['name']}: {it['citation']}" for it in card["sources"] if it["citation"])]
    lines += ["", "## Why items were removed", "", "| rule | because | items | by this rule alone |", _rule(4)]
    lines += [
        _row((it["rule"], it["because"], f"{it['items']:,}", f"{it['by_this_rule_alone']:,}"))
        for it in card["removed_by"]
    ]
    lines += ["", "reasons.csv has every item with every reason and its evidence.", "", "## Before and after", ""]
    lines += [
        "Accuracy in percent with 95% intervals. Answers that took part in choosing the items drop by the choice "
        "itself: they are marked, and say nothing about the subset. The random filter keeps as many items, by lot: "
        "mean of 1,000 draws and the range of 95% of them.",
        "",
        "| data set | who | setting | chose items | before | after | change | random filter, change | p |",
        _rule(9),
    ]
    for it in card["accuracy"]:
        p_value = "–" if it["p_random"] is None else f"{it['p_random']:.3f}"
        chose = "yes" if it["chose_items"] else "no"
        few = f" ({it['items_after']:,} items only)" if it["after"] is not None and it["items_after"] < FEW else ""
        numbers = (
            _percent(it["before"]),
            _percent(it["after"]) + few,
            _percent(it["change"], True),
            _percent(it["random"], True),
        )
        lines.append(_row((it["dataset"], it["who"], it["setting"] or "–", chose, *numbers, p_value)))
    lines += ["", "p: share of 1,000 random filters of the same size that lie at least as far off.", ""]
    lines += ["## Cues", "", "Items that carry a cue, and those whose key alone carries it.", ""]
    lines += ["| data set | cue | layer | items before | after | key alone before | after |", _rule(7)]
    lines += [
        _row((it["dataset"], it["cue"], it["layer"], *(f"{it[name]:,}" for name in CUE_COUNTS))) for it in card["cues"]
    ]
    lines += ["", "## Evidence tiers", "", "| tier | cues before | cues after |", _rule(3)]
    lines += [_row((tier, f"{it['before']:,}", f"{it['after']:,}")) for tier, it in card["tiers"].items()]
    lines += ["", "## Validation", "", f"{card['validation']['status']}."]
    if card["validation"]["decided_by"]:
        lines[-1] += f" By: {', '.join(card['validation']['decided_by'])}."
    for title, key in (("Residual risks", "residual_risks"), ("Evidence that was not given", "missing_evidence")):
        lines += ["", f"## {title}", "", *(f"- {it}" for it in card[key] or ["none"])]
    lines += ["", "## For human review", ""]
    lines += [f"- [ ] {it['cue']}: {it['question']}" for it in card["human_checklist"]]
    lines += ["", "## Made from", ""]
    lines += [
        f"- {it['kind']}: {it['folder']}" + (f" (`{it['command']}`)" if it["command"] else "")
        for it in card["made_from"]
    ]
    return "\n".join([*lines, ""])


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(str(cell).replace('|', '/').replace(chr(10), ' ') for cell in cells)} |"


def _rule(columns: int) -> str:
    return f"|{' --- |' * columns}"


def _percent(triple: Sequence[float] | None, sign: bool = False) -> str:
    from perimetry.reports import interval_text

    return "–" if triple is None else interval_text(triple[0], triple[1], triple[2], sign=sign)
