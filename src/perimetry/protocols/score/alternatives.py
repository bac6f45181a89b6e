"""Alternative references: other wordings of the same reports, as `perimetry rewrite` writes them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.echo import echo, echo_list
from perimetry.cases.errors import DataError
from perimetry.cases.table import columns, read_rows
from perimetry.cases.values import text
from perimetry.protocols.score.ids import IdAdvice, sample, spelling_advice
from perimetry.protocols.score.wording_form import WordingForm
from perimetry.scoring.report_metric import Report

__all__ = ["ORIGINAL", "STATES", "Alternatives", "Matched", "read_alternatives", "section_text"]

ORIGINAL = "original"
"""Name of the references as they are, beside the variations."""

STATES = ("accepted", "unchanged", "empty", "infeasible", "already_in_form", "rejected", "failed", "not_tried")
"""How a study may stand to a variation. Alternatives are used where it is ``accepted``. ``unchanged``: accepted, but
the scored section reads as its original once both are in the same form, so that there is nothing to compare; ``empty``:
accepted, but nothing is left in that section."""

_FILES = ("alternatives.parquet", "alternatives.jsonl", "alternatives.csv")
_SECTIONS = ("findings", "impression")
_ENDINGS = frozenset({"accepted", "infeasible", "already_in_form", "rejected", "failed"})


@dataclass(frozen=True, slots=True)
class _Row:
    status: str
    sections: Mapping[str, str]
    original: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """What a folder of alternatives holds.

    Parameters
    ----------
    source : Path
        The file.
    rows : mapping of (dataset, id, variation) to row
        ``dataset`` is empty where the file names none.
    variations : tuple of str
        ``axis:variation``, compounds joined by ``+``; in the order of the file.
    """

    source: Path
    rows: Mapping[tuple[str, str, str], _Row]
    variations: tuple[str, ...]

    def matched(
        self,
        dataset: str,
        ids: Sequence[str],
        references: Sequence[Report],
        section: str,
        *,
        known: Collection[str] = (),
        others: Collection[str] = (),
        advice: Callable[[Collection[str]], IdAdvice] = lambda _: IdAdvice(),
    ) -> Matched:
        """Line up with references by id, each alternative in the outer form of the references.

        Parameters
        ----------
        dataset : str
            Rows of other data sets are left alone.
        ids : sequence of str
        references : sequence of str or None
            The originals: what is scored.
        section : {"findings", "impression", "report"}
            Which part of an alternative stands beside them; ``report`` is both, one after the other.
        known : collection of str
            Further ids of the same data set, which are not scored: alternatives of these are not counted as unmet.
        others : collection of str
            Names of the other data sets of the run: alternatives that name one of these are not of this one.
        advice : callable
            From the ids of the alternatives to where the ids of the references came from, and what to do where none
            of them meets.

        Raises
        ------
        DataError
            Where no id of the references has an alternative, and where originals in the file are of other reports.
        """
        form = WordingForm.of(references)
        texts: dict[str, tuple[Report, ...]] = {}
        written: dict[str, tuple[Report, ...]] = {}
        states: dict[str, tuple[str, ...]] = {}
        name = self._name_of(dataset, others)
        named = dict.fromkeys(identity for of, identity, _ in self.rows if of == name)
        if not named:
            held = echo_list(dict.fromkeys(of for of, _, _ in self.rows))
            raise DataError(
                f"{self.source} is of the data sets {held}, and the references are of {dataset}. Give them the same "
                "name (of a file of reports it is the file's, without its ending), or take the column dataset out of "
                "alternatives that are of these references."
            )
        if not set(named) & set(ids):
            raise DataError(
                f"{self.source} has no alternative for any of the {len(ids):,} references of {dataset}. Alternatives "
                f"are found by the ids of their references: those of the alternatives are such as {sample(named)}, "
                f"those of the references such as {sample(ids)}. "
                f"{spelling_advice(named, ids) or advice(named.keys()).whole}".rstrip()
            )
        strangers = tuple(each for each in named if each not in {*ids, *known})
        odd = self._other_originals(name, ids, references, section)
        if odd:
            told = advice(named.keys())
            raise DataError(
                f"{self.source}: the originals of {len(odd):,} studies (first: {echo(odd[0])}) are not the references "
                f"that are scored ({section}). Rewrite these references, or name the section that was rewritten. "
                f"{told.whole if told.sure else told.origin}".rstrip()
            )
        for variation in self.variations:
            pairs = [
                _stands(self.rows.get((name, identity, variation)), reference, section, form)
                for identity, reference in zip(ids, references, strict=True)
            ]
            written[variation] = tuple(found for found, _ in pairs)
            states[variation] = tuple(state for _, state in pairs)
            texts[variation] = tuple(None if found is None else form.apply(found) for found, _ in pairs)
        return Matched(texts, states, written, strangers)

    def section_of(self, dataset: str, ids: Sequence[str], references: Sequence[Report]) -> str:
        """The section whose originals the references are; ``findings`` where there are none, or none fits."""
        name = self._name_of(dataset)
        for section in ("findings", "report", "impression"):
            if not self._other_originals(name, ids, references, section):
                return section
        return "findings"

    def _name_of(self, dataset: str, others: Collection[str] = ()) -> str:
        """Under which name the file has a data set: its own, none, or the only one there is, if no other has it."""
        known = {name for name, _, _ in self.rows}
        if dataset in known or "" in known:
            return dataset if dataset in known else ""
        return next(iter(known)) if len(known) == 1 and not known & set(others) else dataset

    def _other_originals(self, name: str, ids: Sequence[str], references: Sequence[Report], section: str) -> list[str]:
        odd = []
        for identity, reference in zip(ids, references, strict=True):
            row = next(
                (row for each in self.variations if (row := self.rows.get((name, identity, each))) is not None), None
            )
            # Where there is no reference, nothing is scored that an original could differ from.
            if row is not None and any(row.original.values()) and (reference or "").strip():
                said = section_text(row.original, section)
                if _plain(said) != _plain(reference or ""):
                    odd.append(identity)
        return odd


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """Alternatives in the order of some references.

    Parameters
    ----------
    texts : mapping of variation to tuple of str or None
        None where there is none to use: the original stands in for it in rankings.
    states : mapping of variation to tuple of str
        One of `STATES` a study.
    written : mapping of variation to tuple of str or None
        The same texts as they were written, before they were brought into the form of the references.
    strangers : tuple of str
        Ids of alternatives that belong to no reference.
    """

    texts: Mapping[str, tuple[Report, ...]]
    states: Mapping[str, tuple[str, ...]]
    written: Mapping[str, tuple[Report, ...]]
    strangers: tuple[str, ...] = ()

    def unmet(self, ids: Sequence[str]) -> str:
        """In words how many alternatives belong to no reference, with an id of either side; empty where all do."""
        if not self.strangers:
            return ""
        count = len(self.strangers)
        noun = "reference was rewritten that is" if count == 1 else "references were rewritten that are"
        return (
            f"{count:,} {noun} not among those that are scored (such as {echo(self.strangers[0])}; ids of these are "
            f"such as {echo(ids[0])}): not used."
        )

    def counts(self, variation: str) -> dict[str, int]:
        """Studies by state."""
        return {state: self.states[variation].count(state) for state in STATES}


def section_text(sections: Mapping[str, str], section: str) -> str:
    """A section of a report; ``report`` is findings and impression.

    Examples
    --------
    >>> section_text({"findings": "Clear.", "impression": "Normal."}, "report")
    'Clear. Normal.'
    """
    names = _SECTIONS if section == "report" else (section,)
    return " ".join(part for name in names if (part := sections.get(name, "").strip()))


def read_alternatives(path: str | Path) -> Alternatives:
    """Read the folder that `perimetry rewrite` wrote, or a table of that form.

    Columns: ``id``, ``target`` (the variation) and ``status``; ``alternative_findings`` and ``alternative_impression``,
    of which one may be absent; ``dataset``, ``original_findings`` and ``original_impression``, where the file has them.
    JSONL may hold ``alternative`` and ``original`` with the sections inside. A file without ``status`` holds accepted
    alternatives only.

    Raises
    ------
    DataError
        For a folder or file that is none, a column that is not there, and a study that has a variation twice.
    """
    file = _file(Path(path).expanduser())
    present = columns(file)
    identity = _one_of(file, present, ("id", "study_id"), "the study's id")
    variation = _one_of(file, present, ("target", "variation"), "the variation, such as negation:implicit")
    if not {"alternative", *(f"alternative_{name}" for name in _SECTIONS)} & set(present):
        raise DataError(f"{file} has no column alternative_findings; found {echo_list(present)}.")
    rows: dict[tuple[str, str, str], _Row] = {}
    for number, record in enumerate(read_rows(file), start=1):
        key = (text(record.get("dataset")) or "", text(record.get(identity)) or "", text(record.get(variation)) or "")
        if not key[1] or not key[2] or key[2] == ORIGINAL:
            raise DataError(f"{file}, row {number}: an id and a variation were expected, found {key[1]!r}, {key[2]!r}.")
        status = text(record.get("status")) if "status" in present else "accepted"
        if status not in _ENDINGS:
            raise DataError(
                f"{file}, row {number}, column 'status': found {echo(status)}, expected one of "
                f"{', '.join(sorted(_ENDINGS))}."
            )
        if key in rows:
            raise DataError(f"{file}, row {number}: {key[1]} has {key[2]} already. One row a study and variation.")
        rows[key] = _Row(
            status, _sections(record, "alternative", file, number), _sections(record, "original", file, number)
        )
    if not rows:
        raise DataError(f"{file} has no rows. Make alternatives with `perimetry rewrite`.")
    return Alternatives(file, rows, tuple(dict.fromkeys(each for _, _, each in rows)))


def _file(path: Path) -> Path:
    if path.is_dir():
        held = [path / name for name in _FILES if (path / name).is_file()]
        if not held:
            raise DataError(
                f"{path} holds no {_FILES[0]} and no {_FILES[1]}. Make it with `perimetry rewrite --out DIR`."
            )
        path = held[0]
    if not path.is_file():
        raise DataError(f"{path} does not exist. Give the folder that `perimetry rewrite --out DIR` wrote.")
    if path.stat().st_size == 0:
        raise DataError(f"{path} is empty. Make alternatives with `perimetry rewrite`.")
    return path


def _one_of(file: Path, present: Sequence[str], names: Sequence[str], what: str) -> str:
    for name in names:
        if name in present:
            return name
    raise DataError(f"{file} has no column {names[0]} ({what}); found {echo_list(present)}.")


def _sections(record: Mapping[str, Any], kind: str, file: Path, number: int) -> dict[str, str]:
    """Findings and impression, in columns of their own or inside one."""
    inside = record.get(kind)
    found = {}
    for name in _SECTIONS:
        value = inside.get(name) if isinstance(inside, dict) else record.get(f"{kind}_{name}")
        if value is not None and not isinstance(value, str):
            raise DataError(
                f"{file}, row {number}, {name} of the {kind}: a text was expected, found {type(value).__name__}."
            )
        found[name] = value or ""
    return found


def _stands(row: _Row | None, reference: Report, section: str, form: WordingForm) -> tuple[Report, str]:
    """The text to score, as it was written, and the state."""
    if row is None or not (reference or "").strip():
        return None, "not_tried"
    if row.status != "accepted":
        return None, row.status
    said = section_text(row.sections, section)
    if not said:
        return None, "empty"
    if form.apply(_plain(said)) == form.apply(_plain(reference or "")) or form.apply(said) == form.apply(
        reference or ""
    ):
        return None, "unchanged"
    return said, "accepted"


def _plain(words: str) -> str:
    return " ".join(words.split())
