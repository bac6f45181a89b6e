"""The examined studies of a data set, and what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from perimetry.cases.box_faults import BoxFault
from perimetry.cases.study import Study

__all__ = ["Examination"]

_SHOWN_EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Examination:
    """The examined studies of a data set, and what was left out.

    Parameters
    ----------
    cases : tuple of Study
        One examined study per (study, class), ``STUDY#CLASS``: study by study in the order in which they were given,
        classes in `ABNORMAL`'s order.
    images : mapping of str to int
        Examined class to the number of images that show it.
    few : mapping of str to int
        Classes left out, with the images they have: fewer than `min_images`.
    unknown : mapping of str to int
        Names in boxes that are not among the thirteen localisable CheXpert classes, with their number of boxes.
    faults : tuple of BoxFault
        Studies left out altogether, for boxes that cannot be right.
    spilled : mapping of str to int
        Examined class to the trials that `max_spill` left out.
    lacking : mapping of str to int
        Examined class to the studies without it that were wanted and do not exist.
    """

    cases: tuple[Study, ...]
    images: Mapping[str, int]
    few: Mapping[str, int]
    unknown: Mapping[str, int]
    faults: tuple[BoxFault, ...]
    spilled: Mapping[str, int]
    lacking: Mapping[str, int]

    @property
    def classes(self) -> tuple[str, ...]:
        """The examined classes in `ABNORMAL`'s order."""
        return tuple(self.images)

    def notes(self, *, quoting: bool = True) -> tuple[str, ...]:
        """What a user should hear: one line for each kind of thing that was left out.

        Parameters
        ----------
        quoting : bool, default True
            Whether studies are named and their boxes quoted.
        """
        lines = []
        if self.few:
            lines.append(f"classes left out for too few images: {_listed(self.few)}")
        if self.unknown:
            lines.append(f"names in boxes that are no localisable CheXpert class: {_listed(self.unknown)}")
        by_kind: dict[str, list[BoxFault]] = {}
        for fault in self.faults:
            by_kind.setdefault(fault.kind, []).append(fault)
        for kind, faults in by_kind.items():
            examples = "; ".join(f"{one.study}: {one.detail}" for one in faults[:_SHOWN_EXAMPLES])
            lines.append(f"{len(faults):,} studies left out: {kind}" + (f" ({examples})" if quoting else ""))
        if self.spilled:
            lines.append(f"trials left out because co-disease boxes cover too much: {_listed(self.spilled)}")
        if self.lacking:
            lines.append(f"studies without the class that were wanted and do not exist: {_listed(self.lacking)}")
        return tuple(lines)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
