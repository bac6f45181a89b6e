"""Batches of token sequences: alike in length, so that little is padded, and put back in their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Tokens", "clean", "cut_note", "in_batches", "padded", "pair_note", "sound", "tokenise"]

Ids: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tokens:
    """One text as a model reads it.

    Parameters
    ----------
    ids : tuple of int
        With the special tokens at both ends.
    special : tuple of bool
        Which are special tokens, so stand for no part of the text.
    spans : tuple of (int, int)
        Characters of each token in the text.
    cut : bool
        Whether the text was longer than the model reads, and its end left out.
    """

    ids: tuple[int, ...]
    special: tuple[bool, ...]
    spans: tuple[tuple[int, int], ...]
    cut: bool

    def __len__(self) -> int:
        return len(self.ids)


def sound(text: str) -> str:
    r"""The text without white space at its ends; half surrogates, which no tokeniser takes, become question marks.

    Examples
    --------
    >>> sound(" no effusion \ud800")
    'no effusion ?'
    """
    return text.encode("utf-8", "replace").decode("utf-8").strip()


def clean(text: str) -> str:
    r"""`sound`, with every run of white space, line breaks included, as one space.

    Examples
    --------
    >>> clean(" no\n effusion")
    'no effusion'
    """
    return " ".join(sound(text).split())


def tokenise(tokenizer: Any, texts: Sequence[str], limit: int) -> list[Tokens]:
    """Tokens of texts, at most ``limit`` of them, special tokens included.

    Parameters
    ----------
    tokenizer
        Of `transformers`, backed by the library tokenizers.
    texts
        Each has been through `sound`.
    limit
        From 3 on.
    """
    if not texts:
        return []
    read = tokenizer(
        list(texts),
        truncation=True,
        max_length=limit,
        return_special_tokens_mask=True,
        return_offsets_mapping=True,
    )
    return [
        Tokens(
            tuple(ids),
            tuple(bool(mark) for mark in special),
            tuple((int(start), int(end)) for start, end in spans),
            bool(encoding.overflowing),
        )
        for ids, special, spans, encoding in zip(
            read["input_ids"], read["special_tokens_mask"], read["offset_mapping"], read.encodings, strict=True
        )
    ]


def cut_note(limit: int, what: str = "report") -> str:
    """What is said of a text that was cut; nothing of one that was not, whose limit is given as 0.

    Examples
    --------
    >>> cut_note(512), cut_note(0)
    ('the report was cut at 512 tokens', '')
    """
    return f"the {what} was cut at {limit} tokens" if limit else ""


def pair_note(hypothesis: int, reference: int) -> str:
    """`cut_note` for both sides of a pair.

    Examples
    --------
    >>> pair_note(0, 512)
    'the reference was cut at 512 tokens'
    """
    return "; ".join(filter(None, (cut_note(hypothesis, "hypothesis"), cut_note(reference, "reference"))))


def in_batches(
    tokens: Sequence[Tokens],
    size: int,
    pad: int,
    forward: Callable[[Ids, Ids], Floats],
) -> Iterator[tuple[int, Floats]]:
    """Run a model over texts of like length together; gives each text's position and its output.

    Batches depend on which texts there are, and not on their order: sorted by length, then by tokens.

    Parameters
    ----------
    tokens
        Of the texts.
    size
        Texts a batch, 1 or more.
    pad
        Id that fills the shorter ones up.
    forward
        From ids and mask, each ``(batch, longest)``, to an array of ``batch`` rows.
    """
    order = sorted(range(len(tokens)), key=lambda at: (len(tokens[at]), tokens[at].ids))
    for start in range(0, len(order), size):
        batch = order[start : start + size]
        output = forward(*padded([tokens[at].ids for at in batch], pad))
        yield from zip(batch, output, strict=True)


def padded(rows: Sequence[Sequence[int]], pad: int) -> tuple[Ids, Ids]:
    """Fill rows of ids up to the longest; ids and mask (1 for what is there).

    Examples
    --------
    >>> [array.tolist() for array in padded([[5], [6, 7]], 0)]
    [[[5, 0], [6, 7]], [[1, 0], [1, 1]]]
    """
    longest = max(len(row) for row in rows)
    ids = np.full((len(rows), longest), pad, dtype=np.int64)
    mask = np.zeros((len(rows), longest), dtype=np.int64)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = row
        mask[at, : len(row)] = 1
    return ids, mask
