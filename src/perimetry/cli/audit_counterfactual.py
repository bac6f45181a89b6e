"""`perimetry audit counterfactual`: does the score need the image?"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from perimetry.cli import audit_options as options
from perimetry.cli.option_groups import spread

__all__ = ["counterfactual"]


class AnswerTypeName(StrEnum):
    """Kinds of question."""

    closed = "closed"
    open = "open"
    choice = "choice"


# The protocol's own; spelled out, for --help must not load it.
_CONDITIONS = "real, retest, blank, shuffle, noimage, hardneg, mismatch"


@spread
def counterfactual(
    data: options.Data,
    model: options.ModelSpecs,
    out: options.Out,
    *,
    split: options.Split = None,
    limit: options.Limit = None,
    only: options.Only = None,
    answer_type: Annotated[AnswerTypeName | None, typer.Option(help="Keep one kind of question.")] = None,
    conditions: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Comma-separated conditions, e.g. real,blank,hardneg(rank=5).",
            show_default=_CONDITIONS,
        ),
    ] = None,
    repeats: options.Repeats = 1,
    retest: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the items that is asked again unchanged.")
    ] = 1.0,
    seed: options.Seed = 42,
    temperature: options.Temperature = 0.0,
    top_p: options.TopP = 1.0,
    max_new_tokens: options.MaxNewTokens = 2048,
    map_file: options.MapFile = None,
    images: options.Images = None,
    embedder: Annotated[
        str, typer.Option(help="What finds hard negatives: pixels, or clip:PATH_OR_HUB_ID.")
    ] = "pixels",
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME:PATH", help="Where hard negatives come from, in place of the loaded split."),
    ] = None,
    execution: options.Execution,
    allow_remote: options.AllowRemote = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Does the score need the image? Ask every model the same questions under changed images.

    Example: perimetry audit counterfactual --data vqa-rad:VQA_RAD --split test --model
    openai:qwen2.5-vl-7b@http://127.0.0.1:8000/v1 --out runs/qwen
    """
    from perimetry.cli.audit_run import carry_out
    from perimetry.conditions.spelling import split_spellings
    from perimetry.models import Decoding
    from perimetry.protocols.registry import find_protocol
    from perimetry.runs.asked import Asked

    protocol = find_protocol("counterfactual")
    asked = Asked.of(
        protocol.name,
        data=data,
        only=only,
        models=model,
        conditions=protocol.conditions if conditions is None else split_spellings(conditions),
        decoding=Decoding(max_new_tokens, temperature, top_p),
        split=split,
        answer_type=answer_type.value if answer_type else None,
        limit=limit,
        repeats=repeats,
        retest=retest,
        seed=seed,
        embedder=embedder,
        pool=pool,
        mapping=map_file,
        images=images,
        allow_remote=allow_remote or (),
    )
    carry_out(protocol, asked, out, execution.settings, execution.context, dry_run=dry_run, as_json=as_json)
