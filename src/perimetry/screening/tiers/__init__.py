"""Evidence tiers: from a screened candidate to what a cue has been shown to do (MedQA-MM, section 3.1 and F.3)."""

from perimetry.screening.tiers.assign import TIER_SCHEMA, assign_tiers
from perimetry.screening.tiers.decisions import Decision, read_decisions
from perimetry.screening.tiers.inputs import Folder, Inputs, Source, read_inputs
from perimetry.screening.tiers.support import PARTS, Support, SupportSettings, support_of
from perimetry.screening.tiers.tier import DISPOSITIONS, FINAL, TIERS, Disposition, Tier, default_disposition

__all__ = [
    "DISPOSITIONS",
    "FINAL",
    "PARTS",
    "TIERS",
    "TIER_SCHEMA",
    "Decision",
    "Disposition",
    "Folder",
    "Inputs",
    "Source",
    "Support",
    "SupportSettings",
    "Tier",
    "assign_tiers",
    "default_disposition",
    "read_decisions",
    "read_inputs",
    "support_of",
]
