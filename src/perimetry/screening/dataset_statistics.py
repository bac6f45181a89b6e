"""What screens know of the whole data set: counts that do not depend on the order of its items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perimetry.screening.item import Item
from perimetry.screening.near_duplicates import NearDuplicates
from perimetry.screening.words import visible

__all__ = ["DatasetStatistics", "lead_in"]

BUCKETS = 1 << 20
SENTENCE = re.compile(r"(?<=[.?!:])\s+")
DIGITS = re.compile(r"\d+")


def lead_in(stem: str) -> str:
    """The last sentence of a stem that has words: what is asked.

    Examples
    --------
    >>> lead_in("A man of 45 falls. What is the diagnosis?")
    'What is the diagnosis?'
    """
    parts = [part for part in SENTENCE.split(visible(stem).strip()) if any(letter.isalpha() for letter in part)]
    return parts[-1].strip() if parts else ""


def template_of(stem: str) -> str:
    """The lead-in in lower case with its numbers made equal: what repeats from item to item."""
    return DIGITS.sub("0", " ".join(lead_in(stem).lower().split()))


@dataclass(frozen=True, eq=False)
class DatasetStatistics:
    """Counts over all items of a data set.

    Parameters
    ----------
    items : int
    buckets : numpy.ndarray
        ``(2**20,)``: stems that hold a word, by the word's hash: memory is bounded whatever the vocabulary, a count
        may be too high where two words share a bucket, never too low.
    templates : mapping of str to int
        Items by normalised lead-in, those that occur more than once.
    near_duplicates : mapping of item id to tuple of ids
        Items of (nearly) the same stem and options.
    option_counts, image_counts, key_positions : mapping of int to int
        Items by number of options, by number of images, by place of the key (from 1).
    key_texts : mapping of str to int
        Items by text of the key in lower case.
    lengths : tuple of int
        Words a stem: the 25th, 50th and 75th percentile.
    images : object
        What a survey of the images has found, for screens that look at pixels (`run.Survey`); None without one.

    Examples
    --------
    >>> known = DatasetStatistics.of([Item("1", "mine", "g", "A rare word.", "open")])
    >>> known.items, known.stems_with("rare"), known.stems_with("absent")
    (1, 1, 0)
    """

    items: int = 0
    buckets: NDArray[np.int32] = field(default_factory=lambda: np.zeros(BUCKETS, np.int32), repr=False)
    templates: Mapping[str, int] = field(default_factory=dict, repr=False)
    near_duplicates: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    option_counts: Mapping[int, int] = field(default_factory=dict)
    image_counts: Mapping[int, int] = field(default_factory=dict)
    key_positions: Mapping[int, int] = field(default_factory=dict)
    key_texts: Mapping[str, int] = field(default_factory=dict, repr=False)
    lengths: tuple[int, int, int] = (0, 0, 0)
    images: object = field(default=None, repr=False)

    @classmethod
    def of(cls, items: Iterable[Item]) -> DatasetStatistics:
        """Count the items of one data set; one is held at a time."""
        buckets = np.zeros(BUCKETS, np.int32)
        templates, texts = Counter[str](), Counter[str]()
        options, images, positions, lengths = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
        near = NearDuplicates()
        count = 0
        for item in items:
            count += 1
            buckets[list({_bucket(word) for word in item.stem_folded})] += 1
            templates[template_of(item.stem)] += 1
            lengths[len(item.stem_words)] += 1
            options[len(item.options)] += 1
            images[len(item.images)] += 1
            near.add(item)
            for place, option in enumerate(item.options, start=1):
                if option.label in item.keys:
                    positions[place] += 1
                    texts[option.visible.lower()] += 1
            if not item.options:
                texts.update(key.strip().lower() for key in item.keys)
        return cls(
            count,
            buckets,
            {template: number for template, number in templates.items() if number > 1 and template},
            near.groups(),
            options,
            images,
            positions,
            texts,
            _quartiles(lengths),
        )

    def stems_with(self, word: str) -> int:
        """Stems that hold a folded word: never too low, rarely too high."""
        return int(self.buckets[_bucket(word)])

    @property
    def majority(self) -> tuple[str, int]:
        """The most frequent text of a key and how often it is one; of several the first by alphabet."""
        return max(self.key_texts.items(), key=lambda pair: (pair[1], _backwards(pair[0])), default=("", 0))


def _bucket(word: str) -> int:
    return crc32(word.encode("utf-8", "surrogatepass")) & (BUCKETS - 1)


def _backwards(text: str) -> tuple[int, ...]:
    return tuple(-ord(letter) for letter in text)


def _quartiles(lengths: Counter[int]) -> tuple[int, int, int]:
    total, seen, found = sum(lengths.values()), 0, []
    wanted = [0.25, 0.5, 0.75]
    for length in sorted(lengths):
        seen += lengths[length]
        while wanted and seen >= wanted[0] * total:
            found.append(length)
            wanted.pop(0)
    return (found[0], found[1], found[2]) if len(found) == 3 else (0, 0, 0)
