"""Which answers choose items, and which are kept to report on the choice."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

import polars as pl

from perimetry.screening.guessers.encoding import GUESSERS
from perimetry.screening.subset.rules import Choosing, CueRule, GuesserRule, Rules

__all__ = ["Divided", "choosing_guessers", "divide"]


@dataclass(frozen=True, slots=True, eq=False)
class Divided:
    """Answers of models, divided.

    Parameters
    ----------
    choosing, reporting : polars.DataFrame
        Rows of `Inputs.answers`.
    notes : tuple of str
        Models of which no answer is left to report.
    """

    choosing: pl.DataFrame
    reporting: pl.DataFrame
    notes: tuple[str, ...] = ()


def divide(answers: pl.DataFrame, choosing: Choosing) -> Divided:
    """Divide answers by model and repeat.

    A model that may not choose reports with all of its repeats. Of one that may, the first repeats choose: as many as
    the rules say, else half of them, and the only one where there is one.

    Parameters
    ----------
    answers : polars.DataFrame
        See `Inputs.answers`.
    choosing : Choosing

    Returns
    -------
    Divided

    Examples
    --------
    >>> rows = [("m", "d", "1", "g", "textonly", repeat, True) for repeat in range(5)]
    >>> names = ["model", "dataset", "item", "group", "setting", "repeat", "correct"]
    >>> parts = divide(pl.DataFrame(rows, schema=names, orient="row"), Choosing())
    >>> parts.choosing["repeat"].to_list(), parts.reporting["repeat"].to_list()
    ([0, 1], [2, 3, 4])
    """
    first: dict[str, int] = {}
    notes = []
    repeats = answers.group_by("model", maintain_order=True).agg(pl.col("repeat").unique().sort())
    for model, there in sorted(repeats.iter_rows()):
        if not any(fnmatchcase(model, pattern) for pattern in choosing.models):
            first[model] = -1
            continue
        taken = choosing.repeats or max(1, len(there) // 2)
        first[model] = there[min(taken, len(there)) - 1]
        if taken >= len(there):
            notes.append(
                f"{model}: every answer chose items, so none is left to report on the subset. Ask with --repeats 2 or "
                "more, or name the models that choose in the rules (choosing.models)."
            )
    if answers.is_empty():
        return Divided(answers, answers)
    limit = pl.col("model").replace_strict(first, return_dtype=pl.Int64)
    return Divided(answers.filter(pl.col("repeat") <= limit), answers.filter(pl.col("repeat") > limit), tuple(notes))


def choosing_guessers(rules: Rules) -> frozenset[str]:
    """Guessers whose right answers choose items, so that their accuracy drops by the choice itself.

    A guesser does not choose in that sense where all answers of that confidence are removed, right or wrong: neither
    by such a rule, nor by tiers that it supports with the same confidence or more.

    Examples
    --------
    >>> from perimetry.screening.subset.rules import read_rules
    >>> choosing_guessers(read_rules()[0])
    frozenset()
    """
    own = [rule for rule in rules.rule if isinstance(rule, GuesserRule) and rule.action == "exclude"]
    by_tier = any(
        isinstance(rule, CueRule)
        and rule.action == "exclude"
        and (not rule.tiers or "ablation-supported" in rule.tiers)
        and not rule.dispositions
        for rule in rules.rule
    )
    found = set()
    for name in GUESSERS:
        blind = min((rule.confidence for rule in own if rule.guesser == name and not rule.right), default=2.0)
        needed = [rule.confidence for rule in own if rule.guesser == name and rule.right]
        needed += [rules.tiers.confidence] * by_tier
        if any(confidence < blind for confidence in needed):
            found.add(name)
    return frozenset(found)
