"""`perimetry audit`: run an audit."""

from __future__ import annotations

import warnings
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(help="Run an audit.", no_args_is_help=True, rich_markup_mode=None)


class AnswerTypeName(StrEnum):
    """Kinds of question."""

    closed = "closed"
    open = "open"
    choice = "choice"


class EngineName(StrEnum):
    """Where requests are executed."""

    local = "local"
    ray = "ray"


# The protocol's own; spelled out, for --help must not load it.
_CONDITIONS = "real, retest, blank, shuffle, noimage, hardneg, mismatch"


@app.command("counterfactual", short_help="Does the score need the image?")
def counterfactual(
    data: Annotated[
        list[str],
        typer.Option(metavar="NAME:PATH", help="Data set and where it lies; repeatable. `phantom` needs no path."),
    ],
    model: Annotated[
        list[str], typer.Option(metavar="SPEC", help="Model specification; repeatable. See `perimetry models`.")
    ],
    out: Annotated[Path, typer.Option(metavar="RUN", help="Run folder; an existing run is gone on with.")],
    split: Annotated[str | None, typer.Option(help="Split; the data set's evaluation split if not given.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Take N items, the same ones for every model and machine.")
    ] = None,
    answer_type: Annotated[AnswerTypeName | None, typer.Option(help="Keep one kind of question.")] = None,
    conditions: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Comma-separated conditions, e.g. real,blank,hardneg(rank=5).",
            show_default=_CONDITIONS,
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Ask everything R times.")] = 1,
    retest: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the items that is asked again unchanged.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 42,
    temperature: Annotated[float, typer.Option(min=0.0, help="0 decodes greedily.")] = 0.0,
    top_p: Annotated[float, typer.Option(min=0.0, max=1.0, help="Nucleus sampling; used above temperature 0.")] = 1.0,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="Longest answer, in tokens.")] = 2048,
    map_file: Annotated[
        Path | None,
        typer.Option("--map", metavar="FILE", help="TOML file: columns of table, hub and recorded data."),
    ] = None,
    images: Annotated[Path | None, typer.Option(help="Image folder, where it is not where the layout has it.")] = None,
    embedder: Annotated[
        str, typer.Option(help="What finds hard negatives: pixels, or clip:PATH_OR_HUB_ID.")
    ] = "pixels",
    pool: Annotated[
        str | None,
        typer.Option(metavar="NAME:PATH", help="Where hard negatives come from, in place of the loaded split."),
    ] = None,
    engine: Annotated[EngineName, typer.Option(help="Where requests are executed.")] = EngineName.local,
    ray_address: Annotated[str | None, typer.Option(help="Address of a Ray cluster; a local one if not given.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes for models that run here.")] = 1,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Requests in flight at an endpoint.")] = None,
    max_requests: Annotated[int | None, typer.Option(min=0, help="Ask at most N requests in this invocation.")] = None,
    max_failures: Annotated[int, typer.Option(min=0, help="Stop after N failures in a row; 0 never stops.")] = 100,
    allow_remote: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Let a credentialed data set be sent to a model on another machine."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds until one attempt at an endpoint is given up.")
    ] = 600.0,
    max_retries: Annotated[int, typer.Option(min=0, help="How often an endpoint is tried again, with back-off.")] = 5,
    requests_per_minute: Annotated[
        float | None, typer.Option(min=0.1, help="Upper limit of requests started a minute at an endpoint.")
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option(min=1, help="Requests in one batch of a model that runs here.")
    ] = None,
    device: Annotated[str | None, typer.Option(help="Device of a model that runs here, e.g. cuda:0.")] = None,
    trust_remote_code: Annotated[
        bool, typer.Option("--trust-remote-code", help="Run code that comes with the weights of an hf: model.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count trials, requests, images and tokens; ask nobody.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Does the score need the image? Ask every model the same questions under changed images.

    Example: perimetry audit counterfactual --data vqa-rad:VQA_RAD --split test --model
    openai:qwen2.5-vl-7b@http://127.0.0.1:8000/v1 --out runs/qwen
    """
    from perimetry.cli.show import exit_code, interruptible, show_dry_run, show_result
    from perimetry.conditions.spelling import split_spellings
    from perimetry.inference import Settings
    from perimetry.models import Decoding, ModelContext
    from perimetry.models.recorded import RecordedWarning
    from perimetry.protocols.audit import dry_run as count
    from perimetry.protocols.audit import run_audit
    from perimetry.protocols.registry import find_protocol
    from perimetry.runs.asked import Asked

    protocol = find_protocol("counterfactual")
    asked = Asked.of(
        protocol.name,
        data=data,
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
    if dry_run:
        with interruptible():
            counted = count(protocol, asked, out)
        show_dry_run(counted, as_json)
        return
    settings = Settings(
        workers=workers,
        concurrency=concurrency,
        max_requests=max_requests,
        max_failures=max_failures,
        engine=engine.value,
        ray_address=ray_address or "",
    )
    options = ModelContext(
        concurrency=concurrency or ModelContext().concurrency,
        timeout=timeout,
        max_retries=max_retries,
        requests_per_minute=requests_per_minute,
        batch_size=batch_size,
        device=device,
        trust_remote_code=trust_remote_code,
    )
    with interruptible(), warnings.catch_warnings():
        # What it warns of stands in the result too, and is shown with it.
        warnings.simplefilter("ignore", RecordedWarning)
        result = run_audit(protocol, asked, out, settings, options=options, progress=True)
    show_result(result, as_json)
    code = exit_code(result.run)
    if code:
        raise typer.Exit(code)
