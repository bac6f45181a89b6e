"""Reading what a frame holds: the content of a box or tag, or the words after "the answer is"."""

from __future__ import annotations

import re

from perimetry.scoring.answers.extraction import Denied, Hit, Reading, Stop
from perimetry.scoring.answers.labels import read_label
from perimetry.scoring.answers.normalise import normalise, yes_or_no
from perimetry.scoring.answers.options import clauses, match_text, named_together
from perimetry.scoring.answers.space import AnswerSpace
from perimetry.scoring.answers.view import trim

__all__ = ["LONGEST_ANSWER", "POLAR", "declined", "read_polar", "read_short", "read_statement"]

LONGEST_ANSWER = 30
"""Words of the longest free-text answer; VQA-RAD's longest gold answer has 20."""

_HEDGE = re.compile(
    r"(?:(?:most\s+|very\s+)?(?:likely|probably|clearly|definitely|certainly|therefore|thus|indeed|simply|hence|"
    r"actually|obviously)\b|that\b|:|=|-)[\s:,*_]*",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:definitely |certainly |clearly )?(?:not|never|neither|cannot|can't|isn't|unlikely|no longer|"
    r"anything but|none of)\b[\s:*_(]*",
    re.IGNORECASE,
)
_DECLINED = re.compile(
    r"(?:i'?m |i am |we are |it is |it's )?(?:sorry|unable to|not able to|not possible|impossible|can(?:not|'t)"
    r" (?:be )?(?:determin|answer|provid|assist|help|tell|see|view|analy[sz]e|interpret|identify|diagnos|access)\w*"
    r"|indeterminable|undetermined|"
    r"as an ai|i (?:can(?:not|'t)|do not|don't|am not|won't)\b|unknown|uncertain|unclear|n/?a\b|"
    r"\?+$|\[?(?:insert|your answer))",
    re.IGNORECASE,
)
_TEXT_THEN_LABEL = re.compile(
    r"[\s*_`\"'.,:-]*[(\[][\s*_`\"']*(?:option\s+|choice\s+)?([A-Za-z0-9])[\s*_`\"']*[)\]][\s*_`\"'.$}]*$",
    re.IGNORECASE,
)
POLAR = re.compile(
    r"(?P<word>yes|yeah|yep|no|nope|true|false)(?![\w'])(?P<after>[*_`\"')\]}>$\s]*)(?P<next>[^\s*_`\"')\]}>$]?)",
    re.IGNORECASE,
)
_POLAR_FOLLOWERS = re.compile(
    r"(?:there|it|the|this|that|these|those|i|they|he|she|because|since|as|not|but|we|based|given|both|in)\b",
    re.IGNORECASE,
)
_BOTH_POLES = re.compile(
    r"[\s*_`\"'().,/&-]*(?:\b(?:or|and|/|and/or)\b)?[\s*_`\"'().,/&-]*(yes|no|true|false)\b", re.IGNORECASE
)


def declined(text: str) -> bool:
    """Whether a short text refuses or says that it cannot tell ("Not sure" is an answer: VQA-RAD has it as gold).

    Examples
    --------
    >>> declined("I cannot determine this from the image."), declined("Not sure")
    (True, False)
    """
    return _DECLINED.match(text.lstrip(" *_\"'")) is not None


def read_polar(body: str, start: int, end: int, space: AnswerSpace, loose: bool = False) -> Reading:
    """Yes or no at the beginning of a window.

    "No" that only belongs to a noun ("No effusion is seen") is not an answer by itself unless `loose`: to "Is the chest
    normal?" it would mean the contrary.
    """
    start, end = trim(body, start, end, "(")
    found = POLAR.match(body, start, end)
    if found is None:
        return _polar_whole(body, start, end, space)
    pole = yes_or_no(found["word"].lower())
    if pole is None:
        return None
    rest = body[found.end("word") : end]
    other = _BOTH_POLES.match(rest)
    if other is not None and yes_or_no(other[1].lower()) != pole:
        return Stop("several")
    following = body[found.start("next") : end]
    if not (
        loose
        or not found["next"]
        or not (found["next"].isalnum() or found["next"] in "-=+/&%")
        or (found["next"] == "-" and found["after"])
        or "\n" in found["after"]
        or found["after"].strip()
        or pole == "yes"
        or _POLAR_FOLLOWERS.match(following)
    ):
        return None
    if found["next"] in "-=+/&%" and found["next"] and not found["after"]:
        return None
    return _pole(pole, start, found.end("word"), space)


