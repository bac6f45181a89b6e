"""From a data set to a folder of alternative references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from perimetry.cases import CaseSet, Study, UsageError, load
from perimetry.cases.dataset import DataUse
from perimetry.editing.edit import Verifier
from perimetry.editing.funnel import EditFunnel, FunnelCount
from perimetry.editing.loop import ROUNDS
from perimetry.editing.references.accounting import RuleVerifier
from perimetry.editing.references.alternative import Alternative
from perimetry.editing.references.asked import ModelGenerator, ModelVerifier
from perimetry.editing.references.asked.generator import TEMPERATURES, TOKENS
from perimetry.editing.references.english import InEnglish, told_of_others
from perimetry.editing.references.heard import Heard
from perimetry.editing.references.making import make_alternatives
from perimetry.editing.references.output import ALTERNATIVES, AlternativeWriter
from perimetry.editing.references.pooled import batches_by_rules
from perimetry.editing.references.record import Record, read_records
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.request_record import REQUEST, check_same_request, keep_request, request_of
from perimetry.editing.references.room import RULES, names_of, open_room, settings_of
from perimetry.editing.references.rules import RuleGenerator
from perimetry.editing.references.shown import SHOWN, SHOWN_REJECTED, Examples
from perimetry.editing.references.studies import with_findings
from perimetry.editing.references.taxonomy import Target, parse_targets
from perimetry.inference import Settings, Summary
from perimetry.models import ModelContext
from perimetry.models.chat.secrets import without_credentials
from perimetry.runs.folder import named_disk_errors

__all__ = ["Rewriting", "rewrite"]

BATCH = 64
"""Reports that rules rewrite between two signs of progress."""

ASKING_BATCH = 2000
"""Reports that a model is asked about together: enough to keep an endpoint busy, and few enough to be held."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What `rewrite` did.

    Parameters
    ----------
    path, page : Path
        The folder, and its page.
    dataset : str
    studies : int
        Reports that were tried.
    left_out : tuple of str
        Reports that were not, and why.
    funnels : tuple of EditFunnel
    summaries : tuple of Summary
        How each asking ended.
    speechless : tuple of str
        Models of which no answer could be used.
    """

    path: Path
    page: Path
    dataset: str
    studies: int
    left_out: tuple[str, ...]
    funnels: tuple[EditFunnel, ...]
    summaries: tuple[Summary, ...] = ()
    speechless: tuple[str, ...] = ()

    def records(self) -> Iterator[Record]:
        """What became of every report under every form, read from the folder one by one."""
        return read_records(self.path / ALTERNATIVES)

    @property
    def waiting(self) -> int:
        """Edits that the same command goes on with."""
        return sum(funnel.waiting for funnel in self.funnels)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {
            "out": str(self.path),
            "page": str(self.page),
            "dataset": self.dataset,
            "reports": self.studies,
            "left_out": list(self.left_out),
            "waiting": self.waiting,
            "speechless": list(self.speechless),
            "axes": [funnel.to_dict() for funnel in self.funnels],
        }


def rewrite(
    data: str,
    *,
    out: Path | str,
    axes: Sequence[str] = ("all",),
    rewriter: str = RULES,
    verifier: str = RULES,
    allow_remote: Sequence[str] = (),
    split: str | None = None,
    limit: int | None = None,
    mapping: Path | str | None = None,
    rounds: int = ROUNDS,
    temperatures: Sequence[float] = TEMPERATURES,
    tokens: int = TOKENS,
    structured: bool = True,
    seed: int = 42,
    settings: Settings | None = None,
    options: ModelContext | None = None,
    command: str = "",
    progress: bool = False,
    workers: int = 1,
    counted: Callable[[int, int], None] | None = None,
) -> Rewriting:
    """Rewrite the reports of a data set along axes of reporting style (reref.txt, section 2).

    The rule verifier always looks first, whoever rewrites; a model that is named as verifier sees what it accepts.
    With a model every answer is kept in ``OUT/responses``: the same command goes on from there and asks nothing twice.

    Parameters
    ----------
    data : str
        ``NAME:PATH`` of a data set with reports.
    out : path-like
        Folder for ``alternatives.jsonl`` and ``.parquet``, ``edits.jsonl``, ``funnel.json`` and the page.
    axes : sequence of str
        As `parse_targets`.
    rewriter, verifier : str
        ``rules``, or the specification of a model.
    allow_remote : sequence of str
        Credentialed data sets that may be sent to another machine.
    split, limit, mapping
        As `perimetry.cases.load`.
    rounds : int, default 5
        Of a model; rules propose once.
    temperatures : sequence of float, default (0.7,)
        Of the generator's rounds; the last holds for all further ones.
    tokens : int, default 4096
        New tokens of an answer at most.
    structured : bool, default True
        Whether endpoints are asked to hold answers to their schema; False for a server that does not know it.
    seed : int, default 42
    settings : Settings, optional
    options : ModelContext, optional
    command : str
        Shown on the page; credentials are taken out.
    progress : bool, default False
        Of what models are asked, on standard error.
    workers : int, default 1
        Processes in which rules rewrite; the files are the same.
    counted : callable, optional
        Told how many of how many reports are done.

    Returns
    -------
    Rewriting

    Raises
    ------
    UsageError
        For an axis or a model that there is none of, a folder that holds something else or the alternatives of
        another request, or data that may not go there.
    DataError
        When the data set cannot be read or holds no report with findings.
    """
    folder = Path(out)
    wanted = parse_targets(axes, by_rules=rewriter == RULES)
    _check_usable(folder)
    if workers < 1 or (workers > 1 and (rewriter, verifier) != (RULES, RULES)):
        told_of = f"is {workers}" if workers < 1 else "are of rules; a model's requests in flight are --concurrency"
        raise UsageError(f"--workers {told_of}. Expected a number of processes in which rules rewrite.")
    case_set = load(data, split=split, limit=limit, seed=seed, mapping=mapping)
    studies, left_out = with_findings(case_set)
    left_out = (*left_out, *told_of_others(studies))
    with open_room(rewriter, verifier, folder, settings, options, progress) as room:
        for judge in (room.generator, room.verifier):
            if judge is not None:
                judge.check(case_set.name, case_set.data_use, allow_remote)
        targets = {step.spelling: step for steps in wanted for step in steps}
        generator = (
            RuleGenerator(seed)
            if room.generator is None
            else ModelGenerator(
                room.generator, targets, case_set.name, tuple(temperatures), tokens, seed=seed, structured=structured,
                rounds=rounds,
            )
        )  # fmt: skip
        checks: list[Verifier[ReportText]] = [RuleVerifier()]
        if room.verifier is not None:
            checks.append(ModelVerifier(room.verifier, targets, case_set.name, tokens, structured, rounds))
        made_by, checked_by = names_of(room)
        asking = settings_of(room, rounds=rounds, temperatures=temperatures, tokens=tokens, structured=structured)
        request = request_of(
            case_set.name, studies, wanted, rewriter=made_by, verifier=checked_by, seed=seed, asking=asking
        )
        check_same_request(folder, request)
        keep_request(folder, request)
        by_rules = room.generator is None and room.verifier is None
        # Rules propose the same in every round.
        turns = 1 if room.generator is None else rounds
        batches = (
            batches_by_rules(studies, wanted, seed=seed, size=BATCH, workers=workers)
            if by_rules
            else (
                make_alternatives(
                    studies[place : place + ASKING_BATCH], wanted, InEnglish(generator), checks, rounds=turns
                )
                for place in range(0, len(studies), ASKING_BATCH)
            )
        )
        told = counted or _silent
        about = {
            "dataset": case_set.name,
            "data_use": case_set.data_use,
            "rewriter": made_by,
            "verifier": checked_by,
            "seed": seed,
            "command": without_credentials(command),
            "load": case_set.funnel.to_dict() if quoting_allowed(case_set.data_use) else None,
            "reports": len(studies),
            "left_out": list(left_out),
        }
        heard = Heard(*(judge.name if judge else "" for judge in (room.generator, room.verifier)))
        with closing(batches):
            funnels, examples = _written(folder, batches, wanted, about, told, heard)
    done = _shown(folder, case_set, studies, left_out, funnels, examples, tuple(room.summaries), about)
    return replace(done, speechless=heard.speechless)


def _check_usable(folder: Path) -> None:
    """Refuse a folder that holds another command's work."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out {folder} is a file; a folder was expected.")
    known = ("alternatives.jsonl", "responses", "report", REQUEST)
    if folder.is_dir() and any(folder.iterdir()) and not any((folder / name).exists() for name in known):
        raise UsageError(f"--out {folder} holds other files. Give a new folder, or one of an earlier rewriting.")
    if any((folder / name).exists() for name in ("run.toml", "screen.toml", "plan.parquet", "estimates.csv")):
        raise UsageError(f"--out {folder} is the folder of another command. Give a new one.")


