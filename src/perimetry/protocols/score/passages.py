"""Reports side by side with their scores, labels and marked spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from perimetry.protocols.score.examples import Example, choose_examples
from perimetry.protocols.score.scored import Scored
from perimetry.reports import Chip, Marked, Passage, PassageGroup, PassagesBlock, number_text
from perimetry.reports.passages import MarkKind

__all__ = ["PassageReader", "ReadReport", "passages"]


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What a labeller reads from a report.

    Parameters
    ----------
    labels : mapping of class to {"positive", "negative", "uncertain"}
        Classes that the report says something about.
    marks : tuple of Marked
        Where it says so.
    """

    labels: Mapping[str, MarkKind]
    marks: tuple[Marked, ...]


PassageReader = Callable[[str], ReadReport]
"""Reads one report."""


def passages(scored: Scored, reader: PassageReader | None) -> PassagesBlock:
    """The reports that differ most beside their references.

    Parameters
    ----------
    scored : Scored
    reader : callable or None
        Without one, reports stand without labels and marks.
    """
    groups = tuple(_group(scored, example, reader) for example in choose_examples(scored))
    caption = "Scores under each name."
    if reader is not None:
        caption = (
            "Marked by the rule labeller: + stated, − denied, ? uncertain. Below: the classes it reads as positive, "
            f"held against the reference. {caption}"
        )
    return PassagesBlock(groups, caption, "Side by side")


def _group(scored: Scored, example: Example, reader: PassageReader | None) -> PassageGroup:
    row = example.row
    reference = scored.reports.references[row]
    meant = _read(reference, reader)
    shown = [Passage("Reference", reference, meant.marks, _chips(meant.labels), reference=True)]
    for system in scored.systems:
        text = scored.reports.systems[system][row]
        said = _read(text, reader)
        facts = tuple(
            (named.label, number_text(float(scored.tables[named.label][system].values[row]), 3))
            for named in scored.metrics
        )
        chips = _compared(said.labels, meant.labels) if reader is not None else ()
        shown.append(Passage(system, text, said.marks, chips, facts))
    return PassageGroup(scored.reports.ids[row], example.note, tuple(shown))


def _read(text: str | None, reader: PassageReader | None) -> ReadReport:
    return ReadReport({}, ()) if text is None or reader is None else reader(text)


def _chips(labels: Mapping[str, MarkKind]) -> tuple[Chip, ...]:
    return tuple(Chip(name, kind) for name, kind in labels.items() if kind != "negative")


def _compared(said: Mapping[str, MarkKind], meant: Mapping[str, MarkKind]) -> tuple[Chip, ...]:
    """Positive classes of a report against those of its reference; uncertain ones as they are."""
    ours = [name for name, kind in said.items() if kind == "positive"]
    theirs = [name for name, kind in meant.items() if kind == "positive"]
    chips = [Chip(name, tone="match" if name in theirs else "extra") for name in ours]
    chips += [Chip(name, "uncertain") for name, kind in said.items() if kind == "uncertain"]
    chips += [Chip(name, tone="lost") for name in theirs if name not in ours]
    return tuple(chips)
