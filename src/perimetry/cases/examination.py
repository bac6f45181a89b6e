"""The examined studies of a data set, and what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from perimetry.cases.box_faults import BoxFault
from perimetry.cases.chexpert import near_class
from perimetry.cases.echo import echo
from perimetry.cases.study import Study

__all__ = ["Examination"]

_SHOWN_EXAMPLES = 2
_SHOWN_NAMES = 20


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
    unknown_labels : mapping of str to int
        Names of labels that are none of the fourteen classes, with their number of studies.
    unclassed : int, default 0
        Boxes that name no class.
    unclear : int, default 0
        Studies with a name that nobody understood, in a box or in a label that is not 0: they never stand in as
        studies without a class.
    unread : mapping of str to int
        Examined class to the studies with it whose image cannot be read, so that their boxes are laid on none.
    """

    cases: tuple[Study, ...]
    images: Mapping[str, int]
    few: Mapping[str, int]
    unknown: Mapping[str, int]
    faults: tuple[BoxFault, ...]
    spilled: Mapping[str, int]
    lacking: Mapping[str, int]
    unknown_labels: Mapping[str, int] = field(default_factory=dict)
    unclassed: int = 0
    unclear: int = 0
    unread: Mapping[str, int] = field(default_factory=dict)

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
            lines.append(f"names in boxes that are no localisable CheXpert class: {_suggested(self.unknown)}")
        if self.unknown_labels:
            lines.append(f"names of labels that are no CheXpert class: {_suggested(self.unknown_labels)}")
        if self.unclear:
            lines.append(
                f"{self.unclear:,} studies with such a name (in a box, or as a label that is not 0) never stand in as "
                "studies without a class: rename what is one of the fourteen, leave out what is not"
            )
        if self.unclassed:
            lines.append(f"{self.unclassed:,} boxes name no class; they are never examined, and count as co-disease")
        by_kind: dict[str, list[BoxFault]] = {}
        for fault in self.faults:
            by_kind.setdefault(fault.kind, []).append(fault)
        for kind, faults in by_kind.items():
            examples = "; ".join(f"{one.study}: {one.detail}" for one in faults[:_SHOWN_EXAMPLES])
            lines.append(f"{len(faults):,} studies left out: {kind}" + (f" ({examples})" if quoting else ""))
        if self.spilled:
            lines.append(f"trials left out because co-disease boxes cover too much: {_listed(self.spilled)}")
        if self.unread:
            lines.append(
                "studies of the class whose image cannot be read, so that no study without it stands beside them: "
                f"{_listed(self.unread)}"
            )
        if self.lacking:
            lines.append(f"studies without the class that were wanted and do not exist: {_listed(self.lacking)}")
        return tuple(lines)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())


def _suggested(counts: Mapping[str, int]) -> str:
    """Names with their counts, and the class that each may have been meant for."""
    told = []
    for name, count in list(counts.items())[:_SHOWN_NAMES]:
        near = near_class(name)
        meant = f" (did you mean {near}?)" if near is not None and near != name else ""
        told.append(f"{echo(name)} {count:,}{meant}")
    more = f" and {len(counts) - _SHOWN_NAMES:,} more names" if len(counts) > _SHOWN_NAMES else ""
    return ", ".join(told) + more
