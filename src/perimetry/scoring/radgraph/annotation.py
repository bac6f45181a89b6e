"""Entities and relations of one report, read from a record in the RadGraph JSON format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from perimetry.scoring.radgraph.texts import same_form

__all__ = ["FIRST_LABELS", "Annotation", "Entity", "Unread", "read_annotation"]

FIRST_LABELS = frozenset({"ANAT-DP", "OBS-DP", "OBS-U", "OBS-DA"})
"""Labels of the first RadGraph model (Jain et al. 2021, section 3); later models spell theirs otherwise."""


@dataclass(frozen=True, slots=True)
class Entity:
    """One entity.

    Parameters
    ----------
    tokens : str
        Its words, joined by spaces, as they stand in the report.
    label : str
    relations : tuple of (str, int)
        Kind of each relation that starts here, and the position of its target in `Annotation.entities`.
    """

    tokens: str
    label: str
    relations: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """What was found in one report; no entity is a finding too."""

    entities: tuple[Entity, ...]

    @property
    def vocabulary(self) -> str:
        """Whose labels these are: ``first``, ``later``, ``mixed``; empty without entities."""
        kinds = {"first" if entity.label in FIRST_LABELS else "later" for entity in self.entities}
        return "mixed" if len(kinds) > 1 else next(iter(kinds), "")


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a report has no annotation."""

    reason: str


def read_annotation(record: object, text: str) -> Annotation | Unread:
    """Read one record, and hold it against the report that it is for.

    Parameters
    ----------
    record
        ``{"text": ..., "entities": {ID: {"tokens", "label", "start_ix", "end_ix", "relations": [[KIND, ID], ...]}}}``.
        ``text`` is the report cut into tokens, joined by spaces; where it is absent, positions are not looked at.
        ``start_ix`` and ``end_ix`` (inclusive) count its tokens from 0; both may be absent.
    text
        The report.

    Returns
    -------
    Annotation or Unread
        Unread, with what was found and what was expected, for a record that is not of the form, whose text is another
        than the report, or whose entities are not words of it.

    Examples
    --------
    >>> one = {"tokens": "clear", "label": "OBS-DP", "start_ix": 1, "end_ix": 1, "relations": []}
    >>> read_annotation({"text": "Lungs clear .", "entities": {"1": one}}, "Lungs clear.").entities[0].tokens
    'clear'
    >>> read_annotation({"text": "Lungs clear .", "entities": {}}, "Heart large.").reason
    'the annotation is of another text than the report'
    """
    if not isinstance(record, Mapping) or not isinstance(record.get("entities"), Mapping):
        several = isinstance(record, Mapping) and any(str(key).startswith("labeler") for key in record)
        hint = "; it has those of several labellers: keep one" if several else ""
        return Unread(f"the annotation has no entities by id{hint}")
    told = record.get("text")
    if told is not None and (not isinstance(told, str) or same_form(told) != same_form(text)):
        return Unread("the annotation is of another text than the report")
    words = told.split() if isinstance(told, str) else None
    within = same_form(text)
    raw: Mapping[object, object] = record["entities"]
    order = {str(key): at for at, key in enumerate(raw)}
    entities: list[Entity] = []
    for key, value in raw.items():
        entity = _entity(f"entity {key!r}", value, order, words, within)
        if isinstance(entity, Unread):
            return entity
        entities.append(entity)
    return Annotation(tuple(entities))


def _entity(
    where: str, value: object, order: Mapping[str, int], words: list[str] | None, within: str
) -> Entity | Unread:
    if not isinstance(value, Mapping):
        return Unread(f"{where} of the annotation is {type(value).__name__}, not an object")
    tokens, label = value.get("tokens"), value.get("label")
    if not isinstance(tokens, str) or not tokens.strip() or not isinstance(label, str) or not label:
        return Unread(f"{where} of the annotation lacks its tokens or its label")
    start, end = value.get("start_ix"), value.get("end_ix")
    if words is not None and (start is not None or end is not None):
        if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end < len(words):
            return Unread(f"{where} of the annotation lies at {start!r} to {end!r} of {len(words)} words")
        if same_form(" ".join(words[start : end + 1])) != same_form(tokens):
            return Unread(f"{where} of the annotation is not the words of its text that it points to")
    elif f" {same_form(tokens)} " not in f" {within} ":
        return Unread(f"{where} of the annotation is not in the report")
    relations: list[tuple[str, int]] = []
    raw = value.get("relations", [])
    for relation in raw if isinstance(raw, list | tuple) else (None,):
        match relation:
            case [str() as kind, str() | int() as target] if str(target) in order:
                relations.append((kind, order[str(target)]))
            case _:
                return Unread(f"{where} of the annotation has a relation that is no [kind, id of an entity]")
    return Entity(" ".join(tokens.split()), label, tuple(relations))
