"""The rule labeller's lexicon, read from ``lexicon.toml`` beside this file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from perimetry.cases.errors import DataError
from perimetry.scoring.labels.classes import ABNORMAL, class_index
from perimetry.scoring.labels.events import Kind
from perimetry.scoring.labels.phrases import Tree, spelled_out
from perimetry.scoring.labels.spelling import Spelling

__all__ = ["Lexicon", "Structure", "default_lexicon", "read_lexicon"]

_CUES = tuple(kind for kind in Kind if Kind.DENIED_AFTER.value <= kind.value < Kind.COMMA.value)
_MARKS = ((",", Kind.COMMA), (":", Kind.COLON), ("/", Kind.SLASH), (".", Kind.END))


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure that is abnormal or normal by what is said of it.

    Parameters
    ----------
    states : tuple of int
        Columns of the classes that an abnormal one states; none for an abnormality outside the thirteen.
    denies : tuple of int
        Columns of the classes that a normal one denies.
    says : frozenset of str
        Groups of predicates that make it abnormal.
    """

    states: tuple[int, ...]
    denies: tuple[int, ...]
    says: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """What the labeller knows, ready for use.

    Parameters
    ----------
    version : str
    tree : Tree
        Every phrase, by its kind and a number.
    groups : tuple of tuple of int
        By the number of a mention: the columns of its classes; none for an abnormality outside the thirteen.
    structures : tuple of Structure
        By the number of a structure.
    predicates : tuple of (str, bool)
        By the number of a predicate: its group, and whether it is a noun.
    light : frozenset of str
        Words that may stand between a predicate and its structure.
    silent, spoken : frozenset of str
        Headings of parts that state nothing about the image, and of parts that do.
    foreign, denials, english : frozenset of str
        Short words of other languages, those of them that deny, and short words of English.
    spelling : Spelling
    """

    version: str
    tree: Tree
    groups: tuple[tuple[int, ...], ...]
    structures: tuple[Structure, ...]
    predicates: tuple[tuple[str, bool], ...]
    light: frozenset[str]
    silent: frozenset[str]
    spoken: frozenset[str]
    foreign: frozenset[str]
    denials: frozenset[str]
    english: frozenset[str]
    spelling: Spelling


@cache
def default_lexicon() -> Lexicon:
    """Lexicon that comes with the package."""
    return read_lexicon(resources.files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))


def read_lexicon(text: str) -> Lexicon:
    """Compile a lexicon from its TOML text.

    Raises
    ------
    DataError
        For a missing table, an unknown class or cue, or a phrase with two meanings.

    Examples
    --------
    >>> default_lexicon().version.partition("/")[0]
    'labeller'
    """
    try:
        data = tomllib.loads(text)
        groups: list[tuple[int, ...]] = [(at,) for at in range(len(ABNORMAL))]
        groups += [tuple(class_index(name) for name in entry["classes"]) for entry in data["both"]]
        groups.append(())
        structures = tuple(
            Structure(
                tuple(class_index(name) for name in entry["states"]),
                tuple(class_index(name) for name in entry["denies"]),
                frozenset(entry["says"]),
            )
            for entry in data["structures"]
        )
        predicates = [
            (name, False, data["predicates"]["adjectives"][name]) for name in data["predicates"]["adjectives"]
        ]
        predicates += [(name, True, data["predicates"]["nouns"][name]) for name in data["predicates"]["nouns"]]
        tree = Tree(_entries(data, predicates))
        mentions = [p for phrases in data["mentions"].values() for p in phrases]
        findings = {
            word for phrase in (*mentions, *data["other"]["phrases"]) for s in spelled_out(phrase) for word in s
        }
        spelling = Spelling(
            known=tree.words | frozenset(data["light"]["words"]) | frozenset(data["spelling"]["keep"]),
            correct=tuple(data["spelling"]["correct"]),
            glued=frozenset(data["spelling"]["glued"]),
            findings=frozenset(findings),
        )
        return Lexicon(
            version=data["version"],
            tree=tree,
            groups=tuple(groups),
            structures=structures,
            predicates=tuple((name, noun) for name, noun, _ in predicates),
            light=frozenset(data["light"]["words"]),
            silent=frozenset(data["headings"]["silent"]),
            spoken=frozenset(data["headings"]["spoken"]),
            foreign=frozenset(data["languages"]["other"]) | frozenset(data["languages"]["denials"]),
            denials=frozenset(data["languages"]["denials"]),
            english=frozenset(data["languages"]["english"]),
            spelling=spelling,
        )
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise DataError(
            f"The labeller's lexicon cannot be read: {error}. Compare it with the package's own."
        ) from error


def _entries(
    data: dict[str, Any], predicates: list[tuple[str, bool, list[str]]]
) -> Iterator[tuple[str, tuple[Kind, int]]]:
    """Every phrase of the lexicon with its meaning."""
    for name, phrases in data["mentions"].items():
        for phrase in phrases:
            yield phrase, (Kind.MENTION, class_index(name))
    for number, entry in enumerate(data["both"], start=len(ABNORMAL)):
        for phrase in entry["phrases"]:
            yield phrase, (Kind.MENTION, number)
    other = len(ABNORMAL) + len(data["both"])
    for phrase in data["other"]["phrases"]:
        yield phrase, (Kind.MENTION, other)
    for number, entry in enumerate(data["structures"]):
        for phrase in entry["phrases"]:
            yield phrase, (Kind.STRUCTURE, number)
    for number, (_, _, phrases) in enumerate(predicates):
        for phrase in phrases:
            yield phrase, (Kind.PREDICATE, number)
    for phrase in data["normal"]["phrases"]:
        yield phrase, (Kind.NORMAL, 0)
    for phrase in data["chest"]["phrases"]:
        yield phrase, (Kind.ANATOMY, 0)
    for cue in _CUES:
        for phrase in data["cues"].get(cue.name.lower(), ()):
            yield phrase, (cue, 0)
    for mark, kind in _MARKS:
        yield mark, (kind, 0)
