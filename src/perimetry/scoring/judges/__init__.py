"""Metrics that ask a language model about each pair of reports, through `perimetry.inference`."""

from perimetry.scoring.judges.answer import Answer
from perimetry.scoring.judges.crimson import Crimson, CrimsonJudge
from perimetry.scoring.judges.green import Green, GreenJudge
from perimetry.scoring.judges.judge import Judge, listening
from perimetry.scoring.judges.judgement import Judgement, Missing, count_missing
from perimetry.scoring.judges.metric import JudgeMetric

__all__ = [
    "Answer",
    "Crimson",
    "CrimsonJudge",
    "Green",
    "GreenJudge",
    "Judge",
    "JudgeMetric",
    "Judgement",
    "Missing",
    "count_missing",
    "listening",
]
