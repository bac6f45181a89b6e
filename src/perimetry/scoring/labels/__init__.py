"""Labels of radiology reports: the fourteen CheXpert classes, labellers, and the F1 between two reports' labels."""

from perimetry.scoring.labels.classes import ABNORMAL, CHEXBERT_ORDER, CHEXPERT_ORDER, CODES, FIVE, columns_in
from perimetry.scoring.labels.f1 import NOTHING_STATED, LabelF1, label_f1
from perimetry.scoring.labels.f1_rules import RulesF1
from perimetry.scoring.labels.labeller import OTHER, Evidence, Reading, RuleLabeller
from perimetry.scoring.labels.options import LABEL_PARAMETERS, LabelOptions, read_label_options
from perimetry.scoring.labels.table import LabelTable

__all__ = [
    "ABNORMAL",
    "CHEXBERT_ORDER",
    "CHEXPERT_ORDER",
    "CODES",
    "FIVE",
    "LABEL_PARAMETERS",
    "NOTHING_STATED",
    "OTHER",
    "Evidence",
    "LabelF1",
    "LabelOptions",
    "LabelTable",
    "Reading",
    "RuleLabeller",
    "RulesF1",
    "columns_in",
    "label_f1",
    "read_label_options",
]
