"""The rule labeller: fourteen labels of a report with the words that they rest on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perimetry.scoring.labels.assertion import findings
from perimetry.scoring.labels.classes import ABNORMAL, BLANK, CHEXBERT_ORDER, NEGATIVE, POSITIVE
from perimetry.scoring.labels.events import Event, Kind
from perimetry.scoring.labels.lexicon import Lexicon, default_lexicon
from perimetry.scoring.labels.table import LabelTable
from perimetry.scoring.labels.tokens import Tokens, tokenise

__all__ = ["OTHER", "Evidence", "Reading", "RuleLabeller"]

OTHER = "Other"
"""Name of what is abnormal but of none of the thirteen classes."""

FOREIGN = "is not in English"
UNREADABLE = "holds no wording of a chest radiograph report that the labeller knows"

_NOT_READ = frozenset([Kind.MENTION, Kind.STRUCTURE, Kind.NORMAL, Kind.ANATOMY])
_RANK = (0, 3, 1, 2)  # of codes: positive over uncertain over negative over blank


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words that a label rests on.

    Parameters
    ----------
    label : str
        A class, or `OTHER`.
    code : int
        1 positive, 2 negative, 3 uncertain.
    start, end : int
        Where they stand: ``text[start:end]``.
    """

    label: str
    code: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What the labeller reads from one report.

    Parameters
    ----------
    codes : tuple of int
        One a class of `CHEXBERT_ORDER`: 0 blank, 1 positive, 2 negative, 3 uncertain; No Finding is 0 or 1.
    evidence : tuple of Evidence
        Every mention that is stated, denied or doubted, in order of the text.
    reason : str
        Why nothing could be read; empty if it could.
    """

    codes: tuple[int, ...]
    evidence: tuple[Evidence, ...]
    reason: str = ""

    def code(self, label: str) -> int:
        """Code of a class by name."""
        return self.codes[CHEXBERT_ORDER.index(label)]


class RuleLabeller:
    """Labels radiology reports in English by phrases and the words around them.

    CheXpert-style (Irvin et al. 2019, section 3): mentions, then what is said of each, then one label a class; positive
    over uncertain over negative. The phrases are our own, in ``lexicon.toml``.

    Parameters
    ----------
    lexicon
        The package's own by default; opened on first use.

    Examples
    --------
    >>> reading = RuleLabeller().read("Small left effusion. No pneumothorax.")
    >>> [(e.label, e.code) for e in reading.evidence]
    [('Pleural Effusion', 1), ('Pneumothorax', 2)]
    """

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._given = lexicon

    @property
    def lexicon(self) -> Lexicon:
        """What it knows."""
        return self._given or default_lexicon()

    @property
    def version(self) -> str:
        """Version of the lexicon; changes when any label could."""
        return self.lexicon.version

    def read(self, text: str) -> Reading:
        """Label one report."""
        lexicon = self.lexicon
        tokens = tokenise(text, lexicon.spelling)
        if _foreign(tokens.words, lexicon):
            return Reading((BLANK,) * len(CHEXBERT_ORDER), (), FOREIGN)
        events = lexicon.tree.find(tokens.words)
        if ":" in text:
            events = _with_headings(events, tokens, lexicon)
        if not any(event[0] in _NOT_READ for event in events):
            return Reading((BLANK,) * len(CHEXBERT_ORDER), (), UNREADABLE)
        codes = [BLANK] * len(CHEXBERT_ORDER)
        evidence: list[Evidence] = []
        clean = True
        for finding in findings(events, tokens.words, lexicon):
            code = finding.code
            if code == BLANK:
                continue
            start, end = tokens.starts[finding.first], tokens.ends[finding.last - 1]
            clean = clean and code == NEGATIVE
            if not finding.classes:
                evidence.append(Evidence(OTHER, code, start, end))
            for column in finding.classes:
                evidence.append(Evidence(CHEXBERT_ORDER[column], code, start, end))
                if _RANK[code] > _RANK[codes[column]]:
                    codes[column] = code
        if clean:
            codes[len(ABNORMAL)] = POSITIVE
        return Reading(tuple(codes), tuple(evidence))

    def label(self, texts: Sequence[str]) -> LabelTable:
        """Label reports; a text in which nothing could be read is blank, with a reason."""
        readings = [self.read(text) for text in texts]
        labels = np.asarray([reading.codes for reading in readings], dtype=np.int8).reshape(-1, len(CHEXBERT_ORDER))
        return LabelTable(labels, tuple(reading.reason for reading in readings))


def _foreign(words: list[str], lexicon: Lexicon) -> bool:
    """Whether a text has more short words of another language than of English: two at least, or one that denies."""
    if lexicon.foreign.isdisjoint(words):
        return False
    foreign = sum(word in lexicon.foreign for word in words)
    if foreign == 1 and lexicon.denials.isdisjoint(words):
        return False
    return foreign > sum(word in lexicon.english for word in words)


def _with_headings(events: list[Event], tokens: Tokens, lexicon: Lexicon) -> list[Event]:
    """Replace headings of silent and spoken parts by their events."""
    words = tokens.words
    marks: list[tuple[int, int, Kind]] = []
    start = 0
    for at, word in enumerate(words):
        if word == ".":
            start = at + 1
        elif word == ":" and at - start <= 4:
            heading = " ".join(words[start:at])
            if heading in lexicon.silent:
                marks.append((start, at + 1, Kind.SILENCE))
            elif heading in lexicon.spoken:
                marks.append((start, at + 1, Kind.SPEECH))
            start = at + 1
    if not marks:
        return events
    last_spoken = max((mark[0] for mark in marks if mark[2] is Kind.SPEECH), default=-1)
    stops = [at for at, word in enumerate(words) if word == "."]
    named = [False] * len(words)
    added: list[Event] = []
    for start, after, kind in marks:
        named[start:after] = [True] * (after - start)
        added.append((Kind.END, 0, start, start))
        added.append((kind, 0, start, after))
        if kind is Kind.SILENCE and start > last_spoken:
            ends = stops[bisect_left(stops, after)]
            added.append((Kind.SPEECH, 0, ends, ends))
    return sorted([event for event in events if not named[event[2]]] + added, key=lambda event: event[2])
