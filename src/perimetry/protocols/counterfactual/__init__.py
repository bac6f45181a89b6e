"""The counterfactual audit: does a VQA or multiple-choice score need the image? (CORAL)"""

from perimetry.conditions import DEFAULT_CONDITIONS
from perimetry.models import Decoding
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE
from perimetry.protocols.counterfactual.estimates import PROTOCOL, estimate
from perimetry.protocols.counterfactual.page import page
from perimetry.protocols.counterfactual.rationales import score_rationales
from perimetry.protocols.counterfactual.verdict import Verdict, judge
from perimetry.protocols.protocol import AuditProtocol

__all__ = ["COUNTERFACTUAL", "Verdict"]

COUNTERFACTUAL = AuditProtocol(
    name=PROTOCOL,
    conditions=DEFAULT_CONDITIONS,
    profile=COUNTERFACTUAL_PROFILE,
    decoding=Decoding(),
    details=score_rationales,
    estimate=estimate,
    judge=judge,
    page=page,
)
