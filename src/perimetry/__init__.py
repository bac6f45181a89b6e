"""Perimetry: the visual-field test for medical vision-language models.

The names below are the public face; everything is imported on first use, so that ``import perimetry`` is light.

Examples
--------
>>> import perimetry
>>> cases = perimetry.load("phantom:n=4")
>>> len(cases.cases)
4
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perimetry.cases import Image, Option, PerimetryError, Question, Study, load
    from perimetry.protocols.audit import AuditResult, audit
    from perimetry.protocols.compare import compare_models
    from perimetry.protocols.run import Run
    from perimetry.protocols.score import ScoreResult, score

__all__ = [
    "AuditResult",
    "Image",
    "Option",
    "PerimetryError",
    "Question",
    "Run",
    "ScoreResult",
    "Study",
    "__version__",
    "audit",
    "compare_models",
    "load",
    "score",
]

_HOMES = {
    "AuditResult": "perimetry.protocols.audit",
    "Image": "perimetry.cases",
    "Option": "perimetry.cases",
    "PerimetryError": "perimetry.cases",
    "Question": "perimetry.cases",
    "Run": "perimetry.protocols.run",
    "ScoreResult": "perimetry.protocols.score",
    "Study": "perimetry.cases",
    "audit": "perimetry.protocols.audit",
    "compare_models": "perimetry.protocols.compare",
    "load": "perimetry.cases",
    "score": "perimetry.protocols.score",
}

try:
    __version__ = version("perimetry")
except PackageNotFoundError:
    __version__ = "0"


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'perimetry' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
