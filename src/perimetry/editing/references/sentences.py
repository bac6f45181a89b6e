"""Where the sentences of a section begin and end, and what they begin with."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from perimetry.editing.references.kept import SECTIONS

__all__ = [
    "bare",
    "heading_of",
    "is_listed",
    "is_structured",
    "parted",
    "plain",
    "spans",
    "split_sentences",
    "stopped",
    "together",
    "together_at",
    "unnumbered",
]

# A word; "enlargement.Prominence" is two.
_TOKEN = re.compile(r"\S+?(?:(?=\s|$)|(?<=[a-z][a-z][.])(?=[A-Z][a-z]))")
_ENDS = re.compile(r"[.!?]$")
_STOPS = re.compile(r"[.!?]+$")
_ABBREVIATED = re.compile(
    r"(?<![\w-])(?:dr|drs|mr|mrs|ms|vs|approx|st|p\.a|e\.g|i\.e|cf|fig|figs|rt|lt|resp|incl|excl|poss|prob|min|max|dept|pt|pts"
    r"|hx|dx|dist|prox|ant|post|lat|inf|sup|bilat|avg|ca|s\.p|w\.r\.t)\.$",
    re.IGNORECASE,
)
# These may end one, too: before a small letter they do not, nor where they begin it ("R. IJ line").
_SHORT = re.compile(r"(?<![\w-])(?:r|l|a\.m|p\.m|am|pm|etc)\.$", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:no|the|there|this|these|it|its|lungs?|heart|cardiac|cardio\w+|mediastin\w+|bon(?:es|y)|pleural?|osseous|trachea"
    r"|an?|mild|moderate|small|stable|otherwise|impression|findings|visualized|normal|clear)$",
    re.IGNORECASE,
)
# "Rt. effusion" goes on; "Effusion, rt. Lungs clear." does not.
_SIDED = re.compile(r"\b(?:rt|lt|bilat|[lr])\.$", re.IGNORECASE)
# "No. 2" is a number, "Effusion: no." an answer.
_NUMBERED = re.compile(r"\bno\.$", re.IGNORECASE)
_ONWARD = re.compile(r"of|and|or|to|by|than|which|from|for|but")
_LETTER = re.compile(r"(?<![\w.])[A-Za-z]\.$")
_LONE_MARK = re.compile(r"\W*\d{1,2}\s?[.)]?|[-*•]|[IVX]{1,4}\.|[ivx]{1,4}[.)]|\(?[a-hA-H][.)]|\([ivx]{1,4}\)")
_LISTED = re.compile(r"\(?\d{1,2}[.)]|[-*•]|[A-Za-z]+:$")
# Numbers within a sentence: "1. a nodule, 2. mild edema, and 3. a small effusion" is no list but prose.
_FIRST = re.compile(r"(?<!\S)\(?(?:1|a|A|i|I)[.)](?=\s|[A-Za-z])")
_WITHIN = re.compile(
    r"(?:[,;]|\b(?:and|or|plus)|&)[^\S\n]+(?:(?:and|or|plus|&)[^\S\n]+)?(?:\(?\d{1,2}[.)]|\([a-hA-Hivx]{1,3}\)|[b-h][.)]|i{2,3}[.)])"
    r"(?=\s|[A-Za-z])"
)
_HEADS = re.compile(r"(?:\(?\d{1,2}[.)]\s+)?[A-Za-z][A-Za-z/ &-]{2,40}:")
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_WRAPPED = 30
"""A line that is shorter and lacks a full stop is a line of its own, not one that was cut by the margin."""
# No sentence ends with one of these.
_GOING_ON = re.compile(
    r"(?:an?|and|are|as|at|be|by|for|from|has|have|in|into|is|its|near|no|of|on|or|over|than|that|the|their|there|to"
    r"|was|were|which|with|within|without)$",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:this|these|it|its|they|that|those|which|another|however|also|but|the (?:largest|smallest|larger|smaller)"
    r"|the (?:other|remainder|remaining|same|exact|appearance|distribution)"
    r"|the (?:distal |proximal )?tips?(?! of (?:the|an?)\b)|tips?"
    # A detail of what was named before, or a go-on to it.
    r"|for example|specifically|in particular|additionally|now|similar\w*|associated|adjacent|surrounding|accompanying"
    r"|does|do|cannot|can not|extend\w*|extension"
    r"|possibly|likely|probably|perhaps|presumably|(?:suspicious|concerning|worrisome) for|suggestive of"
    r"|(?:consistent|compatible|in keeping) with|none of (?:these|those|them)|same|disregard"
    r"|remaining|remainder|the rest"
    r"|there (?:is|are|appears to be) (?:\w+ ){0,2}(?:extension|involvement|component|associated|adjacent|surrounding)"
    r"|on the (?:lateral|frontal) view)\b|\b(?:otherwise|latter|former)\b|^(?:yes|no|none|nil)\s*(?:[.,!]|$)",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"\s*(?:(?:\(?(?:\d{1,2}\s?[.)]|[a-hA-H]\)|[ivx]{1,4}\)|[IVX]{1,4}\.)|[ivx]{1,4}\.|[-*•])\s+|[a-hA-H]\.\s+(?=[A-Z])"
    r"|\(?\d{1,2}[.)](?=[A-Za-z])|[-*•](?=[A-Z]))"
)
_BEGUN = re.compile(r"\s*1[.)]\s")
_ITEM = re.compile(r"(?<=[a-z).]) (\d{1,2})[.)] (?=[A-Z])")
_HEADING = re.compile(r"\s*([A-Za-z][A-Za-z/ &-]{2,40})(?::(?:\s+|$|(?=[A-Z]))|\s+[-–—]\s+)")
# "There are two findings: a nodule" has no heading.
_TELLING = re.compile(
    r"\b(?:there|is|are|was|were|has|have|had|be|been|seen|shows?|showing|demonstrates?|includ\w+|following|which|that"
    r"|following|with|for|to)\b",
    re.IGNORECASE,
)
# A heading in small letters is told from the words before a colon by what it names.
_SMALL = re.compile(
    r"(?:(?:and|other|the|findings?|impression|conclusion|comparison|lungs?|pleura|heart|mediastinum|hila|bones?"
    r"|osseous|structures|soft|tissues?|devices|lines|tubes|support|abdomen|airways?|chest|cardiac)\b[ /&]*)+$"
)
_PART = (
    r"(?:(?:osseous|bony|upper|support|lines|cardiac|soft|visualized) )?(?:lungs?|pleura|heart|mediastinum|hila|bones?"
    r"|structures|tissues?|devices?|lines|tubes|abdomen|airways?|silhouette|findings|impression|conclusion|comparison|other)"
)
# A heading amid a line whose sentences have no full stops: "LUNGS: Clear HEART: Normal".
_INNER = re.compile(rf"(?<!\S)(?-i:(?=[A-Z])){_PART}(?:(?: and | ?[/&,] ?){_PART}){{0,3}}:(?=\s)", re.IGNORECASE)
# "RIGHT LUNG:" is one heading.
_SIDES = re.compile(
    r"(?:(?:right|left|rt\.?|lt\.?|upper|lower|middle|mid|both|bilateral|other|visualized|imaged)[ -]*)+", re.IGNORECASE
)
_AFTER = " \t\r\n:-–—"
_GENERAL = re.compile(
    r"(?:findings?|impression|conclusions?|comparison|indication|technique|history|examination|exam|view|views|reason"
    r"|clinical history|clinical indication|procedure)$",
    re.IGNORECASE,
)

# Headings of what comes before the findings.
_AROUND = re.compile(r"(?:comparison|technique|examination|exam|views?|procedure)$", re.IGNORECASE)


def spans(text: str) -> list[tuple[int, int]]:
    r"""Where each sentence begins and ends: the blanks, line breaks and lone full stops between them are no part of it.

    A line is a sentence, too, unless the margin cut it. A heading on a line of its own goes with what it heads, but
    stands alone before a list.

    Examples
    --------
    >>> text = "LUNGS:\nClear. . No effusion vs. scar.\r\nBones intact"
    >>> [text[begin:end] for begin, end in spans(text)]
    ['LUNGS:\nClear.', 'No effusion vs. scar.', 'Bones intact']
    """
    return list(_spans(text))


# A report is cut by every rule, and each of its alternatives several times.
@lru_cache(maxsize=SECTIONS)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    found: list[tuple[int, int]] = []
    for begin, end in _cut(text):
        if found and _heads_on(text, found[-1], begin, end):
            found[-1] = (found[-1][0], end)
        else:
            found.append((begin, end))
    return tuple(found)


def _cut(text: str) -> Iterator[tuple[int, int]]:
    small = text == text.lower()
    whole = _enumerated(text)
    inner = {found.start() for found in _INNER.finditer(text)} | set(_items(text))
    begin = end = line = -1
    last = ""
    for token in _TOKEN.finditer(text):
        said = token.group()
        heads = token.start() in inner and last[-1:] != ":" and not _GOING_ON.match(last) and end - begin > 3
        heads = heads and not _SIDES.fullmatch(text[begin : min(end, begin + 50)])
        torn = any(one <= end and token.start() <= two for one, two in whole)
        if begin >= 0 and not torn and (heads or _breaks(text, begin, end, line, token.start(), last, said, small)):
            yield begin, end
            begin = -1
        if begin < 0 and _STOPS.match(said):
            continue  # A lone full stop between two sentences.
        if begin < 0 or "\n" in text[end : token.start()]:
            line = token.start()
        if begin < 0:
            begin = token.start()
        end, last = token.end(), said
    if begin >= 0:
        yield begin, end


def _items(text: str) -> Iterator[int]:
    """Where the items of a list in a row begin that no full stop parts: "1. Opacity 2. No effusion"."""
    number = 2
    for found in _ITEM.finditer(text) if _BEGUN.match(text) else ():
        if int(found.group(1)) == number:
            yield found.start(1)
            number += 1


def _enumerated(text: str) -> list[tuple[int, int]]:
    """Where prose is numbered: from before the first number to behind the last."""
    firsts = [first.start() for first in _FIRST.finditer(text)]
    found: dict[int, int] = {}
    for number in _WITHIN.finditer(text):
        at = bisect_left(firsts, number.start())
        if at:
            found[firsts[at - 1]] = number.end() + 1
    return [(len(text[:begin].rstrip()) if _told(text, begin) else begin + 1, end) for begin, end in found.items()]


def _told(text: str, begin: int) -> bool:
    """Whether the words before a number go on to it."""
    before = text[:begin]
    return bool(before.strip()) and "\n" not in before[len(before.rstrip()) :] and before.rstrip()[-1] not in ".!?"


def _breaks(text: str, begin: int, end: int, line: int, follows: int, last: str, said: str, small: bool) -> bool:
    """Whether a sentence ends between two tokens."""
    held = text[begin : min(end, begin + 50)]
    gap = text[end:follows]
    if end - begin < 8 and _LONE_MARK.fullmatch(held):
        return False
    if gap.count("\n") > 1:
        return True
    if "\n" in gap:
        cut = end - line >= _WRAPPED and said[0].islower() and not small and last[-1] not in ".!?:;"
        return not (cut or (_GOING_ON.match(last) and _LISTED.match(said) is None))
    if last[-1] == ":" and _MARK.match(text[follows : follows + 12]) and _HEADS.fullmatch(held):
        return True
    if not _ENDS.search(last) or (_ABBREVIATED.search(last) and last[-2:] != ".."):
        return False
    # No sentence begins with "of", nor does one end between a letter and its number: "fx. of the rib", "T. 12".
    if (not small and _ONWARD.fullmatch(said)) or (_LETTER.search(last) and said[0].isdigit()):
        return False
    if _SHORT.search(last) and (
        said[0].islower() or begin + len(last) == end or not _OPENING.match(said.rstrip(".,;"))
    ):
        return False
    if _SIDED.search(last) and said[0].islower():
        return False
    return not (_NUMBERED.search(last) and said[0].isdigit())


def _heads_on(text: str, before: tuple[int, int], begin: int, end: int) -> bool:
    """Whether what stands before is nothing but the heading of what follows."""
    if before[1] - before[0] > 50 or "\n\n" in text[before[1] : begin].replace("\r", ""):
        return False
    mark, heading, body = parted(text[before[0] : before[1]])
    if not heading or body:
        return False
    mark, heading, _ = parted(text[begin : min(end, begin + 60)])
    return not (mark or heading)


def parted(sentence: str) -> tuple[str, str, str]:
    r"""List mark, heading and the rest of a sentence; put together they are the sentence.

    Examples
    --------
    >>> parted("2. LUNGS: Clear."), parted("-\tLungs clear"), parted("There are two nodules: one is new.")
    (('2. ', 'LUNGS: ', 'Clear.'), ('-\t', '', 'Lungs clear'), ('', '', 'There are two nodules: one is new.'))
    """
    marked = _MARK.match(sentence)
    if marked and _FIRST.match(sentence.lstrip()) and _WITHIN.search(sentence, marked.end()):
        marked = None  # The first of some numbers within a sentence.
    begin = marked.end() if marked else 0
    headed = _HEADING.match(sentence, begin)
    if headed and not _heads(headed.group(1).rstrip(" -"), dashed=":" not in headed.group()):
        headed = None
    end = headed.end() if headed else begin
    return sentence[:begin], sentence[begin:end], sentence[end:]


def _heads(words: str, *, dashed: bool) -> bool:
    """Whether words before a colon or a dash are a heading."""
    known = _SMALL.match(words.lower()) is not None
    if dashed:
        return known and words.isupper()
    return not _TELLING.search(words) and (words[0].isupper() or known)


def stopped(sentence: str) -> str:
    """A sentence on one line, with its full stop.

    Examples
    --------
    >>> stopped("Clear lungs"), stopped("Two views:"), stopped("Clear.")
    ('Clear lungs.', 'Two views.', 'Clear.')
    """
    sentence = " ".join(map(str.strip, sentence.split("\n"))) if "\n" in sentence else sentence.rstrip()
    if sentence.endswith((".", "!", "?")):
        return sentence
    closed = sentence.rstrip(" :;,")
    return closed if not closed or closed.endswith((".", "!", "?")) else f"{closed}."


def split_sentences(text: str) -> list[str]:
    r"""Sentences with their list marks and headings, without the blanks and lone full stops between them.

    Examples
    --------
    >>> split_sentences("1. Clear lungs. . 2. No effusion vs. scar.\nTip at 3.5 cm.")
    ['1. Clear lungs.', '2. No effusion vs. scar.', 'Tip at 3.5 cm.']
    """
    pieces = (" ".join(map(str.strip, text[begin:end].split("\n"))) for begin, end in spans(text))
    return [re.sub(r"(?<!\.)\.{2,}$", ".", piece) for piece in pieces]


def bare(sentence: str) -> str:
    """A sentence without its list mark and heading; runs of blanks are one.

    Examples
    --------
    >>> bare("2. LUNGS: Clear."), bare("Lungs:  clear   lungs.")
    ('Clear.', 'clear lungs.')
    """
    return plain(parted(sentence)[2])


def plain(text: str) -> str:
    r"""Text with one blank for a run of them, and none before a full stop or comma.

    Examples
    --------
    >>> plain("no  effusion , no\nnodule .")
    'no effusion, no nodule.'
    """
    return re.sub(r" (?=[.,;:](?: |$))", "", " ".join(text.split()))


def unnumbered(sentence: str) -> str:
    """A sentence without its list mark, with its heading.

    Examples
    --------
    >>> unnumbered("2. LUNGS: Clear.")
    'LUNGS: Clear.'
    """
    return "".join(parted(sentence)[1:]).strip()


def heading_of(sentence: str) -> str:
    """The heading a sentence begins with; empty where it has none.

    Examples
    --------
    >>> heading_of("2. LUNGS: Clear.")
    'LUNGS'
    """
    return parted(sentence)[1].rstrip(_AFTER).lstrip()


def together(sentences: Sequence[str]) -> list[list[str]]:
    """Group sentences that lean on the one before them: apart from it they would say something else, or nothing.

    Examples
    --------
    >>> together(["Left opacity.", "This is new.", "No effusion."])
    [['Left opacity.', 'This is new.'], ['No effusion.']]
    """
    return [[sentences[place] for place in group] for group in together_at(*_apart(sentences))]


def _apart(sentences: Sequence[str]) -> tuple[list[str], list[str]]:
    return [bare(each) for each in sentences], [heading_of(each) for each in sentences]


def together_at(bodies: Sequence[str], headings: Sequence[str] = ()) -> list[list[int]]:
    """As `together`, for sentences without marks and headings: places of each group.

    Parameters
    ----------
    bodies : sequence of str
    headings : sequence of str, optional
        Of each sentence, empty for none: "HEART: It is large." leans on its heading and on no sentence.

    Examples
    --------
    >>> together_at(["Left opacity.", "This is new.", "No effusion."])
    [[0, 1], [2]]
    """
    groups: list[list[int]] = []
    for place, body in enumerate(bodies):
        asked = bool(place) and bodies[place - 1].rstrip().endswith("?")
        if groups and not (headings and headings[place]) and (asked or _LEANING.search(body)):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def is_listed(sentence: str) -> bool:
    """Whether it begins with a number, a bullet, or a heading and a colon."""
    mark, heading, _ = parted(sentence)
    return bool(mark or heading)


def _laid_out(sentence: str) -> bool:
    """As `is_listed`, but "FINDINGS" and its like lay nothing out."""
    mark, heading, _ = parted(sentence)
    return bool(mark or (heading and not _GENERAL.match(heading.strip(_AFTER))))


def _lies(line: str) -> bool:
    """Whether a line is one of a template: laid out, or before the findings."""
    return _laid_out(line) or _AROUND.match(heading_of(line)) is not None


def is_structured(text: str) -> bool:
    """Whether a section is laid out: every line, or most sentences, begin with a number, a bullet or a heading.

    A lone "1." before a single sentence counts, too: it is a list of one. So do sentences in a row that begin with a
    heading, where each of them heads what follows it.

    Examples
    --------
    >>> is_structured("1. Clear lungs. 2. No effusion."), is_structured("Clear lungs. No effusion.")
    (True, False)
    >>> is_structured("LUNGS: Clear. No nodule. No mass. HEART: Normal. Not large."), is_structured("As LUNGS.")
    (True, False)
    """
    sentences = split_sentences(text)
    lines = [line for line in text.splitlines() if line.strip(" .")]
    listed = sum(map(_laid_out, sentences))
    if listed * 2 > len(sentences) or (any(map(_laid_out, lines)) and all(map(_lies, lines))):
        return True
    heads = [heading for each in sentences if (heading := heading_of(each)) and not _GENERAL.match(heading)]
    first = heading_of(sentences[0])
    return len(heads) > 1 and (first == heads[0] or _AROUND.match(first) is not None)
