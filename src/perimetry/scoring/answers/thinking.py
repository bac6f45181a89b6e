"""Thinking blocks: what a model writes before it answers is no answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Thinking", "cut_thinking"]

_NAMES = "think|thinking|thought|thoughts|reasoning|reason|analysis|reflection|seed:think|unused94|unused95"
_MARKS = re.compile(
    r"<(?P<slash>/?)\s{0,4}(?P<name>" + _NAMES + r")\s{0,4}>"
    r"|(?P<open>\[THINK\]|\u25c1think\u25b7|<\|begin_of_thought\|>|<\|channel\|>\s{0,4}(?:analysis|commentary)"
    r"|<\|START_THINKING\|>)"
    r"|(?P<close>\[/THINK\]|\u25c1/think\u25b7|<\|end_of_thought\|>|<\|channel\|>\s{0,4}final(?:\s{0,4}<\|message\|>)?"
    r"|<\|END_THINKING\|>)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Thinking:
    """A response taken apart.

    Attributes
    ----------
    body : str
        The response with every thinking block blanked out; same length as the response.
    blocks : tuple of (int, int)
        Spans of the thoughts, without their marks.
    finished : bool
        False when a block is still open at the end: the model was cut off before it answered.
    """

    body: str
    blocks: tuple[tuple[int, int], ...]
    finished: bool


def cut_thinking(text: str) -> Thinking:
    """Blank out thinking blocks: ``<think>``, ``<reasoning>`` and their kin, bracketed and channel forms.

    A closing mark without an opening one closes a thought that began with the response (chat templates often open it
    in the prompt). An opening mark that is never closed leaves nothing to read.

    Examples
    --------
    >>> cut_thinking("<think>A or B?</think>B").body.strip()
    'B'
    >>> cut_thinking("<think>A or B?").finished
    False
    """
    if "<" not in text and "[" not in text and "\u25c1" not in text:
        return Thinking(text, (), True)
    blocks: list[tuple[int, int]] = []
    cuts: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    done = 0
    for mark in _MARKS.finditer(text):
        name = (mark["name"] or "").lower()
        if mark["open"] or name == "unused94" or (name and name != "unused95" and not mark["slash"]):
            opened = opened or mark
            continue
        blocks.append((opened.end() if opened else done, mark.start()))
        cuts.append((opened.start() if opened else done, mark.end()))
        opened, done = None, mark.end()
    if opened is not None:
        blocks.append((opened.end(), len(text)))
        cuts.append((opened.start(), len(text)))
    if not cuts:
        return Thinking(text, (), True)
    pieces: list[str] = []
    place = 0
    for first, last in cuts:
        pieces += [text[place:first], "\n" * (last - first)]
        place = last
    pieces.append(text[place:])
    return Thinking("".join(pieces), tuple(blocks), opened is None)
