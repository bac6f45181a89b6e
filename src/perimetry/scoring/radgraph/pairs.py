"""What every RadGraph metric shares: which pairs can be compared, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perimetry.cases.errors import UsageError
from perimetry.scoring.radgraph.annotation import Annotation, Unread
from perimetry.scoring.radgraph.source import AnnotationSource
from perimetry.scoring.report_metric import Report
from perimetry.scoring.silence import checked_pairs, silence, silent_pair

__all__ = ["NO_ENTITIES", "NO_SOURCE", "Pair", "read_pairs"]

NO_SOURCE = "it needs annotations=FILE or extractor=COMMAND"
NO_ENTITIES = "neither report has an entity"
"""Reason of a pair that has nothing to compare."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two reports' annotations, or why there is nothing to compare.

    Parameters
    ----------
    hypothesis, reference : Annotation or None
        None for a side without a word, and on both sides where ``reason`` is given.
    reason : str
        Why the pair is missing; empty if it is not.
    """

    hypothesis: Annotation | None = None
    reference: Annotation | None = None
    reason: str = ""

    @property
    def silent(self) -> bool:
        """Whether exactly one side holds a word: the worst value, whatever the other says."""
        return not self.reason and (self.hypothesis is None or self.reference is None)


def read_pairs(
    source: AnnotationSource | None,
    hypotheses: Sequence[Report],
    references: Sequence[Report],
    fits: Callable[[Annotation, Annotation], str] | None = None,
) -> tuple[Pair, ...]:
    """Annotate both sides of every pair, each distinct text once, and only texts of pairs that both hold a word.

    Parameters
    ----------
    source
    hypotheses, references
        Row by row.
    fits
        A further check: why two annotations cannot be compared; empty if they can.

    Raises
    ------
    UsageError
        For sequences of unequal length or of anything but texts and None, or without a source.
    """
    told, meant = checked_pairs(hypotheses, references)
    if source is None:
        raise UsageError(f"RadGraph metrics need annotations: {NO_SOURCE}.")
    spoken = [pair for pair in zip(told, meant, strict=True) if not any(map(silence, pair))]
    texts = list(dict.fromkeys(text for pair in spoken for text in pair if text is not None))
    read = dict(zip(texts, source.annotate(texts), strict=True)) if texts else {}
    return tuple(_pair(ours, theirs, read, fits) for ours, theirs in zip(told, meant, strict=True))


def _pair(
    told: Report,
    meant: Report,
    read: dict[str, Annotation | Unread],
    fits: Callable[[Annotation, Annotation], str] | None,
) -> Pair:
    if both := silent_pair(told, meant):
        return Pair(reason=both)
    if told is None or meant is None or silence(told) or silence(meant):
        nothing = Annotation(())
        return Pair(None if silence(told) else nothing, None if silence(meant) else nothing)
    hypothesis, reference = read[told], read[meant]
    if isinstance(hypothesis, Unread):
        return Pair(reason=f"hypothesis: {hypothesis.reason}")
    if isinstance(reference, Unread):
        return Pair(reason=f"reference: {reference.reason}")
    kinds = {hypothesis.vocabulary, reference.vocabulary} - {""}
    if len(kinds) > 1 or "mixed" in kinds:
        return Pair(reason="the annotations have labels of different RadGraph models")
    why = fits(hypothesis, reference) if fits else ""
    if why:
        return Pair(reason=why)
    if not hypothesis.entities and not reference.entities:
        return Pair(reason=NO_ENTITIES)
    return Pair(hypothesis, reference)
