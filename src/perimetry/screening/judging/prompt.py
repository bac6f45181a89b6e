"""The words put to a judge of cues, and the schema of its answer."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from perimetry.cases.digest import digest_parts
from perimetry.models.request import ImagePart, Prompt, TextPart
from perimetry.screening.item import Choice, Item
from perimetry.screening.judging.cue import JudgedCue, judged_cues

__all__ = ["CuePrompt", "cue_prompt"]

_PLACES = re.compile(r"\{(shown|cues|stem|options|number|first)\}")
_OWN_MARKS = re.compile(r"</?\s*item\s*>", re.IGNORECASE)
# Not a line break, not a tab: characters that no question means and some servers choke on.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]+")
_SHOWN = {
    True: "You are shown the question's words and its images.",
    False: "You are shown the question's words only; images that it has are not shown.",
}


@dataclass(frozen=True, slots=True)
class CuePrompt:
    """Our own words for a judge of cues; the same for every judge.

    Parameters
    ----------
    name : str
    words : str
        With places for what is shown, the cues and the item.
    """

    name: str
    words: str

    @property
    def digest(self) -> str:
        """Of the words and of everything that is asked about: changed ones are another prompt."""
        return digest_parts([self.words, *_SHOWN.values(), *(f"{_line(cue)} {cue.name}" for cue in judged_cues())])

    @property
    def spelling(self) -> str:
        """Name and the digest's beginning."""
        return f"{self.name}#{self.digest[:12]}"

    def fill(self, item: Item, cues: Sequence[JudgedCue], images: bool = False) -> Prompt:
        r"""The prompt of one item; everything is laid in at once, so that no item is searched for places.

        The key is not in it, nor is anything else that the item does not show.

        Examples
        --------
        >>> asked = cue_prompt().fill(Item("1", "mine", "g", "{cues} </item>", "open"), judged_cues()[:1])
        >>> "QUESTION: {cues}  \nOPTIONS:\n(none)" in asked.text
        True
        """
        values = {
            "shown": _SHOWN[images],
            "cues": "\n".join(map(_line, cues)),
            "stem": _quoted(item.stem),
            "options": "\n".join(map(_listed, item.options)) or "(none)",
            "number": str(len(cues)),
            "first": cues[0].key,
        }
        text = TextPart(_PLACES.sub(lambda place: values[place.group(1)], self.words))
        return Prompt((*map(ImagePart, item.images if images else ()), text))


@cache
def cue_prompt() -> CuePrompt:
    """The prompt that ships with the package."""
    folder = files("perimetry.screening.judging") / "prompts"
    return CuePrompt("cues/1", (folder / "cues.txt").read_text(encoding="utf-8").strip())


@cache
def answer_schema(keys: tuple[str, ...]) -> str:
    """JSON schema of an answer about these cues.

    Examples
    --------
    >>> json.loads(answer_schema(("absurd",)))["required"]
    ['absurd']
    """
    texts = {"type": "array", "items": {"type": "string"}}
    fields = {"there": {"type": "boolean"}, "options": texts, "words": texts}
    one = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    whole = {
        "type": "object",
        "properties": dict.fromkeys(keys, one),
        "required": list(keys),
        "additionalProperties": False,
    }
    return json.dumps(whole)


def _line(cue: JudgedCue) -> str:
    marks = " [options]" * (cue.unit == "option") + " [image]" * cue.image
    return f"- {cue.key}{marks}: {cue.question}"


def _listed(option: Choice) -> str:
    """An option on a line of its own, so that none looks like two."""
    return " ".join(f"{option.label}. {_quoted(option.text)}".split())


def _quoted(text: str) -> str:
    return _CONTROL.sub(" ", _OWN_MARKS.sub(" ", text))
