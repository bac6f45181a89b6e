"""Entities of a report, decoded from a class for each token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from perimetry.cases.errors import UsageError
from perimetry.scoring.embeddings.affinity import TYPES
from perimetry.scoring.embeddings.batches import Tokens

__all__ = ["Entity", "check_classes", "decode"]

_OUTSIDE = "O"


class Entity(NamedTuple):
    """A span of a report with its type, one of `TYPES`."""

    text: str
    type: str


def decode(sentence: str, tokens: Tokens, classes: Sequence[str]) -> tuple[Entity, ...]:
    """Entities of one sentence: each begins at a ``B-`` and goes on while ``I-`` follows.

    Parameters
    ----------
    sentence : str
        The tokens' spans count its characters.
    tokens : Tokens
    classes : sequence of str
        One a token: ``O``, ``B-TYPE`` or ``I-TYPE``. The type is that of the ``B-``; an ``I-`` with none before it
        is outside.

    Examples
    --------
    >>> tokens = Tokens((1, 7, 8, 2), (True, False, False, True), ((0, 0), (0, 5), (6, 14), (0, 0)), False)
    >>> decode("small effusion", tokens, ["O", "B-DISEASE", "I-DISEASE", "O"])
    (Entity(text='small effusion', type='DISEASE'),)
    """
    found: list[tuple[int, int, str]] = []
    going = False
    for name, special, (start, end) in zip(classes, tokens.special, tokens.spans, strict=True):
        if special or start == end:
            continue
        begins, _, kind = name.partition("-")
        if begins == "B":
            found.append((start, end, kind.upper()))
            going = True
        elif begins == "I" and going:
            found[-1] = (found[-1][0], end, found[-1][2])
        else:
            going = False
    return tuple(Entity(text, kind) for start, end, kind in found if (text := sentence[start:end].strip()))


def check_classes(names: Sequence[str], source: str) -> None:
    """Refuse a token classifier whose classes are not those of RaTEScore.

    Raises
    ------
    UsageError
        Names what was found and what was expected.
    """
    expected = {f"{mark}-{kind}" for mark in "BI" for kind in TYPES} | {_OUTSIDE}
    found = {name.upper() for name in names}
    if not found <= expected or not any(name.startswith("B-") for name in found):
        raise UsageError(
            f"{source} has the classes {', '.join(names)}; expected O, and B- and I- with {', '.join(TYPES)}, as the "
            "published Angelakeke/RaTE-NER-Deberta has them."
        )
