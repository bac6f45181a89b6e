"""Words of options, and what they share with the question."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from perimetry.screening.guessers.item import GuessItem, words

__all__ = ["cross_tokens", "echo_tokens", "word_tokens"]

OPTION_WORDS = 40
"""Words of an option that are read; longer ones are cut, which bounds the cost of a paragraph."""

STEM_WORDS = 32
"""Words of a stem that are crossed with those of an option, the last ones: what is asked stands at the end."""

SHORTEST = 4
"""Letters of a word that carries meaning, roughly."""

SHARES = (0.0, 0.2, 0.4, 0.6, 0.8)


def word_tokens(item: GuessItem) -> list[list[str]]:
    """Words, pairs of neighbours, first and last word, and the whole text of each option.

    Examples
    --------
    >>> item = GuessItem("d", "1", "g", "", (("A", "Renal cyst"), ("B", "Abscess")), ("B",))
    >>> word_tokens(item)[1]
    ['word:abscess', 'first:abscess', 'final:abscess', 'text:abscess']
    """
    rows = []
    for text in item.texts:
        found = words(text)[:OPTION_WORDS]
        tokens = [f"word:{word}" for word in found]
        tokens += [f"pair:{left} {right}" for left, right in pairwise(found)]
        if found:
            tokens += [f"first:{found[0]}", f"final:{found[-1]}"]
        rows.append([*tokens, f"text:{' '.join(found)}"])
    return rows


def echo_tokens(item: GuessItem) -> list[list[str]]:
    """How much of each option's wording the stem repeats, and how it ranks in that among the options.

    Examples
    --------
    >>> item = GuessItem("d", "1", "g", "Where is the cyst?", (("A", "Renal cyst"), ("B", "Abscess")), ("A",))
    >>> echo_tokens(item)[0][0], echo_tokens(item)[1][0]
    ('ahead:0', 'ahead:1')
    """
    stem = {word for word in words(item.stem) if len(word) >= SHORTEST}
    sets = [{word for word in words(text) if len(word) >= SHORTEST} for text in item.texts]
    shares = [len(own & stem) / max(1, len(own)) for own in sets]
    rows = []
    for place, own in enumerate(sets):
        elsewhere = set().union(*(other for index, other in enumerate(sets) if index != place))
        alone = len((own - elsewhere) & stem)
        rows.append(
            [
                f"ahead:{sum(share > shares[place] for share in shares)}",
                f"echo:{bisect_left(SHARES, shares[place])}",
                f"alone:{min(alone, 3)}",
            ]
        )
    return rows


def cross_tokens(item: GuessItem) -> list[list[str]]:
    """Each word of an option with each of the last distinct words of the stem.

    Examples
    --------
    >>> item = GuessItem("d", "1", "g", "Best therapy?", (("A", "Surgery"), ("B", "Rest")), ("A",))
    >>> cross_tokens(item)[0]
    ['surgery|best', 'surgery|therapy']
    """
    meant = [word for word in words(item.stem) if len(word) >= SHORTEST]
    asked = sorted(list(dict.fromkeys(reversed(meant)))[:STEM_WORDS])
    rows = []
    for text in item.texts:
        own = sorted(set(words(text)[:OPTION_WORDS]))
        rows.append([f"{word}|{other}" for word in own for other in asked])
    return rows
