"""`perimetry audit`: run an audit."""

from __future__ import annotations

import typer

from perimetry.cli.audit_counterfactual import counterfactual
from perimetry.cli.audit_occlusion import occlusion
from perimetry.cli.audit_references import references
from perimetry.cli.audit_routes import routes

__all__ = ["app"]

app = typer.Typer(help="Run an audit.", no_args_is_help=True, rich_markup_mode=None)

# Lines that are given here are shown whole; the first sentence of a docstring would be cut.
app.command("counterfactual", short_help="Does the score need the image?")(counterfactual)
app.command("occlusion", short_help="Does a report state a finding because its region shows it?")(occlusion)
app.command("routes", short_help="Which inputs other than the image lead to the key?")(routes)
app.command("references", short_help="Do scores and rankings depend on the wording of the references?")(references)
