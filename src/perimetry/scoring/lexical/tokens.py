"""Named ways to cut a report into tokens; the name is part of a metric's signature."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Literal, TypeAlias, get_args

from perimetry.cases.errors import UnknownNameError
from perimetry.scoring.lexical.porter import porter_stem

__all__ = ["TOKENISERS", "Splitter", "TokeniserName", "splitter"]

TokeniserName = Literal["whitespace", "space", "13a", "rouge"]
TOKENISERS: tuple[str, ...] = get_args(TokeniserName)
Splitter: TypeAlias = Callable[[str], list[str]]

_KEPT = frozenset(string.ascii_lowercase + string.digits)
_TO_ROUGE = {code: chr(code) if chr(code) in _KEPT else " " for code in range(128)}
_ROUGE = re.compile("[a-z0-9]+")
_STEMMED_FROM = 4
"""Shortest word that rouge-score stems."""

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_APART = {ord(mark): f" {mark} " for mark in string.punctuation if mark not in "'-.,"}
_STOP_NOT_AFTER_DIGIT = re.compile("(?P<left>[^0-9])(?P<stop>[.,])")
_STOP_NOT_BEFORE_DIGIT = re.compile("(?P<stop>[.,])(?P<right>[^0-9])")
_DASH_AFTER_DIGIT = re.compile("(?<=[0-9])-")


def splitter(name: str, *, stem: bool = False) -> Splitter:
    """Give the function that cuts a text into tokens.

    ``whitespace``
        At runs of whitespace, as the image-captioning tradition counts BLEU. Case and punctuation are kept.
    ``space``
        At every single space: two spaces leave an empty token between them, and a line break is no boundary. This is
        what the captioning tradition's ROUGE-L does.
    ``13a``
        The rules of mteval-v13a as sacrebleu applies them: punctuation apart, but for stops and commas between digits,
        apostrophes, and hyphens that follow no digit. Case is kept.
    ``rouge``
        Runs of a-z and 0-9 in the lower-cased text, as rouge-score does: "5.2" is two tokens, and text in other
        scripts has none.

    Parameters
    ----------
    name : {"whitespace", "space", "13a", "rouge"}
    stem : bool, default False
        Whether words of four or more characters are replaced by their Porter stem; made for ``rouge``, whose tokens are
        lower-case.

    Returns
    -------
    callable of str giving list of str
        It remembers the words it has met; make one per pass.

    Raises
    ------
    UnknownNameError
        For another name.

    References
    ----------
    Post, "A Call for Clarity in Reporting BLEU Scores", WMT 2018, section 2.1; Lin, "ROUGE", 2004.

    Examples
    --------
    >>> splitter("13a")("No effusion, 5.2 cm nodule.")
    ['No', 'effusion', ',', '5.2', 'cm', 'nodule', '.']
    >>> splitter("space")("clear  lungs")
    ['clear', '', 'lungs']
    """
    if name not in TOKENISERS:
        raise UnknownNameError("tokeniser", name, TOKENISERS)
    split: Splitter = _thirteen_a(_Pieces()) if name == "13a" else _PLAIN[name]
    if not stem:
        return split
    stems = _Stems()
    return lambda text: [stems[token] for token in split(text)]


class _Stems(dict[str, str]):
    """Stems by word, made when first asked for: reports repeat a small vocabulary."""

    def __missing__(self, word: str) -> str:
        self[word] = stem = porter_stem(word) if len(word) >= _STEMMED_FROM else word
        return stem


def _space(text: str) -> list[str]:
    return text.split(" ")


def _rouge(text: str) -> list[str]:
    lower = text.lower()
    # Two ways to the same tokens; the table is several times as fast, and knows ASCII alone.
    return lower.translate(_TO_ROUGE).split() if lower.isascii() else _ROUGE.findall(lower)


def _thirteen_a(pieces: dict[str, list[str]]) -> Splitter:
    def split(text: str) -> list[str]:
        # Order matters: a hyphen at a line's end joins two halves of a word before line breaks turn into boundaries.
        words = text.rstrip().replace("<skipped>", "").replace("-\n", "").split()
        return [token for word in words for token in pieces[word]]

    return split


class _Pieces(dict[str, list[str]]):
    """Tokens of what stands between two spaces: no rule of 13a looks further."""

    def __missing__(self, word: str) -> list[str]:
        line = word
        if "&" in line:
            for entity, mark in _ENTITIES:
                line = line.replace(entity, mark)
        line = f" {line} ".translate(_APART)
        line = _STOP_NOT_AFTER_DIGIT.sub(r"\g<left> \g<stop> ", line)
        line = _STOP_NOT_BEFORE_DIGIT.sub(r" \g<stop> \g<right>", line)
        line = _DASH_AFTER_DIGIT.sub(" - ", line)
        self[word] = tokens = line.split()
        return tokens


_PLAIN: dict[str, Splitter] = {"whitespace": str.split, "space": _space, "rouge": _rouge}
