"""`perimetry compare`: two models on the same cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["compare"]


def compare(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run folder.")],
    run2: Annotated[
        Path | None, typer.Argument(metavar="[RUN2]", help="Run of the candidate, if it is another one.")
    ] = None,
    *,
    baseline: Annotated[str, typer.Option(metavar="MODEL", help="Model of RUN.")],
    candidate: Annotated[str, typer.Option(metavar="MODEL", help="Model of RUN2, or of RUN.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the estimates as JSON.")] = False,
) -> None:
    """Candidate minus baseline on the same items: every metric with interval, P(difference > 0), McNemar for accuracy.

    Example: perimetry compare runs/base runs/tuned --baseline openai:base --candidate openai:tuned
    """
    from perimetry.cli.show import print_json, print_table
    from perimetry.protocols.compare import compare_models

    frame = compare_models(run, run2 or run, baseline, candidate)
    if as_json:
        print_json(frame.to_dicts())
        return
    # The mean over data sets is that of the only one there is, and would be every number a second time.
    single = frame["dataset"].n_unique() == 2
    rows = []
    for row in frame.iter_rows(named=True):
        if row["value"] is None or (single and row["dataset"] == "macro"):
            continue
        interval = "" if row["ci_low"] is None else f"[{100 * row['ci_low']:+.1f}, {100 * row['ci_high']:+.1f}]"
        p_value = "" if row["p_value"] is None else f"{row['p_value']:.3g}"
        above = "" if row["p_positive"] is None else f"{row['p_positive']:.3f}"
        if row["value"] == row["ci_low"] == row["ci_high"] == 0:
            above = "-"  # nothing ever differs: neither above nor below
        value = f"{100 * row['value']:+.1f}"
        rows.append((row["dataset"], row["metric"], row["condition"], value, interval, above, p_value, str(row["n"])))
    columns = ("data set", "metric", "condition", "difference, pp", "95% interval", "P(>0)", "McNemar p", "items")
    print_table(f"{candidate} minus {baseline}", columns, rows)
