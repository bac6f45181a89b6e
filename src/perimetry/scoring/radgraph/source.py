"""Where annotations come from: one small protocol, and annotations that are already at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from perimetry.scoring.radgraph.annotation import Annotation, Unread

__all__ = ["AnnotationSource", "GivenAnnotations"]


class AnnotationSource(Protocol):
    """Gives each report its annotation, or says why it has none."""

    @property
    def parameters(self) -> Mapping[str, str]:
        """What identifies the annotations, for a metric's signature."""
        ...

    def obstacle(self) -> str:
        """Why there will be none on this machine; empty if there will. Opens nothing."""
        ...

    def annotate(self, texts: Sequence[str]) -> Sequence[Annotation | Unread]:
        """Annotations of texts that all hold a word, in their order; they depend on the text alone.

        Raises
        ------
        PerimetryError
            When no text at all can be annotated: before any work, and once.
        """
        ...


class GivenAnnotations:
    """Annotations from memory, by text.

    Parameters
    ----------
    annotations
        By the report's exact text.
    name
        Stands in the signature.

    Examples
    --------
    >>> GivenAnnotations({}).annotate(["Clear."])
    (Unread(reason='there is no annotation of this text'),)
    """

    def __init__(self, annotations: Mapping[str, Annotation | Unread], name: str = "given") -> None:
        self._annotations = dict(annotations)
        self._name = name

    @property
    def parameters(self) -> Mapping[str, str]:
        """See `AnnotationSource`."""
        return {"annotations": self._name}

    def obstacle(self) -> str:
        """See `AnnotationSource`."""
        return ""

    def annotate(self, texts: Sequence[str]) -> tuple[Annotation | Unread, ...]:
        """See `AnnotationSource`."""
        lacking = Unread("there is no annotation of this text")
        return tuple(self._annotations.get(text, lacking) for text in texts)
