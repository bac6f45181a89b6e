"""The rule lexicon of visual claims, read from ``lexicon.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from perimetry.cases.errors import DataError

__all__ = ["Lexicon", "default_lexicon", "read_lexicon"]

_WORD = re.compile(r"[^\W_]+(?:&[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Compiled word lists.

    Attributes
    ----------
    version : str
    concepts : dict of str to (str, str)
        Variant (lower case, hyphens as spaces) -> concept and its kind.
    longest : int
        Words of the longest variant.
    seeing, general, negation : re.Pattern
        Cues.
    """

    version: str
    concepts: dict[str, tuple[str, str]]
    longest: int
    seeing: re.Pattern[str]
    general: re.Pattern[str]
    negation: re.Pattern[str]

    def content(self, text: str, start: int, end: int) -> list[tuple[int, str, str]]:
        """Content words of a window, the longest at each place: position, concept, kind."""
        words = [(found.start(), found.end(), found.group().lower()) for found in _WORD.finditer(text, start, end)]
        found_words: list[tuple[int, str, str]] = []
        at = 0
        while at < len(words):
            form = words[at][2]
            best: tuple[int, tuple[str, str]] | None = None
            step = 1
            while True:
                known = self.concepts.get(form)
                if known is not None:
                    best = (step, known)
                if step == self.longest or at + step >= len(words):
                    break
                gap = text[words[at + step - 1][1] : words[at + step][0]]
                if gap.strip(" \t-"):
                    break
                form = f"{form} {words[at + step][2]}"
                step += 1
            if best is not None:
                found_words.append((words[at][0], *best[1]))
                at += best[0]
            else:
                at += 1
        return found_words


def _variants(entry: str) -> list[str]:
    return [variant.strip().lower().replace("-", " ") for variant in entry.split("|")]


def _plurals(word: str) -> list[str]:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return [word, word[:-1] + "ies"]
    return [word, word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")]


def _pattern(words: list[str]) -> re.Pattern[str]:
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    body = "|".join(re.escape(word).replace(r"\ ", r"[\s-]") for word in longest)
    return re.compile(rf"(?:(?<![\w])|(?=n't))(?:{body})(?![\w])", re.IGNORECASE)


def read_lexicon(text: str) -> Lexicon:
    """Compile a lexicon from its TOML text; raises `DataError` for a missing table or a word in two concepts.

    Examples
    --------
    >>> default_lexicon().concepts["effusions"]
    ('effusion', 'finding')
    """
    try:
        data = tomllib.loads(text)
        cues = {
            name: [v for entry in data["cues"][name] for v in _variants(entry)]
            for name in ("seeing", "general", "negation")
        }
        content = data["content"]
        version = data["version"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise DataError(
            f"The claim lexicon cannot be read: {error}. "
            "It needs `version`, [content], and [cues] with seeing, general and negation."
        ) from error
    concepts: dict[str, tuple[str, str]] = {}
    for kind, entries in content.items():
        for entry in entries:
            variants = _variants(entry)
            for variant in variants:
                for form in _plurals(variant):
                    held = concepts.setdefault(form, (variants[0], kind))
                    if held[0] != variants[0]:
                        raise DataError(
                            f"The claim lexicon has {form!r} under {held[0]!r} and {variants[0]!r}; keep one of them."
                        )
    return Lexicon(
        version,
        concepts,
        max(form.count(" ") + 1 for form in concepts),
        _pattern(cues["seeing"]),
        _pattern(cues["general"]),
        _pattern(cues["negation"]),
    )


@cache
def default_lexicon() -> Lexicon:
    """The lexicon that ships with the package, compiled on first use."""
    return read_lexicon(files("perimetry.scoring.rationale").joinpath("lexicon.toml").read_text(encoding="utf-8"))
