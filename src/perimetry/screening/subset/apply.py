"""Rules on items: what is kept, what is removed, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import polars as pl

from perimetry.screening.judging.cue import JUDGED
from perimetry.screening.subset.needs import lattice_need
from perimetry.screening.subset.rules import CueRule, GuesserRule, ImagesRule, LatticeRule, Rules
from perimetry.screening.tiers import Inputs
from perimetry.screening.tiers.support import SURENESS, UNKNOWN_CHANCE, tail

__all__ = ["REASON_SCHEMA", "UNASKED", "Choice", "choose"]

REASON_SCHEMA: dict[str, type[pl.DataType]] = {
    "dataset": pl.String,
    "case_id": pl.String,
    "rule": pl.String,
    "action": pl.String,
    "cue": pl.String,
    "because": pl.String,
    "evidence": pl.String,
}
UNASKED = "in no guess"
"""Stands as the rule of items that rules on guesses could not be asked of."""

SEVERITIES = ("low", "medium", "high")


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What the rules made of the items.

    Parameters
    ----------
    reasons : polars.DataFrame
        `REASON_SCHEMA`: one row an item, rule and cue that fitted; sorted.
    kept : polars.Series
        One flag an item, in the order of `Inputs.items`.
    idle : tuple of str
        Rules that had nothing to look at, each with what they would need.
    notes : tuple of str
        Items of which some rules could not be asked; each has a row of its own in `reasons`.
    """

    reasons: pl.DataFrame
    kept: pl.Series
    idle: tuple[str, ...]
    notes: tuple[str, ...] = ()


def choose(rules: Rules, inputs: Inputs, tiers: pl.DataFrame, answers: pl.DataFrame) -> Choice:
    """Ask every rule of every item.

    Parameters
    ----------
    rules : Rules
    inputs : Inputs
    tiers : polars.DataFrame
        From `assign_tiers`.
    answers : polars.DataFrame
        Those that may choose; see `divide`.

    Returns
    -------
    Choice
    """
    unasked = list(_unasked(rules, inputs))
    found = pl.DataFrame([*_reasons(rules, inputs, tiers, answers), *unasked], schema=REASON_SCHEMA, orient="row")
    found = found.sort("dataset", "case_id", "rule", "cue")
    out = set(found.filter(pl.col("action") == "exclude").select("dataset", "case_id").iter_rows())
    flags = [key not in out for key in inputs.items.select("dataset", "case_id").iter_rows()]
    idle = tuple(_idle(rules, inputs, tiers, answers))
    notes = [f"{len(unasked):,} items are in no guess: {unasked[0][5]}"] if unasked else []
    return Choice(found, pl.Series("kept", flags, dtype=pl.Boolean), idle, tuple(notes))


def _reasons(
    rules: Rules, inputs: Inputs, tiers: pl.DataFrame, answers: pl.DataFrame
) -> Iterator[tuple[str, str, str, str, str, str, str]]:
    for rule in rules.rule:
        if isinstance(rule, CueRule):
            fitting = _with_cue(rule, tiers)
        elif isinstance(rule, GuesserRule):
            fitting = _guessed(rule, inputs.guesses)
        elif isinstance(rule, LatticeRule):
            fitting = _answered(rule, inputs, answers)
        else:
            fitting = _pictured(rule, inputs.items)
        for dataset, item, cue, evidence in fitting:
            yield dataset, item, rule.name, rule.action, cue, rule.because or rule.name, evidence


def _unasked(rules: Rules, inputs: Inputs) -> Iterator[tuple[str, str, str, str, str, str, str]]:
    """Items that no guesser was asked, such as those of options without text: rules on guesses pass them over."""
    names = [rule.name for rule in rules.rule if isinstance(rule, GuesserRule | ImagesRule)]
    if not names or inputs.guesses.is_empty():
        return
    because = f"these rules could not be asked: {', '.join(names)}"
    for dataset, item in (
        inputs.items.select("dataset", "case_id")
        .join(inputs.guesses, on=["dataset", "case_id"], how="anti", maintain_order="left")
        .iter_rows()
    ):
        yield dataset, item, UNASKED, "flag", "", because, "in no folder of perimetry guess"


