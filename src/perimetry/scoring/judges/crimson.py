"""CRIMSON under its official prompt, and ``crimson_judge`` under ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from perimetry.scoring.judges.crimson_counts import CrimsonCounts
from perimetry.scoring.judges.crimson_json import OFFICIAL, OWN, read_crimson_json
from perimetry.scoring.judges.judgement import Missing
from perimetry.scoring.judges.metric import JUDGES_VERSION, JudgeMetric
from perimetry.scoring.judges.options import path_of, prompt_path, read_decoding, read_whole
from perimetry.scoring.judges.pair_prompt import PairPrompt, own_prompt, read_prompt
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.parameters import check_known, read_flag

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


_OFFICIAL = ("prompt=FILE", "system=FILE", "judge=--judge", f"max_new_tokens={TOKENS}")
_OWN = ("judge=--judge", f"max_new_tokens={TOKENS}", "structured=true", "temperature=0", "words=0")


def _make_official(given: Mapping[str, str]) -> Crimson:
    check_known("crimson", given, _OFFICIAL)
    return Crimson(
        decoding=read_decoding("crimson", given, TOKENS),
        judge_spec=given.get("judge", ""),
        prompt_file=path_of(given, "prompt"),
        system_file=path_of(given, "system"),
    )


def _make_own(given: Mapping[str, str]) -> CrimsonJudge:
    check_known("crimson_judge", given, _OWN)
    return CrimsonJudge(
        decoding=read_decoding("crimson_judge", given, TOKENS),
        judge_spec=given.get("judge", ""),
        structured=read_flag("crimson_judge", "structured", given.get("structured", "true")),
        words=read_whole("crimson_judge", given, "words", 0),
    )


KINDS = (
    MetricKind(
        "crimson",
        "abnormal findings right, invented and missed, weighed by urgency, under the official CRIMSON prompt",
        "higher",
        "-1..1",
        "the official prompt in a file, a judge (rajpurkarlab/medgemma-4b-it-crimson)",
        _make_official,
        _OFFICIAL,
    ),
    MetricKind(
        "crimson_judge",
        "CRIMSON's arithmetic on the judgement of any language model under our own prompt",
        "higher",
        "-1..1",
        "a judge",
        _make_own,
        _OWN,
    ),
)
