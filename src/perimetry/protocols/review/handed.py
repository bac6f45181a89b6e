"""What is handed out in a round, to whom, and on what terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.errors import UsageError
from perimetry.protocols.review.handout import shown_items, write_deal
from perimetry.protocols.review.importing import check_rater
from perimetry.protocols.review.pairs import LeftOut
from perimetry.protocols.review.study import Deal, ReviewStudy

__all__ = ["WARNED", "HandedOut", "deals_of", "rater_names", "warning_of", "write_deals"]

WARNED = ("restricted", "credentialed")
"""Data-use classes of which raters are told."""


@dataclass(frozen=True, slots=True)
class HandedOut:
    """What was written.

    Parameters
    ----------
    study : str
        Its id.
    out : Path
    deals : tuple of Deal
        Of this round.
    pairs : int
    left_out : tuple of LeftOut
        Records of the input that are no pair.
    waiting : dict of str to int
        Items that were not dealt again: what they wait for, and how many.
    warning : str
        What the terms of the data ask for.
    """

    study: str
    out: Path
    deals: tuple[Deal, ...]
    pairs: int
    left_out: tuple[LeftOut, ...] = ()
    waiting: tuple[tuple[str, int], ...] = ()
    warning: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "study": self.study,
            "out": str(self.out),
            "pairs": self.pairs,
            "deals": [
                {"round": one.round, "task": one.task, "rater": one.rater, "step": one.step, "items": len(one.items)}
                for one in self.deals
            ],
            "left_out": [
                {"reason": one.reason, "count": one.count, "examples": list(one.examples)} for one in self.left_out
            ],
            "waiting": dict(self.waiting),
            "warning": self.warning,
        }


def deals_of(
    number: int, task: str, step: str, names: Sequence[str], shared: dict[str, list[str]], items: Sequence[str]
) -> list[Deal]:
    """One deal for each rater who gets anything, in the order of names."""
    dealt = ((name, tuple(item for item in items if name in shared[item])) for name in names)
    return [Deal(number, task, name, step, mine) for name, mine in dealt if mine]


def write_deals(
    out: Path, study: ReviewStudy, deals: Sequence[Deal], earlier: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    """Write the files of every deal; `earlier` is shown to fourth raters only."""
    for deal in deals:
        told = earlier if deal.step == "fourth" else None
        write_deal(out, study, deal, shown_items(study, deal, told), warning_of(study))


def rater_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names as given, several of them separated by commas in one; raises `UsageError` for one that stands twice.

    Examples
    --------
    >>> rater_names(["ann, bob", "cy"])
    ('ann', 'bob', 'cy')
    """
    found = [check_rater(part.strip()) for name in names for part in name.split(",") if part.strip()]
    folded = Counter(name.casefold() for name in found)
    twice = [name for name in found if folded[name.casefold()] > 1]
    if twice:
        raise UsageError(f"The rater {twice[0]!r} is named twice (folders do not tell case apart). Name each once.")
    return tuple(found)


def warning_of(study: ReviewStudy) -> str:
    """What raters are told of the terms of the reports; empty for open ones."""
    if study.data_use not in WARNED:
        return ""
    return (
        f"These reports are {study.data_use}: only people whom their terms allow may read them, and they stay on "
        "machines where that holds."
    )
