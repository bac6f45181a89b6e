"""Run a reference audit: from files of reports to estimates and a page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from perimetry.cases import load
from perimetry.cases.dataset import CaseSet
from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import DataError, UsageError
from perimetry.inference import RunLock
from perimetry.inference import Settings as Execution
from perimetry.models import ModelContext
from perimetry.protocols.references.asked import DEFAULT_METRICS, Wanted, asked_table, inputs_table
from perimetry.protocols.references.asking import AskedModels, asked_models, is_model
from perimetry.protocols.references.drawn import Settings
from perimetry.protocols.references.findings import Findings, estimate
from perimetry.protocols.references.material import SECTIONS, Material, gather
from perimetry.protocols.references.output import OUTPUTS, SETTINGS, write_output
from perimetry.protocols.references.planting import plant_in
from perimetry.protocols.references.scores import wanted_pairs
from perimetry.protocols.references.systems import SystemReports, read_systems
from perimetry.protocols.references.trust import Planted, read_planted, trust_pairs
from perimetry.protocols.references.verdict import Answer, answers
from perimetry.protocols.score.alternatives import Alternatives, read_alternatives
from perimetry.protocols.score.judging import Bench, bench_of, mend
from perimetry.protocols.score.running import check_ready, named_metrics, try_metrics
from perimetry.protocols.score.scored import NamedMetric
from perimetry.protocols.score.undoing import CACHE, RESPONSES, undone_if_new
from perimetry.runs.estimates import estimate_frame
from perimetry.runs.folder import RunFolder, named_disk_errors
from perimetry.scoring.cache import CachingMetric, TextCache

__all__ = ["DEFAULT_METRICS", "ReferenceResult", "Wanted", "audit_references", "count_requests"]


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceResult:
    """What a reference audit gave.

    Parameters
    ----------
    findings : Findings
    verdicts : tuple of Answer
    path : Path or None
    pending : int
        Requests to judges that the same call would ask again.
    """

    findings: Findings
    verdicts: tuple[Answer, ...]
    path: Path | None = None
    pending: int = 0

    @property
    def estimates(self) -> pl.DataFrame:
        """The tidy table."""
        return estimate_frame(self.findings.estimates)

    @property
    def page(self) -> Path | None:
        """The report's first page, if there is an output folder."""
        return None if self.path is None else RunFolder(self.path).report_page


def audit_references(
    wanted: Wanted,
    out: str | Path | None = None,
    *,
    execution: Execution | None = None,
    options: ModelContext | None = None,
    progress: bool = False,
    command: str = "",
    made_of: Mapping[str, str] | None = None,
) -> ReferenceResult:
    """How far do metrics, and the order of systems, depend on the wording of the references? (ReRef)

    Everything that can be wrong with the call is said before anything is scored. Models that are systems or judges are
    asked; everything else is read from files.

    Parameters
    ----------
    wanted : Wanted
    out : path-like or None
        Folder for estimates, tables and the page; nothing is written if None.
    execution, options
        How models are asked; change no result.
    progress : bool, default False
        Say on standard error what is being done.
    command : str
        Recorded as the way to reproduce.
    made_of : mapping of str to str, optional
        Digests of the data sets of an earlier run of the same: a `DataError` where their studies are others now.

    Raises
    ------
    UsageError, DataError
        Each names what was found, what was expected and what to do.
    """
    path = None if out is None else Path(out).expanduser()
    named = _refused_early(wanted, path)
    say = _say if progress else _silent
    settings = Settings(wanted.resamples, wanted.seed)
    sources = _Sources.of(wanted)
    if made_of is not None:
        sources.check(made_of)
    execution = execution or Execution()
    if path is None:
        material, planted = sources.gathered(())
        with bench_of(named, wanted.judge, None, execution, options) as bench:
            check_ready(bench.metrics)
            _try(material, bench.metrics)
            findings = estimate(material, bench.metrics, planted, settings, say)
            return ReferenceResult(findings, answers(findings))
    folder, cache = RunFolder(path), TextCache(path / CACHE)
    absent = folder.absent
    with (
        bench_of(named, wanted.judge, path, execution, options, progress) as bench,
        sources.asked(path, execution, options, progress=progress) as asked,
    ):
        check_ready(bench.metrics)
        asked.check(sources.loaded, wanted.allow_remote)
        _guard(bench, sources.loaded, wanted.allow_remote)
        held = None if asked.models else sources.gathered(())
        with (
            RunLock(path),
            folder.as_found(absent),
            named_disk_errors(path),
            undone_if_new(path, cache, SETTINGS, OUTPUTS) as undoing,
            cache,
        ):
            mend(bench)
            mend(Bench((), tuple(asked.models.values())))
            material, planted = sources.gathered((asked.ask(),)) if held is None else held
            ready = [_with_cache(one, cache) for one in bench.metrics]
            _try(material, ready)
            undoing.work_begins()
            findings = estimate(material, ready, planted, settings, say)
            counted = asked.counts() | _requests(bench, material, planted)
            pending = sum(left for _, left in counted.values())
            verdicts = answers(findings)
            about = sources.described() | {
                "models": [model.model.describe() | {"name": model.name} for model in asked.models.values()],
                "judges": [judge.model.describe() | {"name": judge.name} for judge in bench.judges],
            }
            notes = tuple(_notes(pending, asked))
            write_output(findings, verdicts, path, settings, about, command or shlex.join(sys.argv), notes)
            return ReferenceResult(findings, verdicts, path, pending)


