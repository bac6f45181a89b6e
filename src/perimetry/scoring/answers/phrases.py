"""Explicit statements: "the answer is ...", "Answer: ...", "B is the correct answer"."""

from __future__ import annotations

import re

from perimetry.scoring.answers.extraction import Denied, Hit, Reading, Stop
from perimetry.scoring.answers.labels import read_label
from perimetry.scoring.answers.options import same_text
from perimetry.scoring.answers.statements import read_statement
from perimetry.scoring.answers.view import View, trim

__all__ = ["PHRASE", "named", "phrase", "read_phrases"]

_NOUN = (
    r"(?:\b(?:answers?|ans)(?:\s{1,3}(?:choice|option|letter|here|therefore|thus|then))?"
    r"|\b(?:correct|best|right|closest|nearest|final|likely|appropriate|suitable|accurate|matching|available|chosen|selected)"
    r"\s{1,3}(?:available\s{1,3}|matching\s{1,3}|answer\s{1,3}){0,2}(?:option|choice|match|letter|selection)"
    r"|\b(?:réponse|respuesta|antwort|risposta|resposta|ответ)|答案|正解|答え)"
)
_OF = r"(?:\s{1,3}(?:to|for|of|among|from|given|based on|that)\b[^.:;!?\n]{0,90}?)?"
_IS = (
    r"(?P<deny>\s{0,3}(?:\b(?:isn't|aren't|cannot be|can't be|"
    r"(?:is|are|was|would|should|could|must|can) not(?! sure)(?: be)?|wouldn't be|shouldn't be)\b))"
    r"|[\s*_`\"')\]}$]{0,12}(?::|=>?|->|→|-\s|是|为|為|应为|应该是|應該是|"
    r"\b(?:is|are|was|would be|should be|must be|will be|has to be|"
    r"appears to be|seems to be|remains|es|est|ist|é|è)\b|'s\b)"
)
PHRASE = re.compile(_NOUN + _OF + r"(?:" + _IS + r")[\s*_:]{0,12}", re.IGNORECASE)
_HEADING = re.compile(
    r"^[ \t#*_>-]{0,12}(?:the\s)?(?:final|correct|my)?\s?answer[ \t*_#]{0,12}$", re.IGNORECASE | re.MULTILINE
)
_WIDE = re.compile(
    r"(?:\b(?:i(?:'d| would| will|'ll)?\s(?:choose|select|pick|go with|answer|opt for)|diagnosis|conclusion"
    r"|選|选(?!项))"
    + _OF
    + r"(?:[\s*_]{0,6}(?::|\b(?:is|would be|could be|might be|may be)\b))?"
    + r"|"
    + _NOUN
    + r"\s{1,3}(?:could|might|may|can)\s(?:also\s)?be)[\s*_:]{0,12}",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:if|whether|unless|suppos\w+|assum\w+|unlikely|doubt|not|never|wrong|incorrect|why|other|another|either|neither|"
    r"nor)\b|n't\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\b(?:or|nor)\s(?:that\s)?(?:the\s)?(?:\w+\s)?$", re.IGNORECASE)
_CLAUSE = re.compile(r"[.,;:!?\n]\s|\n|\bbut\b")
PHRASES = 24
"""How many statements, from the last backwards, are read."""

LINE = 700
"""Characters of a statement that are read."""


def _window(view: View, place: int, since: int) -> tuple[int, int, bool]:
    """Window of the statement that begins at `place`, and whether it stands below the line of `since`.

    It is the rest of the line, or the next line that holds anything.
    """
    body = view.body
    stop = body.find("\n", place, view.end)
    stop = view.end if stop < 0 else stop
    first, last = trim(body, place, stop, ":.")
    if first < last:
        return place, min(stop, place + LINE), "\n" in body[since:first]
    while stop < view.end and body[stop] in " \n\t*_#`$":
        stop += 1
    line = body.find("\n", stop, view.end)
    line = view.end if line < 0 else line
    return stop, min(line, stop + LINE), True


def _is_listing(view: View, start: int, end: int) -> bool:
    """Whether a statement on a line of its own is only the first of a list of labelled lines."""
    following = _window(view, end, end)
    one = read_label(view.body, start, end, view.space)
    other = read_label(view.body, following[0], following[1], view.space)
    return one is not None and other is not None and one.label != other.label and one.marked == other.marked


