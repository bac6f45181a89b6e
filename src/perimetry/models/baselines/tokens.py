"""Words of questions and options, and hashed features of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from perimetry.models.baselines.item import Item, normal

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["hashed", "option_tokens", "question_tokens", "words"]

_WORD = re.compile(r"[a-z0-9]+")
CROSS_WORDS = 24
"""Words of a question that are crossed with those of an option: bounds the cost of long vignettes."""


def words(text: str) -> list[str]:
    """Lower-case words and numbers."""
    return _WORD.findall(text.lower())


def question_tokens(item: Item) -> list[str]:
    """Words and pairs of neighbouring words of the stem, its first two words, and the answer type."""
    found = words(item.text)
    pairs = [f"{left} {right}" for left, right in pairwise(found)]
    return [f"type:{item.answer_type}", f"start:{' '.join(found[:2])}", *found, *pairs]


def option_tokens(item: Item, index: int, picture: Sequence[str]) -> list[str]:
    """Features of one option of a question.

    Its words, its place and length among the options, its words crossed with the question's, and the picture's
    tokens crossed with its place and with its text.
    """
    label, text = item.options[index]
    own = words(text or label)
    lengths = [len(text) for _, text in item.options]
    rank = sum(length > lengths[index] for length in lengths)
    asked = sorted(set(words(item.text)))[:CROSS_WORDS]
    known = normal(text or label)
    tokens = [f"place:{index}", f"rank:{rank}", f"longest:{rank == 0 and lengths.count(lengths[index]) == 1}"]
    tokens += [f"word:{word}" for word in own]
    tokens.append(f"text:{known}")
    tokens += [f"cross:{word}|{other}" for word in sorted(set(own)) for other in asked]
    tokens += [f"at:{index}|{token}" for token in picture]
    tokens += [f"is:{known}|{token}" for token in picture]
    return tokens


def hashed(rows: Iterable[Sequence[str]], columns: int) -> csr_matrix:
    """Token lists as unit rows of a sparse matrix, by scikit-learn's `FeatureHasher` (MurmurHash3 on any machine)."""
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.preprocessing import normalize

    hasher = FeatureHasher(n_features=columns, input_type="string", alternate_sign=False)
    matrix: Any = hasher.transform(rows)
    return normalize(matrix)
