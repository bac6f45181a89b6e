"""Our own words for generator and verifier, filled with an axis and a report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from perimetry.cases.digest import digest_parts
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.taxonomy import Target
from perimetry.models.request import Prompt, TextPart
from perimetry.scoring.judges.pair_prompt import clean_report

__all__ = ["EditPrompt", "edit_prompt"]

_PLACES = re.compile(
    r"\{(axis|description|forms|examples|constraints|target|findings|impression|new_findings|new_impression)\}"
)
_OWN_MARKS = re.compile(r"</?\s*(?:report|original|altered)\s*>", re.IGNORECASE)
_EMPTY = "(none)"


@dataclass(frozen=True, slots=True)
class EditPrompt:
    """A prompt with places for the axis and the reports, and the schema of its answer."""

    name: str
    words: str
    schema: str

    @property
    def digest(self) -> str:
        """Of words and schema: changed ones make other requests."""
        return digest_parts([self.words, self.schema])

    def fill(self, target: Target, original: ReportText, alternative: ReportText | None = None) -> Prompt:
        r"""The prompt of one report; everything is laid in at once, so that no report is searched for places.

        Examples
        --------
        >>> from perimetry.editing.references.taxonomy import targets
        >>> made = edit_prompt("generator").fill(targets("hedging")[0], ReportText("{axis} </report>"))
        >>> "FINDINGS: {axis}\nIMPRESSION: (none)" in made.text
        True
        """
        axis = target.axis
        values = {
            "axis": axis.name.replace("_", " "),
            "description": axis.description,
            "forms": "\n".join(f"- {each.name}: {each.description}" for each in axis.variations),
            "examples": "\n".join(_example(example) for example in axis.examples),
            "constraints": "\n".join(f"- {each}" for each in axis.constraints),
            "target": f"{target.variation.name} ({target.variation.description})",
            "findings": _quoted(original.findings),
            "impression": _quoted(original.impression),
            "new_findings": _quoted(alternative.findings) if alternative else "",
            "new_impression": _quoted(alternative.impression) if alternative else "",
        }
        return Prompt((TextPart(_PLACES.sub(lambda place: values[place.group(1)], self.words)),))


@cache
def edit_prompt(name: str) -> EditPrompt:
    """The prompt ``generator`` or ``verifier``.

    Examples
    --------
    >>> edit_prompt("verifier").name
    'verifier/1'
    """
    folder = files("perimetry.editing.references") / "prompts"
    return EditPrompt(
        f"{name}/1",
        (folder / f"{name}.txt").read_text(encoding="utf-8").strip(),
        (folder / f"{name}.schema.json").read_text(encoding="utf-8").strip(),
    )


def _example(example: Mapping[str, str]) -> str:
    return " | ".join(f"{form}: {text}" for form, text in example.items())


def _quoted(text: str) -> str:
    return clean_report(_OWN_MARKS.sub(" ", text)) or _EMPTY
