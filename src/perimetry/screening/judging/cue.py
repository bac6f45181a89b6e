"""Cues that a judge is asked about, read from ``cues.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from perimetry.screening.finding import Severity
from perimetry.screening.item import Item
from perimetry.screening.screen import Unit

__all__ = ["JUDGED", "JudgedCue", "judged_cues", "judged_table"]

JUDGED = "judged"
"""The layer of what judges say; also the beginning of their cues' names, so that none is taken for a screen's."""


@dataclass(frozen=True, slots=True)
class JudgedCue:
    """One cue that a judge is asked about.

    Parameters
    ----------
    key : str
        What it is called in prompt and answer.
    title : str
    about : tuple of str
        Cues of the dictionary (`APPENDIX_F`).
    unit : {"option", "item"}
    severity : {"low", "medium", "high"}
        How strong the cue could be at most.
    question : str
        What the judge is asked.
    rules : tuple of str
        Screens that look at the same cue.
    least : int, default 1
        Options that have to carry it.
    image : bool, default False
        Whether it lies in the image: asked only where the judge is shown it.
    options : bool, default False
        Whether a cue of the whole item needs options that can be compared.

    Examples
    --------
    >>> JudgedCue("absurd", "Absurd", (), "option", "medium", "An option that is absurd.").name
    'judged-absurd'
    """

    key: str
    title: str
    about: tuple[str, ...]
    unit: Unit
    severity: Severity
    question: str
    rules: tuple[str, ...] = ()
    least: int = 1
    image: bool = False
    options: bool = False

    @property
    def name(self) -> str:
        """The cue's name in tables."""
        return f"{JUDGED}-{self.key}"

    def applies(self, item: Item, images: bool) -> bool:
        """Whether a judge can be asked about it: `images` says whether judges are shown those of the item."""
        if self.image and not (images and item.images):
            return False
        if self.unit == "option" or self.options:
            return item.comparable
        return bool(item.stem.strip())


@cache
def judged_cues() -> tuple[JudgedCue, ...]:
    """All cues that judges are asked about, in the order of the prompt.

    Examples
    --------
    >>> judged_cues()[0].name, len({cue.name for cue in judged_cues()}) == len(judged_cues())
    ('judged-absurd-option', True)
    """
    text = (files("perimetry.screening.judging") / "cues.toml").read_text(encoding="utf-8")
    return tuple(
        JudgedCue(
            key,
            entry["title"],
            tuple(entry["about"]),
            entry["unit"],
            entry["severity"],
            entry["question"],
            tuple(entry.get("rules", ())),
            entry.get("least", 1),
            entry.get("image", False),
            entry.get("options", False),
        )
        for key, entry in tomllib.loads(text).items()
    )


def judged_table() -> tuple[str, ...]:
    """The cues as lines of a Markdown table: name, what carries it, what the judge is asked, the screens held beside.

    Examples
    --------
    >>> judged_table()[2].split(" | ")[:2]
    ['| `judged-absurd-option`', 'option']
    """
    lines = ["| cue | of | what the judge is asked | screens of the same cue |", "| --- | --- | --- | --- |"]
    for cue in judged_cues():
        where = f"{cue.unit}, image" if cue.image else cue.unit
        screens = "`context-*`" if len(cue.rules) > 3 else ", ".join(f"`{rule}`" for rule in cue.rules)
        lines.append(f"| `{cue.name}` | {where} | {cue.question} | {screens} |")
    return tuple(lines)
