"""How options are written: brackets, typography, label residue, scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

from perimetry.screening.asymmetry import asymmetric, matches
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Choice, Item
from perimetry.screening.screen import HALADYNA, MEDQA_MM, Screen

__all__ = ["SCREENS"]

BRACKETS = re.compile(
    r"[(\[][^()\[\]]*[^\W_][^()\[\]]*[)\]]|\b(?:e\.g\.|i\.e\.|for example|such as|including)", re.IGNORECASE
)
LONE_BRACKET = re.compile(r"^\s*[(\[]\s*\w{1,3}\s*[)\]]")
QUOTE = re.compile(r"[\"“”«»]|(?<!\w)['‘][^'’]{2,}['’]")
CAPITALS = re.compile(r"\b[A-Z]{4,}\b(?:\s+[A-Z]{2,}\b)*")
MARKUP = re.compile(
    r"</?(?:b|i|u|em|strong|sub|sup|span|br|p|font|mark)\b[^<>]*>|\*\*[^*]+\*\*|\\(?:text|math)[a-z]+\{|[$][^$]+[$]"
)
END = re.compile(r"[.;:!]\s*$")
HYPHEN = re.compile(r"\w[-–]\w")
DOTTED = re.compile(r"(?:\b\w\.){2,}\s*$|\betc\.\s*$")
LABEL = re.compile(r"^\s*(?:[(\[]?[A-Ja-j][)\].:]|[(\[][A-Ja-j][)\]]|option\s+[A-J]\b)\s*(?=\S)", re.IGNORECASE)
EDGE = re.compile(r"^[ \t\r\n\u00a0]+|[ \t\r\n\u00a0]+$|[\r\n]+|\u200b|\ufeff|[ \u00a0]{2,}")
FOREIGN = re.compile(r"[\u0370-\u03ff\u0400-\u1fff\u2e80-\ufaff\uff66-\uffdc]{2,}")


def _parenthetical(item: Item, _: DatasetStatistics) -> Finding | None:
    found = {}
    for option in item.options:
        spans = matches(option, BRACKETS)
        if not (len(spans) == 1 and LONE_BRACKET.match(option.text)):
            found[option.label] = spans
    return asymmetric(item, found)


# One look of a text each; an option stands out where it alone has the look, or alone lacks it.
LOOKS: tuple[tuple[str, Callable[[Choice], list[Span]]], ...] = (
    ("quotation marks", lambda option: matches(option, QUOTE, "quotation marks")),
    (
        "capitals",
        lambda option: [] if option.text.isupper() and len(option.text) < 8 else matches(option, CAPITALS, "capitals"),
    ),
    ("markup", lambda option: matches(option, MARKUP, "markup")),
    ("end sign", lambda option: [] if DOTTED.search(option.text) else matches(option, END, "end sign")),
    ("small initial", lambda option: _initial(option)),
    ("hyphen", lambda option: matches(option, HYPHEN, "hyphen")),
)


def _initial(option: Choice) -> list[Span]:
    first = next((letter for letter in option.visible if not letter.isspace()), "")
    return [Span(option.label, 0, 1, "small initial")] if first.islower() else []


def _typography(item: Item, _: DatasetStatistics) -> Finding | None:
    carried: dict[str, list[Span]] = {}
    if len(item.options) < 3:
        return None
    for look, read in LOOKS:
        spans = {option.label: read(option) for option in item.options}
        having = [label for label, found in spans.items() if found]
        if len(having) == 1:
            carried.setdefault(having[0], []).extend(spans[having[0]])
        elif len(having) == len(item.options) - 1 and look != "hyphen":
            lone = next(option for option in item.options if not spans[option.label])
            carried.setdefault(lone.label, []).append(Span(lone.label, 0, len(lone.text), f"no {look}"))
    looks = dict.fromkeys(span.label for found in carried.values() for span in found)
    return asymmetric(item, carried, "medium", ", ".join(looks))


def _residue(item: Item, _: DatasetStatistics) -> Finding | None:
    found = {
        option.label: [*matches(option, LABEL, "label inside the option"), *matches(option, EDGE, "stray blanks")]
        for option in item.options
    }
    return asymmetric(item, found, "low")


def _script(item: Item, _: DatasetStatistics) -> Finding | None:
    found = {option.label: matches(option, FOREIGN, "another script") for option in item.options}
    return asymmetric(item, found, "medium")


SCREENS = (
    Screen(
        "parenthetical",
        "Bracket or example",
        "option form",
        "option",
        "options with a bracketed clarification or an example, where others have none",
        _parenthetical,
        HALADYNA,
    ),
    Screen(
        "typography",
        "Typography",
        "option form",
        "option",
        "an option that alone has (or alone lacks) quotation marks, capitals, markup, an end sign, a small"
        " initial, or "
        "alone has a hyphen; items of three or more options",
        _typography,
    ),
    Screen(
        "format-residue",
        "Formatting residue",
        "option form",
        "option",
        "options that hold a label of their own, stray or doubled blanks, or line breaks, where others do not",
        _residue,
    ),
    Screen(
        "mixed-script",
        "Another script",
        "option form",
        "option",
        "options with two or more letters in a row of a script that is not Latin, where others have none",
        _script,
        MEDQA_MM,
    ),
)
