"""Overlap between training and evaluation images."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from perimetry.cases.image import Image
from perimetry.cases.question import Question
from perimetry.conditions.neighbours.embedder import Embedder, PixelEmbedder
from perimetry.conditions.neighbours.pool import embed_sets
from perimetry.conditions.neighbours.search import TWIN, cosines

if TYPE_CHECKING:
    import polars as pl

__all__ = ["OverlapMatch", "OverlapTable", "overlap"]

_PROPOSED = 8


@dataclass(frozen=True, slots=True)
class OverlapMatch:
    """One evaluation image that training has seen.

    Parameters
    ----------
    digest : str
        Of the evaluation image.
    case : str
        The first evaluation case that shows it.
    questions : int
        Evaluation cases that show it.
    train_digest, train_case : str
        The training image, and the first training case that shows it.
    kind : {"same", "twin"}
        ``same``: the same bytes; ``twin``: cosine of at least 0.999.
    cosine : float
    """

    digest: str
    case: str
    questions: int
    train_digest: str
    train_case: str
    kind: str
    cosine: float


@dataclass(frozen=True)
class OverlapTable:
    """How much of an evaluation set also occurs in training.

    Parameters
    ----------
    embedder : str
        That judged the near twins.
    train_images, images : int
        Distinct images of training and of evaluation.
    questions : int
        Evaluation questions with at least one image.
    matches : tuple of OverlapMatch
        Sorted by image digest.
    questions_same, questions_twin : int
        Questions that show an image training has, or a near twin of one (and none that training has).
    unreadable : mapping of str to str
        Images whose near twins could not be looked for, and why.
    """

    embedder: str
    train_images: int
    images: int
    questions: int
    matches: tuple[OverlapMatch, ...]
    questions_same: int
    questions_twin: int
    unreadable: dict[str, str] = field(default_factory=dict)

    @property
    def same(self) -> int:
        """Evaluation images that also occur in training."""
        return sum(match.kind == "same" for match in self.matches)

    @property
    def twins(self) -> int:
        """Further evaluation images with a near twin in training."""
        return sum(match.kind == "twin" for match in self.matches)

    @property
    def share(self) -> float:
        """Share of evaluation images that occur in training or have a near twin there; nan without images."""
        return (self.same + self.twins) / self.images if self.images else float("nan")

    def counts(self) -> pl.DataFrame:
        """Counts and shares: one row each for ``same``, ``twin`` and ``none``.

        Returns
        -------
        polars.DataFrame
            overlap, images, image_share, questions, question_share; shares are null without images.
        """
        import polars as pl

        images = [self.same, self.twins, self.images - self.same - self.twins]
        asked = [self.questions_same, self.questions_twin]
        asked.append(self.questions - sum(asked))
        return pl.DataFrame(
            {
                "overlap": ["same", "twin", "none"],
                "images": images,
                "image_share": [count / self.images if self.images else None for count in images],
                "questions": asked,
                "question_share": [count / self.questions if self.questions else None for count in asked],
            },
            schema_overrides={"image_share": pl.Float64, "question_share": pl.Float64},
        )

    def table(self) -> pl.DataFrame:
        """One row for each match; columns as the fields of `OverlapMatch`."""
        import polars as pl

        schema = {
            "digest": pl.String,
            "case": pl.String,
            "questions": pl.Int64,
            "train_digest": pl.String,
            "train_case": pl.String,
            "kind": pl.String,
            "cosine": pl.Float64,
        }
        return pl.DataFrame({name: [getattr(match, name) for match in self.matches] for name in schema}, schema=schema)


def overlap(
    train: Sequence[Question], evaluation: Sequence[Question], embedder: Embedder | None = None
) -> OverlapTable:
    """Look for evaluation images in training: the same bytes, or a near twin (cosine of at least 0.999).

    Parameters
    ----------
    train, evaluation : sequence of Question
        Images of the questions count, those of options do not.
    embedder : Embedder or None, default None
        Judges near twins; None takes `PixelEmbedder`.

    Returns
    -------
    OverlapTable

    Examples
    --------
    >>> overlap([], []).images
    0
    """
    chosen = embedder if embedder is not None else PixelEmbedder()
    trained, first_trained = _images(train)
    shown, first_shown = _images(evaluation)
    asked = Counter(digest for question in evaluation for digest in {one.digest for one in question.images})
    pairs = {digest: (digest, "same", 1.0) for digest in shown if digest in trained}
    left = sorted(set(shown) - set(pairs))
    twins, unreadable = _twins(trained, {digest: shown[digest] for digest in left}, chosen)
    pairs.update(twins)
    with_images = [question for question in evaluation if question.images]
    kinds = [{pairs[image.digest][1] for image in question.images if image.digest in pairs} for question in with_images]
    return OverlapTable(
        embedder=chosen.name,
        train_images=len(trained),
        images=len(shown),
        questions=len(with_images),
        matches=tuple(
            OverlapMatch(digest, first_shown[digest], asked[digest], other, first_trained[other], kind, cosine)
            for digest, (other, kind, cosine) in sorted(pairs.items())
        ),
        questions_same=sum("same" in kind for kind in kinds),
        questions_twin=sum(kind == {"twin"} for kind in kinds),
        unreadable=unreadable,
    )


def _images(questions: Sequence[Question]) -> tuple[dict[str, Image], dict[str, str]]:
    """Distinct images by digest, and the first case of each."""
    images: dict[str, Image] = {}
    first: dict[str, str] = {}
    for question in sorted(questions, key=lambda question: (question.dataset, question.id)):
        for image in question.images:
            images.setdefault(image.digest, image)
            first.setdefault(image.digest, question.id)
    return images, first


def _twins(
    trained: dict[str, Image], left: dict[str, Image], embedder: Embedder
) -> tuple[dict[str, tuple[str, str, float]], dict[str, str]]:
    if not trained or not left:
        return {}, {}
    keyed = sorted({**trained, **left}.items())
    embedded = embed_sets([(digest, (image,)) for digest, image in keyed], embedder)
    pool = [digest for digest in sorted(trained) if digest in embedded.rows]
    queries = [digest for digest in sorted(left) if digest in embedded.rows]
    found: dict[str, tuple[str, str, float]] = {}
    if pool and queries:
        import faiss

        vectors = embedded.vectors[[embedded.rows[digest] for digest in pool]]
        asked = embedded.vectors[[embedded.rows[digest] for digest in queries]]
        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors))
        _, proposed = index.search(np.ascontiguousarray(asked), min(_PROPOSED, len(pool)))
        for digest, query, rows in zip(queries, asked, proposed, strict=True):
            near = np.sort(rows)
            cosine = cosines(vectors[near], query)
            best = int(np.argmax(cosine))
            if cosine[best] >= TWIN:
                found[digest] = (pool[int(near[best])], "twin", float(cosine[best]))
    return found, embedded.unreadable
