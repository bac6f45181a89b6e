"""Cross-fitting: every item is guessed by a ranker that has seen no item like it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from perimetry.screening.guessers.encoding import GUESSERS, Guesser, encode
from perimetry.screening.guessers.folds import blocks_of, folds_of
from perimetry.screening.guessers.identity import Identities, identities
from perimetry.screening.guessers.item import GuessItem
from perimetry.screening.guessers.leakage import Trained
from perimetry.screening.guessers.ranker import fit, probabilities
from perimetry.statistics import below, raw_integers, stream_key

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["PREDICTIONS", "CrossFit", "cross_fit", "shuffled_places"]

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

TRAINING_ITEMS = 10_000
"""Items that train at all; a seeded sample of larger data sets bounds time and memory."""

ENCODED_AT_ONCE = 2_000
DECIMALS = 9

PREDICTIONS: dict[str, type[pl.DataType] | pl.DataType] = {
    "guesser": pl.String,
    "shuffle": pl.Int64,
    "dataset": pl.String,
    "case_id": pl.String,
    "group": pl.String,
    "fold": pl.Int64,
    "options": pl.Int64,
    "images": pl.Int64,
    "keys": pl.List(pl.String),
    "answer": pl.String,
    "correct": pl.Boolean,
    "p_answer": pl.Float64,
    "p_key": pl.Float64,
    "chance": pl.Float64,
    "content": pl.String,
}
"""
Columns of the predictions.

``images`` counts the images of an item, which no guesser sees; ``content`` is the digest of its text and keys.
``shuffle`` is 0 for the keys as they are, 1 and on for keys that were drawn at random; ``keys`` are then the drawn
ones. ``p_answer`` and ``p_key`` are the probabilities that the ranker gives to its answer and to the keys.
"""


@dataclass(frozen=True, slots=True, eq=False)
class CrossFit:
    """What the guessers said, and how they were trained.

    Parameters
    ----------
    items : tuple of GuessItem
    predictions : polars.DataFrame
        `PREDICTIONS`; by guesser and shuffle, then in the order of the items.
    identities : Identities
    trained : tuple of Trained
        One a fold.
    blocks : int array, (items,)
    """

    items: tuple[GuessItem, ...]
    predictions: pl.DataFrame
    identities: Identities
    trained: tuple[Trained, ...]
    blocks: Places


def cross_fit(
    items: Sequence[GuessItem],
    *,
    folds: int = 5,
    seed: int = 42,
    shuffles: int = 10,
    guessers: Sequence[Guesser] = tuple(GUESSERS.values()),
) -> CrossFit:
    """Train each guesser on all folds but one and let it guess the items of that one.

    Parameters
    ----------
    items : sequence of GuessItem
        In any order.
    folds : int, default 5
    seed : int, default 42
        Of folds, of the training sample, of shuffled keys and of choices between equal options.
    shuffles : int, default 10
        How often the keys of all items are drawn anew and everything is repeated: the sanity check.
    guessers : sequence of Guesser

    Returns
    -------
    CrossFit

    Raises
    ------
    UsageError
        When the items do not fall into that many folds.

    Examples
    --------
    >>> items = [GuessItem("d", f"{n:03}", str(n), f"Item {n}?",
    ...                    (("A", f"thing {n} (sic)"), ("B", f"other {n} yes")), ("A",)) for n in range(60)]
    >>> cross_fit(items, shuffles=0).predictions["correct"].all()
    True
    """
    ordered = tuple(sorted(items, key=lambda item: (item.dataset, item.id)))
    known = identities(ordered)
    blocks = blocks_of(known, len(ordered))
    assigned = folds_of(ordered, blocks, folds, seed)
    pool = _pool(ordered, seed)
    pooled = assigned[pool]
    trained = tuple(
        Trained(fold, pool[pooled != fold], np.flatnonzero(assigned == fold).astype(np.int64)) for fold in range(folds)
    )
    places = [_true_places(ordered), *(shuffled_places(ordered, seed, number) for number in range(1, shuffles + 1))]
    ties = [[stream_key(seed, "guess-ties", it.dataset, it.id, label) for label, _ in it.options] for it in ordered]
    frames = []
    for guesser in guessers:
        # One list of weights a fold, one entry a set of keys.
        encoded = encode([ordered[place] for place in pool.tolist()], guesser)
        counts = _counts(ordered, pool)
        weights = [
            [_trained(encoded, counts, [keys[place] for place in pool.tolist()], pooled != fold) for keys in places]
            for fold in range(folds)
        ]
        chosen = _Chosen(ordered, places, assigned, ties)
        for part, rows in _parts(ordered, pool, encoded, guesser):
            chosen.take(part, rows, weights)
        frames += [chosen.frame(guesser.name, number) for number in range(len(places))]
    return CrossFit(ordered, pl.concat(frames), known, trained, blocks)


def shuffled_places(items: Sequence[GuessItem], seed: int, number: int) -> list[tuple[int, ...]]:
    """Positions of keys drawn at random: each item's keys moved on by a number of options drawn for it alone.

    Every option of an item is then a key with the same probability, whatever it looks like.

    Parameters
    ----------
    items : sequence of GuessItem
    seed, number : int
        Of the stream ``guess-shuffle``.

    Examples
    --------
    >>> item = GuessItem("d", "1", "g", "", (("A", "x"), ("B", "y")), ("B",))
    >>> shuffled_places([item], 42, 1) == shuffled_places([item, item], 42, 1)[:1]
    True
    """
    drawn = []
    for item in items:
        count = len(item.options)
        step = int(below(raw_integers(seed, "guess-shuffle", number, item.dataset, item.id, size=1), count)[0])
        drawn.append(tuple(sorted((place + step) % count for place in item.places)))
    return drawn


def _true_places(items: Sequence[GuessItem]) -> list[tuple[int, ...]]:
    return [item.places for item in items]


def _pool(items: Sequence[GuessItem], seed: int) -> Places:
    """Positions of the items that may train."""
    if len(items) <= TRAINING_ITEMS:
        return np.arange(len(items), dtype=np.int64)
    keys = [stream_key(seed, "guess-pool", item.dataset, item.id) for item in items]
    return np.asarray(sorted(sorted(range(len(items)), key=keys.__getitem__)[:TRAINING_ITEMS]), dtype=np.int64)


def _counts(items: Sequence[GuessItem], places: Places) -> Places:
    return np.fromiter((len(items[place].options) for place in places.tolist()), np.int64, len(places))


def _trained(rows: csr_matrix, counts: Places, keys: Sequence[tuple[int, ...]], used: NDArray[np.bool_]) -> Numbers:
    """Weights from the items that are used; rows of the others take no part."""
    starts = np.concatenate([[0], np.cumsum(counts)])
    targets = np.zeros(int(starts[-1]))
    for start, own in zip(starts[:-1].tolist(), keys, strict=True):
        for place in own:
            targets[start + place] = 1.0 / len(own)
    kept = np.repeat(used, counts)
    return fit(rows[np.flatnonzero(kept)], targets[kept], counts[used])


def _parts(
    items: Sequence[GuessItem], pool: Places, encoded: csr_matrix, guesser: Guesser
) -> Iterator[tuple[Places, csr_matrix]]:
    """Every item once with its rows: the pool's are there, others are encoded a part at a time."""
    yield pool, encoded
    others = np.setdiff1d(np.arange(len(items), dtype=np.int64), pool)
    for start in range(0, len(others), ENCODED_AT_ONCE):
        part = others[start : start + ENCODED_AT_ONCE]
        yield part, encode([items[place] for place in part.tolist()], guesser)


