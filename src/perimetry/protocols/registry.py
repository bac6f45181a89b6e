"""The audits there are."""

from __future__ import annotations

from perimetry.cases import UnknownNameError
from perimetry.protocols.counterfactual import COUNTERFACTUAL
from perimetry.protocols.occlusion import OCCLUSION
from perimetry.protocols.protocol import AuditProtocol
from perimetry.protocols.routes import ROUTES

__all__ = ["PROTOCOLS", "find_protocol"]

PROTOCOLS = (COUNTERFACTUAL, OCCLUSION, ROUTES)


def find_protocol(name: str) -> AuditProtocol:
    """The audit of that name; raises `UnknownNameError` with the nearest names otherwise."""
    for protocol in PROTOCOLS:
        if protocol.name == name:
            return protocol
    raise UnknownNameError("audit", name, [protocol.name for protocol in PROTOCOLS])
