"""From what a model wrote to the report in it."""

from perimetry.scoring.report_text.report import REPORT_TEXT_VERSION, ReportText, report_of
from perimetry.scoring.report_text.style import STYLES, Style

__all__ = ["REPORT_TEXT_VERSION", "STYLES", "ReportText", "Style", "report_of"]
