"""Labels of radiology reports: the fourteen CheXpert classes, labellers, and the F1 between two reports' labels."""

from perimetry.scoring.labels.classes import CHEXBERT_ORDER, CHEXPERT_ORDER, FIVE, columns_in
from perimetry.scoring.labels.f1 import LabelF1, label_f1
from perimetry.scoring.labels.options import LabelOptions, read_label_options
from perimetry.scoring.labels.table import LabelTable

__all__ = [
    "CHEXBERT_ORDER",
    "CHEXPERT_ORDER",
    "FIVE",
    "LabelF1",
    "LabelOptions",
    "LabelTable",
    "columns_in",
    "label_f1",
    "read_label_options",
]
