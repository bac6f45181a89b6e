"""Parameters that every RadGraph metric takes, read from a metric's spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar, get_args

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.radgraph.extraction import ExtractorAnnotations, ExtractorSettings
from perimetry.scoring.radgraph.file import FileAnnotations
from perimetry.scoring.radgraph.sets import Case
from perimetry.scoring.radgraph.source import AnnotationSource
from perimetry.scoring.radgraph.texts import Tokens

__all__ = [
    "SOURCE_PARAMETERS",
    "cached_source",
    "read_case",
    "read_form",
    "read_source",
    "refuse_unknown",
    "source_listing",
]

SOURCE_PARAMETERS = ("annotations", "case", "extractor", "model", "retries", "timeout", "tokens")

Value = TypeVar("Value", bound=str)


def source_listing(model: str = "radgraph-xl", tokens: Tokens = "whole") -> tuple[str, ...]:
    """The shared parameters with their defaults, as `MetricKind.parameters` lists them."""
    return (
        "annotations=",
        "extractor=",
        f"model={model}",
        f"tokens={tokens}",
        "case=upstream",
        "timeout=120",
        "retries=1",
    )


def refuse_unknown(parameters: Mapping[str, str], metric: str, known: Sequence[str]) -> None:
    """Raise `UsageError` for a parameter that the metric does not take."""
    for name in parameters:
        if name not in known:
            raise UsageError(f"{metric} takes no parameter {name!r}. It takes: {', '.join(sorted(known))}.")


def _choice(metric: str, name: str, value: str, allowed: tuple[Value, ...]) -> Value:
    """The one of the allowed values that was given; raises `UsageError` for any other."""
    for one in allowed:
        if value == one:
            return one
    raise UsageError(f"{metric}: {name} is {value!r}; expected one of {', '.join(allowed)}.")


def read_case(parameters: Mapping[str, str], metric: str) -> Case:
    """The parameter ``case``."""
    allowed: tuple[Case, ...] = get_args(Case)
    return _choice(metric, "case", parameters.get("case", "upstream"), allowed)


def read_form(
    parameters: Mapping[str, str], metric: str, name: str, default: Value, allowed: tuple[Value, ...]
) -> tuple[Value, Case]:
    """The one parameter that a metric takes besides those of its source, and ``case``.

    Raises
    ------
    UsageError
        For a parameter that it does not take, or a value that is none of those allowed.

    Examples
    --------
    >>> read_form({"level": "simple"}, "f1_radgraph", "level", "partial", ("partial", "simple"))
    ('simple', 'upstream')
    """
    refuse_unknown(parameters, metric, (*SOURCE_PARAMETERS, name))
    return _choice(metric, name, parameters.get(name, default), allowed), read_case(parameters, metric)


def read_source(
    parameters: Mapping[str, str], metric: str, model: str = "radgraph-xl", tokens: Tokens = "whole"
) -> AnnotationSource | None:
    """The source that ``annotations`` or ``extractor`` names; None where neither is given.

    Parameters
    ----------
    parameters
        As `MetricKind.make` gets them.
    metric
        Name for messages.
    model, tokens
        Defaults of these parameters.

    Raises
    ------
    UsageError
        For both at once, or a value that cannot be read.
    """
    allowed: tuple[Tokens, ...] = get_args(Tokens)
    cut = _choice(metric, "tokens", parameters.get("tokens", tokens), allowed)
    if "annotations" in parameters and "extractor" in parameters:
        raise UsageError(f"{metric} takes annotations=FILE or extractor=COMMAND, not both.")
    if "annotations" in parameters:
        for name in ("model", "timeout", "retries"):
            if name in parameters:
                raise UsageError(f"{metric}: {name} goes with extractor=COMMAND, not with annotations=FILE.")
        if not parameters["annotations"]:
            raise UsageError(f"{metric}: annotations is empty; name a file in the RadGraph JSON format.")
        return FileAnnotations(Path(parameters["annotations"]).expanduser(), cut)
    if "extractor" not in parameters:
        return None
    settings = ExtractorSettings(
        model=parameters.get("model", model),
        tokens=cut,
        timeout=_number(metric, "timeout", parameters.get("timeout", "120")),
        retries=_whole(metric, "retries", parameters.get("retries", "1")),
    )
    return ExtractorAnnotations(parameters["extractor"], settings)


def cached_source(source: AnnotationSource | None, cache: Cache) -> AnnotationSource | None:
    """The source with a cache, where it is one that works."""
    return source.with_cache(cache) if isinstance(source, ExtractorAnnotations) else source


def _number(metric: str, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{metric}: {name} is {text!r}; expected seconds.") from None


def _whole(metric: str, name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UsageError(f"{metric}: {name} is {text!r}; expected a whole number.") from None
