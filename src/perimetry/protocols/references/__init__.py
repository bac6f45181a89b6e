"""The reference audit: how far scores and rankings depend on the wording of the references (ReRef)."""

from perimetry.protocols.references.run import (
    DEFAULT_METRICS,
    ReferenceResult,
    Wanted,
    audit_references,
    count_requests,
)

__all__ = ["DEFAULT_METRICS", "ReferenceResult", "Wanted", "audit_references", "count_requests"]
