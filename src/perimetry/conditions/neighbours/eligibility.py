"""Who may be a hard negative for whom."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.question import Question
from perimetry.conditions.neighbours.keys import Keys
from perimetry.conditions.neighbours.pool import ImageSet
from perimetry.conditions.neighbours.search import Rows
from perimetry.conditions.neighbours.text import golds_of, question_of

__all__ = ["Accepts", "Eligibility"]

Accepts = Callable[[Rows], NDArray[np.bool_]]


class Eligibility:
    """Answers, for the image sets of a pool, whether they qualify under a rule.

    Under both rules a set that shares an image with the case is out. Two golds differ when the gold of the one is
    not accepted by the other.

    Parameters
    ----------
    sets : sequence of ImageSet
        Row numbers below are positions in it.
    keys : Keys
    """

    def __init__(self, sets: Sequence[ImageSet], keys: Keys) -> None:
        self._sets = sets
        self._keys = keys
        self._golds: list[frozenset[str]] = []
        self._by_question: dict[str, dict[int, set[str]]] = {}
        self._by_digest: dict[str, set[int]] = {}
        for row, one in enumerate(sets):
            # The gold itself, as the paper compares labels; further accepted answers count on the case's side only.
            self._golds.append(frozenset(golds_of(case)[0] for case in one.cases))
            for case in one.cases:
                self._by_question.setdefault(question_of(case), {}).setdefault(row, set()).update(golds_of(case))
            for digest in one.digests:
                self._by_digest.setdefault(digest, set()).add(row)
        codes: dict[str, int] = {}
        # One code for a set whose items share one gold, -1 for a set with several.
        self._sole = np.array(
            [codes.setdefault(next(iter(golds)), len(codes)) if len(golds) == 1 else -1 for golds in self._golds],
            dtype=np.int64,
        )
        self._codes = codes

    def same_question(self, case: Question) -> Rows:
        """Rows with an item of the same normalised question, sorted."""
        return np.array(sorted(self._by_question.get(question_of(case), ())), dtype=np.int64)

    def by_question(self, case: Question) -> Rows:
        """Rows that qualify under ``question``, sorted: every item there that asks the same has another gold."""
        accepted = frozenset(golds_of(case))
        own = self._own(case)
        found = self._by_question.get(question_of(case), {})
        return np.array(
            sorted(row for row, golds in found.items() if row not in own and not golds & accepted), dtype=np.int64
        )

    def by_label(self, case: Question) -> Accepts:
        """Mask of the rows that qualify under ``label``: any item there has another gold (CORAL section 3.1)."""
        accepted = frozenset(golds_of(case))
        own = self._own(case)
        codes = [self._codes[gold] for gold in accepted if gold in self._codes]

        def accepts(rows: Rows) -> NDArray[np.bool_]:
            sole = self._sole[rows]
            mask = _none_of(sole, codes)
            if len(accepted) > 1:
                for at in np.flatnonzero(sole < 0):
                    mask[at] = not self._golds[rows[at]] <= accepted
            mask &= _none_of(rows, own)
            return mask

        return accepts

    def gold_differs(self, case: Question, row: int) -> bool | None:
        """Whether the row's own gold for this very question differs; None where it is not known."""
        golds = self._by_question.get(question_of(case), {}).get(row)
        return None if golds is None else not golds & frozenset(golds_of(case))

    def case_at(self, case: Question, row: int, rule: str) -> Question:
        """The item of the row that made it qualify: the first by data set and id."""
        accepted = frozenset(golds_of(case))
        for item in self._sets[row].cases:
            if rule == "question" and question_of(item) == question_of(case):
                return item
            if rule == "label" and golds_of(item)[0] not in accepted:
                return item
        return self._sets[row].cases[0]

    def _own(self, case: Question) -> set[int]:
        return {row for image in case.images for row in self._by_digest.get(self._keys.digest(image), ())}


def _none_of(values: NDArray[np.int64], few: Collection[int]) -> NDArray[np.bool_]:
    """Which values are none of a few; `numpy.isin` costs ten times as much where there are one or two."""
    mask = np.ones(len(values), dtype=np.bool_)
    for one in few:
        mask &= values != one
    return mask
