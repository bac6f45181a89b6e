"""`perimetry demo`: the whole path on phantoms and readers whose habits are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["demo"]


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the demo's run.")] = Path("perimetry-demo"),
) -> None:
    """Audit readers whose habits are known on drawn radiographs; needs no data, no weights and no network.

    Example: perimetry demo --out perimetry-demo
    """
    from perimetry.cli.show import interruptible, show_result
    from perimetry.protocols.demo import run_demo

    with interruptible():
        result = run_demo(out)
    show_result(result, as_json=False)
