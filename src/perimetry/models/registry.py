"""The kinds of model there are, and what they are given to start with."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from perimetry.cases.question import Question
from perimetry.cases.registry import Registry
from perimetry.models.model import Model
from perimetry.models.request import Decoding

__all__ = ["ModelContext", "ModelKind", "TrainingSplit", "model_kinds"]

TrainingSplit: TypeAlias = Callable[[str], Sequence[Question]]
"""Gives the training split of the data set of that name; raises a `PerimetryError` where there is none."""


@dataclass(frozen=True, slots=True)
class ModelContext:
    """What a run gives to every model it resolves.

    Parameters
    ----------
    seed : int, default 42
        Seed of everything a model of this package draws itself (readers, baselines).
    decoding : Decoding
        The protocol's decoding; each request carries its own, this one is for the record.
    training : callable or None
        Gives a data set's training split, for ``baseline:``. It has to be picklable if worker processes are used.
    case_ids : collection of str or None
        The ids of the loaded cases, so that ``recorded:`` can say which of its rows belong to none of them.
    mapping : Path or None
        TOML file that says what the columns of a ``recorded:`` file mean (``--map``).
    concurrency : int, default 16
        Requests in flight at an endpoint.
    timeout : float, default 600
        Seconds until one attempt at an endpoint is given up.
    max_retries : int, default 5
        How often the endpoint's client tries again (429, 5xx, lost connections, timeouts).
    requests_per_minute : float or None
        Upper limit of requests started a minute at an endpoint.
    extra_body : mapping
        Further fields of each request's body at an endpoint, for example ``{"logprobs": True}``.
    batch_size : int or None
        Requests in one batch of an in-process model; None takes the model's own default.
    device : str or None
        Device of an in-process model, for example ``"cuda:0"``; None takes the best one there is.
    revision : str or None
        Commit of a hub model; None takes the card's, else what the hub holds now (noted as unpinned).
    trust_remote_code : bool, default False
        Whether code that comes with the weights of an ``hf:`` model may run.
    """

    seed: int = 42
    decoding: Decoding = field(default_factory=Decoding)
    training: TrainingSplit | None = None
    case_ids: Collection[str] | None = None
    mapping: Path | None = None
    concurrency: int = 16
    timeout: float = 600.0
    max_retries: int = 5
    requests_per_minute: float | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    batch_size: int | None = None
    device: str | None = None
    revision: str | None = None
    trust_remote_code: bool = False


@dataclass(frozen=True, slots=True)
class ModelKind:
    """One kind of model: the word before the colon of a model's specification.

    Parameters
    ----------
    name : str
        For example ``"openai"``.
    grammar : str
        How a specification is written, for example ``"openai:NAME@URL"``.
    summary : str
        One line for ``perimetry models``.
    make : callable
        Takes what stands after the colon, and the context. Cheap: opens nothing.
    obstacle : callable
        Says why models of this kind cannot run on this machine now; empty if they can.
    """

    name: str
    grammar: str
    summary: str
    make: Callable[[str, ModelContext], Model]
    obstacle: Callable[[], str] = lambda: ""


def _own_kinds() -> dict[str, ModelKind]:
    """Every module or package of `perimetry.models` that has a ``KIND``."""
    package = import_module("perimetry.models")
    kinds: dict[str, ModelKind] = {}
    for module in pkgutil.iter_modules(package.__path__):
        kind = getattr(import_module(f"perimetry.models.{module.name}"), "KIND", None)
        if isinstance(kind, ModelKind):
            kinds[kind.name] = kind
    return kinds


def model_kinds() -> Registry[ModelKind]:
    """All kinds: the package's own, and those of the entry-point group ``perimetry.models``.

    Examples
    --------
    >>> "openai" in model_kinds().names()
    True
    """
    return Registry("kind of model", "perimetry.models", _own_kinds)
