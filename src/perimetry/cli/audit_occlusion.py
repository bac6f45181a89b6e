"""`perimetry audit occlusion`: does a report state a finding because its region shows it?"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from perimetry.cli import audit_options as options
from perimetry.cli.option_groups import spread

__all__ = ["occlusion"]


class TruthName(StrEnum):
    """What a class is held against."""

    box = "box"
    report = "report"


class FillName(StrEnum):
    """What covers a region."""

    noise = "noise"
    black = "black"
    white = "white"
    mean = "mean"
    blur = "blur"
    shuffle = "shuffle"
    inpaint = "inpaint"


@spread
def occlusion(
    data: options.Data,
    model: options.ModelSpecs,
    out: options.Out,
    *,
    labeller: Annotated[
        str, typer.Option(metavar="rules|chexbert:PATH", help="What reads findings from reports.")
    ] = "rules",
    truth: Annotated[
        TruthName, typer.Option(help="Hold a class against its box, or against the reference report.")
    ] = TruthName.box,
    strengths: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Strengths of the cover in percent.", show_default="0,20,40,60,80,100"),
    ] = None,
    fill: Annotated[FillName | None, typer.Option(help="What covers a region.", show_default="noise")] = None,
    blur: Annotated[float | None, typer.Option(help="Grain of the noise, or radius of the fill blur.")] = None,
    feather: Annotated[float | None, typer.Option(help="Width over which a cover fades out.")] = None,
    classes: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Comma-separated CheXpert classes.", show_default="all with a place"),
    ] = None,
    min_images: Annotated[int, typer.Option(min=1, help="Images that a class needs to be examined.")] = 40,
    max_spill: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Leave out trials whose co-disease boxes cover more of the finding."),
    ] = None,
    absent: Annotated[
        bool, typer.Option("--absent/--no-absent", help="Run as many studies without each class beside.")
    ] = True,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Report metrics of the image level; see `perimetry metrics`.",
            show_default="bleu_1,bleu_4,rouge_l",
        ),
    ] = None,
    conditions: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Conditions by spelling, in place of --strengths and --fill."),
    ] = None,
    split: options.Split = None,
    limit: options.Limit = None,
    only: options.Only = None,
    repeats: options.Repeats = 1,
    seed: options.Seed = 42,
    temperature: options.Temperature = 0.0,
    top_p: options.TopP = 1.0,
    max_new_tokens: options.MaxNewTokens = 2048,
    map_file: options.MapFile = None,
    images: options.Images = None,
    execution: options.Execution,
    allow_remote: options.AllowRemote = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Does a report state a finding because its region shows it? Cover regions and see what is still stated.

    Example: perimetry audit occlusion --data padchest-gr:PADCHEST_GR --model
    card:medgemma-1.5-4b/shovir@http://127.0.0.1:8000/v1 --out runs/medgemma
    """
    from perimetry.cli.audit_run import carry_out
    from perimetry.conditions.spelling import split_spellings
    from perimetry.models import Decoding
    from perimetry.protocols.registry import find_protocol
    from perimetry.runs.asked import Asked

    protocol = find_protocol("occlusion")
    own = {
        "labeller": labeller,
        "truth": truth.value,
        "strengths": strengths,
        "fill": fill.value if fill else None,
        "blur": blur,
        "feather": feather,
        "classes": classes,
        "min_images": min_images,
        "max_spill": max_spill,
        "absent": absent,
        "metrics": metrics,
    }
    named, spelled = protocol.options(own, None if conditions is None else split_spellings(conditions))
    asked = Asked.of(
        protocol.name,
        data=data,
        only=only,
        models=model,
        conditions=named,
        decoding=Decoding(max_new_tokens, temperature, top_p),
        split=split,
        limit=limit,
        repeats=repeats,
        seed=seed,
        mapping=map_file,
        images=images,
        allow_remote=allow_remote or (),
        options=spelled,
    )
    carry_out(protocol, asked, out, execution.settings, execution.context, dry_run=dry_run, as_json=as_json)
