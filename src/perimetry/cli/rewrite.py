"""`perimetry rewrite`: the same reports in other reporting styles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from perimetry.cli.audit_options import Only

if TYPE_CHECKING:
    from perimetry.editing.references import Counted, Rewriting

__all__ = ["rewrite"]


def rewrite(
    data: Annotated[str, typer.Option(metavar="NAME:PATH", help="A data set with reports. See `perimetry datasets`.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for alternatives, funnel and the page.")],
    axes: Annotated[
        list[str],
        typer.Option(
            metavar="all|LIST",
            help="Axes, comma-separated: terminology, negation:implicit; joined by + one after the other.",
        ),
    ] = ["all"],  # noqa: B006  # typer copies it; None could not stand for it in the help
    rewriter: Annotated[
        str, typer.Option(metavar="rules|SPEC", help="Who rewrites. See `perimetry models`.")
    ] = "rules",
    verifier: Annotated[
        str, typer.Option(metavar="rules|SPEC", help="Who checks what the rules have accepted.")
    ] = "rules",
    allow_remote: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Let this credentialed data set be sent to another machine; repeatable."),
    ] = None,
    split: Annotated[str | None, typer.Option(help="Split; the evaluation split if not given.")] = None,
    limit: Annotated[int | None, typer.Option(help="Rewrite this many reports.")] = None,
    only: Only = None,
    mapping: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="TOML file field = column, for table and hub.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Proposals of a model for a report and a form, at most.")] = 5,
    temperature: Annotated[
        list[float] | None,
        typer.Option(metavar="T", help="Of a model's rounds; repeat for each, the last holds on. 0.7 if not given."),
    ] = None,
    max_new_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a model's answer, at most.")] = 4096,
    schema: Annotated[
        bool, typer.Option("--schema/--no-schema", help="Ask endpoints to hold answers to their JSON schema.")
    ] = True,
    seed: Annotated[int, typer.Option(help="Seed of synonyms, draws and examples.")] = 42,
    workers: Annotated[int, typer.Option(min=1, help="Processes in which rules rewrite; the same files.")] = 1,
    max_requests: Annotated[int | None, typer.Option(min=0, help="Ask models at most N requests now.")] = None,
    max_failures: Annotated[int, typer.Option(min=0, help="Stop after N failures in a row; 0 never stops.")] = 100,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Requests in flight at an endpoint.")] = None,
    requests_per_minute: Annotated[
        float | None, typer.Option(min=0.1, help="Upper limit of requests started a minute at an endpoint.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds until one attempt at an endpoint is given up.")
    ] = 600.0,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check everything and count requests; ask and write nothing.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Rewrite reports along axes of reporting style; keep what still says the same, and say why others do not.

    Example: perimetry rewrite --data iu-xray:data/iu_xray --axes all --out alternatives
    """
    import shlex
    import sys

    from perimetry.cases.only import restricted
    from perimetry.cli.image_count import ImageCount
    from perimetry.cli.show import interruptible
    from perimetry.editing.references import count_rewrites
    from perimetry.editing.references import rewrite as run
    from perimetry.inference import Settings
    from perimetry.models import ModelContext

    (data,) = restricted(data, only)
    options = ModelContext(
        concurrency=concurrency or ModelContext().concurrency, timeout=timeout, requests_per_minute=requests_per_minute
    )
    if dry_run:
        _show_count(
            count_rewrites(
                data,
                out=out,
                axes=axes,
                rewriter=rewriter,
                verifier=verifier,
                split=split,
                limit=limit,
                mapping=mapping,
                rounds=rounds,
                temperatures=temperature or (0.7,),
                tokens=max_new_tokens,
                structured=schema,
                seed=seed,
                options=options,
            ),
            as_json,
        )
        return
    with interruptible():
        result = run(
            data,
            out=out,
            axes=axes,
            rewriter=rewriter,
            verifier=verifier,
            allow_remote=allow_remote or (),
            split=split,
            limit=limit,
            mapping=mapping,
            rounds=rounds,
            temperatures=temperature or (0.7,),
            tokens=max_new_tokens,
            structured=schema,
            seed=seed,
            settings=Settings(concurrency=concurrency, max_requests=max_requests, max_failures=max_failures),
            options=options,
            command=shlex.join(sys.argv),
            progress=True,
            workers=workers,
            counted=ImageCount("reports", "rewritten"),
        )
    _show(result, as_json)
    if result.waiting:
        raise typer.Exit(3)
    if result.speechless:
        raise typer.Exit(1)


