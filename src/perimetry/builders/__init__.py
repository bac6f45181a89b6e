"""From the official files of a data set to ``studies.jsonl`` and the funnel that says what became of every record.

Examples
--------
>>> from perimetry.builders import BUILDERS
>>> sorted(BUILDERS)
['mimic-cxr', 'nih-cxr14', 'padchest-gr']
"""

from perimetry.builders.built import Built, Stage
from perimetry.builders.mimic_cxr import build_mimic_cxr
from perimetry.builders.nih_cxr14 import build_nih_cxr14
from perimetry.builders.padchest_gr import build_padchest_gr

__all__ = ["BUILDERS", "Built", "Stage", "build_mimic_cxr", "build_nih_cxr14", "build_padchest_gr"]

BUILDERS = {"padchest-gr": build_padchest_gr, "mimic-cxr": build_mimic_cxr, "nih-cxr14": build_nih_cxr14}
"""Builders by the name of their data set."""
