"""The counterfactual audit: does a VQA or multiple-choice score need the image? (CORAL)"""

from perimetry.conditions import DEFAULT_CONDITIONS
from perimetry.models import Decoding
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE, render_question
from perimetry.protocols.counterfactual.asking import check_nothing, no_options, score_rationales_of, score_trials
from perimetry.protocols.counterfactual.estimates import PROTOCOL, estimate
from perimetry.protocols.counterfactual.page import page
from perimetry.protocols.counterfactual.verdict import Verdict, judge
from perimetry.protocols.protocol import AuditProtocol
from perimetry.runs.design import Design
from perimetry.runs.outcomes import OUTCOME_SCHEMA

__all__ = ["COUNTERFACTUAL", "Verdict"]

COUNTERFACTUAL = AuditProtocol(
    name=PROTOCOL,
    conditions=DEFAULT_CONDITIONS,
    design=Design(COUNTERFACTUAL_PROFILE, render_question),
    decoding=Decoding(),
    options=no_options,
    check=check_nothing,
    columns=tuple(OUTCOME_SCHEMA),
    outcomes=score_trials,
    details=score_rationales_of,
    estimate=estimate,
    judge=judge,
    page=page,
)
