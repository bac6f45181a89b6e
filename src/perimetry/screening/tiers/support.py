"""Ablation support: is an item answered from the part that holds the cue more often than by chance?"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from perimetry.screening.tiers.inputs import Inputs

__all__ = ["PARTS", "SURENESS", "UNKNOWN_CHANCE", "Support", "SupportSettings", "support_of", "tail"]

PARTS: dict[str, tuple[str, str]] = {
    "option form": ("optionsonly", "options"),
    "data set": ("optionsonly", "options"),
    "stem": ("textonly", "question+options"),
    "context": ("textonly", "question+options"),
    "image": ("imageoptions", ""),
}
"""For each layer of cues: the setting of the lattice that shows it with least besides, and the guesser that sees it."""

UNKNOWN_CHANCE = 0.5

SURENESS = (pl.col("p_answer") - pl.col("chance")) / (1 - pl.col("chance"))
"""How sure a guesser is of its answer: 0 at chance, 1 at certainty, whatever the number of options."""


@dataclass(frozen=True, slots=True)
class SupportSettings:
    """When partial input counts as support.

    Parameters
    ----------
    level : float, default 0.05
        The answers of all models and repeats in a setting support a cue where so many right ones are that unlikely by
        chance (one-sided binomial).
    confidence : float, default 0.4
        A guesser supports a cue where it is right and at least so sure of its answer: 0 at chance, 1 at certainty; 0.4
        is a probability of 52% among five options and of 70% among two.
    """

    level: float = 0.05
    confidence: float = 0.4


@dataclass(frozen=True, slots=True)
class Support:
    """What supports a cue: who (``lattice optionsonly``, ``guesser options``) and in which words."""

    by: str
    evidence: str


def support_of(inputs: Inputs, settings: SupportSettings) -> dict[tuple[str, str, str], tuple[Support, ...]]:
    """Support by data set, item and part: a setting of the lattice.

    Cues of one layer in one item have the same support: partial input does not tell two cues of a part from each other;
    matched repairs do.

    Parameters
    ----------
    inputs : Inputs
    settings : SupportSettings

    Returns
    -------
    dict
        (dataset, item, setting) to what supports cues of that part.
    """
    found: dict[tuple[str, str, str], tuple[Support, ...]] = {}
    chance = {(row[0], row[1]): row[2] for row in inputs.items.select("dataset", "case_id", "chance").iter_rows()}
    counted = (
        inputs.answers.filter(pl.col("setting") != "full")
        .group_by("dataset", "case_id", "setting", maintain_order=True)
        .agg(pl.len().alias("n"), pl.col("correct").sum().alias("right"), pl.col("model").n_unique().alias("models"))
    )
    for dataset, item, setting, number, right, models in counted.iter_rows():
        known = chance[dataset, item]
        base = UNKNOWN_CHANCE if known is None else known
        probability = tail(right, number, base)
        if probability <= settings.level:
            asked = "1 model" if models == 1 else f"{models} models"
            told = f"{right} of {number} answers of {asked} right, chance {base:.0%}"
            if known is None:
                told += " at most (number of options not known)"
            found[dataset, item, setting] = (Support(f"lattice {setting}", told),)
    of_guesser = {guesser: setting for setting, guesser in PARTS.values() if guesser}
    sure = inputs.guesses.filter(pl.col("correct") & SURENESS.ge(settings.confidence))
    columns = ("guesser", "dataset", "case_id", "p_answer", "chance")
    for guesser, dataset, item, share, base in sure.select(columns).iter_rows():
        if guesser in of_guesser:
            key = (dataset, item, of_guesser[guesser])
            one = Support(f"guesser {guesser}", f"right, with {share:.0%} given to its answer, chance {base:.0%}")
            found[key] = (*found.get(key, ()), one)
    return found


def tail(right: int, number: int, chance: float) -> float:
    """Probability of at least so many right answers by chance.

    Examples
    --------
    >>> round(tail(2, 2, 0.2), 3), tail(0, 3, 0.2)
    (0.04, 1.0)
    """
    from scipy.special import bdtrc

    return 1.0 if right == 0 else float(bdtrc(right - 1, number, chance))
