"""The occlusion audit: does a report state a finding because its region shows it? (ShoViR)"""

from perimetry.models import Decoding
from perimetry.models.report_prompt import REPORT_PROFILE, render_study
from perimetry.protocols.occlusion.asking import check, read_options
from perimetry.protocols.occlusion.estimates import PROTOCOL, estimate
from perimetry.protocols.occlusion.layout import concerns, lay_out
from perimetry.protocols.occlusion.options import OcclusionOptions, region_conditions
from perimetry.protocols.occlusion.outcomes import OUTCOME_COLUMNS, score_reports
from perimetry.protocols.occlusion.page import page
from perimetry.protocols.occlusion.verdict import Verdict, judge
from perimetry.protocols.protocol import AuditProtocol
from perimetry.runs.design import Design

__all__ = ["OCCLUSION", "OcclusionOptions", "Verdict", "region_conditions"]

OCCLUSION = AuditProtocol(
    name=PROTOCOL,
    conditions=("real", "fullnoise", "oco@100", "doco@100", "ro@100", "romatched@100"),
    design=Design(REPORT_PROFILE, render_study, lay_out, concerns),
    decoding=Decoding(),
    options=read_options,
    check=check,
    columns=OUTCOME_COLUMNS,
    outcomes=score_reports,
    estimate=estimate,
    judge=judge,
    page=page,
)
