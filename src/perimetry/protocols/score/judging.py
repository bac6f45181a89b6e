"""The judges of a scoring run: opened once, guarded before anything is asked, counted afterwards."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from perimetry.cases.dataset import DataUse
from perimetry.cases.errors import UsageError
from perimetry.inference import (
    Budget,
    RequestStore,
    Settings,
    SilentProgress,
    Summary,
    choose_progress,
)
from perimetry.models import Model, ModelContext, resolve_model
from perimetry.protocols.score.scored import NamedMetric
from perimetry.scoring.judges import Judge, JudgeMetric, listening
from perimetry.scoring.report_metric import Report

__all__ = ["Bench", "bench_of", "mend"]


@dataclass(slots=True, eq=False)
class Bench:
    """The metrics of a run, those that ask with their judge, and how each asking ended.

    Parameters
    ----------
    metrics : tuple of NamedMetric
    judges : tuple of Judge
    summaries : list of Summary
    """

    metrics: tuple[NamedMetric, ...]
    judges: tuple[Judge, ...] = ()
    summaries: list[Summary] = field(default_factory=list)

    def check(self, dataset: str, data_use: DataUse | None, allow_remote: Collection[str]) -> None:
        """Refuse to send reports to another machine unless the user has said what they are and that they may go.

        Raises
        ------
        UsageError
        """
        for judge in self.judges:
            if data_use is None and not judge.model.is_local:
                raise UsageError(
                    f"{judge.name} is not on this machine, and nothing says whether {dataset} may be sent there. Add "
                    "--data-use open, restricted or credentialed."
                )
            judge.check(dataset, data_use or "open", allow_remote)

    def requests(self, asked_about: tuple[Sequence[Report], Sequence[Report]]) -> dict[str, tuple[int, int]]:
        """For each metric that asks: its requests, and those without a final answer in the store; asks nobody.

        Parameters
        ----------
        asked_about : (hypotheses, references)
        """
        counts = {}
        for named in self.metrics:
            if isinstance(named.metric, JudgeMetric) and named.metric.judge is not None:
                plan = named.metric.plan(*asked_about)
                counts[named.label] = (len(plan), named.metric.judge.unasked(plan))
        return counts


@contextmanager
def bench_of(
    metrics: Sequence[NamedMetric],
    spec: str,
    folder: Path | None,
    settings: Settings,
    options: ModelContext | None = None,
    progress: bool = False,
) -> Iterator[Bench]:
    """Give each metric that asks its judge: the one of its spelling, else the run's; judges are closed at the end.

    Parameters
    ----------
    metrics : sequence of NamedMetric
    spec : str
        The run's judge; empty for none.
    folder : Path or None
        What is asked is kept in ``FOLDER/responses``.
    settings, options, progress
        As in an audit.

    Raises
    ------
    UsageError
        For a judge that nobody asks, a metric that asks and has no folder to keep answers in, and a specification that
        names no model.
    """
    asking = [named for named in metrics if isinstance(named.metric, JudgeMetric)]
    if spec and not asking:
        raise UsageError(f"No metric of this run asks a judge, so --judge {spec} has no use. Leave it out.")
    if asking and folder is None:
        raise UsageError(
            f"{asking[0].label} asks a judge, whose answers need a place to be kept. Give an output folder."
        )
    bench = Bench(tuple(metrics))
    opened: dict[str, Model] = {}
    judges: dict[str, Judge] = {}

    try:
        ready: list[NamedMetric] = []
        budget = Budget(settings.max_requests)
        for named in metrics:
            metric = named.metric
            if isinstance(metric, JudgeMetric) and folder is not None and (chosen := metric.judge_spec or spec):
                if chosen not in judges:
                    opened[chosen] = resolve_model(chosen, options)
                    judges[chosen] = Judge(
                        opened[chosen],
                        RequestStore(folder / "responses"),
                        settings,
                        choose_progress() if progress else SilentProgress(),
                        budget,
                        listening(bench.summaries),
                    )
                named = replace(named, metric=metric.asked_by(judges[chosen]))
            ready.append(named)
        bench.metrics, bench.judges = tuple(ready), tuple(judges.values())
        yield bench
    finally:
        for model in opened.values():
            model.close()


def mend(bench: Bench) -> None:
    """Set damaged lines of the judges' stores aside, and say so."""
    for judge in bench.judges:
        judge.mend()
