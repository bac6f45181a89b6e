"""The route audit: which inputs other than the image lead to the key of a multiple-choice item? (MedQA-MM)"""

from perimetry.models import Decoding
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE, render_question
from perimetry.protocols.protocol import AuditProtocol
from perimetry.protocols.routes.asking import check, lay_out, read_options, route_conditions
from perimetry.protocols.routes.estimates import PROTOCOL, estimate
from perimetry.protocols.routes.outcomes import ROUTE_SCHEMA, score_trials
from perimetry.protocols.routes.page import page
from perimetry.protocols.routes.verdict import Verdict, judge
from perimetry.runs.design import Design

__all__ = ["ROUTES", "Verdict"]

ROUTES = AuditProtocol(
    name=PROTOCOL,
    conditions=route_conditions(),
    design=Design(COUNTERFACTUAL_PROFILE, render_question, lay_out),
    decoding=Decoding(temperature=0.6, top_p=0.95, official=True),
    options=read_options,
    check=check,
    columns=tuple(ROUTE_SCHEMA),
    outcomes=score_trials,
    estimate=estimate,
    judge=judge,
    page=page,
)
