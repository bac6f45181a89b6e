"""Reading an option label in its usual dresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from perimetry.scoring.answers.normalise import normalise
from perimetry.scoring.answers.options import clauses, same_text
from perimetry.scoring.answers.space import AnswerSpace
from perimetry.scoring.answers.view import trim

__all__ = ["FOLLOWERS", "Label", "others_named", "read_label"]

_HEAD = re.compile(
    r"(?P<lead>[\s*_`\"'(\[{<$\\#~>|-]*)"
    r"(?P<word>(?:the\s{1,3})?(?:(?:option|choice|letter|alternative|answer)s?(?=[^\w])|选项|选择|選項)[\s*_`\"'(\[{}<$\\#:]*)?"
    r"(?P<label>[A-Za-z0-9])(?![A-Za-z0-9])"
    r"(?P<close>[*_`\"')\]}>$\\]*[ ]?[.:)\]]?[*_`\"')\]}>$\\.:]*)",
    re.IGNORECASE,
)
_MARK = frozenset("*_`\"'([{<$#)]}>.:")
_NOT_A_LABEL = re.compile(r"\s*[=+%^°×]|[-&]\w|\s*(?:cell|type|wave|line|lymph)\b|[.,]\d")
FOLLOWERS = re.compile(
    r"(?:because|since|as|due|based|given|which|for|is|are|was|were|with|but|if|when|where|that|this|it|so|thus|and|or|"
    r"rather|instead|not|best|seems|appears|correctly|would|in|therefore|hence|from|please)\b|[-,;:.(!\n]",
    re.IGNORECASE,
)
"""What may follow a bare label; any other word makes the letter part of a phrase ("B cell lymphoma")."""

_FEW_FOLLOWERS = re.compile(r"(?:because|since|due|based|is|rather|instead)\b|-\s|[.:;(\n]", re.IGNORECASE)
"""The same for A and I, which are words themselves ("A large effusion", "I would say")."""

_ANOTHER = re.compile(
    r"(?P<joint>[\s,/&+;{}$\\]*(?:(?:and/or|and|or|nor|versus|vs\.?|as well as|plus)(?=[^\w])"
    r"(?:\s{1,2}(?:possibly|perhaps|maybe|probably|even|also|less likely))?)?[\s,{}$]*)"
    r"(?P<open>[*_`\"'(\[{<$\\]*(?:(?:option|choice)\s{1,3})?[*_`\"'(\[{<$\\]*)"
    r"(?P<label>[A-Za-z0-9])(?![\w])(?!'\w)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"\s+[a-z]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    """A label that was read.

    Attributes
    ----------
    label : str
        As the question gives it.
    start, end : int
        Span of the label and its dress.
    marked : bool
        It wears brackets, Markdown, quotes, a stop, a colon, or a word such as "option".
    rest : str
        What follows it in the window, trimmed.
    own_text : bool
        What follows is the option's own text.
    clash : {"", "several", "contradiction"}
        Another label is named with it (``several``), or another option's text follows it (``contradiction``).
    """

    label: str
    start: int
    end: int
    marked: bool
    rest: str
    own_text: bool
    clash: Literal["", "several", "contradiction"] = ""


def others_named(body: str, start: int, end: int, label: str, space: AnswerSpace, loose: bool) -> bool:
    """Whether another label follows as part of the same answer ("B or C", "A, D").

    `loose` lets white space alone join two bare labels ("A C"); a letter that begins a sentence ("B, I think") is none.
    """
    found = _ANOTHER.match(body, start, end)
    if found is None:
        return False
    other = space.label_of(found["label"])
    if other is None or other[0] == label or not (other[1] or found["open"].strip()):
        return False
    alone = not body[found.end() : end].strip(" *_`\"')]}>$.\\")
    if found["label"] in "AIai" and not found["open"].strip() and _SENTENCE.match(body, found.end(), end):
        following = body[found.end() : end].lstrip()
        if not re.match(r"(?:and|or|is|are)\b", following):
            return False
    return bool(found["joint"].strip(" \t\n{}$\\")) or alone or loose


def read_label(body: str, start: int, end: int, space: AnswerSpace, framed: bool = False) -> Label | None:
    """Read a label at the beginning of a window; None if what stands there is no label.

    Parameters
    ----------
    body : str
        Folded text.
    start, end : int
        Window, usually one line.
    space : AnswerSpace
    framed : bool, default False
        The window is the content of a frame (a box, the words after "answer is"): a label that fills it alone may
        have the other case.
    """
    head = _HEAD.match(body, start, end)
    if head is None:
        return None
    known = space.label_of(head["label"])
    if known is None:
        return None
    label, own_case = known
    close = head["close"].rstrip(" ")
    after = head.start("close") + len(close)
    if close.startswith("'") and body[after : after + 1].isalpha():
        return None
    marked = bool(head["word"]) or not _MARK.isdisjoint(head["lead"]) or not _MARK.isdisjoint(close)
    first, last = trim(body, after, end, ",;!")
    rest = body[first:last]
    if not rest.strip(".:)]("):
        if not (own_case or framed or marked):
            return None
        return Label(label, start, after, marked, "", False)
    own_text = bool(space.own[label]) and same_text(rest, label, space)
    if own_text and not marked and head["label"] in "AIai" and rest[:1].islower():
        return None  # "A large effusion": the article of the option's text
    if not own_text:
        if _NOT_A_LABEL.match(body, head.end("label"), end):
            return None
        bare = not (set(close) & set(".:)]}>*_`\"'$")) and not head["lead"].strip(" -*\n\t#>|_")
        if bare:
            if not own_case and not head["word"]:
                return None
            gap = body[after:first]
            rest_after_comma = gap.startswith(",")
            article = head["label"] in "AIai"
            followers = _FEW_FOLLOWERS if article and not (framed and rest_after_comma) else FOLLOWERS
            if (
                (article or not head["word"])
                and not followers.match(rest)
                and not followers.match(gap.strip(" ") or "x")
            ):
                if others_named(body, after, end, label, space, loose=True):
                    return Label(label, start, after, marked, rest, False, "several")
                return None
        elif "." in close and not head["word"] and rest[:1].islower() and not FOLLOWERS.match(rest):
            return None  # "E. coli", "S. aureus": a genus, not a label
        elif not own_case and not (head["word"] or set(close) & set(".:)]}>*$") or set(head["lead"]) & set("([{<*$")):
            return None
    clash: Literal["", "several", "contradiction"] = ""
    if not own_text:
        if others_named(body, after, end, label, space, loose=False):
            clash = "several"
        elif any(space.by_normalised.get(text, label) != label for text in map(normalise, clauses(rest)) if text):
            clash = "contradiction"
    return Label(label, start, after, marked, rest, own_text, clash)
