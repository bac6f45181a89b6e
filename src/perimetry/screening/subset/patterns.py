"""Whether the names in rules are those of something: a misspelt cue would remove nothing without a word."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase

from perimetry.cases.errors import DataError
from perimetry.screening.judging.cue import JUDGED, judged_cues
from perimetry.screening.registry import screens
from perimetry.screening.subset.rules import CueRule, Rules
from perimetry.screening.tiers import PARTS, Inputs
from perimetry.screening.tiers.assign import REVIEW
from perimetry.screening.tiers.decisions import EVERY_CUE

__all__ = ["check_patterns"]


def check_patterns(rules: Rules, inputs: Inputs, where: str) -> None:
    """Refuse cues and layers that nothing is called.

    Cues are those of all registered screens, of judges, of the candidates and of the decisions.

    Raises
    ------
    DataError
        Names file, rule and field, what was found, and the nearest names.
    """
    known = {*screens().names(), *(cue.name for cue in judged_cues()), *inputs.candidates["cue"].to_list()}
    known |= {one.cue for one in inputs.decisions if one.cue != EVERY_CUE}
    layers = {*PARTS, REVIEW, JUDGED, *inputs.candidates["layer"].to_list()}
    for rule in rules.rule:
        if isinstance(rule, CueRule):
            for pattern in rule.cues:
                if not any(fnmatchcase(cue, pattern) for cue in known):
                    raise _unknown(where, rule.name, "cues", pattern, known)
            for layer in rule.layers:
                if layer not in layers:
                    raise _unknown(where, rule.name, "layers", layer, layers)


def _unknown(where: str, rule: str, field: str, found: str, known: set[str]) -> DataError:
    near = get_close_matches(found, sorted(known), n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Known: {', '.join(sorted(known))}."
    return DataError(f"{where}, rule {rule!r}: {field} has {found!r}, and nothing is called so. {hint}")
