"""The model kind ``reader``: readers of phantoms, whose habits are known."""

from __future__ import annotations

from perimetry.models.model import Model
from perimetry.models.registry import ModelContext, ModelKind

__all__ = ["KIND"]


def _make(tail: str, context: ModelContext) -> Model:
    from perimetry.models.readers import build_reader

    return build_reader(tail, context.seed)


KIND = ModelKind(
    name="reader",
    grammar="reader:NAME",
    summary="A reader whose habit is known, to prove the audit on (reader:grounded, reader:blind ...).",
    make=_make,
)
