"""The demonstration: readers whose habits are known, audited on drawn radiographs."""

from __future__ import annotations

import shlex
from pathlib import Path

from perimetry.inference import Settings
from perimetry.protocols.audit import AuditResult, audit

__all__ = ["DEMO_DATA", "DEMO_READERS", "run_demo"]

DEMO_DATA = "phantom:n=300"

DEMO_READERS = (
    "reader:grounded",
    "reader:mixed(0.3)",
    "reader:naive",
    "reader:blind",
    "reader:constant",
    "reader:random",
)


def run_demo(out: str | Path) -> AuditResult:
    """Run the counterfactual audit of all readers on balanced phantom questions.

    Parameters
    ----------
    out : path-like
        Folder of the run; a demo that is there already is gone on with, and asks nothing again.
    """
    command = f"perimetry demo --out {shlex.quote(str(out))}"
    return audit(data=DEMO_DATA, models=DEMO_READERS, out=out, settings=Settings(), progress=True, command=command)
