"""The thirteen localisable CheXpert findings: their names, companions and the words they go by."""

from __future__ import annotations

import re
from types import MappingProxyType

from perimetry.cases.chexpert import ABNORMAL, NO_FINDING

__all__ = ["COMPANIONS", "FINDINGS", "NO_FINDING", "PHRASES", "TERMS", "mentioned"]

FINDINGS = ABNORMAL
"""In CheXbert's order, without No Finding (which has no place in an image)."""

_COMPANY = (
    ("Pleural Effusion", "Atelectasis"),
    ("Cardiomegaly", "Edema"),
    ("Pneumonia", "Consolidation"),
    ("Pneumothorax", "Fracture"),
    ("Enlarged Cardiomediastinum", "Support Devices"),
    ("Lung Lesion", "Pleural Other", "Lung Opacity"),
)

COMPANIONS = MappingProxyType(
    {name: tuple(other for other in company if other != name) for company in _COMPANY for name in company}
)
"""Which findings come together when a population has co-occurrence; the relation goes both ways."""

PHRASES = MappingProxyType(
    {
        "Enlarged Cardiomediastinum": "widening of the mediastinum",
        "Cardiomegaly": "cardiomegaly",
        "Lung Opacity": "a hazy lung opacity",
        "Lung Lesion": "a lung nodule",
        "Edema": "pulmonary edema",
        "Consolidation": "consolidation",
        "Pneumonia": "pneumonia",
        "Atelectasis": "atelectasis",
        "Pneumothorax": "a pneumothorax",
        "Pleural Effusion": "a pleural effusion",
        "Pleural Other": "pleural thickening",
        "Fracture": "a rib fracture",
        "Support Devices": "a pacemaker",
    }
)
"""How a sentence calls each finding."""

TERMS = MappingProxyType(
    {
        "Enlarged Cardiomediastinum": (
            "enlarged cardiomediastinum",
            "widening of the mediastinum",
            "mediastinal widening",
            "widened mediastinum",
            "wide mediastinum",
            "mediastinum is widened",
            "mediastinum widened",
        ),
        "Cardiomegaly": (
            "cardiomegaly",
            "enlarged heart",
            "heart enlarged",
            "heart is enlarged",
            "cardiac enlargement",
        ),
        "Lung Opacity": ("lung opacity", "hazy opacity", "hazy lung opacity", "airspace opacity", "infiltrate"),
        "Lung Lesion": ("lung lesion", "lung nodule", "pulmonary nodule", "nodule", "lung mass", "mass"),
        "Edema": ("pulmonary edema", "pulmonary oedema", "edema", "oedema"),
        "Consolidation": ("consolidation", "consolidated"),
        "Pneumonia": ("pneumonia",),
        "Atelectasis": ("atelectasis", "atelectatic"),
        "Pneumothorax": ("pneumothorax", "pneumothoraces"),
        "Pleural Effusion": ("pleural effusion", "pleural effusions", "effusion", "effusions", "pleural fluid"),
        "Pleural Other": ("pleural other", "pleural thickening", "pleural plaque", "pleural plaques"),
        "Fracture": ("rib fracture", "fracture", "fractures", "fractured"),
        "Support Devices": ("support devices", "support device", "pacemaker", "central line", "endotracheal tube"),
    }
)
"""Terms by which a text may name each finding, lower case."""

_OWNER = {term: name for name, terms in TERMS.items() for term in terms}
_PATTERN = re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, _OWNER), key=len, reverse=True)) + r")\b")


def mentioned(text: str) -> tuple[str, ...]:
    """Findings that a text names, in the order in which they first occur.

    Negation is not looked at: a question that asks for a finding names it either way.

    Examples
    --------
    >>> mentioned("Is there a Pleural Effusion beside the enlarged heart?")
    ('Pleural Effusion', 'Cardiomegaly')
    """
    plain = re.sub(r"\s+", " ", text.lower())
    return tuple(dict.fromkeys(_OWNER[match.group()] for match in _PATTERN.finditer(plain)))