def _show(result: Rewriting, as_json: bool) -> None:
    from perimetry.cli.show import complain, print_json, print_table

    if as_json:
        print_json(result.to_dict())
        return
    names = ("accepted", "infeasible", "already_in_form", "rejected", "failed")
    rows = []
    for funnel in result.funnels:
        endings = dict(funnel.endings)
        waiting = (f"{funnel.waiting:,}",) if result.waiting else ()
        rows.append((funnel.kind, f"{funnel.tasks:,}", *(f"{endings[name]:,}" for name in names), *waiting))
    columns = ["form", "reports", "accepted", "not possible", "in form before", "rejected", "failed"]
    columns += ["waiting"] if result.waiting else []
    print_table(f"Alternatives of {result.studies:,} reports of {result.dataset}", columns, rows)
    for line in result.left_out:
        complain(f"Note: {line}")
    for line in _unanswered(result):
        complain(line)
    for line in _unproposed(result):
        complain(line)
    if result.waiting:
        noun = "edit waits" if result.waiting == 1 else "edits wait"
        complain(f"{result.waiting:,} {noun} for an answer: give the same command again to go on.")
    typer.echo(f"Alternatives: {result.path / 'alternatives.jsonl'}")
    typer.echo(f"Page:         {result.page}")


def _unanswered(result: Rewriting) -> list[str]:
    """What servers said, once each, over all rounds; and what to do to go on."""
    from collections import Counter

    from perimetry.cli.show import one_line

    lines: list[str] = []
    for model in dict.fromkeys(summary.model for summary in result.summaries):
        own = [summary for summary in result.summaries if summary.model == model]
        failed: Counter[str] = Counter()
        for summary in own:
            failed.update(dict(summary.failed))
        messages = list(dict.fromkeys(each.message for each in own if each.message and result.waiting))
        if failed:
            kinds = ", ".join(f"{count:,} {kind}" for kind, count in failed.items())
            lines.append(f"{model}: requests without an answer: {kinds}")
        said = dict(example for summary in own for example in summary.examples)
        lines += [
            f"  {kind}, for example: {one_line(text)}"
            for kind, text in said.items()
            if not any(f"{kind}: {text}" in message for message in messages)
        ]
        lines += [f"{model}: {message}" for message in messages]
    return lines


def _unproposed(result: Rewriting) -> list[str]:
    """Who gave nothing that could be used, how often, and the most frequent reason."""
    failed: dict[str, list[tuple[int, str]]] = {}
    for funnel in result.funnels:
        for (status, by, _, count, _), detail in zip(funnel.reasons, funnel.details, strict=True):
            if status == "failed":
                failed.setdefault(by, []).append((count, " ".join(detail.split())))
    edits = sum(funnel.tasks for funnel in result.funnels)
    return [
        f"{name or 'rules'}: {sum(count for count, _ in reasons):,} of {edits:,} edits failed without an answer that "
        f"could be used{'; most often' if len(reasons) > 1 else ''}: {max(reasons)[1][:300]}. edits.jsonl has what was "
        "said."
        for name, reasons in failed.items()
    ]


def _show_count(counted: Counted, as_json: bool) -> None:
    from dataclasses import asdict

    from perimetry.cli.show import print_json, print_table

    if as_json:
        print_json(asdict(counted))
        return
    rows = [
        ("reports", f"{counted.reports:,}"),
        ("forms", f"{counted.forms:,}"),
        ("edits", f"{counted.edits:,}"),
        ("requests to the rewriter in the first round", f"{counted.first_round:,}"),
        ("of these answered already", f"{counted.stored:,}"),
        ("requests over all rounds, at most", f"{counted.most_requests:,}"),
    ]
    print_table("Dry run", ("what", "number"), rows)