def _polar_whole(body: str, start: int, end: int, space: AnswerSpace) -> Reading:
    if body[start:end].isascii():
        return None
    stop = next((at for at in range(start, min(end, start + 12)) if body[at] in ".,;!?:\n "), min(end, start + 12))
    pole = yes_or_no(body[start:stop].strip())
    return None if pole is None else _pole(pole, start, stop, space)


def _pole(pole: str, start: int, end: int, space: AnswerSpace) -> Reading:
    if not space.labels:
        return Hit(pole, start, end)
    if space.polar is None:
        return None
    return Hit(space.polar[pole], start, end)


def read_short(body: str, start: int, end: int, framed: bool) -> Reading:
    """A short free-text answer that fills a window.

    A framed one ends where its sentence ends; an unframed one must be the whole response.
    """
    start, end = trim(body, start, end, ",;:")
    text = body[start:end]
    if framed:
        cut = re.search(
            r"(?<!\bvs)(?<=[^\s\d])[.](?=\s|$)|[.](?=\s+[A-Z]|\s*$)|\n"
            r"|,?\s\b(?:because|since|as seen|as shown|which)\b",
            text,
        )
        if cut is not None and cut.start():
            end = start + cut.start()
            start, end = trim(body, start, end, ",;:")
            text = body[start:end]
    normalised = normalise(text)
    if not normalised or normalised.count(" ") >= LONGEST_ANSWER:
        return None
    if declined(text):
        return Stop("declined")
    return Hit(yes_or_no(normalised) or normalised, start, end)


def read_statement(body: str, start: int, end: int, space: AnswerSpace, threshold: float = 90.0) -> Reading:
    """Read what a frame holds.

    Returns
    -------
    Hit, Stop, Denied or None
        `Stop` when several answers are named, or a text and a label that do not belong together.
    """
    start, end = trim(body, start, end, ",;:")
    hedge = _HEDGE.match(body, start, end)
    if hedge is not None and hedge.end() < end and not space.by_normalised.get(normalise(body[start:end])):
        start, end = trim(body, hedge.end(), end, ",;:")
    if start >= end:
        return None
    return _read_choice(body, start, end, space, threshold) if space.labels else _read_free(body, start, end, space)


def _read_choice(body: str, start: int, end: int, space: AnswerSpace, threshold: float) -> Reading:
    text = body[start:end]
    bare = text.strip(" ()[].")
    if space.label_of(bare) is None:
        whole = match_text(text, space, threshold)
        if whole is not None and whole.how != "fuzzy":
            return Hit(whole.label, start, end)
    label = read_label(body, start, end, space, framed=True)
    if label is not None:
        return Stop(label.clash) if label.clash else Hit(label.label, start, end if label.own_text else label.end)
    negated = _NEGATED.match(text)
    if negated is not None and not match_text(text, space, threshold, prefix=True):
        return _denied(body, start + negated.end(), end, space)
    if re.match(r"(?:both|either|neither)\b", text, re.IGNORECASE):
        return Stop("several")
    if named_together(text, space):
        return Stop("several")
    found = match_text(text, space, threshold, prefix=True)
    tail = _TEXT_THEN_LABEL.search(body, max(start, end - 40), end)
    named = space.label_of(tail[1]) if tail is not None else None
    if named is not None and tail is not None:
        before = match_text(body[start : tail.start()], space, threshold, prefix=True)
        if before is not None and before.label != named[0]:
            return Stop("contradiction")
        return Hit(named[0], start, end)
    if found is not None:
        return Hit(found.label, start, _matched_end(body, start, end, found.label, space))
    polar = read_polar(body, start, end, space) if space.polar else None
    if polar is None and declined(text):
        return Stop("declined")
    return polar


def _matched_end(body: str, start: int, end: int, label: str, space: AnswerSpace) -> int:
    for clause in reversed(list(clauses(body[start:end]))):
        if space.by_normalised.get(normalise(clause)) == label:
            return start + len(clause)
    return end


def _denied(body: str, start: int, end: int, space: AnswerSpace) -> Denied:
    label = read_label(body, start, end, space, framed=True)
    if label is not None:
        return Denied(label.label)
    match = match_text(body[start:end], space, prefix=True)
    return Denied(match.label if match is not None else None)


def _read_free(body: str, start: int, end: int, space: AnswerSpace) -> Reading:
    polar = read_polar(body, start, end, space) if space.kind == "closed" else None
    if polar is not None:
        return polar
    if space.kind == "closed" and POLAR.match(body, start, end):
        return None  # "no effusion": the no of a noun, see `read_polar`
    return read_short(body, start, end, framed=True)
