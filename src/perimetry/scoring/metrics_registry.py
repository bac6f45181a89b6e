"""The report metrics there are, and how they are spelled: ``bleu_4``, ``rouge_l(beta=1.2,tokens=space)``."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from perimetry.cases.errors import UsageError
from perimetry.cases.registry import Registry
from perimetry.conditions.spelling import split_spellings
from perimetry.scoring.report_metric import ReportMetric

__all__ = ["MetricKind", "metric_kinds", "parse_metric"]

_SPELLING = re.compile(r"\s*([a-z][a-z0-9_]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MetricKind:
    """One metric as the registry knows it.

    Parameters
    ----------
    name : str
    summary : str
        One line for ``perimetry metrics``.
    direction : str
        ``higher`` or ``lower``.
    value_range : str
        For people, for example ``"0..1"``.
    needs : str
        What it needs beyond the core, for example ``"weights, tokenizer (extra hf)"``; empty for nothing.
    make : callable
        From parameters as text to the metric; raises `UsageError` that names a parameter it does not know, or a
        value that it cannot read. Cheap: opens nothing.
    parameters : tuple of str
        Names of the parameters with their defaults, for example ``"beta=1"``.
    """

    name: str
    summary: str
    direction: str
    value_range: str
    needs: str
    make: Callable[[Mapping[str, str]], ReportMetric]
    parameters: tuple[str, ...] = ()


def _own() -> dict[str, MetricKind]:
    """Every module below `perimetry.scoring` that has ``KINDS``, a tuple of `MetricKind`."""
    kinds: dict[str, MetricKind] = {}
    for module in _modules(import_module("perimetry.scoring")):
        for kind in getattr(module, "KINDS", ()):
            kinds[kind.name] = kind
    return kinds


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield import_module(found.name)


def metric_kinds() -> Registry[MetricKind]:
    """All report metrics: the package's own, and those of the entry-point group ``perimetry.metrics``."""
    return Registry("metric", "perimetry.metrics", _own)


def parse_metric(text: str) -> ReportMetric:
    """Make the metric that a spelling names.

    Raises
    ------
    UnknownNameError
        For an unknown metric; the nearest names are suggested.
    UsageError
        For a spelling that is none, or parameters that the metric does not take.
    """
    found = _SPELLING.fullmatch(text)
    if not found:
        near = re.sub(r"[^a-z0-9]+", "_", text.partition("(")[0].strip().lower())
        meant = f" Did you mean {near}?" if near in metric_kinds().names() else ""
        raise UsageError(f"{text!r} does not name a metric.{meant} Write a name, or name(parameter=value,...).")
    kind = metric_kinds().get(found.group(1))
    parameters: dict[str, str] = {}
    for part in split_spellings(found.group(2) or ""):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"{part!r} in {text!r} is no parameter. Write name(parameter=value,...).")
        if key.strip() in parameters:
            raise UsageError(f"{text!r} gives {key.strip()} twice.")
        parameters[key.strip()] = value.strip()
    return kind.make(parameters)