def _written(
    folder: Path,
    batches: Iterable[tuple[Alternative, ...]],
    wanted: Sequence[tuple[Target, ...]],
    about: Mapping[str, Any],
    told: Callable[[int, int], None],
    heard: Heard,
) -> tuple[tuple[EditFunnel, ...], Examples]:
    """Write alternatives as they are made; nothing of a batch is held but what the page shows."""
    counts = {kind: FunnelCount(kind) for kind in map(_spelled, wanted)}
    examples = Examples(SHOWN, SHOWN_REJECTED, about["seed"])
    done = 0
    with named_disk_errors(folder):
        writer = AlternativeWriter(folder)
    with writer:
        for batch in batches:
            with named_disk_errors(folder):
                writer.add(batch)
            examples.add(batch)
            for each in batch:
                heard.add(each.edits)
                # Of a compound the step that ended it counts.
                edit = each.edits[-1]
                counts[each.target].add(replace(edit, task=replace(edit.task, kind=each.target)))
            done += len(batch) // len(counts)
            told(done, about["reports"])
        funnels = tuple(count.funnel for count in counts.values())
        with named_disk_errors(folder):
            writer.finish(funnels, about)
    return funnels, examples


def _shown(
    folder: Path,
    case_set: CaseSet,
    studies: Sequence[Study],
    left_out: tuple[str, ...],
    funnels: tuple[EditFunnel, ...],
    examples: Examples,
    summaries: tuple[Summary, ...],
    about: Mapping[str, Any],
) -> Rewriting:
    """Make the page, last of all."""
    from perimetry.editing.references.page import page
    from perimetry.reports import FailureRow, Reproduce, build_site

    failures = [
        FailureRow(summary.model, kind, count, example=dict(summary.examples).get(kind, ""))
        for summary in summaries
        for kind, count in summary.failed
    ]
    site = page(
        case_set.name,
        len(studies),
        funnels,
        examples,
        Reproduce(about["command"], {"perimetry": version("perimetry")}, {"rewriting": str(about["seed"])}),
        made_by=about["rewriter"],
        checked_by=about["verifier"],
        left_out=left_out,
        failures=failures,
        quoting=quoting_allowed(case_set.data_use),
    )
    with named_disk_errors(folder):
        shown = build_site(folder, site)
    return Rewriting(folder, shown, case_set.name, len(studies), left_out, funnels, summaries)


def quoting_allowed(data_use: DataUse) -> bool:
    """Whether reports of such a data set may stand on a page."""
    return data_use == "open"


def _spelled(steps: Sequence[Target]) -> str:
    return "+".join(step.spelling for step in steps)


def _silent(_done: int, _total: int) -> None:
    """Say nothing."""
