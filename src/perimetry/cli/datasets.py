"""`perimetry datasets`: what can be loaded."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["datasets"]


def datasets(as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False) -> None:
    """List the data sets with licence, data-use class and the layout that is read.

    Example: perimetry datasets --json
    """
    from perimetry.cases import datasets as registry
    from perimetry.cli.show import print_json, print_table

    known = [entry for _, entry in registry().items()]
    if as_json:
        print_json(
            [
                {
                    "name": entry.name,
                    "title": entry.title,
                    "kind": entry.kind,
                    "licence": entry.licence,
                    "data_use": entry.data_use,
                    "splits": list(entry.splits),
                    "default_split": entry.default_split,
                    "layout": entry.layout,
                    "needs_path": entry.needs_path,
                    "citation": entry.citation,
                }
                for entry in known
            ]
        )
        return
    rows = [
        (entry.name, entry.kind, entry.data_use, entry.licence, ", ".join(entry.splits) or "-", entry.layout)
        for entry in known
    ]
    print_table("", ("name", "kind", "data use", "licence", "splits", "what is read"), rows)
    typer.echo(
        "Use: --data NAME:PATH, or NAME alone where nothing is read. Restricted: no redistribution. Credentialed:"
    )
    typer.echo("stays on this machine unless --allow-remote NAME is given.")
