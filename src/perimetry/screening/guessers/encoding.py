"""Options as rows of a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perimetry.screening.guessers.form import form_tokens
from perimetry.screening.guessers.item import GuessItem
from perimetry.screening.guessers.wording import cross_tokens, echo_tokens, word_tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["GUESSERS", "Guesser", "encode"]

Tokens = Callable[[GuessItem], list[list[str]]]


@dataclass(frozen=True, slots=True)
class Block:
    """One kind of features: its tokens, the columns they are hashed into, and the weight of a row."""

    tokens: Tokens
    columns: int
    weight: float
    unit: bool = True


@dataclass(frozen=True, slots=True)
class Guesser:
    """A non-visual guesser: what it sees.

    Parameters
    ----------
    name : str
        As it stands in tables; its estimates belong to the model ``guesser:NAME``.
    condition : str
        The setting of the modality lattice that shows a model the same parts.
    summary : str
    blocks : tuple of Block
    """

    name: str
    condition: str
    summary: str
    blocks: tuple[Block, ...]

    @property
    def model(self) -> str:
        """Name in the column ``model`` of the estimates."""
        return f"guesser:{self.name}"


# Indicators speak with a weight of their own; a row of hashed words has unit length however many words it has.
FORM = Block(form_tokens, 2**12, 0.5, unit=False)
WORDS = Block(word_tokens, 2**15, 1.0)
ECHO = Block(echo_tokens, 2**8, 0.5, unit=False)
CROSS = Block(cross_tokens, 2**16, 1.0)

GUESSERS: dict[str, Guesser] = {
    guesser.name: guesser
    for guesser in (
        Guesser(
            "options",
            "optionsonly",
            "Sees the options, deterministic metadata of their form, and the name of the data set.",
            (FORM, WORDS),
        ),
        Guesser(
            "question+options",
            "textonly",
            "Sees the question text besides; no image.",
            (FORM, WORDS, ECHO, CROSS),
        ),
    )
}
"""The two diagnostic guessers of MedQA-MM (Appendix B.1), by name."""


def encode(items: Sequence[GuessItem], guesser: Guesser) -> csr_matrix:
    """One row an option, items after one another.

    Tokens are hashed by scikit-learn's `FeatureHasher` (MurmurHash3), so that a row depends on its own item alone and
    is the same on any machine.

    Parameters
    ----------
    items : sequence of GuessItem
    guesser : Guesser

    Returns
    -------
    scipy.sparse.csr_matrix
        float64, (options of all items, columns).

    Examples
    --------
    >>> item = GuessItem("d", "1", "g", "", (("A", "Renal cyst"), ("B", "Abscess")), ("B",))
    >>> encode([item], GUESSERS["options"]).shape[0]
    2
    """
    from scipy.sparse import csr_matrix, hstack
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.preprocessing import normalize

    parts: list[Any] = []
    for block in guesser.blocks:
        hasher = FeatureHasher(n_features=block.columns, input_type="string", alternate_sign=False)
        rows: Any = hasher.transform(tokens for item in items for tokens in block.tokens(item))
        parts.append((normalize(rows) if block.unit else rows) * block.weight)
    return csr_matrix(hstack(parts, format="csr"))
