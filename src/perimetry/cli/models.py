"""`perimetry models`: who can be asked."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["models"]


def models(as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the kinds of model, the cards, the readers and the baselines, and what can run here now.

    Example: perimetry models --json
    """
    from dataclasses import asdict

    from perimetry.cli.show import print_json, print_table
    from perimetry.models.listing import list_models

    listed = list_models()
    if as_json:
        print_json([asdict(one) for one in listed])
        return
    for group in dict.fromkeys(one.group for one in listed):
        rows = [
            (one.spec, one.summary, one.licence or "-", one.obstacle or "yes") for one in listed if one.group == group
        ]
        print_table(group, ("write", "what it is", "licence", "runs here"), rows)
