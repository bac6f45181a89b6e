"""From a study as a condition shows it to the prompt for its report.

A request's name leaves the model out, so that all models of a run share one plan. Report generation is where models
differ most: each has a prompt, inputs and decoding of its own, which its card's profile fixes. Both hold together so:

- The protocol renders every study with one profile of the audit's own (`REPORT_PROFILE`), whose spelling is part of the
  request's name. Its prompt quotes no section and shows one frontal image.
- The prompt carries, beside its parts, the study's `Material`: all images as the condition shows them, and the
  sections that stand before a report is written. Findings and impression are not in it: no profile can show them.
- A model with a profile of a card (``card:CARD/PROFILE``) rewrites the prompt from that material when it is asked
  (`CardUse.to`), and puts the profile's decoding in place of the protocol's. It quotes the sections that its profile
  names and no other. Every other model is sent `Prompt.parts` alone.
- Two profiles of a card are two models by name, and the facts that a run records of a model hold the spelling of its
  report profile: a run whose card has changed since is not resumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from perimetry.cases.digest import digest_parts
from perimetry.cases.study import Study
from perimetry.models.request import ImagePart, Material, Part, Prompt, TextPart
from perimetry.models.views import Views, chosen_images

__all__ = ["CONTEXT", "REPORT_PROFILE", "ReportProfile", "material_of", "render_report", "render_study", "slots"]

CONTEXT = ("indication", "technique", "comparison")
"""Sections that are known before a report is written, in the order in which prompts quote them."""

_SLOT = re.compile(r"\{(" + "|".join(CONTEXT) + r")\}")


def slots(prompt: str) -> set[str]:
    """Sections that have a place in a prompt.

    Examples
    --------
    >>> slots("Given {indication}, describe {this}.")
    {'indication'}
    """
    return set(_SLOT.findall(prompt))


@dataclass(frozen=True, slots=True)
class ReportProfile:
    """How a report is asked for.

    Parameters
    ----------
    name : str
        Name and version.
    prompt : str
        What is asked; ``{indication}``, ``{technique}`` and ``{comparison}`` stand for sections. Empty for a model that
        takes images alone.
    sections : tuple of str, default ()
        Which of `CONTEXT` are shown. Those without a place of their own in the prompt are quoted, a line each:
        ``Indication: cough``.
    quoted : {"before", "after"}, default "before"
        On which side of the prompt.
    absent : str, default ""
        What stands for a section that the study lacks, for example ``N/A``; where it is empty, its line is left out.
    system : str, default ""
    views : {"frontal", "all", "pair"}, default "frontal"
        See `chosen_images`.
    max_images : int or None, default 1

    Examples
    --------
    >>> ReportProfile("mine/1", "Describe the image.").spelling
    'mine/1#98474d199989'
    """

    name: str
    prompt: str
    sections: tuple[str, ...] = ()
    quoted: Literal["before", "after"] = "before"
    absent: str = ""
    system: str = ""
    views: Views = "frontal"
    max_images: int | None = 1

    @property
    def spelling(self) -> str:
        """Name and a digest of everything that shapes the prompt: a changed word is another request."""
        words = [self.prompt, "\x1f".join(self.sections), self.quoted, self.absent, self.system, self.views]
        return f"{self.name}#{digest_parts([*words, str(self.max_images)])[:12]}"

    def text(self, sections: Mapping[str, str]) -> str:
        """The words of the prompt for a study with those sections; sections that are not the profile's stay unread."""
        known = {name: " ".join(sections.get(name, "").split()) or self.absent for name in self.sections}
        placed = slots(self.prompt)
        lines = [
            f"{name.capitalize()}: {known[name]}"
            for name in CONTEXT
            if known.get(name) and name not in placed  # a section without words has no line
        ]
        asked = _SLOT.sub(lambda slot: known.get(slot[1], self.absent), self.prompt)
        asked_lines = [asked] if asked else []
        return "\n".join([*lines, *asked_lines] if self.quoted == "before" else [*asked_lines, *lines])


REPORT_PROFILE = ReportProfile(
    name="report/1",
    prompt=(
        "This is a frontal chest radiograph. Write the findings section of its radiology report in plain sentences: "
        "heart and mediastinum, lungs, pleura, bones and any devices. State what is present and what is absent, and "
        "nothing that the image does not show. Give the findings alone, without heading, impression or advice."
    ),
)
"""The audit's own: for models without a profile of a card."""


def material_of(study: Study) -> Material:
    """What the prompt of a study may be made from; its report, labels and hidden metadata are never read.

    Examples
    --------
    >>> study = Study("1", "mine", "g", sections={"indication": "Cough.", "findings": "Clear."})
    >>> material_of(study).sections
    (('indication', 'Cough.'),)
    """
    sections = tuple((name, study.sections[name]) for name in CONTEXT if study.sections.get(name, "").strip())
    marked = tuple(sorted({box.image for box in study.boxes}))
    return Material(study.study_id, study.images, sections, marked)


def render_report(material: Material, profile: ReportProfile) -> Prompt:
    """The prompt for a report: images first, then the profile's words.

    Raises
    ------
    CaseError
        When the study has no image that the profile may show.
    """
    parts: list[Part] = [ImagePart(image) for image in chosen_images(material, profile.views, profile.max_images)]
    text = profile.text(dict(material.sections))
    if text:
        parts.append(TextPart(text))
    return Prompt(parts=tuple(parts), system=profile.system, answer_type="report", material=material)


def render_study(study: Study, profile: ReportProfile = REPORT_PROFILE) -> Prompt:
    r"""Build the prompt for the report of a study.

    Parameters
    ----------
    study : Study
        As the condition shows it.
    profile : ReportProfile, optional
        The audit's own by default.

    Returns
    -------
    Prompt
        Of answer type ``report``, with the material that a card's profile may rewrite it from.

    Raises
    ------
    CaseError
        When the study has images, but none that the profile may show.

    Examples
    --------
    >>> study = Study("1", "mine", "g", sections={"indication": "Cough.", "findings": "Clear."})
    >>> render_study(study, ReportProfile("mine/1", "Describe.", ("indication", "comparison"), absent="N/A")).text
    'Indication: Cough.\nComparison: N/A\nDescribe.'
    """
    return render_report(material_of(study), profile)
