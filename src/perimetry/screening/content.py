"""What an item says: one digest, so that tables about items of one name can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from perimetry.cases.digest import digest_parts

__all__ = ["content_digest"]


def content_digest(stem: str, options: Sequence[tuple[str, str]], answers: Iterable[str]) -> str:
    """Digest of stem, options (label, text) and accepted answers of an item, as the data set has them.

    Examples
    --------
    >>> options = [("A", "cyst"), ("B", "abscess")]
    >>> content_digest("What is it?", options, "A") == content_digest("What is it?", options, "B")
    False
    """
    said = [part for option in options for part in option]
    return digest_parts([stem, str(len(options)), *said, *sorted(set(answers))])
