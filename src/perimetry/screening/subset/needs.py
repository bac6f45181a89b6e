"""How many answers a rule on the lattice needs before it can fit any item, and how to get them."""

from __future__ import annotations

from fnmatch import fnmatchcase

import polars as pl

from perimetry.screening.subset.rules import Choosing, LatticeRule
from perimetry.screening.tiers import Inputs
from perimetry.screening.tiers.support import UNKNOWN_CHANCE, tail

__all__ = ["answers_needed", "lattice_need"]

MOST = 100


def answers_needed(rule: LatticeRule, chance: float) -> int:
    """Answers of which even all right ones are few enough by chance; 0 where no number up to 100 is.

    Examples
    --------
    >>> rule = LatticeRule(name="text", when="lattice", setting="textonly")
    >>> [answers_needed(rule, chance) for chance in (0.2, 0.25, 0.5)]
    [2, 3, 5]
    """
    enough = (number for number in range(rule.answers, MOST + 1) if tail(number, number, chance) <= rule.level)
    return next(enough, 0)


def lattice_need(rule: LatticeRule, choosing: Choosing, inputs: Inputs, answers: pl.DataFrame) -> str:
    """What keeps a rule from fitting any item; empty where nothing does.

    Parameters
    ----------
    rule : LatticeRule
    choosing : Choosing
    inputs : Inputs
        With all answers.
    answers : polars.DataFrame
        Those that the rule may look at.
    """
    given = inputs.answers.filter(pl.col("setting") == rule.setting)
    if given.is_empty():
        return f"there are no answers in the setting {rule.setting}"
    able = [
        model
        for model in given["model"].unique().sort().to_list()
        if any(fnmatchcase(model, pattern) for pattern in choosing.models)
    ]
    if not able:
        return f"no model may choose: choosing.models matches none of {', '.join(sorted(set(given['model'])))}"
    counted = answers.filter(pl.col("setting") == rule.setting).group_by("dataset", "case_id").len()
    items = given.select("dataset", "case_id").unique().join(inputs.items, on=["dataset", "case_id"])
    items = items.join(counted, on=["dataset", "case_id"], how="left").with_columns(pl.col("len").fill_null(0))
    pairs = items.select(pl.col("chance").fill_null(UNKNOWN_CHANCE), "len").unique().iter_rows()
    needed = {}
    for chance, number in pairs:
        needed[chance] = answers_needed(rule, chance)
        if needed[chance] and number >= needed[chance]:
            return ""
    possible = {chance: number for chance, number in needed.items() if number}
    if not possible:
        return f"level {rule.level:g} cannot be reached by any number of answers, with these numbers of options"
    least = min(possible.values())
    most = max(possible.values())
    numbers = f"{least}" if least == most else f"{least} to {most}, by the number of options,"
    most_given = max(items["len"].to_list(), default=0)
    return f"needs {numbers} choosing answers an item, {most_given} given{_remedy(most, len(able), choosing)}"


def _remedy(needed: int, models: int, choosing: Choosing) -> str:
    each = -(-needed // models)
    if choosing.repeats is not None:
        return f". Set choosing.repeats to {each}, and ask with --repeats {each + 1} or more, so that others report"
    asked = f"ask each of {models} models" if models > 1 else "ask the model"
    either = f"{asked} with --repeats {2 * each}, or give {2 * needed} models with one repeat"
    return f", as half of the answers are kept to report. Either {either}"
