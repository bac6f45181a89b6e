"""GREEN under its official prompt, and ``green_judge`` under ours."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perimetry.scoring.judges.green_counts import GreenCounts
from perimetry.scoring.judges.green_json import read_green_json
from perimetry.scoring.judges.green_text import read_green_text
from perimetry.scoring.judges.judgement import Missing
from perimetry.scoring.judges.kinds import JudgedScore
from perimetry.scoring.judges.metric import JUDGES_VERSION, JudgeMetric
from perimetry.scoring.judges.options import prompt_path
from perimetry.scoring.judges.pair_prompt import PairPrompt, own_prompt, read_prompt
from perimetry.scoring.metric import MetricInfo

__all__ = ["KINDS", "Green", "GreenJudge"]

WORDS = 300
TOKENS = 2048
_CITATION = "GREEN (Ostmeier et al., Findings of EMNLP 2024), section 3"
_MEANING = "Findings that both reports state, as a share of these and the clinically significant errors"


@dataclass(frozen=True)
class Green(JudgeMetric):
    """GREEN: the official model, given as the judge, under the official prompt of the user's file.

    Each report is cut to 300 words and the answer to 2,048 tokens, as in the original. Unlike there, a refusal, a lost
    section and an unreadable count are missing rather than no error or no match.

    Parameters
    ----------
    prompt_file : Path or None
        Text with ``{reference}`` and ``{candidate}``.

    Examples
    --------
    >>> Green().obstacle().startswith("green needs its official prompt")
    True
    """

    prompt_file: Path | None = None
    words: int = WORDS

    @property
    def prompt(self) -> PairPrompt:
        """The official prompt."""
        sections = ("[Clinically Significant Errors]", "[Matched Findings]")
        return read_prompt(prompt_path("green", self.prompt_file), "green", sections)

    @property
    def declared(self) -> MetricInfo:
        """The share of matched findings, 0 to 1."""
        return MetricInfo("green", JUDGES_VERSION, "higher", 0.0, 1.0, f"{_MEANING} (official prompt).", _CITATION)

    def read(self, text: str) -> GreenCounts | Missing:
        """Counts of the sectioned answer."""
        return read_green_text(text)


@dataclass(frozen=True)
class GreenJudge(JudgeMetric):
    """GREEN's arithmetic on what any language model finds under our own prompt; never comparable with ``green``.

    Examples
    --------
    >>> GreenJudge().plan(["clear", "clear"], ["no effusion", "no effusion"]).ids.len()
    1
    """

    @property
    def prompt(self) -> PairPrompt:
        """Ours."""
        return own_prompt("green_judge")

    @property
    def declared(self) -> MetricInfo:
        """The share of matched findings, 0 to 1."""
        meaning = f"{_MEANING} (our prompt, any judge; not GREEN)."
        return MetricInfo("green_judge", JUDGES_VERSION, "higher", 0.0, 1.0, meaning, f"perimetry, after {_CITATION}")

    def read(self, text: str) -> GreenCounts | Missing:
        """Counts of the lists of the JSON answer."""
        return read_green_json(text)


_SCORE = JudgedScore("green", "0..1", TOKENS)

KINDS = (
    _SCORE.official(
        Green,
        "matched findings against significant errors, counted by the official GREEN model",
        "StanfordAIMI/GREEN-radllama2-7b",
        {"prompt": "prompt_file"},
    ),
    _SCORE.own(GreenJudge, "GREEN's arithmetic on the judgement of any language model under our own prompt"),
)
