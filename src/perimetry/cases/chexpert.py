"""The fourteen CheXpert classes and their two published orders.

References
----------
Irvin et al. 2019, "CheXpert", section 2 and table 1 (classes); Smit et al. 2020, "CheXbert", section 3.1 (order).
"""

from __future__ import annotations

__all__ = ["ABNORMAL", "CHEXBERT_ORDER", "CHEXPERT_ORDER", "FIVE", "NO_FINDING"]

NO_FINDING = "No Finding"

CHEXBERT_ORDER = (
    "Enlarged Cardiomediastinum",
    "Cardiomegaly",
    "Lung Opacity",
    "Lung Lesion",
    "Edema",
    "Consolidation",
    "Pneumonia",
    "Atelectasis",
    "Pneumothorax",
    "Pleural Effusion",
    "Pleural Other",
    "Fracture",
    "Support Devices",
    NO_FINDING,
)
"""Columns of every array of labels in this project."""

CHEXPERT_ORDER = (
    NO_FINDING,
    "Enlarged Cardiomediastinum",
    "Cardiomegaly",
    "Lung Lesion",
    "Lung Opacity",
    "Edema",
    "Consolidation",
    "Pneumonia",
    "Atelectasis",
    "Pneumothorax",
    "Pleural Effusion",
    "Pleural Other",
    "Fracture",
    "Support Devices",
)
"""Columns of the csv files that come with CheXpert (after path, sex, age and views)."""

ABNORMAL = CHEXBERT_ORDER[:-1]
"""The thirteen classes that state something and have a place in an image: all but No Finding."""

FIVE = ("Cardiomegaly", "Edema", "Consolidation", "Atelectasis", "Pleural Effusion")
"""The five classes of the CheXpert competition, over which "F1-5" is taken."""
