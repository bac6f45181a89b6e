"""CRIMSON under its official prompt, and ``crimson_judge`` under ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perimetry.scoring.judges.crimson_counts import CrimsonCounts
from perimetry.scoring.judges.crimson_json import OFFICIAL, OWN, read_crimson_json
from perimetry.scoring.judges.judgement import Missing
from perimetry.scoring.judges.kinds import JudgedScore
from perimetry.scoring.judges.metric import JUDGES_VERSION, JudgeMetric
from perimetry.scoring.judges.options import prompt_path
from perimetry.scoring.judges.pair_prompt import PairPrompt, own_prompt, read_prompt
from perimetry.scoring.metric import MetricInfo

__all__ = ["KINDS", "Crimson", "CrimsonJudge"]

TOKENS = 4096
_CITATION = "CRIMSON (rajpurkarlab)"
_MEANING = "Abnormal findings got right minus those invented, weighed by what they mean for the patient"


@dataclass(frozen=True)
class Crimson(JudgeMetric):
    """CRIMSON: a judge under the official prompt of the user's file; the same words wherever the judge runs.

    A report that says nothing where the reference says something gets -1, which no judged report reaches; the original
    would give it 0. An id that is on no list makes the answer missing; the original lets it weigh nothing. The
    original's optional patient context is not part of a pair of reports and is not put in.

    Parameters
    ----------
    prompt_file : Path or None
        Text with ``{reference}`` and ``{candidate}``.
    system_file : Path or None
        System text, where the official prompt has one.

    Examples
    --------
    >>> Crimson().read('{"matched_findings": []}').reason
    "unreadable: no section 'errors'"
    """

    prompt_file: Path | None = None
    system_file: Path | None = None

    @property
    def prompt(self) -> PairPrompt:
        """The official prompt."""
        sections = (OFFICIAL.matched, OFFICIAL.false, OFFICIAL.missed)
        return read_prompt(prompt_path("crimson", self.prompt_file), "crimson", sections, self.system_file)

    @property
    def declared(self) -> MetricInfo:
        """The weighed balance of findings, above -1 and up to 1."""
        return MetricInfo("crimson", JUDGES_VERSION, "higher", -1.0, 1.0, f"{_MEANING} (official prompt).", _CITATION)

    def read(self, text: str) -> CrimsonCounts | Missing:
        """Sums of weights of the answer in the official layout."""
        return read_crimson_json(text, OFFICIAL)


@dataclass(frozen=True)
class CrimsonJudge(JudgeMetric):
    """CRIMSON's arithmetic on what any language model finds under our own prompt; never comparable with ``crimson``.

    Examples
    --------
    >>> CrimsonJudge().info.name
    'crimson_judge'
    """

    @property
    def prompt(self) -> PairPrompt:
        """Ours."""
        return own_prompt("crimson_judge")

    @property
    def declared(self) -> MetricInfo:
        """The weighed balance of findings, above -1 and up to 1."""
        meaning = f"{_MEANING} (our prompt, any judge; not CRIMSON)."
        return MetricInfo(
            "crimson_judge", JUDGES_VERSION, "higher", -1.0, 1.0, meaning, f"perimetry, after {_CITATION}"
        )

    def read(self, text: str) -> CrimsonCounts | Missing:
        """Sums of weights of the answer in our layout."""
        return read_crimson_json(text, OWN)


_SCORE = JudgedScore("crimson", "-1..1", TOKENS)

KINDS = (
    _SCORE.official(
        Crimson,
        "abnormal findings right, invented and missed, weighed by urgency, under the official CRIMSON prompt",
        "rajpurkarlab/medgemma-4b-it-crimson",
        {"prompt": "prompt_file", "system": "system_file"},
    ),
    _SCORE.own(CrimsonJudge, "CRIMSON's arithmetic on the judgement of any language model under our own prompt"),
)
