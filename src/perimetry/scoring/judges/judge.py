"""Who judges: a model, and the store that keeps what it says."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from perimetry.cases.dataset import DataUse
from perimetry.inference import Budget, Progress, RequestPlan, RequestStore, Settings, Summary, ask, check_data_use
from perimetry.models.model import Model
from perimetry.scoring.judges.answer import Answer

__all__ = ["Judge"]

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
        """Ask what the store does not hold yet.

        Raises
        ------
        StoreError, UsageError
            As `perimetry.inference.ask`.
        """
        summary = ask(self.model, plan, self.store, self.settings, self.progress, self.budget)
        if self.on_summary is not None:
            self.on_summary(summary)
        return summary

    def answers(self, plan: RequestPlan) -> dict[str, Answer]:
        """What the store holds of a plan, by request id; asks nothing."""
        wanted = plan.ids.to_frame()
        found: dict[str, Answer] = {}
        for rows in self.store.batches(self.name, _COLUMNS):
            for identity, text, failure, finish in rows.join(wanted, on="request_id", how="semi").iter_rows():
                found[identity] = Answer(text, failure or "", finish or "")
        return found
