"""What can be asked: for ``perimetry models``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from perimetry.models.registry import model_kinds

__all__ = ["ModelListing", "list_models"]


@dataclass(frozen=True, slots=True)
class ModelListing:
    """One line of ``perimetry models``.

    Parameters
    ----------
    name : str
        A specification, or the grammar of one.
    kind : str
        Kind of model; ``card``, ``reader`` and ``baseline`` list each of theirs.
    summary : str
        What it is; a reader's habit.
    hub_id, revision, licence, notes : str
        Of a card; empty otherwise.
    profiles, verify : tuple of str
        Of a card: its profiles, and what has not been checked.
    obstacle : str
        Why it cannot run on this machine now; empty if it can.
    """

    name: str
    kind: str
    summary: str
    hub_id: str = ""
    revision: str = ""
    licence: str = ""
    notes: str = ""
    profiles: tuple[str, ...] = ()
    verify: tuple[str, ...] = ()
    obstacle: str = ""

    @property
    def runs_now(self) -> bool:
        """Whether nothing stands in its way, as far as can be seen without asking it."""
        return not self.obstacle

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for ``--json``."""
        return {**asdict(self), "runs_now": self.runs_now}


def list_models() -> tuple[ModelListing, ...]:
    """Every kind of model, and every card, reader and baseline of the package.

    Examples
    --------
    >>> [line.name for line in list_models() if line.kind == "baseline"][:2]
    ['baseline:NAME', 'baseline:majority']
    """
    lines: list[ModelListing] = []
    for name, kind in model_kinds().items():
        lines.append(ModelListing(kind.grammar, name, kind.summary, obstacle=kind.obstacle()))
        if name == "card":
            lines += _cards()
        elif name == "reader":
            lines += _readers()
        elif name == "baseline":
            lines += _baselines()
    return tuple(lines)


def _cards() -> Iterator[ModelListing]:
    from perimetry.models.cards import load_cards

    obstacle = model_kinds().get("hf").obstacle()
    for card in load_cards():
        here = f"needs an endpoint (card:{card.name}@URL); in this process: {obstacle}" if obstacle else ""
        if card.environment.remote_code:
            here = f"needs an endpoint (card:{card.name}@URL): it brings code of its own"
        if not card.hub_id:
            here = "names no model: a pattern for cards of your own"
            if card.served:
                here = f"needs an endpoint (card:{card.name}@URL): its weights are on no hub"
        yield ModelListing(
            name=f"card:{card.name}",
            kind="card",
            summary=card.title,
            hub_id=card.hub_id,
            revision=card.revision if card.hub_id else "",
            licence=card.licence,
            notes=card.notes,
            profiles=tuple(sorted(card.profiles)),
            verify=card.verify,
            obstacle=here,
        )


def _readers() -> Iterator[ModelListing]:
    from perimetry.models.readers import READER_NAMES

    for name, habit in READER_NAMES.items():
        yield ModelListing(f"reader:{name}", "reader", habit)


def _baselines() -> Iterator[ModelListing]:
    from perimetry.models.baselines import BASELINES

    for kind in BASELINES.values():
        yield ModelListing(f"baseline:{kind.name}", "baseline", kind.summary, notes="needs a data set's training split")
