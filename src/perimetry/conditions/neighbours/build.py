"""Building a neighbour index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import UsageError
from perimetry.cases.question import Question
from perimetry.conditions.condition import Condition
from perimetry.conditions.kinds.neighbours import HardNegative, Mismatch
from perimetry.conditions.neighbours.derangement import Derangement
from perimetry.conditions.neighbours.eligibility import Accepts, Eligibility
from perimetry.conditions.neighbours.embedder import Embedder, PixelEmbedder, Vectors
from perimetry.conditions.neighbours.index import Match, NeighbourIndex
from perimetry.conditions.neighbours.pool import (
    Embedded,
    ImageSet,
    Progress,
    embed_sets,
    image_sets,
    pool_digest,
    set_key,
)
from perimetry.conditions.neighbours.search import Demand, Hit, Rows, cosines, search

__all__ = ["build_neighbours"]


@dataclass(frozen=True)
class _Pool:
    """Readable image sets of a pool, their vectors, and those of the cases."""

    sets: tuple[ImageSet, ...]
    positions: Mapping[str, int]
    vectors: Vectors
    embedded: Embedded
    eligibility: Eligibility

    def query(self, case: Question) -> int | None:
        return self.embedded.rows.get(set_key(case.images))


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
    normalised mean of its images' vectors, and the whole set of the neighbour is shown. The result does not depend
    on the order of pool or cases.

    Parameters
    ----------
    pool : sequence of Question
        Where neighbours come from: the loaded split before any limit, or another data set.
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
    hard = [condition for condition in wanted.values() if isinstance(condition, HardNegative)]
    shown = [case for case in cases if case.images]
    prepared = _prepare(pool, shown, chosen, progress) if wanted else _prepare((), (), chosen, None)
    matches: dict[tuple[str, str, str], Match] = {}
    for case in cases:
        for spelling in wanted:
            key = (case.dataset, case.id, spelling)
            matches[key] = Match(*key, reason="the case has no image")
    lists = _hard_lists(prepared, shown, hard)
    derangements = {
        dataset: Derangement(_of_dataset(prepared.sets, dataset), seed, dataset)
        for dataset in sorted({case.dataset for case in shown})
    }
    for number, case in enumerate(shown):
        for spelling, condition in wanted.items():
            if isinstance(condition, HardNegative):
                match = _hard_match(prepared, case, condition, lists[number])
            else:
                match = _mismatch(prepared, case, spelling, derangements[case.dataset])
            matches[case.dataset, case.id, spelling] = match
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
        sets=len(prepared.sets),
        unreadable=prepared.embedded.unreadable,
    )


def _prepare(
    pool: Sequence[Question], shown: Sequence[Question], embedder: Embedder, progress: Progress | None
) -> _Pool:
    every = image_sets(pool)
    keyed = {one.key: one.images for one in every}
    # The pool comes first, so that its vectors are a view and no second copy.
    guests = {set_key(case.images): case.images for case in shown if set_key(case.images) not in keyed}
    embedded = embed_sets([*keyed.items(), *sorted(guests.items())], embedder, progress)
    readable = tuple(one for one in every if one.key in embedded.rows)
    positions = {one.key: position for position, one in enumerate(readable)}
    return _Pool(readable, positions, embedded.vectors[: len(readable)], embedded, Eligibility(readable))


def _of_dataset(sets: Sequence[ImageSet], dataset: str) -> tuple[ImageSet, ...]:
    return tuple(one for one in sets if any(case.dataset == dataset for case in one.cases))


def _hard_lists(pool: _Pool, shown: Sequence[Question], hard: Sequence[HardNegative]) -> list[Mapping[str, list[Hit]]]:
    """Eligible sets of each case by rule, as many as the deepest rank asks for."""
    lists: list[dict[str, list[Hit]]] = [{} for _ in shown]
    by_question = max((one.rank for one in hard if one.match != "label"), default=0)
    if by_question:
        for number, hits in _search_questions(pool, shown, by_question).items():
            lists[number]["question"] = hits
    demands: list[Demand] = []
    asking: list[int] = []
    for number, case in enumerate(shown):
        found = len(lists[number].get("question", ()))
        depth = max(
            (one.rank for one in hard if one.match == "label" or (one.match == "auto" and found < one.rank)),
            default=0,
        )
        query = pool.query(case)
        if depth and query is not None:
            demands.append(Demand(query, pool.eligibility.by_label(case), depth))
            asking.append(number)
    for number, hits in zip(asking, search(pool.vectors, pool.embedded.vectors, demands), strict=True):
        lists[number]["label"] = hits
    return [dict(one) for one in lists]


def _search_questions(pool: _Pool, shown: Sequence[Question], depth: int) -> dict[int, list[Hit]]:
    """Eligible sets under ``question``: one small search for each question that more than one image has."""
    groups: dict[bytes, tuple[Rows, list[int]]] = {}
    for number, case in enumerate(shown):
        rows = pool.eligibility.same_question(case)
        if len(rows) and pool.query(case) is not None:
            groups.setdefault(rows.tobytes(), (rows, []))[1].append(number)
    found: dict[int, list[Hit]] = {}
    for rows, numbers in groups.values():
        demands = []
        asking = []
        for number in numbers:
            query = pool.query(shown[number])
            eligible = np.searchsorted(rows, pool.eligibility.by_question(shown[number]))
            if query is None or not len(eligible):
                continue
            demands.append(Demand(query, _among(eligible), depth))
            asking.append(number)
        for number, hits in zip(asking, search(pool.vectors[rows], pool.embedded.vectors, demands), strict=True):
            found[number] = [Hit(int(rows[hit.row]), hit.cosine) for hit in hits]
    return found


def _among(eligible: Rows) -> Accepts:
    def accepts(rows: Rows) -> NDArray[np.bool_]:
        return np.isin(rows, eligible)

    return accepts


def _hard_match(pool: _Pool, case: Question, condition: HardNegative, lists: Mapping[str, list[Hit]]) -> Match:
    if pool.query(case) is None:
        return Match(case.dataset, case.id, condition.spelling, reason="an image of the case cannot be read")
    for rule in ("question", "label") if condition.match == "auto" else (condition.match,):
        hits = lists.get(rule, [])
        if len(hits) >= condition.rank:
            hit = hits[condition.rank - 1]
            item = pool.eligibility.case_at(case, hit.row, rule)
            differs = pool.eligibility.gold_differs(case, hit.row)
            return Match(
                dataset=case.dataset,
                case=case.id,
                condition=condition.spelling,
                neighbour_dataset=item.dataset,
                neighbour=item.id,
                cosine=hit.cosine,
                rank=condition.rank,
                rule=rule,
                gold_known=differs is not None,
                gold_differs=differs,
            )
    reason = f"fewer than {condition.rank} eligible images" if condition.rank > 1 else "no eligible image"
    return Match(case.dataset, case.id, condition.spelling, reason=reason)


def _mismatch(pool: _Pool, case: Question, spelling: str, derangement: Derangement) -> Match:
    query = pool.query(case)
    other = derangement.of(set_key(case.images), frozenset(image.digest for image in case.images))
    if other is None:
        return Match(case.dataset, case.id, spelling, reason="the pool has no other image")
    row = pool.embedded.rows[other.key]
    cosine = None
    if query is not None:
        cosine = float(cosines(pool.embedded.vectors[[row]], pool.embedded.vectors[query])[0])
    differs = pool.eligibility.gold_differs(case, pool.positions[other.key])
    item = next(one for one in other.cases if one.dataset == case.dataset)
    return Match(
        dataset=case.dataset,
        case=case.id,
        condition=spelling,
        neighbour_dataset=item.dataset,
        neighbour=item.id,
        cosine=cosine,
        rank=1,
        rule="derangement",
        gold_known=differs is not None,
        gold_differs=differs,
    )
