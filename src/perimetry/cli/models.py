"""`perimetry models`: who can be asked."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["models"]


def models(as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the kinds of model, the cards, the readers and the baselines, and what can run here now.

    Example: perimetry models --json
    """
    from perimetry.cli.show import print_json, print_table
    from perimetry.models.listing import list_models

    listed = list_models()
    if as_json:
        print_json([one.to_dict() for one in listed])
        return
    for kind in dict.fromkeys(one.kind for one in listed):
        rows = [
            (one.name, one.summary, one.licence or "-", one.obstacle or "yes") for one in listed if one.kind == kind
        ]
        print_table(kind, ("write", "what it is", "licence", "runs here"), rows)
