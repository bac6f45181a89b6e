"""`perimetry audit routes`: which inputs other than the image lead to the key?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from perimetry.cli import audit_options as options
from perimetry.cli.option_groups import spread

if TYPE_CHECKING:
    from perimetry.models import Decoding

__all__ = ["routes"]


@spread
def routes(
    data: options.Data,
    model: options.ModelSpecs,
    out: options.Out,
    *,
    split: options.Split = None,
    limit: options.Limit = None,
    only: options.Only = None,
    orders: Annotated[
        int | None,
        typer.Option(min=0, help="Other orders of the options that every item is asked in.", show_default="2"),
    ] = None,
    conditions: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Comma-separated routes, in place of the lattice and the orders.",
            show_default="full, textonly, optionsonly, imageoptions, order, order@2",
        ),
    ] = None,
    repeats: options.Repeats = 1,
    seed: options.Seed = 42,
    greedy: Annotated[bool, typer.Option("--greedy", help="Take the most likely token: temperature 0.")] = False,
    temperature: Annotated[
        float | None, typer.Option(min=0.0, help="0 is greedy.", show_default="the card's, else 0.6")
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Nucleus sampling.", show_default="the card's, else 0.95"),
    ] = None,
    max_new_tokens: options.MaxNewTokens = 2048,
    map_file: options.MapFile = None,
    images: options.Images = None,
    execution: options.Execution,
    allow_remote: options.AllowRemote = None,
    dry_run: options.DryRun = False,
    as_json: options.AsJson = False,
) -> None:
    """Which inputs other than the image lead to the key? Ask with the options alone, with stem or image added, whole.

    Example: perimetry audit routes --data medxpertqa-mm:MEDXPERTQA --model
    openai:qwen2.5-vl-7b@http://127.0.0.1:8000/v1 --out runs/routes
    """
    from perimetry.cli.audit_run import carry_out
    from perimetry.conditions.spelling import split_spellings
    from perimetry.protocols.registry import find_protocol
    from perimetry.runs.asked import Asked

    protocol = find_protocol("routes")
    given = {} if orders is None else {"orders": orders}
    spellings, own = protocol.options(given, None if conditions is None else split_spellings(conditions))
    asked = Asked.of(
        protocol.name,
        data=data,
        only=only,
        models=model,
        conditions=spellings,
        decoding=_decoding(max_new_tokens, temperature, top_p, greedy),
        split=split,
        limit=limit,
        repeats=repeats,
        seed=seed,
        mapping=map_file,
        images=images,
        allow_remote=allow_remote or (),
        options=own,
    )
    carry_out(protocol, asked, out, execution.settings, execution.context, dry_run=dry_run, as_json=as_json)


def _decoding(max_new_tokens: int, temperature: float | None, top_p: float | None, greedy: bool) -> Decoding:
    """Greedy on request, as the numbers say where there are some, and the model's official sampling otherwise."""
    from perimetry.cases import UsageError
    from perimetry.models import Decoding

    if greedy and (temperature or top_p is not None):
        raise UsageError("--greedy takes the most likely token; leave --temperature and --top-p out.")
    if greedy or temperature == 0.0:
        return Decoding(max_new_tokens)
    official = temperature is None and top_p is None
    return Decoding(
        max_new_tokens, 0.6 if temperature is None else temperature, 0.95 if top_p is None else top_p, official
    )
