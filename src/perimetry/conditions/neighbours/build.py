"""Building a neighbour index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from perimetry.cases.errors import UsageError
from perimetry.cases.question import Question
from perimetry.conditions.condition import Condition
from perimetry.conditions.kinds.neighbours import HardNegative, Mismatch
from perimetry.conditions.neighbours.derangement import Derangement
from perimetry.conditions.neighbours.embedder import Embedder, PixelEmbedder
from perimetry.conditions.neighbours.index import Match, NeighbourIndex
from perimetry.conditions.neighbours.keys import Keys
from perimetry.conditions.neighbours.matching import hard_lists, hard_match, mismatch
from perimetry.conditions.neighbours.pool import (
    Embedded,
    Progress,
    embed_sets,
    image_sets,
    pool_digest,
)
from perimetry.conditions.neighbours.scope import scope_of

__all__ = ["build_neighbours"]


def build_neighbours(
    pool: Sequence[Question],
    cases: Sequence[Question],
    conditions: Sequence[Condition],
    embedder: Embedder | None = None,
    seed: int = 42,
    progress: Progress | None = None,
) -> NeighbourIndex:
    """Find the neighbours of cases under the pool-dependent conditions among `conditions`.

    Every distinct image of pool and cases is embedded once. A hard negative (CORAL sections 3.1 and 3.2) shows
    another image, is no twin (cosine under 0.999), and its gold differs by the condition's rule; its rank counts
    among the eligible image sets, ties broken by image digest. A case with several images is compared by the
    normalised mean of its images' vectors, and the whole set of the neighbour is shown.

    A data set that has a part in the pool finds its neighbours there, another one in the whole pool; the result depends
    neither on the order of pool or cases nor on which data sets share the run.

    Parameters
    ----------
    pool : sequence of Question
        Where neighbours come from: the loaded splits before any limit, or another data set.
    cases : sequence of Question
        Cases that will be run; need not be part of the pool.
    conditions : sequence of Condition
        Those that need no neighbours are passed over.
    embedder : Embedder or None, default None
        None takes `PixelEmbedder`.
    seed : int, default 42
        Of the derangement; the run's seed.
    progress : callable of (done, total) or None
        Told after each image.

    Returns
    -------
    NeighbourIndex

    Raises
    ------
    UsageError
        When a condition needs neighbours by a rule that is not known here.
    """
    chosen = embedder if embedder is not None else PixelEmbedder()
    wanted = {condition.spelling: condition for condition in conditions if condition.needs_neighbours}
    for condition in wanted.values():
        if not isinstance(condition, HardNegative | Mismatch):
            raise UsageError(
                f"Condition {condition.spelling!r} needs neighbours, but only hardneg and mismatch are built here."
            )
    matches = {
        (case.dataset, case.id, spelling): Match(case.dataset, case.id, spelling, reason="the case has no image")
        for case in cases
        for spelling in wanted
    }
    shown = [case for case in cases if case.images] if wanted else []
    embedded = _embed(pool if wanted else (), shown, chosen, progress)
    for dataset in sorted({case.dataset for case in shown}):
        asking = [case for case in shown if case.dataset == dataset]
        for match in _match(dataset, pool, asking, wanted, embedded, seed):
            matches[match.dataset, match.case, match.condition] = match
    ordered = tuple(matches[key] for key in sorted(matches))
    needed = {(match.neighbour_dataset, match.neighbour) for match in ordered}
    return NeighbourIndex(
        pool_digest=pool_digest(pool),
        embedder=chosen.name,
        seed=seed,
        conditions=tuple(sorted(wanted)),
        matches=ordered,
        images={(one.dataset, one.id): one.images for one in pool if (one.dataset, one.id) in needed},
        cases=len(pool),
        sets=sum(one.key in embedded.rows for one in image_sets(pool, embedded.keys)),
        unreadable=embedded.unreadable,
    )


def _embed(
    pool: Sequence[Question], shown: Sequence[Question], embedder: Embedder, progress: Progress | None
) -> Embedded:
    """Vectors of the pool's image sets, in key order, then of the cases' that are not among them."""
    keys = Keys()
    keyed = {one.key: one.images for one in image_sets(pool, keys)}
    guests = {key: case.images for case in shown if (key := keys.of(case.images)) not in keyed}
    return embed_sets([*keyed.items(), *sorted(guests.items())], embedder, progress, keys)


def _match(
    dataset: str,
    pool: Sequence[Question],
    asking: Sequence[Question],
    wanted: Mapping[str, Condition],
    embedded: Embedded,
    seed: int,
) -> Iterator[Match]:
    """Matches of one data set's cases under every condition."""
    scope = scope_of(dataset, pool, embedded)
    derangement = Derangement(scope.sets, seed, dataset)
    lists = hard_lists(scope, asking, [one for one in wanted.values() if isinstance(one, HardNegative)])
    for case, hits in zip(asking, lists, strict=True):
        for spelling, condition in wanted.items():
            if isinstance(condition, HardNegative):
                yield hard_match(scope, case, condition, hits)
            else:
                yield mismatch(scope, case, spelling, derangement)