def _read(view: View, found: re.Match[str], threshold: float) -> Reading:
    body = view.body
    before = body[max(view.start, found.start() - 80) : found.start()]
    clause = _CLAUSE.split(before)[-1]
    if _BEFORE.search(clause):
        return None
    start, end, below = _window(view, found.end(), found.start())
    if start >= end or (below and _is_listing(view, start, end)):
        return None if start >= end else Stop("several")
    reading = read_statement(body, start, end, view.space, threshold)
    if found.groupdict().get("deny"):
        return Denied(reading.answer) if isinstance(reading, Hit) else Denied(None)
    if isinstance(reading, Hit) and _OR.search(before):
        return Stop("several")
    return reading


def read_phrases(view: View, found: list[re.Match[str]], threshold: float = 90.0) -> Reading:
    """Read statements from the last one backwards; the first that says anything decides.

    A statement that denies an answer is remembered: an earlier one that claims it makes a contradiction.
    """
    denied: set[str | None] = set()
    for match in reversed(found[-PHRASES:]):
        reading = _read(view, match, threshold)
        if isinstance(reading, Denied):
            denied.add(reading.answer)
        elif isinstance(reading, Hit):
            return Stop("contradiction") if reading.answer in denied else reading
        elif reading is not None:
            return reading
    return Denied(next(iter(denied))) if denied else None


def phrase(view: View) -> Reading:
    """The last explicit "answer is ..." or "answer: ..."."""
    found = list(PHRASE.finditer(view.body, view.start, view.end))
    if "nswer" in view.body or "NSWER" in view.body:
        found += _HEADING.finditer(view.body, view.start, view.end)
        found.sort(key=lambda match: match.end())
    return read_phrases(view, found) if found else None


def wide_phrase(view: View) -> Reading:
    """Weaker statements, for the lenient rules: "I would choose", "the diagnosis is", "the answer may be"."""
    found = [*PHRASE.finditer(view.body, view.start, view.end), *_WIDE.finditer(view.body, view.start, view.end)]
    found.sort(key=lambda match: match.end())
    return read_phrases(view, found, threshold=80.0) if found else None


_NAMED = re.compile(
    r"(?:(?<=[.!?:;,]\s)|(?<=[\n>])|\A)[\s*_#>-]{0,6}"
    r"(?:(?:so|thus|therefore|hence|in conclusion|overall|finally|accordingly|clearly|i think|"
    r"i believe)[,\s]{1,3}(?:that\s)?)?"
    r"(?:the\s)?(?P<word>(?:correct\s|right\s|best\s)?(?:option|choice|answer|letter)\s{1,2})?"
    r"(?P<open>[*_`\"'(\[]{0,4})(?P<label>[A-Za-z0-9])(?![\w'-])(?P<middle>[^\n]{0,250}?)"
    r"\s(?:is|would be|should be|must be|appears to be|seems to be)\s(?:(?:therefore|thus|clearly|indeed|likely)\s)?"
    r"(?:the|your|my)\s(?:single\s)?(?:correct|right|best|most\s\w+|only|closest|final)\s"
    r"(?:(?:correct|possible|available|matching|suitable|answer)\s)?(?:answer|option|choice|one|match)\b",
    re.IGNORECASE,
)


def named(view: View) -> Reading:
    """Sentences that begin with a label (and its own text) and call it the answer; all of them must agree."""
    if not view.space.labels:
        return None
    answers: dict[str, Hit] = {}
    place = view.start
    tries = 0
    while place < view.end and tries < 200:
        found = _NAMED.search(view.body, place, view.end)
        if found is None:
            break
        tries += 1
        known = view.space.label_of(found["label"])
        middle = found["middle"].strip(" *_`\"')]:.,(-")
        if known is None or not (known[1] or found["word"]) or (middle and not same_text(middle, known[0], view.space)):
            place = found.start() + 1
            continue
        answers[known[0]] = Hit(known[0], found.start("open"), found.end())
        place = found.end()
    if len(answers) > 1:
        return Stop("contradiction")
    return next(iter(answers.values()), None)
