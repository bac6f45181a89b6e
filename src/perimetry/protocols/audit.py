"""Run an audit from data and models to the report, or count what it would ask."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from perimetry.cases import data_use_of
from perimetry.cases.dataset import Case
from perimetry.cases.errors import DataError, PerimetryError, UsageError
from perimetry.conditions import parse_condition
from perimetry.conditions.spelling import split_spellings
from perimetry.inference import (
    Budget,
    RequestStore,
    RunLock,
    Settings,
    SilentProgress,
    StoreError,
    Summary,
    ask,
    check_data_use,
    choose_progress,
    quarantine,
)
from perimetry.models import Decoding, Model, ModelContext, resolve_model
from perimetry.models.chat.secrets import without_credentials
from perimetry.protocols.finish import finish
from perimetry.protocols.protocol import AuditProtocol
from perimetry.protocols.registry import find_protocol
from perimetry.protocols.run import Run
from perimetry.runs.asked import Asked
from perimetry.runs.folder import RunFolder, named_disk_errors, without_none, write_atomically
from perimetry.runs.preparation import (
    NEIGHBOURS,
    Preparation,
    check_same_cases,
    load_case_sets,
    prepare,
    resolve_models,
)
from perimetry.runs.sizes import shown_sizes

__all__ = ["AuditResult", "DryRun", "audit", "dry_run", "run_audit"]

# Of a model's description, what changes how fast or over which road an answer comes, but not the answer.
_MAY_CHANGE = frozenset(
    {"address", "batch_size", "client", "concurrency", "library", "max_retries", "name", "requests_per_minute"}
    | {"timeout", "training", "versions", "warnings"}
)

_LIBRARIES = ("perimetry", "numpy", "polars", "pillow", "openai", "faiss-cpu", "scikit-learn")


@dataclass(frozen=True, slots=True)
class AuditResult:
    """A run and how this invocation of it ended.

    Parameters
    ----------
    run : Run
    summaries : tuple of Summary
        One a model: asked, answered, failed, stopped and why.
    warnings : tuple of str
        What the models' descriptions ask a reader to know: unpinned revisions, unknown ids ...
    """

    run: Run
    summaries: tuple[Summary, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DryRun:
    """What an audit would ask.

    Parameters
    ----------
    trials : int
        Over all models, those to which their condition applies.
    not_applicable : int
    requests : int
        After merging trials of equal recipe, over all models.
    stored : int
        Requests that the run folder answers already.
    images : int
        Image parts over all requests; estimated where a condition has more than 2,000.
    text_tokens, image_tokens : int
        Estimates: four characters a token; 28 x 28 pixels a token, from a sample of the images.
    models : tuple of str
    """

    trials: int
    not_applicable: int
    requests: int
    stored: int
    images: int
    text_tokens: int
    image_tokens: int
    models: tuple[str, ...]


def audit(
    protocol: str = "counterfactual",
    *,
    data: str | Sequence[str],
    models: str | Sequence[str],
    out: str | Path,
    split: str | None = None,
    limit: int | None = None,
    only: str | Path | None = None,
    answer_type: str | None = None,
    conditions: str | Sequence[str] | None = None,
    repeats: int = 1,
    retest: float = 1.0,
    seed: int = 42,
    mapping: str | Path | None = None,
    images: str | Path | None = None,
    embedder: str = "pixels",
    pool: str | None = None,
    allow_remote: str | Sequence[str] = (),
    decoding: Decoding | None = None,
    settings: Settings | None = None,
    options: ModelContext | None = None,
    progress: bool = False,
    command: str = "",
    **own: Any,
) -> AuditResult:
    """Run an audit: ask every model, score, estimate, judge, and write the report.

    Parameters
    ----------
    protocol : str, default "counterfactual"
    data : str or sequence of str
        ``NAME:PATH``, or ``phantom`` and its settings.
    models : str or sequence of str
        Specifications, for example ``openai:NAME@URL`` or ``reader:grounded``.
    out : path-like
        Run folder. A run that is there already goes on: nothing answered is asked twice, models and conditions may
        be added, data and endpoints may have moved, everything else has to stay as it was.
    split, limit, only, answer_type
        Which items; see `perimetry.load`.
    conditions : str or sequence of str or None
        A comma-separated list, or one entry a condition; the protocol's own if None.
    repeats : int, default 1
    retest : float, default 1.0
        Share of the items asked again under ``retest``.
    seed : int, default 42
    mapping, images : path-like or None
    embedder : str, default "pixels"
    pool : str or None
        Data set that hard negatives come from, in place of the loaded split.
    allow_remote : str or sequence of str
        Credentialed data sets that may be sent to another machine.
    decoding : Decoding or None
        The protocol's own if None.
    settings : Settings or None
        How requests are executed; changes no result.
    options : ModelContext or None
        How models are reached and loaded: timeout, rate, device, remote code.
    progress : bool, default False
        Show progress on standard error.
    command : str
        Recorded as the way to reproduce the run.
    **own
        What only this audit takes: of the occlusion audit ``strengths``, ``fill``, ``labeller`` and others, named as on
        the command line with underscores; see `perimetry.protocols.occlusion.OcclusionOptions`.

    Returns
    -------
    AuditResult

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = audit(data="phantom:n=20", models="reader:blind", out=folder, conditions=["real", "blank"])
    ...     result.run.outcomes.height
    40
    """
    chosen = find_protocol(protocol)
    named = split_spellings(conditions) if isinstance(conditions, str) else conditions
    wanted, spelled = chosen.options(own, named or None)
    asked = Asked.of(
        protocol,
        data=data,
        only=only,
        models=models,
        conditions=wanted,
        decoding=decoding or chosen.decoding,
        split=split,
        answer_type=answer_type,
        limit=limit,
        repeats=repeats,
        retest=retest,
        seed=seed,
        embedder=embedder,
        pool=pool,
        mapping=mapping,
        images=images,
        allow_remote=allow_remote,
        options=spelled,
    )
    return run_audit(
        chosen, asked, Path(out), settings or Settings(), options=options, progress=progress, command=command
    )


def run_audit(
    protocol: AuditProtocol,
    asked: Asked,
    out: Path,
    settings: Settings,
    *,
    options: ModelContext | None = None,
    progress: bool = False,
    command: str = "",
) -> AuditResult:
    """Run what was asked; the part of `audit` below its arguments."""
    folder = RunFolder(out.expanduser())
    folder.check_usable()
    absent = folder.absent
    with RunLock(folder.path), folder.as_found(absent), named_disk_errors(folder.path):
        preparation, models = _prepared(protocol, asked, folder, options)
        _check_models(folder, models)
        with _undone_if_unusable(folder):
            _write_beginning(folder, preparation, models, command)
            summaries = _ask_all(folder, preparation, models, settings, progress)
        finish(protocol, folder, preparation, [model.name for model in models])
        warnings = tuple(dict.fromkeys(str(text) for model in models for text in model.describe().get("warnings", ())))
    return AuditResult(Run(folder.path), summaries, warnings)


def dry_run(protocol: AuditProtocol, asked: Asked, out: Path) -> DryRun:
    """Count trials, requests, images and tokens of an audit; asks nobody and writes nothing."""
    folder = RunFolder(out.expanduser())
    folder.check_usable()
    preparation, opened = _prepared(protocol, asked, folder)
    store = RequestStore(folder.path / "responses")
    plan = preparation.requests()
    stored = sum(len(plan) - len(store.missing(model.name, plan.ids)) for model in opened) if folder.exists else 0
    applicable = int(preparation.plan.trials["request_id"].is_not_null().sum())
    characters, images = shown_sizes(preparation)
    return DryRun(
        trials=applicable * len(opened),
        not_applicable=(preparation.plan.trials.height - applicable) * len(opened),
        requests=len(plan) * len(opened),
        stored=stored,
        images=images * len(opened),
        text_tokens=characters // 4 * len(opened),
        image_tokens=round(images * _tokens_per_image(preparation.cases)) * len(opened),
        models=tuple(model.name for model in opened),
    )


def _prepared(
    protocol: AuditProtocol, asked: Asked, folder: RunFolder, options: ModelContext | None = None
) -> tuple[Preparation, tuple[Model, ...]]:
    """Everything before the first request; what can be refused cheaply is refused before anything slow is done."""
    for spelling in asked.conditions:
        parse_condition(spelling)
    for spec in asked.models:
        resolve_model(spec, options)
    if folder.exists:
        asked = folder.read_asked().extended_by(asked)
    protocol.check(asked)
    case_sets = load_case_sets(asked)
    laid = protocol.design.lay_out(asked, case_sets)
    models = resolve_models(asked, laid.case_sets, options)
    uses = [(case_set.name, case_set.data_use) for case_set in case_sets]
    if asked.pool:  # its images are shown as hard negatives
        uses.append(data_use_of(asked.pool))
    for name, data_use in uses:
        for model in models:
            check_data_use(name, data_use, model.name, model.is_local, asked.allow_remote)
    preparation = prepare(asked, case_sets, protocol.design, folder, laid)
    if folder.exists:
        check_same_cases(folder.read_settings()["digests"], preparation.plan.digests)
    return preparation, models


def _check_models(folder: RunFolder, models: Sequence[Model]) -> None:
    """Refuse to go on with a model that answers under the same name but is spoken to in another way.

    A request's name leaves the model out, so its card, image policy, revision or file are held here.
    """
    if not folder.exists:
        return
    before = {str(entry.get("name")): entry for entry in folder.read_settings().get("models", [])}
    for model in models:
        if model.name not in before:
            continue
        then, now = before[model.name], without_none(model.describe())
        if then.get("kind") == now.get("kind") == "recorded":
            _check_recorded(model.name, then, now)
            continue
        for key in sorted({*then, *now} - _MAY_CHANGE):
            if then.get(key) != now.get(key):
                raise UsageError(
                    f"{model.name} is not what it was when this run began: {key} was {then.get(key)!r} and is "
                    f"{now.get(key)!r}. Its answers would be mixed; give another --out."
                )


def _check_recorded(name: str, then: Mapping[str, object], now: Mapping[str, object]) -> None:
    """Refuse a file of answers whose content, or whose mapping's, is not what it was."""
    for what, digest in (("file", "digest"), ("mapping", "mapping_digest")):
        if then.get(digest, "") != now.get(digest, ""):
            raise UsageError(
                f"{name}: {now.get(what) or then.get(what)} has changed since this run began, so its answers would be "
                "mixed with those stored here. Give a new --out: recorded answers cost nothing, so nothing is lost."
            )


