"""Template reports: sentences that affirm and deny each finding, put together in a few styles."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from perimetry.phantoms.dice import Dice
from perimetry.phantoms.vocabulary import FINDINGS

__all__ = ["STYLES", "affirmation", "denial", "report_sections"]

STYLES = 3
"""How many wordings each sentence has."""

_AFFIRM = MappingProxyType(
    {
        "Enlarged Cardiomediastinum": (
            "The mediastinum is widened.",
            "There is widening of the mediastinum.",
            "Mediastinal widening is present.",
        ),
        "Cardiomegaly": ("The heart is enlarged.", "There is cardiomegaly.", "Cardiomegaly is present."),
        "Lung Opacity": (
            "There is a hazy opacity in the {place}.",
            "A hazy lung opacity is seen in the {place}.",
            "Hazy opacity is present in the {place}.",
        ),
        "Lung Lesion": (
            "There is a nodule in the {place}.",
            "A lung nodule is seen in the {place}.",
            "A round pulmonary nodule is present in the {place}.",
        ),
        "Edema": ("There is pulmonary edema.", "Pulmonary edema is seen in {place}.", "Pulmonary edema is present."),
        "Consolidation": (
            "There is consolidation in the {place}.",
            "Dense consolidation is seen in the {place}.",
            "Consolidation with air bronchograms is present in the {place}.",
        ),
        "Pneumonia": (
            "There is pneumonia in the {place}.",
            "Patchy pneumonia is seen in the {place}.",
            "Pneumonia is present in the {place}.",
        ),
        "Atelectasis": (
            "There is atelectasis in the {place}.",
            "Plate-like atelectasis is seen in the {place}.",
            "Linear atelectasis is present in the {place}.",
        ),
        "Pneumothorax": (
            "There is a pneumothorax at the {place}.",
            "A pneumothorax is seen at the {place}.",
            "A pneumothorax is present at the {place}.",
        ),
        "Pleural Effusion": (
            "There is a pleural effusion at the {place}.",
            "A pleural effusion is seen at the {place}.",
            "A pleural effusion is present at the {place}.",
        ),
        "Pleural Other": (
            "There is pleural thickening along the {place}.",
            "Pleural thickening is seen along the {place}.",
            "Calcified pleural plaque is present along the {place}.",
        ),
        "Fracture": (
            "There is a fracture of a {place}.",
            "A fracture is seen in a {place}.",
            "A displaced fracture of a {place} is present.",
        ),
        "Support Devices": (
            "There is a pacemaker over the {place}.",
            "A pacemaker is seen over the {place}.",
            "A pacemaker is in place over the {place}.",
        ),
    }
)

_ANYWHERE = MappingProxyType(
    {
        "Pneumothorax": "apex",
        "Pleural Effusion": "base",
        "Pleural Other": "chest wall",
        "Fracture": "rib",
        "Support Devices": "chest wall",
        "Edema": "both lungs",
    }
)

_DENY = MappingProxyType(
    {
        "Enlarged Cardiomediastinum": "The mediastinum is not widened.",
        "Cardiomegaly": "The heart is not enlarged.",
        "Lung Opacity": "There is no hazy opacity.",
        "Lung Lesion": "There is no lung nodule.",
        "Edema": "There is no pulmonary edema.",
        "Consolidation": "There is no consolidation.",
        "Pneumonia": "There is no pneumonia.",
        "Atelectasis": "There is no atelectasis.",
        "Pneumothorax": "There is no pneumothorax.",
        "Pleural Effusion": "There is no pleural effusion.",
        "Pleural Other": "There is no pleural thickening.",
        "Fracture": "There is no rib fracture.",
        "Support Devices": "There is no pacemaker.",
    }
)

_CLEAR = "No acute abnormality."


def affirmation(finding: str, style: int = 0, place: str = "") -> str:
    """A sentence that states a finding.

    Parameters
    ----------
    finding : str
        CheXpert class.
    style : int, default 0
        Which wording; taken modulo `STYLES`.
    place : str, default ""
        Where it lies; left unsaid as far as the sentence allows when empty.

    Examples
    --------
    >>> affirmation("Lung Lesion", 1, "right upper lung")
    'A lung nodule is seen in the right upper lung.'
    """
    return _AFFIRM[finding][style % STYLES].format(place=place or _ANYWHERE.get(finding, "lung"))


def denial(finding: str) -> str:
    """A sentence that denies a finding.

    Examples
    --------
    >>> denial("Edema")
    'There is no pulmonary edema.'
    """
    return _DENY[finding]


def report_sections(
    present: Mapping[str, str],
    seed: int,
    *parts: str,
    absent: Collection[str] = FINDINGS,
    denials: int = 3,
) -> dict[str, str]:
    """Findings and impression of a report.

    Parameters
    ----------
    present : mapping of str to str
        CheXpert classes to state, each with its place ("" if unknown).
    seed, *parts
        What the style is drawn from.
    absent : collection of str
        Classes that may be denied; those that are present never are.
    denials : int, default 3
        How many of them are.

    Examples
    --------
    >>> report_sections({"Cardiomegaly": ""}, 5, denials=0)["impression"]
    'There is cardiomegaly.'
    """
    dice = Dice(seed, "phantom/report", *parts)
    style = dice.below(STYLES)
    stated = [affirmation(name, style, present[name]) for name in FINDINGS if name in present]
    deniable = [name for name in FINDINGS if name in absent and name not in present]
    denied = set(dice.shuffled(deniable)[:denials])
    sentences = stated + [denial(name) for name in FINDINGS if name in denied]
    impression = [affirmation(name, style + 1, present[name]) for name in FINDINGS if name in present]
    return {"findings": " ".join(sentences or [_CLEAR]), "impression": " ".join(impression) or _CLEAR}
