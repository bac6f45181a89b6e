"""What the rules read: which settings of the lattice and which guessers decide over items."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import polars as pl

from perimetry.screening.guessers.encoding import GUESSERS
from perimetry.screening.subset.rules import CueRule, GuesserRule, LatticeRule, Rules
from perimetry.screening.tiers import PARTS, Decision, Disposition, Tier

__all__ = ["choosing_guessers", "settings_read", "supported_layers"]


def settings_read(
    rules: Rules, candidates: pl.DataFrame | None = None, decisions: Sequence[Decision] = ()
) -> frozenset[str]:
    """Settings of the lattice whose right answers remove items.

    A rule on the lattice reads its setting; a rule on cues reads those that could move one of its cues to another tier.

    Parameters
    ----------
    rules : Rules
    candidates : polars.DataFrame, optional
        See `Inputs.candidates`; without them any layer may have a cue.
    decisions : sequence of Decision

    Examples
    --------
    >>> from perimetry.screening.subset.rules import read_rules
    >>> sorted(settings_read(read_rules()[0]))
    ['imageoptions', 'optionsonly', 'textonly']
    """
    own = {rule.setting for rule in rules.rule if isinstance(rule, LatticeRule) and rule.action == "exclude"}
    return frozenset(own | {PARTS[layer][0] for layer in supported_layers(rules, candidates, decisions)})


def choosing_guessers(
    rules: Rules, candidates: pl.DataFrame | None = None, decisions: Sequence[Decision] = ()
) -> frozenset[str]:
    """Guessers whose right answers choose items, so that their accuracy drops by the choice itself.

    A guesser does not choose in that sense where all answers of that confidence are removed, right or wrong: neither
    by such a rule, nor by tiers that it supports with the same confidence or more. Rules on cues make those guessers
    choose that could move one of their cues to another tier, and no others.

    Parameters
    ----------
    rules, candidates, decisions
        As in `settings_read`.

    Examples
    --------
    >>> from perimetry.screening.subset.rules import read_rules
    >>> choosing_guessers(read_rules()[0])
    frozenset()
    """
    own = [rule for rule in rules.rule if isinstance(rule, GuesserRule) and rule.action == "exclude"]
    by_tier = {PARTS[layer][1] for layer in supported_layers(rules, candidates, decisions)}
    found = set()
    for name in GUESSERS:
        blind = min((rule.confidence for rule in own if rule.guesser == name and not rule.right), default=2.0)
        needed = [rule.confidence for rule in own if rule.guesser == name and rule.right]
        needed += [rules.tiers.confidence] * (name in by_tier)
        if any(confidence < blind for confidence in needed):
            found.add(name)
    return frozenset(found)


def supported_layers(
    rules: Rules, candidates: pl.DataFrame | None = None, decisions: Sequence[Decision] = ()
) -> frozenset[str]:
    """Layers of the cues over whose items a rule decides otherwise once partial input supports the cue."""
    known = list(PARTS) if candidates is None else candidates["layer"].unique().to_list()
    found: set[str] = set()
    for rule in rules.rule:
        if isinstance(rule, CueRule) and rule.action == "exclude" and _by_support(rule, decisions):
            there = known
            if candidates is not None:
                pairs = candidates.select("cue", "layer").unique().iter_rows()
                there = [layer for cue, layer in pairs if any(fnmatchcase(cue, pattern) for pattern in rule.cues)]
            found |= {layer for layer in there if layer in PARTS and (not rule.layers or layer in rule.layers)}
    return frozenset(found)


def _by_support(rule: CueRule, decisions: Sequence[Decision]) -> bool:
    """Whether the rule fits a cue with support and not the same cue without, or the other way round."""
    before: set[tuple[Tier, Disposition]] = {("candidate", "keep")}
    before |= {(one.tier, one.disposition) for one in decisions if one.tier == "shortcut-risk"}
    for tier, disposition in before:
        # Support brings at least a flag; what people want done beyond that stays.
        after: Disposition = "flag" if disposition == "keep" else disposition
        if _fits(rule, tier, disposition) != _fits(rule, "ablation-supported", after):
            return True
    return False


def _fits(rule: CueRule, tier: Tier, disposition: Disposition) -> bool:
    by_tier = not rule.tiers or tier in rule.tiers
    return by_tier and (not rule.dispositions or disposition in rule.dispositions)
