"""Language models as judges of cues that no rule can decide: their opinion, kept apart from what screens find."""

from perimetry.screening.judging.cue import JUDGED, JudgedCue, judged_cues
from perimetry.screening.judging.judging import Judging
from perimetry.screening.judging.opinion import Opinion
from perimetry.screening.judging.room import JudgeRoom, open_judge

__all__ = ["JUDGED", "JudgeRoom", "JudgedCue", "Judging", "Opinion", "judged_cues", "open_judge"]
