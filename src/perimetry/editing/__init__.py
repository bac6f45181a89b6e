"""Propose, verify, accept: one loop for everything that is edited before it is audited."""

from perimetry.editing.edit import STATUSES, Edit, Proposal, Proposer, Round, Status, Task, Trial, Verdict, Verifier
from perimetry.editing.funnel import EditFunnel, FunnelCount, edit_funnels
from perimetry.editing.loop import ROUNDS, Choice, first_accepted, run_loop

__all__ = [
    "ROUNDS",
    "STATUSES",
    "Choice",
    "Edit",
    "EditFunnel",
    "FunnelCount",
    "Proposal",
    "Proposer",
    "Round",
    "Status",
    "Task",
    "Trial",
    "Verdict",
    "Verifier",
    "edit_funnels",
    "first_accepted",
    "run_loop",
]
