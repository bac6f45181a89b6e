"""A section as its sentences and the marks between them."""

from __future__ import annotations

import re

__all__ = ["bare", "heading_of", "is_listed", "is_structured", "split_sentences", "together", "unnumbered"]

_ABBREVIATED = re.compile(r"(?:\b(?:dr|mr|mrs|ms|vs|approx|st|no|p\.a|e\.g|i\.e|cf|fig)|^\W*\d{1,2})\.$", re.IGNORECASE)
_BREAK = re.compile(r"(?<=[.!?])[.\s]*\s+(?=\S)|\s*\n\s*")
_LEANING = re.compile(
    r"^(?:this|these|it|its|they|that|those|which|another|however|also|but|the (?:largest|smallest|larger|smaller)"
    r"|the (?:other|remainder|remaining|same|exact|appearance|distribution|(?:distal |proximal )?tips?)|tips?"
    # A detail of what was named before, or a go-on to it.
    r"|for example|specifically|in particular|additionally|now|similar\w*|associated|adjacent|surrounding|accompanying"
    r"|does|do|cannot|can not|extend\w*|extension"
    r"|there (?:is|are|appears to be) (?:\w+ ){0,2}(?:extension|involvement|component|associated|adjacent|surrounding)"
    r"|on the (?:lateral|frontal) view)\b|\b(?:otherwise|latter|former)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\s*(?:\(?\d{1,2}[.)]|[-*•])\s+")
_HEADING = re.compile(r"^\s*([A-Z][A-Za-z/ &-]{2,40}):\s+")


def split_sentences(text: str) -> list[str]:
    r"""Sentences with their list marks and headings, without the blanks and lone full stops between them.

    Examples
    --------
    >>> split_sentences("1. Clear lungs. . 2. No effusion vs. scar.\nTip at 3.5 cm.")
    ['1. Clear lungs.', '2. No effusion vs. scar.', 'Tip at 3.5 cm.']
    """
    pieces: list[str] = []
    held = ""
    start = 0
    for gap in _BREAK.finditer(text):
        piece = text[start : gap.start()]
        start = gap.end()
        held = f"{held} {piece}".strip() if held else piece.strip()
        ends = "\n" in gap.group()
        if held and (ends or not _ABBREVIATED.search(held) or (len(held) > 4 and held[-2:] == "..")):
            pieces.append(held)
            held = ""
    held = f"{held} {text[start:]}".strip() if held else text[start:].strip()
    pieces.append(held)
    return [re.sub(r"\.{2,}$", ".", piece) for piece in pieces if piece.strip(" .!?")]


def bare(sentence: str) -> str:
    """A sentence without its list mark and heading.

    Examples
    --------
    >>> bare("2. LUNGS: Clear."), bare("Lungs: clear.")
    ('Clear.', 'clear.')
    """
    return _HEADING.sub("", _NUMBER.sub("", sentence)).strip()


def unnumbered(sentence: str) -> str:
    """A sentence without its list mark, with its heading.

    Examples
    --------
    >>> unnumbered("2. LUNGS: Clear.")
    'LUNGS: Clear.'
    """
    return _NUMBER.sub("", sentence).strip()


def heading_of(sentence: str) -> str:
    """The heading a sentence begins with; empty where it has none.

    Examples
    --------
    >>> heading_of("2. LUNGS: Clear.")
    'LUNGS'
    """
    found = _HEADING.match(unnumbered(sentence))
    return found.group(1) if found else ""


def together(sentences: list[str]) -> list[list[str]]:
    """Group sentences that lean on the one before them: apart from it they would say something else, or nothing.

    Examples
    --------
    >>> together(["Left opacity.", "This is new.", "No effusion."])
    [['Left opacity.', 'This is new.'], ['No effusion.']]
    """
    groups: list[list[str]] = []
    for sentence in sentences:
        if groups and _LEANING.search(bare(sentence)):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return groups


def is_listed(sentence: str) -> bool:
    """Whether it begins with a number, a bullet, or a heading and a colon."""
    return bool(_NUMBER.match(sentence) or _HEADING.match(sentence))


def is_structured(text: str) -> bool:
    """Whether a section is laid out: every line, or most sentences, begin with a number, a bullet or a heading.

    A lone "1." before a single sentence counts, too: it is a list of one.

    Examples
    --------
    >>> is_structured("1. Clear lungs. 2. No effusion."), is_structured("Clear lungs. No effusion.")
    (True, False)
    """
    sentences = split_sentences(text)
    lines = [line for line in text.splitlines() if line.strip(" .")]
    listed = sum(map(is_listed, sentences))
    return listed * 2 > len(sentences) or (bool(lines) and all(is_listed(line) for line in lines))
