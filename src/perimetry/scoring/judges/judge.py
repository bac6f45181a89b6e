"""Who judges: a model, and the store that keeps what it says."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from perimetry.cases.dataset import DataUse
from perimetry.inference import (
    Budget,
    Progress,
    RequestPlan,
    RequestStore,
    Settings,
    Summary,
    ask,
    check_data_use,
    quarantine,
)
from perimetry.models.model import Model
from perimetry.scoring.judges.answer import Answer

__all__ = ["Judge", "listening"]

_COLUMNS = ("request_id", "text", "failure_kind", "finish_reason")


@dataclass(frozen=True, slots=True)
class Judge:
    """A language model with its request store: everything asked is stored, resumed and bounded like an audit's.

    Parameters
    ----------
    model : Model
        Stays open; the caller closes it.
    store : RequestStore
        Shared by all judge metrics of a command, and by later commands.
    settings : Settings, optional
    progress : Progress, optional
    budget : Budget, optional
        Shared by all metrics of an invocation; by default `Settings.max_requests` a call.
    on_summary : callable, optional
        Told how each asking ended (budget, failures, Ctrl-C), so that a command can stop or say so.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from perimetry.models import resolve_model
    >>> judge = Judge(resolve_model("openai:m@http://localhost:8000/v1"), RequestStore(Path(tempfile.mkdtemp())))
    >>> judge.name
    'openai:m'
    """

    model: Model
    store: RequestStore
    settings: Settings | None = None
    progress: Progress | None = None
    budget: Budget | None = None
    on_summary: Callable[[Summary], None] | None = None

    @property
    def name(self) -> str:
        """The model's name, without address and credentials."""
        return self.model.name

    def check(self, dataset: str, data_use: DataUse, allow_remote: Collection[str] = ()) -> None:
        """Refuse credentialed reports to a judge that is not on this machine; see `check_data_use`.

        Raises
        ------
        UsageError
        """
        check_data_use(dataset, data_use, self.name, self.model.is_local, allow_remote)

    def unasked(self, plan: RequestPlan) -> int:
        """How many requests of a plan the store holds no final response for (``--dry-run``); asks nothing."""
        return len(self.store.missing(self.name, plan.ids))

    def ask(self, plan: RequestPlan) -> Summary:
        """Ask what the store does not hold yet; nothing where the budget was closed, since requests were only failing.

        Raises
        ------
        StoreError, UsageError
            As `perimetry.inference.ask`.
        """
        if self.budget is not None and self.budget.closed:
            return Summary(self.name, len(plan), len(plan) - self.unasked(plan), 0, (), "failures", "", 0.0)
        summary = ask(self.model, plan, self.store, self.settings, self.progress, self.budget)
        if self.on_summary is not None:
            self.on_summary(summary)
        return summary

    def mend(self) -> None:
        """Set damaged lines of the store aside, and say so."""
        for problem in quarantine(self.store, self.name) if self.store.folder.is_dir() else ():
            self.store.on_problem(problem)

    def answers(self, plan: RequestPlan) -> dict[str, Answer]:
        """What the store holds of a plan, by request id; asks nothing."""
        wanted = plan.ids.to_frame()
        found: dict[str, Answer] = {}
        for rows in self.store.batches(self.name, _COLUMNS):
            for identity, text, failure, finish in rows.join(wanted, on="request_id", how="semi").iter_rows():
                found[identity] = Answer(text, failure or "", finish or "")
        return found


def listening(summaries: list[Summary], budget: Budget | None = None) -> Callable[[Summary], None]:
    """What `Judge.on_summary` is told in a command: it is kept, and Ctrl-C passed on.

    Parameters
    ----------
    summaries : list of Summary
        Every summary is put at its end.
    budget : Budget, optional
        Closed where requests were only failing, for commands that ask batch after batch.

    Examples
    --------
    >>> kept, budget = [], Budget(None)
    >>> listening(kept, budget)(Summary("m", 1, 0, 0, (("unreachable", 1),), "failures", "", 0.1))
    >>> len(kept), budget.closed
    (1, True)
    """

    def told(summary: Summary) -> None:
        summaries.append(summary)
        if budget is not None and summary.stopped in ("failures", "workers"):
            budget.close()
        if summary.stopped == "interrupted":
            raise KeyboardInterrupt(summary.message)

    return told
