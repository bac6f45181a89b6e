"""`perimetry score`: report metrics with intervals, for a file of reports."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["score"]


class DataUseName(StrEnum):
    """What the terms of the data allow."""

    open = "open"
    restricted = "restricted"
    credentialed = "credentialed"


def score(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSONL, CSV, TSV or Parquet, one case a row.")],
    reference: Annotated[str, typer.Option(metavar="COLUMN", help="Column of the reference reports.")],
    system: Annotated[
        list[str], typer.Option(metavar="COLUMN", help="Column of a system's reports; repeatable, for every system.")
    ],
    metrics: Annotated[
        list[str],
        typer.Option(
            metavar="LIST",
            help="Comma-separated, parameters in brackets: 'bleu_4,rouge_l(beta=1.2)'. See `perimetry metrics`.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for scores, estimates, ranks and the page.")],
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="Column of distinct ids; row numbers if not given.")
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Column of what rows share (a patient): the unit of resampling."),
    ] = None,
    alternatives: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Other wordings of the references (`perimetry rewrite`), found by --id: adds means over them and "
            "bands of style.",
        ),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Model that judge metrics ask. See `perimetry models`.")
    ] = None,
    allow_remote: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Let a credentialed file (its stem) be sent to a judge on another machine."),
    ] = None,
    data_use: Annotated[
        DataUseName | None,
        typer.Option(help="Terms of the reports. Only open ones, or those of which nothing is said, are quoted."),
    ] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples behind every interval.")] = 10_000,
    seed: Annotated[int, typer.Option(help="Seed of the resamples.")] = 42,
    max_requests: Annotated[int | None, typer.Option(min=0, help="Ask a judge at most N requests now.")] = None,
    max_failures: Annotated[int, typer.Option(min=0, help="Stop after N failures in a row; 0 never stops.")] = 100,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Requests in flight at a judge's endpoint.")] = None,
    requests_per_minute: Annotated[
        float | None, typer.Option(min=0.1, help="Upper limit of requests started a minute at an endpoint.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds until one attempt at an endpoint is given up.")
    ] = 600.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and count requests to judges; ask and write nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Score generated reports against references: values, intervals, paired differences, ranks and a page.

    Example: perimetry score reports.jsonl --reference gold --system ours --system theirs --metrics
    'bleu_4,rouge_l(beta=1.2),f1_rules' --out scores
    """
    from perimetry.cli.show import interruptible
    from perimetry.cli.show_scores import show_requests, show_scores
    from perimetry.inference import Settings
    from perimetry.models import ModelContext
    from perimetry.protocols.score import count_requests
    from perimetry.protocols.score import score as run

    if dry_run:
        counted = count_requests(
            file,
            reference=reference,
            systems=system,
            metrics=metrics,
            out=out,
            judge=judge or "",
            id_column=id_column or "",
            group_column=group or "",
            alternatives=alternatives,
        )
        show_requests(counted, as_json)
        return
    with interruptible():
        result = run(
            file,
            reference=reference,
            systems=system,
            metrics=metrics,
            out=out,
            id_column=id_column or "",
            group_column=group or "",
            judge=judge or "",
            allow_remote=allow_remote or (),
            data_use=data_use.value if data_use else None,
            resamples=resamples,
            seed=seed,
            settings=Settings(concurrency=concurrency, max_requests=max_requests, max_failures=max_failures),
            options=ModelContext(
                concurrency=concurrency or ModelContext().concurrency,
                timeout=timeout,
                requests_per_minute=requests_per_minute,
            ),
            progress=True,
            alternatives=alternatives,
        )
    show_scores(result, as_json)
    if result.pending:
        raise typer.Exit(3)