@contextmanager
def _undone_if_unusable(folder: RunFolder) -> Iterator[None]:
    """Take a model out of run.toml again that turns out not to be usable: it would stand in the way of every later one.

    A store that cannot be written is no model's fault: the run goes on later as it was begun.
    """
    before = folder.settings_file.read_bytes() if folder.exists else None
    try:
        yield
    except StoreError:
        raise
    except PerimetryError:
        if before is None:
            folder.settings_file.unlink(missing_ok=True)
        else:
            write_atomically(folder.settings_file, before)
        raise


def _tokens_per_image(cases: Sequence[Case], sampled: int = 20) -> float:
    """Mean of 28 x 28 pixel patches over a sample of the images; 0 without any that can be read."""
    counts = []
    for case in cases[:: max(1, len(cases) // sampled)]:
        for image in case.images:
            try:
                height, width = image.pixels().shape[:2]
            except DataError:
                continue
            counts.append(height * width / 28**2)
    return sum(counts) / len(counts) if counts else 0.0


def _write_beginning(folder: RunFolder, preparation: Preparation, models: Sequence[Model], command: str) -> None:
    """Everything that is known before the first answer: run.toml, plan, neighbours, funnels."""
    versions = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    versions |= {name: version(name) for name in _LIBRARIES}
    folder.path.mkdir(parents=True, exist_ok=True)
    folder.write_settings(
        {
            "command": without_credentials(command or shlex.join(sys.argv)),
            "asked": preparation.asked.to_dict(),
            "versions": versions,
            "digests": dict(preparation.plan.digests),
            "models": [model.describe() | {"name": model.name} for model in models],
            "data": [
                {
                    "name": case_set.name,
                    "licence": case_set.licence,
                    "data_use": case_set.data_use,
                    "cases": len(case_set.cases),
                    "pool": len(case_set.pool),
                    "funnel": case_set.funnel.to_dict(),
                }
                for case_set in preparation.case_sets
            ],
        }
    )
    folder.write_table("plan", preparation.plan.table([model.name for model in models]))
    if preparation.neighbours is not None:
        preparation.neighbours.save(folder.path / NEIGHBOURS)


def _ask_all(
    folder: RunFolder, preparation: Preparation, models: Sequence[Model], settings: Settings, progress: bool
) -> tuple[Summary, ...]:
    """Ask the models one after another; an interruption ends the run there, with everything answered in the store."""
    store = RequestStore(folder.path / "responses")
    plan = preparation.requests()
    budget = Budget(settings.max_requests)
    summaries: list[Summary] = []
    for model in models:
        for problem in quarantine(store, model.name):
            store.on_problem(problem)
        try:
            summaries.append(
                ask(model, plan, store, settings, choose_progress() if progress else SilentProgress(), budget)
            )
        finally:
            model.close()
        if summaries[-1].stopped == "interrupted":
            raise KeyboardInterrupt(summaries[-1].message)
    return tuple(summaries)
