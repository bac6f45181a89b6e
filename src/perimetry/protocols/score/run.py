"""Score a file of reports: from its columns to estimates and a page."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from perimetry.cases.dataset import DataUse
from perimetry.cases.echo import echo
from perimetry.cases.errors import UsageError
from perimetry.inference import RunLock, Settings
from perimetry.models import ModelContext
from perimetry.protocols.score.alternatives import read_alternatives
from perimetry.protocols.score.bands import Band
from perimetry.protocols.score.estimates import estimate
from perimetry.protocols.score.ids import IdAdvice, id_advice
from perimetry.protocols.score.judging import Bench, bench_of, mend
from perimetry.protocols.score.output import SETTINGS, write_output
from perimetry.protocols.score.reports import Reports, ReportSource, opened, read_reports
from perimetry.protocols.score.result import ScoreResult
from perimetry.protocols.score.running import check_ready, named_metrics, pairs, run_metrics, try_metrics
from perimetry.protocols.score.scored import NamedMetric
from perimetry.protocols.score.undoing import CACHE, RESPONSES, undone_if_new
from perimetry.protocols.score.verdict import answers
from perimetry.runs.estimates import Estimate
from perimetry.runs.folder import RunFolder, named_disk_errors
from perimetry.scoring.cache import CachingMetric, TextCache
from perimetry.scoring.report_metric import ReportMetric

if TYPE_CHECKING:
    from perimetry.protocols.references.material import Material

__all__ = ["count_requests", "score"]


def score(
    source: ReportSource,
    *,
    reference: str,
    systems: str | Sequence[str],
    metrics: str | Sequence[str | ReportMetric],
    out: str | Path | None = None,
    id_column: str = "",
    group_column: str = "",
    judge: str = "",
    allow_remote: str | Collection[str] = (),
    data_use: DataUse | None = None,
    resamples: int = 10_000,
    seed: int = 42,
    settings: Settings | None = None,
    options: ModelContext | None = None,
    progress: bool = False,
    command: str = "",
    alternatives: str | Path | None = None,
) -> ScoreResult:
    """Score generated reports against references, with intervals, paired differences and ranks.

    Everything that can be wrong with the call is said before anything is scored.

    Parameters
    ----------
    source : path-like or polars.DataFrame
        JSONL, JSON, CSV, TSV, Parquet or Arrow; see `read_reports`.
    reference : str
        Column of the references.
    systems : str or sequence of str
        Columns of generated reports.
    metrics : str or sequence
        Spellings (``"bleu_4,rouge_l(beta=1.2)"``) or `ReportMetric` objects; see ``perimetry metrics``.
    out : path-like or None
        Folder for scores, estimates, ranks and the page; nothing is written if None. Labels, encodings and judges'
        answers are kept there: a second run of the same scores encodes nothing and asks no model.
    id_column, group_column : str, default ""
        Row numbers, and every row by itself, if empty.
    judge : str, default ""
        Model that judge metrics ask, as `perimetry audit` names models.
    allow_remote : str or collection of str
        Names (file stems) of credentialed files that may be sent to a judge on another machine.
    data_use : {"open", "restricted", "credentialed"} or None
        Reports of restricted and credentialed files are not quoted on the page. A judge on another machine is refused
        unless this is said.
    resamples : int, default 10,000
    seed : int, default 42
    settings, options
        How judges are asked; change no result.
    progress : bool, default False
        Say on standard error what is being scored.
    command : str
        Recorded as the way to reproduce.
    alternatives : path-like or None
        Folder of `perimetry rewrite`: every system is scored against other wordings of the references, too, and has a
        mean over them and the band that style alone opens. Lined up by `id_column`.

    Returns
    -------
    ScoreResult

    Raises
    ------
    UsageError, DataError
        Each names what was found, what was expected and what to do.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"gold": ["no effusion", "clear lungs"], "ours": ["no effusion", "large effusion"]})
    >>> score(table, reference="gold", systems="ours", metrics="rouge_l").estimates["value"].to_list()
    [0.5]
    """
    path = None if out is None else Path(out).expanduser()
    named, reports = _read(source, reference, systems, metrics, id_column, group_column, path)
    material = _several(source, reports, alternatives, id_column)
    with bench_of(named, judge, path, settings or Settings(), options, progress) as bench:
        check_ready(bench.metrics)
        bench.check(reports.name, data_use, {allow_remote} if isinstance(allow_remote, str) else allow_remote)
        if resamples < 1:
            raise UsageError(f"resamples is {resamples}; expected 1 or more.")
        say = _say if progress else _silent
        if path is None:
            try_metrics(reports, bench.metrics)
            scored = run_metrics(reports, bench.metrics, say)
            findings = estimate(scored, resamples=resamples, seed=seed)
            bands, rows = _banded(material, bench.metrics, resamples, seed)
            verdicts, unmet = answers(scored, findings), _unmet(material)
            return ScoreResult(scored, findings, verdicts, bands=bands, band_estimates=rows, unmet=unmet)
        folder, cache = RunFolder(path), TextCache(path / CACHE)
        absent = folder.absent
        with (
            RunLock(path),
            folder.as_found(absent),
            named_disk_errors(path),
            undone_if_new(path, cache) as undoing,
            cache,
        ):
            mend(bench)
            ready = [_with_cache(one, cache) for one in bench.metrics]
            try_metrics(reports, ready)
            undoing.work_begins()
            scored = run_metrics(reports, ready, say)
            findings = estimate(scored, resamples=resamples, seed=seed)
            bands, rows = _banded(material, ready, resamples, seed)
            pending = sum(left for _, left in _asked(bench, reports, material).values())
            verdicts = answers(scored, findings)
            summaries = tuple(bench.summaries)
            result = ScoreResult(scored, findings, verdicts, path, pending, summaries, bands, rows, _unmet(material))
            told = "" if alternatives is None else str(alternatives)
            write_output(result, bench, data_use, seed, resamples, command or shlex.join(sys.argv), told)
            return result


def count_requests(
    source: ReportSource,
    *,
    reference: str,
    systems: str | Sequence[str],
    metrics: str | Sequence[str | ReportMetric],
    out: str | Path,
    judge: str = "",
    id_column: str = "",
    group_column: str = "",
    alternatives: str | Path | None = None,
) -> Mapping[str, tuple[int, int]]:
    """For each metric that asks a judge: its requests, and those that would be asked. Asks nobody, writes nothing."""
    path = Path(out).expanduser()
    named, reports = _read(source, reference, systems, metrics, id_column, group_column, path)
    with bench_of(named, judge, path, Settings()) as bench:
        check_ready(bench.metrics)
        return _asked(bench, reports, _several(source, reports, alternatives, id_column))


def _several(
    source: ReportSource, reports: Reports, alternatives: str | Path | None, id_column: str
) -> Material | None:
    """The reports beside alternatives of their references; None where none were given."""
    if alternatives is None:
        return None
    from perimetry.protocols.references.multi import material_of

    def advice(ids: Collection[str]) -> IdAdvice:
        _, present, rows = opened(source)
        told = f"The ids of {reports.name} were read from the column {echo(id_column)}."
        if not id_column:
            told = f"No column of ids was named, so the references of {reports.name} go by the numbers of their rows."
        return id_advice(told, rows, [each for each in present if each != id_column], ids)

    return material_of(reports, read_alternatives(alternatives), advice)


def _unmet(material: Material | None) -> str:
    return "" if material is None else material.sets[0].alternatives.unmet(material.sets[0].reports.ids)


def _banded(
    material: Material | None, metrics: Sequence[NamedMetric], resamples: int, seed: int
) -> tuple[tuple[Band, ...], tuple[Estimate, ...]]:
    if material is None:
        return (), ()
    from perimetry.protocols.references.multi import multi_scores

    return multi_scores(material, metrics, resamples=resamples, seed=seed)


def _asked(bench: Bench, reports: Reports, material: Material | None) -> Mapping[str, tuple[int, int]]:
    if material is None:
        return bench.requests(pairs(reports))
    from perimetry.protocols.references.multi import multi_pairs

    return bench.requests(multi_pairs(material))


def _read(
    source: ReportSource,
    reference: str,
    systems: str | Sequence[str],
    metrics: str | Sequence[str | ReportMetric],
    id_column: str,
    group_column: str,
    path: Path | None,
) -> tuple[tuple[NamedMetric, ...], Reports]:
    """Everything that is cheap to refuse."""
    if path is not None:
        if RunFolder(path).exists:
            raise UsageError(f"{path} holds the run of an audit. Give another --out.")
        RunFolder(path).check_usable(SETTINGS, {CACHE, RESPONSES})
    named = named_metrics(metrics)
    columns = [systems] if isinstance(systems, str) else list(systems)
    reports = read_reports(source, reference=reference, systems=columns, id_column=id_column, group_column=group_column)
    return named, reports


def _with_cache(named: NamedMetric, cache: TextCache) -> NamedMetric:
    metric = named.metric
    return replace(named, metric=metric.with_cache(cache)) if isinstance(metric, CachingMetric) else named


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def _silent(text: str) -> None:
    del text