def count_requests(wanted: Wanted, out: str | Path) -> dict[str, tuple[int, int]]:
    """For each model and each metric that asks: its requests, and those that would be asked.

    Asks nobody and writes nothing. What a judge would be asked about the reports of a model is not known before the
    model has written them, and not counted.
    """
    path = Path(out).expanduser()
    named = _refused_early(wanted, path)
    sources = _Sources.of(wanted)
    with (
        bench_of(named, wanted.judge, path, Execution()) as bench,
        sources.asked(path, Execution(), None) as asked,
    ):
        check_ready(bench.metrics)
        if asked.models:
            return asked.counts()
        return _requests(bench, *sources.gathered(()))


@dataclass(frozen=True, slots=True, eq=False)
class _Sources:
    """What was read from files, before any model was asked."""

    wanted: Wanted
    loaded: tuple[CaseSet, ...]
    alternatives: tuple[Alternatives, ...]
    systems: tuple[SystemReports, ...]
    specs: tuple[str, ...]

    @classmethod
    def of(cls, wanted: Wanted) -> _Sources:
        loaded = tuple(
            load(
                spec,
                split=wanted.split,
                limit=wanted.limit,
                seed=wanted.seed,
                mapping=wanted.mapping,
                images=wanted.images,
            )
            for spec in wanted.data
        )
        files = [each for each in wanted.systems if not is_model(each)]
        return cls(
            wanted,
            loaded,
            tuple(read_alternatives(each) for each in wanted.alternatives),
            tuple(read_systems(each, wanted.id_column) for each in files),
            tuple(each for each in wanted.systems if is_model(each)),
        )

    def asked(
        self, path: Path, execution: Execution, options: ModelContext | None, *, progress: bool = False
    ) -> AbstractContextManager[AskedModels]:
        """The models among the systems."""
        wanted = self.wanted
        return asked_models(
            self.specs,
            self.loaded,
            wanted.section,
            path,
            execution,
            options,
            wanted.max_new_tokens,
            progress=progress,
        )

    def gathered(self, written: tuple[SystemReports, ...]) -> tuple[Material, Planted | None]:
        """Everything lined up, with what models have written."""
        if self.specs and not written:
            raise UsageError(f"{self.specs[0]} is asked for reports, which need a place to be kept. Give --out.")
        material = gather(self.loaded, self.alternatives, (*self.systems, *written), self.wanted.section)
        if self.wanted.corrupted is not None:
            return material, read_planted(self.wanted.corrupted, material)
        return material, plant_in(material, self.wanted.seed) if self.wanted.plant else None

    def described(self) -> dict[str, Any]:
        """For the settings of the run: what was asked, and the files that were read."""
        files = [("alternatives", each.source) for each in self.alternatives]
        files += [("reports of systems", Path(each.source)) for each in self.systems]
        more = (("corrupted references", self.wanted.corrupted), ("mapping", self.wanted.mapping))
        files += [(what, Path(each).expanduser()) for what, each in more if each is not None]
        return {
            "asked": asked_table(self.wanted),
            "inputs": inputs_table(list(dict.fromkeys(files))),
            "studies": {one.name: _digest(one) for one in self.loaded},
        }

    def check(self, made_of: Mapping[str, str]) -> None:
        """Refuse data sets other than those of an earlier run."""
        for one in self.loaded:
            if made_of.get(one.name) != _digest(one):
                raise DataError(
                    f"The studies of {one.name} are not those that the run was made of. Put the data back as it was "
                    "(--data NAME:PATH says where it lies now), or give the audit command again to audit what there "
                    "is; nothing was changed."
                )


def _digest(loaded: CaseSet) -> str:
    """Of everything that an audit reads of the studies: ids, groups and sections; images have no part in it."""
    parts = []
    for study in loaded.studies:
        parts += [
            study.id,
            study.group,
            *(part for name in SECTIONS[:2] for part in (name, study.sections.get(name, ""))),
        ]
    return digest_parts(parts)


def _notes(pending: int, asked: AskedModels) -> Iterator[str]:
    if pending:
        yield f"{pending:,} requests have no final answer yet: the same command asks them again."
    for summary in asked.summaries:
        for kind, count in summary.failed:
            yield f"{summary.model}: {count:,} requests for a report failed ({kind}); their studies are left out."


def _refused_early(wanted: Wanted, path: Path | None) -> tuple[NamedMetric, ...]:
    if wanted.resamples < 1:
        raise UsageError(f"resamples is {wanted.resamples}; expected 1 or more.")
    if not wanted.data:
        raise UsageError("No data set was named. Give the references with --data NAME:PATH.")
    if not wanted.alternatives:
        raise UsageError("No alternatives were named. Make some with `perimetry rewrite`, and give --alternatives DIR.")
    if path is not None:
        if RunFolder(path).exists:
            raise UsageError(f"{path} holds the run of another audit. Give another --out.")
        RunFolder(path).check_usable(SETTINGS, {CACHE, RESPONSES})
    metrics = wanted.metrics
    return named_metrics(metrics if isinstance(metrics, str) else list(metrics))


def _guard(bench: Bench, loaded: Sequence[CaseSet], allow_remote: Collection[str]) -> None:
    for one in loaded:
        bench.check(one.name, one.data_use, allow_remote)


def _requests(bench: Bench, material: Material, planted: Planted | None) -> dict[str, tuple[int, int]]:
    ours, theirs = wanted_pairs(material)
    if planted is not None and not planted.by_rules:
        more, beside = trust_pairs(material, planted)
        ours, theirs = ours + more, theirs + beside
    return bench.requests((ours, theirs))


def _try(material: Material, metrics: Sequence[NamedMetric]) -> None:
    for one in material.sets:
        try_metrics(one.reports, metrics)


def _with_cache(named: NamedMetric, cache: TextCache) -> NamedMetric:
    metric = named.metric
    return replace(named, metric=metric.with_cache(cache)) if isinstance(metric, CachingMetric) else named


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _silent(text: str) -> None:
    del text
