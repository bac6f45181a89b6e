"""Alternative references: the same report in another reporting style."""

from perimetry.editing.references.alternative import Alternative
from perimetry.editing.references.counting import Counted, count_rewrites
from perimetry.editing.references.making import make_alternatives
from perimetry.editing.references.report import ReportText
from perimetry.editing.references.rewriting import Rewriting, rewrite
from perimetry.editing.references.taxonomy import AXES, Axis, Target, axes, parse_targets

__all__ = [
    "AXES",
    "Alternative",
    "Axis",
    "Counted",
    "ReportText",
    "Rewriting",
    "Target",
    "axes",
    "count_rewrites",
    "make_alternatives",
    "parse_targets",
    "rewrite",
]
