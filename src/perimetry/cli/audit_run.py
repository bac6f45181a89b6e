"""What every audit command does with what it was asked."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from perimetry.inference import Settings
    from perimetry.models import ModelContext
    from perimetry.protocols.protocol import AuditProtocol
    from perimetry.runs.asked import Asked

__all__ = ["carry_out"]


def carry_out(
    protocol: AuditProtocol,
    asked: Asked,
    out: Path,
    settings: Settings,
    options: ModelContext,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Count what was asked, or do it, show how it ended, and exit with what it ended with."""
    from perimetry.cli.show import exit_code, interruptible, show_dry_run, show_result
    from perimetry.models.recorded import RecordedWarning
    from perimetry.protocols.audit import dry_run as count
    from perimetry.protocols.audit import run_audit

    if dry_run:
        with interruptible():
            counted = count(protocol, asked, out)
        show_dry_run(counted, as_json)
        return
    with interruptible(), warnings.catch_warnings():
        # What it warns of stands in the result too, and is shown with it.
        warnings.simplefilter("ignore", RecordedWarning)
        result = run_audit(protocol, asked, out, settings, options=options, progress=True)
    show_result(result, as_json)
    code = exit_code(result.run)
    if code:
        raise typer.Exit(code)
