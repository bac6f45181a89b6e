"""What is wrong with a rule file, in words: rule, field, what was found, what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError

__all__ = ["explain"]

KINDS = ("cue", "guesser", "lattice", "images")
TYPES = {
    "string": "a text in quotes",
    "bool": "true or false",
    "int": "a whole number",
    "float": "a number",
    "tuple": "a list in brackets",
    "model": "a table",
    "dict": "a table",
}
BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}


def explain(error: ValidationError, found: Mapping[str, Any]) -> str:
    """All mistakes, one after another.

    Parameters
    ----------
    error : pydantic.ValidationError
    found : mapping
        The file as TOML has it: it knows the names of the rules.
    """
    problems = error.errors(include_url=False)
    strange = [problem["loc"] for problem in problems if problem["type"] == "extra_forbidden"]
    said = []
    for problem in problems:
        steps = problem["loc"]
        if problem["type"] == "too_short" and problem["input"]:
            continue  # rules that have mistakes of their own are counted as none
        if problem["type"] == "missing":
            # A field that is misspelt is one mistake, not two.
            beside = [str(other[-1]) for other in strange if other[:-1] == steps[:-1]]
            if get_close_matches(str(steps[-1]), beside, n=1, cutoff=0.7):
                continue
        said.append(f"{_place(steps, found)}{_mistake(problem, steps)}")
    return "; ".join(said)


def _place(steps: Sequence[Any], found: Mapping[str, Any]) -> str:
    """The rule or table where it is, with a colon; nothing for the head of the file."""
    if len(steps) > 1 and steps[0] == "rule" and isinstance(steps[1], int):
        rules = found.get("rule")
        one = rules[steps[1]] if isinstance(rules, list) else None
        name = one.get("name") if isinstance(one, dict) else None
        return f"rule {name!r}: " if isinstance(name, str) and name else f"rule {steps[1] + 1}, which has no name: "
    return f"[{steps[0]}]: " if len(steps) > 1 else ""


def _field(steps: Sequence[Any]) -> str:
    inner = list(steps[2:] if len(steps) > 1 and steps[0] == "rule" else steps[-2:] if len(steps) > 2 else steps[-1:])
    if inner and inner[0] in KINDS and len(inner) > 1:
        inner = inner[1:]
    named = [step for step in inner if not isinstance(step, int)]
    place = next((f", entry {step + 1}," for step in inner if isinstance(step, int)), "")
    return ".".join(str(step) for step in named) + place


def _mistake(problem: Mapping[str, Any], steps: Sequence[Any]) -> str:
    kind, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    field = _field(steps) or "the rule"
    if kind == "extra_forbidden":
        near = get_close_matches(field, _fields(steps), n=1, cutoff=0.5)
        return f"{field} is not a field here" + (f" (did you mean {near[0]}?)" if near else "")
    if kind == "missing":
        return f"{field} is missing"
    if kind == "union_tag_not_found":
        known = list(value) if isinstance(value, Mapping) else []
        near = get_close_matches("when", [str(it) for it in known], n=1, cutoff=0.7)
        what = f"{near[0]} is not a field here (did you mean when?)" if near else "when is missing"
        return f"{what}; expected when = one of {', '.join(KINDS)}"
    if kind == "union_tag_invalid":
        return f"when is {context.get('tag', '')!r}; expected one of {', '.join(KINDS)}"
    if kind == "value_error":
        return str(context.get("error", problem["msg"]))
    if steps == ("rule",):
        return f"rule is {_shown(value)}; expected at least one rule, each under a line [[rule]]"
    return f"{field} is {_shown(value)}; expected {_expected(kind, context)}"


def _expected(kind: str, context: Mapping[str, Any]) -> str:
    if kind == "literal_error":
        return str(context["expected"])
    if kind in BOUNDS:
        name, words = BOUNDS[kind]
        return f"{words} {context[name]:g}"
    if kind.endswith("too_short"):
        return "at least one" if kind.startswith("too") else "a text that is not empty"
    return next((words for name, words in TYPES.items() if kind.startswith(name)), kind.replace("_", " "))


def _shown(value: Any) -> str:
    text = repr(value).replace("True", "true").replace("False", "false")
    return text if len(text) <= 60 else f"{text[:60]}..."


def _fields(steps: Sequence[Any]) -> list[str]:
    from perimetry.screening.subset import rules

    parts: dict[str, Any] = {"cue": rules.CueRule, "guesser": rules.GuesserRule, "lattice": rules.LatticeRule}
    parts |= {"images": rules.ImagesRule, "choosing": rules.Choosing, "tiers": rules.TierRules}
    own = parts.get(str(steps[-2]), rules.Rules) if len(steps) > 1 else rules.Rules
    return list(own.model_fields)