class _Chosen:
    """Answers of one guesser, filled in part by part."""

    def __init__(
        self,
        items: Sequence[GuessItem],
        places: Sequence[Sequence[tuple[int, ...]]],
        folds: Places,
        ties: Sequence[Sequence[int]],
    ) -> None:
        self.items, self.places, self.folds, self.ties = items, places, folds, ties
        shape = (len(places), len(items))
        self.answers = np.zeros(shape, dtype=np.int64)
        self.p_answer = np.zeros(shape)
        self.p_key = np.zeros(shape)

    def take(self, part: Places, rows: csr_matrix, weights: Sequence[Sequence[Numbers]]) -> None:
        """Guess the items of a part, each by the weights of its fold."""
        counts = _counts(self.items, part)
        starts = np.concatenate([[0], np.cumsum(counts)]).tolist()
        for fold, own in enumerate(weights):
            here = np.flatnonzero(self.folds[part] == fold).tolist()
            if not here:
                continue
            for number, weight in enumerate(own):
                chances = np.round(probabilities(rows, weight, counts), DECIMALS)
                for index in here:
                    self._answer(number, int(part[index]), chances[starts[index] : starts[index + 1]].tolist())

    def _answer(self, number: int, place: int, chances: list[float]) -> None:
        ties = self.ties[place]
        best = max(range(len(chances)), key=lambda option: (chances[option], ties[option]))
        self.answers[number, place] = best
        self.p_answer[number, place] = chances[best]
        self.p_key[number, place] = sum(chances[option] for option in self.places[number][place])

    def frame(self, name: str, number: int) -> pl.DataFrame:
        """Predictions under one set of keys."""
        keys = self.places[number]
        answers = self.answers[number].tolist()
        return pl.DataFrame(
            {
                "guesser": [name] * len(self.items),
                "shuffle": [number] * len(self.items),
                "dataset": [item.dataset for item in self.items],
                "case_id": [item.id for item in self.items],
                "group": [item.group for item in self.items],
                "fold": self.folds,
                "options": [len(item.options) for item in self.items],
                "images": [item.pictures for item in self.items],
                "keys": [[item.options[place][0] for place in own] for item, own in zip(self.items, keys, strict=True)],
                "answer": [item.options[place][0] for item, place in zip(self.items, answers, strict=True)],
                "correct": [place in own for place, own in zip(answers, keys, strict=True)],
                "p_answer": self.p_answer[number],
                "p_key": np.round(self.p_key[number], DECIMALS),
                "chance": [item.chance for item in self.items],
                "content": [item.content for item in self.items],
            },
            schema=PREDICTIONS,
        )
