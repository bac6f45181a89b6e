"""`perimetry audit references`: how far do scores and rankings depend on the wording of the references?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from perimetry.cli import audit_options as options
from perimetry.cli.option_groups import spread

__all__ = ["references"]


class SectionName(StrEnum):
    """What is scored."""

    findings = "findings"
    impression = "impression"
    report = "report"


@spread
def references(
    data: options.Data,
    alternatives: Annotated[
        list[Path],
        typer.Option(metavar="DIR", help="Folder of `perimetry rewrite`; one for all data sets, or one for each."),
    ],
    systems: Annotated[
        list[str],
        typer.Option(
            metavar="FILE|SPEC",
            help="Generated reports, found by their studies' ids (--id): FILE or FILE:COLUMN,COLUMN; repeatable. Or a "
            "model that is asked for them.",
        ),
    ],
    out: options.Out,
    *,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST",
            help="Comma-separated, parameters in brackets. See `perimetry metrics`.",
            show_default="bleu_1,bleu_2,bleu_4,rouge_l,f1_rules",
        ),
    ] = None,
    section: Annotated[
        SectionName, typer.Option(help="Section that is scored; report is both.")
    ] = SectionName.findings,
    id_column: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="COLUMN",
            help="Column of the studies' ids in every file of --systems; else the first of id, study_id, case_id, "
            "case.",
        ),
    ] = None,
    corrupted: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="References with a planted error: a table with columns id, kind, text. Else rules plant them.",
        ),
    ] = None,
    plant: Annotated[
        bool, typer.Option("--plant/--no-plant", help="Let rules plant errors where no --corrupted is given.")
    ] = True,
    judge: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Model that judge metrics ask. See `perimetry models`.")
    ] = None,
    split: options.Split = None,
    limit: options.Limit = None,
    only: options.Only = None,
    map_file: options.MapFile = None,
    images: options.Images = None,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples behind every interval.")] = 10_000,
    seed: options.Seed = 42,
    max_new_tokens: options.MaxNewTokens = 2048,
    endpoints: options.Endpoints,
    allow_remote: options.AllowRemote = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """How far do scores and rankings depend on the wording of the references? Say the same otherwise and see.

    Example: perimetry audit references --data iu-xray:IU_XRAY --alternatives rewritten --systems
    reports.jsonl:ours,theirs --metrics bleu_4,rouge_l,f1_rules --out runs/references
    """
    from perimetry.cases.only import restricted
    from perimetry.cli.show import interruptible
    from perimetry.cli.show_references import show_references
    from perimetry.cli.show_scores import show_requests
    from perimetry.protocols.references import DEFAULT_METRICS, Wanted, audit_references, count_requests

    wanted = Wanted(
        data=tuple(restricted(data, only)),
        alternatives=tuple(alternatives),
        systems=tuple(systems),
        metrics=tuple(metrics) if metrics else DEFAULT_METRICS,
        section=section.value,
        id_column=id_column or "",
        corrupted=corrupted,
        plant=plant,
        judge=judge or "",
        allow_remote=tuple(allow_remote or ()),
        split=split,
        limit=limit,
        mapping=map_file,
        images=images,
        max_new_tokens=max_new_tokens,
        resamples=resamples,
        seed=seed,
    )
    if dry_run:
        show_requests(count_requests(wanted, out), as_json)
        return
    with interruptible():
        result = audit_references(wanted, out, execution=endpoints.settings, options=endpoints.context, progress=True)
    show_references(result, as_json)
    if result.pending:
        raise typer.Exit(3)
