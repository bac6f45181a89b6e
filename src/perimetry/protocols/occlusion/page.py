"""The report page of the occlusion audit."""

from __future__ import annotations

from collections.abc import Sequence

from perimetry.inference import RequestStore
from perimetry.protocols.analysis import Analysis
from perimetry.protocols.common_page import failure_rows, reproduction, subtitle
from perimetry.protocols.occlusion.verdict import judge
from perimetry.reports import Site
from perimetry.reports import Verdict as Card
from perimetry.runs.estimates import Estimate
from perimetry.runs.folder import RunFolder

__all__ = ["page"]


def page(folder: RunFolder, store: RequestStore, analysis: Analysis, estimates: Sequence[Estimate]) -> Site:
    """Compose the page."""
    verdicts = judge(analysis.models, estimates)
    return Site(
        title="Occlusion audit",
        subtitle=subtitle(analysis),
        verdicts=tuple(Card(one.model, one.verdict, one.reason) for one in verdicts.values()),
        failures=failure_rows(analysis),
        reproduce=reproduction(folder, analysis),
    )
