"""Which answers choose items, and which are kept to report on the choice."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

import polars as pl

from perimetry.screening.subset.rules import Choosing

__all__ = ["Divided", "divide"]


@dataclass(frozen=True, slots=True, eq=False)
class Divided:
    """Answers of models, divided.

    Parameters
    ----------
    choosing : polars.DataFrame
        Rows of `Inputs.answers` that decide over items.
    reporting : polars.DataFrame
        The other rows.
    looked_at : polars.DataFrame
        Rows that rules and tiers may look at: those that choose, and those of settings that remove nothing.
    notes : tuple of str
        Models of which no answer is left to report, or none chooses; patterns that match no model.
    """

    choosing: pl.DataFrame
    reporting: pl.DataFrame
    looked_at: pl.DataFrame
    notes: tuple[str, ...] = ()


def divide(answers: pl.DataFrame, choosing: Choosing, read: frozenset[str] | None = None) -> Divided:
    """Divide answers by model and repeat.

    A model that may not choose reports with all of its repeats. Of one that may, the first repeats choose: as many as
    the rules say. Where they say nothing, half of the repeats choose, rounded down; of the models with a single repeat
    the first half by name, rounded down, choose and the others report. So a single answer reports and chooses nothing.
    Answers in settings that no rule reads report, all of them.

    Parameters
    ----------
    answers : polars.DataFrame
        See `Inputs.answers`.
    choosing : Choosing
    read : frozenset of str, optional
        Settings that rules read to remove items; see `settings_read`. Left out: all.

    Returns
    -------
    Divided

    Examples
    --------
    >>> rows = [("m", "d", "1", "g", "textonly", repeat, True) for repeat in range(5)]
    >>> names = ["model", "dataset", "case_id", "group", "setting", "repeat", "correct"]
    >>> parts = divide(pl.DataFrame(rows, schema=names, orient="row"), Choosing())
    >>> parts.choosing["repeat"].to_list(), parts.reporting["repeat"].to_list()
    ([0, 1], [2, 3, 4])
    """
    if answers.is_empty():
        return Divided(answers, answers, answers)
    repeats = answers.group_by("model", maintain_order=True).agg(pl.col("repeat").unique().sort())
    there: dict[str, list[int]] = dict(sorted(repeats.iter_rows()))
    notes = [
        f"choosing.models: {pattern!r} matches no model; there are {', '.join(there)}."
        for pattern in choosing.models
        if not any(fnmatchcase(model, pattern) for model in there)
    ]
    able = [model for model in there if any(fnmatchcase(model, pattern) for pattern in choosing.models)]
    single = [model for model in able if len(there[model]) == 1]
    first = dict.fromkeys(there, -1)
    for model in able:
        if choosing.repeats is not None:
            taken = choosing.repeats
        elif model in single:
            taken = int(single.index(model) < len(single) // 2)
        else:
            taken = len(there[model]) // 2
        if taken:
            first[model] = there[model][min(taken, len(there[model])) - 1]
    used = pl.lit(True) if read is None else pl.col("setting").is_in(sorted(read))
    chooses = used & (pl.col("repeat") <= pl.col("model").replace_strict(first, return_dtype=pl.Int64))
    looked_at = answers.filter(chooses | (~used & pl.col("model").is_in(able)))
    parts = Divided(answers.filter(chooses), answers.filter(~chooses), looked_at)
    # Without a number in the rules half is always left to report.
    held = set(parts.reporting.filter(used)["model"].to_list())
    notes += [
        f"{model}: every answer in the settings that rules read chose items, so none of these is left to report on the "
        f"subset. Ask with --repeats {choosing.repeats + 1} or more, or name the models that choose in the "
        "rules (choosing.models)."
        for model in parts.choosing["model"].unique().sort().to_list()
        if choosing.repeats is not None and model not in held
    ]
    return Divided(parts.choosing, parts.reporting, parts.looked_at, tuple(notes))
