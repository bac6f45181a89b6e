"""The reference audit: how far scores and rankings depend on the wording of the references (ReRef)."""

from perimetry.protocols.references.again import is_reference_run, rebuild_references
from perimetry.protocols.references.asked import DEFAULT_METRICS, Wanted
from perimetry.protocols.references.run import ReferenceResult, audit_references, count_requests

__all__ = [
    "DEFAULT_METRICS",
    "ReferenceResult",
    "Wanted",
    "audit_references",
    "count_requests",
    "is_reference_run",
    "rebuild_references",
]
