"""Matching cases with their neighbours under each condition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.question import Question
from perimetry.conditions.kinds.neighbours import HardNegative
from perimetry.conditions.neighbours.derangement import Derangement
from perimetry.conditions.neighbours.eligibility import Accepts
from perimetry.conditions.neighbours.index import Match
from perimetry.conditions.neighbours.scope import Scope
from perimetry.conditions.neighbours.search import Demand, Hit, Rows, cosines, search

__all__ = ["hard_lists", "hard_match", "mismatch"]


def hard_lists(scope: Scope, shown: Sequence[Question], hard: Sequence[HardNegative]) -> list[Mapping[str, list[Hit]]]:
    """Eligible sets of each case by rule, as many as the deepest rank asks for."""
    lists: list[dict[str, list[Hit]]] = [{} for _ in shown]
    by_question = max((one.rank for one in hard if one.match != "label"), default=0)
    if by_question:
        for number, hits in _search_questions(scope, shown, by_question).items():
            lists[number]["question"] = hits
    demands: list[Demand] = []
    asking: list[int] = []
    for number, case in enumerate(shown):
        found = len(lists[number].get("question", ()))
        depth = max(
            (one.rank for one in hard if one.match == "label" or (one.match == "auto" and found < one.rank)),
            default=0,
        )
        query = scope.query(case)
        if depth and query is not None:
            demands.append(Demand(query, scope.eligibility.by_label(case), depth))
            asking.append(number)
    for number, hits in zip(asking, search(scope.vectors, scope.embedded.vectors, demands), strict=True):
        lists[number]["label"] = hits
    return [dict(one) for one in lists]


def _search_questions(scope: Scope, shown: Sequence[Question], depth: int) -> dict[int, list[Hit]]:
    """Eligible sets under ``question``: one small search for each question that more than one image has."""
    groups: dict[bytes, tuple[Rows, list[int]]] = {}
    for number, case in enumerate(shown):
        rows = scope.eligibility.same_question(case)
        if len(rows) and scope.query(case) is not None:
            groups.setdefault(rows.tobytes(), (rows, []))[1].append(number)
    found: dict[int, list[Hit]] = {}
    for rows, numbers in groups.values():
        demands = []
        asking = []
        for number in numbers:
            query = scope.query(shown[number])
            eligible = np.searchsorted(rows, scope.eligibility.by_question(shown[number]))
            if query is None or not len(eligible):
                continue
            demands.append(Demand(query, _among(eligible), depth))
            asking.append(number)
        for number, hits in zip(asking, search(scope.vectors[rows], scope.embedded.vectors, demands), strict=True):
            found[number] = [Hit(int(rows[hit.row]), hit.cosine) for hit in hits]
    return found


def _among(eligible: Rows) -> Accepts:
    def accepts(rows: Rows) -> NDArray[np.bool_]:
        return np.isin(rows, eligible)

    return accepts


def hard_match(scope: Scope, case: Question, condition: HardNegative, lists: Mapping[str, list[Hit]]) -> Match:
    """The hard negative of a case under one condition, out of its lists by rule."""
    if scope.query(case) is None:
        return Match(case.dataset, case.id, condition.spelling, reason="an image of the case cannot be read")
    for rule in ("question", "label") if condition.match == "auto" else (condition.match,):
        hits = lists.get(rule, [])
        if len(hits) >= condition.rank:
            hit = hits[condition.rank - 1]
            item = scope.eligibility.case_at(case, hit.row, rule)
            differs = scope.eligibility.gold_differs(case, hit.row)
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


def mismatch(scope: Scope, case: Question, spelling: str, derangement: Derangement) -> Match:
    """The mismatched image of a case; its cosine is given for comparison and decides nothing."""
    query = scope.query(case)
    keys = scope.embedded.keys
    other = derangement.of(keys.of(case.images), frozenset(keys.digest(image) for image in case.images))
    if other is None:
        return Match(case.dataset, case.id, spelling, reason="the pool has no other image")
    row = scope.embedded.rows[other.key]
    cosine = None
    if query is not None:
        cosine = float(cosines(scope.embedded.vectors[[row]], scope.embedded.vectors[query])[0])
    differs = scope.eligibility.gold_differs(case, scope.positions[other.key])
    item = other.cases[0]
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
