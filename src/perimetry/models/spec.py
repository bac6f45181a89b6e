"""From a model's specification, as a user writes it, to the model."""

from __future__ import annotations

from perimetry.cases.errors import UsageError
from perimetry.models.model import Model
from perimetry.models.registry import ModelContext, model_kinds

__all__ = ["resolve_model"]


def resolve_model(spec: str, context: ModelContext | None = None) -> Model:
    """Make the model that a specification names. Nothing is opened, loaded or asked yet.

    Parameters
    ----------
    spec : str
        ``openai:NAME@URL``, ``hf:PATH_OR_ID``, ``card:CARD[/PROFILE][@URL]``, ``reader:NAME``, ``baseline:NAME``,
        ``recorded:FILE``, or a kind that another package registers.
    context : ModelContext, optional
        Seed, training splits, limits; the defaults otherwise.

    Raises
    ------
    UnknownNameError
        For an unknown kind, reader, baseline or card; the nearest names are suggested.
    UsageError
        For a specification that lacks a part.

    Examples
    --------
    >>> resolve_model("openai:my-model@http://localhost:8000/v1").name
    'openai:my-model'
    """
    kinds = model_kinds()
    kind, colon, tail = spec.strip().partition(":")
    if not colon or not tail.strip():
        grammars = ", ".join(entry.grammar for _, entry in kinds.items())
        raise UsageError(f"{spec!r} does not name a model. Write one of: {grammars}.")
    return kinds.get(kind).make(tail.strip(), context or ModelContext())
