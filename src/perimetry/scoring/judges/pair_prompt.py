"""The words put to a judge, with places for the two reports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import DataError
from perimetry.models.request import Prompt, TextPart

__all__ = ["PairPrompt", "clean_report", "own_prompt", "read_prompt"]

_PLACES = re.compile(r"\{(reference|candidate|text1|text2)\}")
_REFERENCE = ("reference", "text1")
_CANDIDATE = ("candidate", "text2")
# Not a line break, not a tab: characters that no report means and some servers choke on.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]+")
_OWN_MARKS = re.compile(r"</?\s*(?:reference|candidate)_report\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PairPrompt:
    """A prompt for one pair of reports. The words are the same for every judge, wherever it runs.

    Parameters
    ----------
    name : str
        As the metric's signature calls it, for example ``"green_judge/1"``.
    text : str
        With ``{reference}`` and ``{candidate}`` (or ``{text1}`` and ``{text2}``); other braces stand for themselves.
    system : str, default ""
        System text; none of ours, since not every chat template takes one.
    schema : str, default ""
        JSON schema of the answer, for endpoints that hold an answer to one; empty for free text.
    marked : bool, default False
        Whether the reports stand between our own marks, which a report then cannot bring along itself.

    Raises
    ------
    DataError
        When a place for one of the reports is not there.

    Examples
    --------
    >>> PairPrompt("mine", 'A: {reference} B: {candidate} {"x": 1}').fill("clear", "{reference}").text
    'A: clear B: {reference} {"x": 1}'
    """

    name: str
    text: str
    system: str = ""
    schema: str = ""
    marked: bool = False

    def __post_init__(self) -> None:
        found = set(_PLACES.findall(self.text))
        for side in (_REFERENCE, _CANDIDATE):
            if not found & set(side):
                raise DataError(
                    f"Prompt {self.name} has no place for the {side[0]} report. Write {{{side[0]}}} (or {{{side[1]}}}) "
                    "where it is to stand; all other words stay as they are."
                )

    @property
    def digest(self) -> str:
        """Of the words: a changed one makes another prompt."""
        return digest_parts([self.text, self.system])

    @property
    def spelling(self) -> str:
        """Name and the digest's beginning, for signatures."""
        return f"{self.name}#{self.digest[:12]}"

    def fill(self, reference: str, candidate: str) -> Prompt:
        """The prompt of one pair; both reports are laid in at once, so that neither is searched for places."""
        if self.marked:
            reference, candidate = (_OWN_MARKS.sub(" ", report) for report in (reference, candidate))
        filled = _PLACES.sub(lambda place: reference if place.group(1) in _REFERENCE else candidate, self.text)
        return Prompt((TextPart(filled),), system=self.system)


def clean_report(report: str, words: int = 0) -> str:
    r"""A report as a judge is shown it: without control characters, and cut where the metric says so.

    Parameters
    ----------
    report : str
    words : int, default 0
        Keep that many words, joined by single spaces; 0 keeps the text and its line breaks.

    Examples
    --------
    >>> clean_report("clear\x00 lungs\r\nno effusion"), clean_report("one  two\nthree", 2)
    ('clear lungs\nno effusion', 'one two')
    """
    text = _CONTROL.sub(" ", report.replace("\r\n", "\n").replace("\r", "\n"))
    if words:
        return " ".join(text.split()[:words])
    return re.sub(r" {2,}", " ", text).strip()


def read_prompt(path: Path, name: str, sections: tuple[str, ...], system: Path | None = None) -> PairPrompt:
    """The official prompt from the user's file, word for word.

    Parameters
    ----------
    path : Path
        UTF-8 text.
    name : str
    sections : tuple of str
        What an official prompt asks for, and its parser reads; a file without them is another prompt.
    system : Path, optional
        File of the system text, where the official prompt has one.

    Raises
    ------
    DataError
        For a file that cannot be read or is not such a prompt.
    """
    text = _text(path, name)
    for section in sections:
        if section.lower() not in text.lower():
            raise DataError(
                f"{path} is not the official prompt of {name}: it does not ask for {section!r}. Take the prompt of the "
                f"original package, or use {name}_judge, which has a prompt of its own."
            )
    if text.strip() == own_prompt(f"{name}_judge").text.strip():
        raise DataError(f"{path} is our own prompt; its scores are called {name}_judge.")
    return PairPrompt(f"{name}/file", text, _text(system, name).strip() if system else "")


def _text(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise DataError(
            f"The prompt of {name}, {path}, cannot be read: {reason}. Save the official prompt in a text file, with "
            "{reference} and {candidate} where the reports stand."
        ) from error


def own_prompt(name: str) -> PairPrompt:
    """Our own prompt of that name, with its schema.

    Examples
    --------
    >>> own_prompt("green_judge").name
    'green_judge/1'
    """
    folder = files("perimetry.scoring.judges") / "prompts"
    text = (folder / f"{name}.txt").read_text(encoding="utf-8")
    schema = (folder / f"{name}.schema.json").read_text(encoding="utf-8")
    return PairPrompt(f"{name}/1", text.rstrip("\n"), schema=schema.strip(), marked=True)
