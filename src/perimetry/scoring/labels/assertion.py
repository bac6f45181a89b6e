"""What a report says of each finding that it mentions: stated, denied, doubtful, or neither.

One pass from left to right over the events of a report. A cue acts inside its clause: forward until a word that turns
the sentence, or backward over the mentions that hang together with the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perimetry.scoring.labels.classes import BLANK, NEGATIVE, POSITIVE, UNCERTAIN, class_index
from perimetry.scoring.labels.events import Event, Kind
from perimetry.scoring.labels.lexicon import Lexicon, Structure

__all__ = ["Finding", "findings"]

_DEVICES = (class_index("Support Devices"),)
_FARTHEST = 7  # words between a predicate and the structure after it
_MOST_JOINED = 16  # structures that share one predicate
_FORWARD = frozenset(
    [Kind.JOINTS, Kind.ALTERNATIVES, Kind.COMMA, Kind.COURSES, Kind.ARTICLES, Kind.ANATOMY, Kind.SLASH]
)


@dataclass(slots=True)
class Finding:
    """One mention and what is said of it.

    Parameters
    ----------
    classes : tuple of int
        Columns; none for an abnormality outside the thirteen classes.
    code : int
        0 (history, question), 1 positive, 2 negative, 3 uncertain.
    first, last : int
        First token, and the token after the last.
    linked : bool
        Whether it hangs together with the mention before it.
    """

    classes: tuple[int, ...]
    code: int
    first: int
    last: int
    linked: bool


@dataclass(slots=True)
class _Predicate:
    number: int
    first: int
    last: int
    code: int


def findings(events: Sequence[Event], words: Sequence[str], lexicon: Lexicon) -> list[Finding]:
    """Read every mention of a report, in order."""
    reader = _Reader(words, lexicon)
    for event in events:
        reader.step(*event)
    reader.end()
    return reader.found


class _Reader:
    """The state between two events."""

    __slots__ = (
        "alternative",
        "articled",
        "asked",
        "chain",
        "comma",
        "contrast",
        "denied",
        "denied_at",
        "doubted",
        "found",
        "held",
        "inherited",
        "lexicon",
        "linked",
        "noun",
        "past",
        "pending",
        "predicate",
        "sentence",
        "silent",
        "steady",
        "used",
        "words",
    )

    def __init__(self, words: Sequence[str], lexicon: Lexicon) -> None:
        self.words = words
        self.lexicon = lexicon
        self.found: list[Finding] = []
        self.silent = False
        self._sentence()

    def _sentence(self) -> None:
        self.sentence = len(self.found)
        self.asked = self.silent
        self.past = False
        self.inherited: int | None = None
        self._clause()

    def _clause(self) -> None:
        self.denied = self.doubted = False
        self.denied_at = -1
        self.used = 0
        self.comma = self.articled = False
        self.alternative = self.contrast = self.steady = False
        self.linked = False
        self.chain = len(self.found)
        self.pending: list[tuple[Structure, int, int]] = []
        self.held = True
        self.noun = -1
        self.predicate: _Predicate | None = None

    def end(self) -> None:
        """Finish what is open at the end of the text."""
        self._inherit()

    def step(self, kind: Kind, number: int, first: int, last: int) -> None:
        """Take one event."""
        if kind is Kind.MENTION:
            self._mention(number, first, last)
        elif kind is Kind.STRUCTURE:
            self._structure(number, first, last)
        elif kind is Kind.PREDICATE:
            self._said(number, first, last)
        elif kind is Kind.NORMAL:
            self._said(-1, first, last)
        elif kind is Kind.END:
            self._inherit()
            self._sentence()
        else:
            self._cue(kind, first)
            if kind not in _FORWARD:
                self.held = False

    def _cue(self, kind: Kind, first: int) -> None:
        if kind is Kind.DENIED_EITHER:
            kind = Kind.DENIED_BEFORE if self._follows(first) else Kind.DENIED_AFTER
        if kind is Kind.DENIED_AFTER:
            self.denied, self.doubted, self.used, self.denied_at = True, False, 0, first
            self.linked = self.alternative = self.contrast = self.comma = False
        elif kind is Kind.NO_DENIAL:
            self.steady = True
        elif kind is Kind.DENIED_BEFORE:
            self._recode((POSITIVE, UNCERTAIN), NEGATIVE)
        elif kind is Kind.DOUBTED_AFTER:
            if self.denied and not self.used:
                return
            self.denied, self.doubted, self.used = False, True, 0
        elif kind is Kind.HINTED_AFTER:
            if not self.denied:
                self.doubted, self.used = True, 0
        elif kind is Kind.DOUBTED_BEFORE:
            self._recode((POSITIVE,), UNCERTAIN)
        elif kind is Kind.PAST_AFTER:
            self.past = True
        elif kind is Kind.ASKED_AFTER:
            self.asked = True
        elif kind is Kind.ASKED_BEFORE:
            for finding in self.found[self.sentence :]:
                finding.code = BLANK
        elif kind is Kind.TURNS:
            self._inherit()
            self.past = False
            self._clause()
        else:
            self._course(kind)

    def _course(self, kind: Kind) -> None:
        """Take a word that only steers where cues end."""
        if kind is Kind.COMMA:
            self.comma = True
        elif kind is Kind.COURSES:
            if self.used and not self.alternative and (self.denied or self.comma):
                self.denied = self.doubted = False
        elif kind is Kind.COMPANIONS:
            if self.used:
                self.denied = self.doubted = False
            self.linked = self.alternative = self.contrast = False
            self._inherit()
        elif kind is Kind.VERBS:
            self.linked = self.alternative = False
        elif kind is Kind.JOINTS:
            self.articled = True
        elif kind is Kind.ARTICLES:
            if self.articled or self.comma:
                self.past = False
                if self.used:
                    self.denied = self.doubted = False
        elif kind is Kind.ALTERNATIVES:
            self.alternative = self.linked
        elif kind is Kind.CONTRASTS:
            self.contrast = len(self.found) > self.chain
            self.alternative = self.contrast
        elif kind is Kind.COLON:
            self.denied = self.doubted = False
        elif kind is Kind.SILENCE:
            self.silent = True
            self.asked = True
        elif kind is Kind.SPEECH:
            self.silent = self.asked = False

    def _mention(self, number: int, first: int, last: int) -> None:
        self._add(self.lexicon.groups[number], self._code(), first, last)
        self.pending = []
        self.predicate = None

    def _code(self) -> int:
        if self.asked or self.past:
            return BLANK
        if self.denied:
            return NEGATIVE
        return UNCERTAIN if self.doubted else POSITIVE

    def _add(self, classes: tuple[int, ...], code: int, first: int, last: int) -> None:
        finding = Finding(classes, code, first, last, self.linked)
        if self.alternative and not self.steady and len(self.found) > self.chain and classes != _DEVICES:
            before = self.found[-1]
            if code == POSITIVE and (before.code == POSITIVE or (self.contrast and before.code == UNCERTAIN)):
                finding.code = UNCERTAIN
            if before.code == POSITIVE and code in (POSITIVE, UNCERTAIN) and before.classes != _DEVICES:
                before.code = UNCERTAIN
        self.found.append(finding)
        self.linked = True
        self.alternative = self.contrast = self.comma = self.articled = False
        self.used += 1

    def _follows(self, first: int) -> bool:
        """Whether a mention of this clause stands just before, or is the subject of, the word at a place."""
        if len(self.found) <= self.chain:
            return False
        gap = first - self.found[-1].last
        return gap == 0 or (gap <= 2 and not self.linked)

    def _recode(self, codes: tuple[int, ...], code: int) -> None:
        """Change the last mention of the clause (else of the sentence) and those that hang together with it."""
        stop = self.chain if len(self.found) > self.chain else self.sentence
        for at in range(len(self.found) - 1, stop - 1, -1):
            finding = self.found[at]
            if finding.code in codes:
                finding.code = code
            if not finding.linked:
                break
        self.linked = False

    def _structure(self, number: int, first: int, last: int) -> None:
        structure = self.lexicon.structures[number]
        said = self.predicate
        if said is not None and self._reaches(said, first) and self._accepts(structure, said.number):
            self._state(structure, said.number, said.code, said.first, last)
            self.inherited, self.predicate, self.held = said.number, None, True
            return
        if not self.held:
            self._inherit()
            self.pending, self.inherited = [], None
        self.pending = [*self.pending[-_MOST_JOINED:], (structure, first, last)]
        self.held = True

    def _reaches(self, said: _Predicate, first: int) -> bool:
        between = self.words[said.last : first]
        return len(between) <= _FARTHEST and all(word in self.lexicon.light for word in between)

    def _accepts(self, structure: Structure, number: int) -> bool:
        return number < 0 or self.lexicon.predicates[number][0] in structure.says

    def _said(self, number: int, first: int, last: int) -> None:
        """Take a predicate, or (number -1) a word that says normal."""
        takers = [entry for entry in self.pending if self._accepts(entry[0], number)]
        code = self._code()
        noun = number >= 0 and self.lexicon.predicates[number][1]
        if number < 0 and self.noun == len(self.found) - 1 >= self.chain:
            self.found[-1].code = NEGATIVE  # "the engorgement is within normal limits"
        if takers:
            if code == NEGATIVE and not noun and self.denied_at < takers[-1][1]:
                code = UNCERTAIN if self.doubted else POSITIVE
            for structure, start, _ in takers:
                self._state(structure, number, code, start, last)
            self.pending = [entry for entry in self.pending if noun and entry not in takers]
            self.inherited, self.predicate = None, None
            self.noun = len(self.found) - 1 if noun else -1
        else:
            self.predicate = _Predicate(number, first, last, code)
        self.held = True

    def _state(self, structure: Structure, number: int, code: int, first: int, last: int) -> None:
        if number < 0:
            if structure.denies and code in (POSITIVE, UNCERTAIN):
                self.found.append(Finding(structure.denies, NEGATIVE, first, last, self.linked))
            return
        self._add(structure.states, code, first, last)

    def _inherit(self) -> None:
        """Structures without a word of their own take the one before the structure that they are joined to."""
        if self.inherited is not None:
            for structure, first, last in self.pending:
                if self._accepts(structure, self.inherited):
                    self._state(structure, self.inherited, self._code(), first, last)
        self.pending, self.inherited = [], None
