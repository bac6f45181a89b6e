"""The case browser's files: an index that filters read, and the cases in parts, loaded when they are shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from perimetry.reports.browser import Browser, BrowserAnswer, BrowserCase
from perimetry.reports.charts.theme import short_names
from perimetry.reports.escape import script_json
from perimetry.reports.passages import segments
from perimetry.reports.thumbnails import Thumbnails

__all__ = ["CASES_PER_FILE", "CaseFiles", "write_cases"]

CASES_PER_FILE = 10
SEARCHED = 2000
SHORT_NAME = 25


@dataclass(frozen=True, slots=True)
class CaseFiles:
    """What the page says about its case browser.

    Parameters
    ----------
    cases : int
        Cases written.
    more : bool
        Whether there were more than the limit.
    withheld : tuple of str
        Data sets whose images and texts were left out.
    images, unreadable : int
        Thumbnails written, and images that could not be read.
    limit : int
    """

    cases: int
    more: bool
    withheld: tuple[str, ...]
    images: int
    unreadable: int
    limit: int


@dataclass(slots=True)
class Names:
    """Numbers names in the order in which they occur, so that a file repeats none of them."""

    index: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        return self.index.setdefault(name, len(self.index))


@dataclass(slots=True)
class Vocabulary:
    """The names a browser's files refer to by number."""

    datasets: Names = field(default_factory=Names)
    models: Names = field(default_factory=Names)
    conditions: Names = field(default_factory=Names)
    flags: Names = field(default_factory=Names)


def write_cases(browser: Browser, folder: Path, base: Path) -> CaseFiles:
    """Write the files of a case browser, one case in memory at a time.

    Parameters
    ----------
    browser : Browser
    folder : Path
        The report folder: gets ``assets/cases*.js`` and ``images/``.
    base : Path
        Where relative image paths start.
    """
    thumbnails = Thumbnails(folder / "images", base)
    words = Vocabulary()
    index: list[dict[str, Any]] = []
    part: list[dict[str, Any]] = []
    withheld: dict[str, None] = {}
    source = iter(browser.cases)
    for case in islice(source, browser.limit):
        hidden = case.dataset in browser.withhold
        if hidden:
            withheld[case.dataset] = None
        part.append(case_entry(case, browser, words, thumbnails, hidden))
        index.append(index_entry(case, words, hidden))
        if len(part) == CASES_PER_FILE:
            write_part(folder, len(index) // CASES_PER_FILE - 1, part)
            part = []
    if part:
        write_part(folder, len(index) // CASES_PER_FILE, part)
    more = next(source, None) is not None
    summary = {
        "datasets": list(words.datasets.index),
        "models": list(words.models.index),
        "short": list(short_names(list(words.models.index), SHORT_NAME).values()),
        "conditions": list(words.conditions.index),
        "flags": list(words.flags.index),
        "answerLimit": browser.answer_limit,
        "perFile": CASES_PER_FILE,
        "index": index,
    }
    (folder / "assets" / "cases.js").write_text(f"window.perimetryCases={script_json(summary)};\n", encoding="utf-8")
    return CaseFiles(len(index), more, tuple(withheld), thumbnails.written, thumbnails.unreadable, browser.limit)


def write_part(folder: Path, number: int, part: list[dict[str, Any]]) -> None:
    """Write one file of cases."""
    text = f"window.perimetryPart({number},{script_json(part)});\n"
    (folder / "assets" / f"cases-{number:03d}.js").write_text(text, encoding="utf-8")


def index_entry(case: BrowserCase, words: Vocabulary, hidden: bool) -> dict[str, Any]:
    """What filters know of a case."""
    texts = [case.id, case.dataset]
    if not hidden:
        texts += [case.question, case.gold, *(f"{label} {text}" for label, text in case.options)]
        texts += dict.fromkeys(item.answer for item in case.answers if item.answer)
    return {
        "d": words.datasets[case.dataset],
        "m": sorted({words.models[item.model] for item in case.answers}),
        "f": [[words.flags[flag.text], words.models[flag.model] if flag.model else -1] for flag in case.flags],
        "s": " ".join(texts).lower()[:SEARCHED],
    }


def case_entry(
    case: BrowserCase, browser: Browser, words: Vocabulary, thumbnails: Thumbnails, hidden: bool
) -> dict[str, Any]:
    """One case as the page shows it; of a withheld one only what is nobody's text."""
    entry: dict[str, Any] = {
        "id": case.id,
        "d": words.datasets[case.dataset],
        "a": [answer_entry(item, browser, words, hidden) for item in case.answers],
        "f": [[words.flags[flag.text], words.models[flag.model] if flag.model else -1] for flag in case.flags],
    }
    if hidden:
        return {**entry, "w": 1}
    images: list[list[Any]] = []
    if browser.images:
        for condition, shown in case.images.items():
            images.append([words.conditions[condition], [thumbnails.add(image) for image in shown]])
    entry |= {"q": case.question, "g": case.gold, "o": [list(option) for option in case.options], "i": images}
    if case.marks:
        entry["h"] = {
            part: [[piece.text, piece.label] for piece in segments(text, case.marks[part])]
            for part, text in (("", case.question), *case.options)
            if case.marks.get(part)
        }
    if case.lengths:
        entry["l"] = list(case.lengths)
    if case.remarks:
        entry["n"] = list(case.remarks)
    return entry


def answer_entry(item: BrowserAnswer, browser: Browser, words: Vocabulary, hidden: bool) -> dict[str, Any]:
    """One answer; `k` is the length of the whole text where it had to be cut."""
    entry: dict[str, Any] = {
        "m": words.models[item.model],
        "c": words.conditions[item.condition],
        "r": item.repeat,
        "u": item.rule,
        "ok": None if item.right is None else int(item.right),
    }
    if hidden:
        return {**entry, "a": None, "w": 1}
    answer = item.answer
    if answer is not None and len(answer) > browser.answer_limit:
        answer = f"{answer[: browser.answer_limit]}…"
    entry |= {"a": answer, "t": item.text[: browser.text_limit]}
    if len(item.text) > browser.text_limit:
        entry["k"] = len(item.text)
    return entry