Fitting = Iterator[tuple[str, str, str, str]]


def _with_cue(rule: CueRule, tiers: pl.DataFrame) -> Fitting:
    least = SEVERITIES.index(rule.severity)
    columns = ("dataset", "case_id", "cue", "layer", "severity", "key_has_cue", "singles_out_key", "tier")
    for row in tiers.select(*columns, "disposition", "decided_by", "evidence").iter_rows():
        dataset, item, cue, layer, severity, has, alone, tier, disposition, by, evidence = row
        if (
            any(fnmatchcase(cue, pattern) for pattern in rule.cues)
            and _of_layer(rule, layer, tier)
            and (severity not in SEVERITIES or SEVERITIES.index(severity) >= least)
            and (rule.key == "any" or bool(has if rule.key == "carries" else alone))
            and (not rule.tiers or tier in rule.tiers)
            and (not rule.dispositions or disposition in rule.dispositions)
        ):
            yield dataset, item, cue, f"{tier} by {by}" + (f" ({evidence})" if evidence else "")


def _of_layer(rule: CueRule, layer: str, tier: str) -> bool:
    """Whether a rule looks at cues of that layer: at what only a model says, where it names the layer."""
    return layer in rule.layers if rule.layers else layer != JUDGED or tier != "candidate"


def _guessed(rule: GuesserRule, guesses: pl.DataFrame) -> Fitting:
    sure = guesses.filter((pl.col("guesser") == rule.guesser) & SURENESS.ge(rule.confidence))
    for dataset, item, share, base, correct in sure.select(
        "dataset", "case_id", "p_answer", "chance", "correct"
    ).iter_rows():
        if correct or not rule.right:
            said = "right" if correct else "wrong"
            yield (
                dataset,
                item,
                "",
                f"guesser {rule.guesser} {said}, with {share:.0%} given to its answer, chance {base:.0%}",
            )


def _answered(rule: LatticeRule, inputs: Inputs, answers: pl.DataFrame) -> Fitting:
    chance = {(row[0], row[1]): row[2] for row in inputs.items.select("dataset", "case_id", "chance").iter_rows()}
    counted: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for dataset, item, correct in (
        answers.filter(pl.col("setting") == rule.setting).select("dataset", "case_id", "correct").iter_rows()
    ):
        counted[dataset, item].append(correct)
    for (dataset, item), correct in counted.items():
        right, number = sum(correct), len(correct)
        known = chance[dataset, item]
        base = UNKNOWN_CHANCE if known is None else known
        if number >= rule.answers and right >= rule.share * number and tail(right, number, base) <= rule.level:
            yield dataset, item, "", f"{right} of {number} answers right with {rule.setting}"


def _pictured(rule: ImagesRule, items: pl.DataFrame) -> Fitting:
    few = items.filter(pl.col("images") < rule.fewer_than)
    for dataset, item, count in few.select("dataset", "case_id", "images").iter_rows():
        yield dataset, item, "", f"{count} images"


def _idle(rules: Rules, inputs: Inputs, tiers: pl.DataFrame, answers: pl.DataFrame) -> Iterator[str]:
    """Rules that could fit nothing, since what they look at was not given."""
    for rule in rules.rule:
        need = ""
        if isinstance(rule, GuesserRule) and inputs.guesses.filter(pl.col("guesser") == rule.guesser).is_empty():
            need = f"there are no guesses of {rule.guesser}"
        elif isinstance(rule, LatticeRule):
            need = lattice_need(rule, rules.choosing, inputs, answers)
        elif isinstance(rule, ImagesRule) and inputs.items["images"].is_null().all():
            need = "there are no numbers of images"
        elif isinstance(rule, CueRule) and tiers.is_empty():
            need = "there are no candidates"
        if need:
            yield f"{rule.name}: {need}"
