"""`perimetry metrics`: what can be scored with."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["metrics"]


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show one metric with its parameters.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the report metrics with direction, range, what each needs, and whether it can run here now.

    Example: perimetry metrics rouge_l
    """
    from perimetry.cli.show import print_json, print_table
    from perimetry.scoring.metric_listing import list_metrics
    from perimetry.scoring.metrics_registry import metric_kinds

    if name is not None:
        metric_kinds().get(name)
    listed = [one for one in list_metrics() if name in (None, one.name)]
    if as_json:
        print_json([one.to_dict() for one in listed])
        return
    better = {"higher": "↑ higher", "lower": "↓ lower"}
    if name is not None:
        one = listed[0]
        rows = [
            ("what it is", one.summary),
            ("better", better.get(one.direction, one.direction)),
            ("range", one.value_range),
            ("parameters", ", ".join(one.parameters) or "-"),
            ("needs", one.needs or "-"),
            ("runs here", one.obstacle or "yes"),
        ]
        print_table(one.name, ("", ""), rows)
        return
    listing = [
        (
            one.name,
            one.summary,
            better.get(one.direction, one.direction),
            one.value_range,
            one.needs or "-",
            one.obstacle or "yes",
        )
        for one in listed
    ]
    print_table("", ("name", "what it is", "better", "range", "needs", "runs here"), listing)
    typer.echo(
        "Use: --metrics 'name,name(parameter=value,...)' with `perimetry score`. Parameters: perimetry metrics NAME."
    )
