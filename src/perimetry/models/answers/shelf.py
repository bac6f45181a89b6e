"""Recorded answers on a shelf that is searched by case, condition and repeat, in bounded memory."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from perimetry.cases.errors import DataError, UsageError
from perimetry.models.answers.rows import AnswerRow
from perimetry.models.equivalence import canonical_condition, known_condition

__all__ = ["AnswerShelf", "ShelfReport"]

CHUNK = 4096
EXAMPLES = 5
CACHE_KIB = 65_536  # pages beyond this go to a temporary file of the database's own


@dataclass(frozen=True, slots=True)
class ShelfReport:
    """What a file of recorded answers holds.

    Parameters
    ----------
    rows, cases, empty : int
        Rows of the chosen model, different case ids, rows without an answer.
    conditions : tuple of str
        As the file spells them, in order of first occurrence.
    unknown_conditions : tuple of str
        Those that no registered condition is called.
    unknown_cases : int
        Case ids that belong to none of the loaded cases.
    unknown_examples : tuple of str
    """

    rows: int
    cases: int
    empty: int
    conditions: tuple[str, ...]
    unknown_conditions: tuple[str, ...] = ()
    unknown_cases: int = 0
    unknown_examples: tuple[str, ...] = ()

    def warning(self, where: str) -> str:
        """One sentence or more about what cannot be used; empty if all can."""
        said: list[str] = []
        if self.unknown_cases:
            said.append(
                f"{self.unknown_cases} of {self.cases} case ids belong to none of the loaded cases "
                f"(for example {', '.join(self.unknown_examples)})"
            )
        if self.unknown_conditions:
            said.append(f"no condition is called {', '.join(self.unknown_conditions[:EXAMPLES])}")
        if self.empty:
            said.append(f"{self.empty} of {self.rows} rows hold no answer")
        return f"{where}: {'; '.join(said)}. These rows are not used." if said else ""


class AnswerShelf:
    """Answers by (data set, case, condition, repeat).

    They are held in a temporary database that spills to disk: a file of any size costs at most some tens of
    megabytes of memory.

    Parameters
    ----------
    rows : iterable of AnswerRow
    where : str
        What messages call the file.
    model : str, default ""
        Which model's rows to take; may be empty where the file holds one model only.
    case_ids : collection of str, optional
        Ids of the loaded cases.

    Raises
    ------
    DataError
        When two rows give one request different answers, naming the rows; or when there is no row.
    UsageError
        When the file holds several models and none is chosen, or not the one that is.
    """

    def __init__(
        self, rows: Iterable[AnswerRow], where: str, model: str = "", case_ids: Collection[str] | None = None
    ) -> None:
        self._where = where
        self._canonical: dict[str, str] = {}
        self._database = sqlite3.connect("", check_same_thread=False)
        self._database.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute(
            "CREATE TABLE answers (dataset TEXT, case_id TEXT, condition TEXT, repeat INT, response TEXT, row INT,"
            " other INT, PRIMARY KEY (case_id, condition, repeat, dataset)) WITHOUT ROWID"
        )
        self._fill(rows, model)
        self.report = self._report(case_ids)

    def canonical(self, condition: str) -> str:
        """`canonical_condition`, remembered."""
        if condition not in self._canonical:
            self._canonical[condition] = canonical_condition(condition)
        return self._canonical[condition]

    def find(self, dataset: str, case_id: str, condition: str, repeat: int) -> str | None:
        """The answer, or None where there is no row or the row holds none; a row without data set fits any."""
        found = self._database.execute(
            "SELECT response FROM answers WHERE case_id = ? AND condition = ? AND repeat = ? AND dataset IN (?, '')"
            " ORDER BY dataset DESC LIMIT 1",
            (case_id, self.canonical(condition), repeat, dataset),
        ).fetchone()
        return None if found is None else found[0]

    def missing(self, dataset: str, case_id: str, condition: str, repeat: int) -> str:
        """Why `find` found nothing, in words."""
        held = self._database.execute(
            "SELECT condition, repeat, response IS NULL FROM answers WHERE case_id = ? AND dataset IN (?, '')",
            (case_id, dataset),
        ).fetchall()
        asked = f"case {case_id!r} under {condition!r}, repeat {repeat}"
        if not held:
            return f"{self._where} has no row of {asked}, nor any other of this case."
        if (self.canonical(condition), repeat, 1) in held:
            return f"{self._where} has a row of {asked}, but it holds no answer."
        # As the file spells it; where it has several names for the same, the plainest: real, not oco@0.
        spelled = {self.canonical(name): name for name in reversed(self._conditions)}
        spelled |= {name: name for name in spelled if name in self._conditions}
        others = sorted({f"{spelled.get(name, name)} (repeat {number})" for name, number, _ in held})
        return f"{self._where} has no row of {asked}; of this case it has {', '.join(others)}."

    def close(self) -> None:
        """Free the database."""
        self._database.close()

    def _fill(self, rows: Iterable[AnswerRow], model: str) -> None:
        models: Counter[str] = Counter()
        self._conditions: dict[str, None] = {}
        stream = iter(rows)
        while chunk := list(islice(stream, CHUNK)):
            models.update(row.model for row in chunk)
            self._check_models(models, model)
            self._insert(row for row in chunk if row.model in (model, "") or not model)
        if model and models and not models[model] and not models[""]:
            self._refuse(models, model)
        if not models:
            raise DataError(f"{self._where} holds no row. Expected one row for each answer.")
        clashes = self._database.execute(
            "SELECT case_id, condition, repeat, row, other FROM answers WHERE other IS NOT NULL ORDER BY row LIMIT ?",
            (EXAMPLES,),
        ).fetchall()
        if clashes:
            named = "; ".join(f"case {case!r}, {name}: rows {row} and {other}" for case, name, _, row, other in clashes)
            raise DataError(
                f"{self._where}: rows for the same case, condition and repeat hold different answers ({named}). "
                "Keep one of them, or number the repeats in a column 'repeat'. Conditions that show a model the "
                "same (noimage and textonly, real and full) count as one."
            )

    def _insert(self, rows: Iterator[AnswerRow]) -> None:
        values = []
        for row in rows:
            self._conditions.setdefault(row.condition)
            values.append(
                (row.dataset, row.case_id, self.canonical(row.condition), row.repeat, row.response, row.number)
            )
        self._database.executemany(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO UPDATE SET other = excluded.row"
            " WHERE response IS NOT excluded.response AND other IS NULL",
            values,
        )

    def _check_models(self, models: Counter[str], model: str) -> None:
        if not model and len(models) > 1:
            self._refuse(models, model)

    def _refuse(self, models: Counter[str], model: str) -> None:
        known = ", ".join(sorted(name or "(none)" for name in models))
        found = f"no rows of {model!r}" if model else "rows of several models"
        raise UsageError(f"{self._where} holds {found}; found: {known}. Name one: recorded:FILE#MODEL.")

    def _report(self, case_ids: Collection[str] | None) -> ShelfReport:
        rows, empty = self._database.execute("SELECT COUNT(*), SUM(response IS NULL) FROM answers").fetchone()
        (cases,) = self._database.execute("SELECT COUNT(DISTINCT case_id) FROM answers").fetchone()
        unknown = 0
        examples: list[str] = []
        if case_ids is not None:
            known = case_ids if isinstance(case_ids, set | frozenset) else frozenset(case_ids)
            for (case_id,) in self._database.execute("SELECT DISTINCT case_id FROM answers"):
                if case_id not in known:
                    unknown += 1
                    if len(examples) < EXAMPLES:
                        examples.append(case_id)
        return ShelfReport(
            rows=rows,
            cases=cases,
            empty=int(empty or 0),
            conditions=tuple(self._conditions),
            unknown_conditions=tuple(name for name in self._conditions if not known_condition(name)),
            unknown_cases=unknown,
            unknown_examples=tuple(examples),
        )
