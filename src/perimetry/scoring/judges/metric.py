"""The contract of a metric that asks a language model about each pair of reports."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import polars as pl

from perimetry.cases.digest import digest_parts
from perimetry.cases.errors import PerimetryError, UsageError
from perimetry.inference import RequestPlan
from perimetry.models.request import Decoding
from perimetry.scoring.judges.answer import Answer, readable
from perimetry.scoring.judges.judge import Judge
from perimetry.scoring.judges.judgement import Judgement, Missing
from perimetry.scoring.judges.pair_prompt import PairPrompt
from perimetry.scoring.judges.pairs import OneSided, Pair, Settled, sort_pairs
from perimetry.scoring.judges.requests import SEED, PairRequests
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table

__all__ = ["JUDGES_VERSION", "JudgeMetric"]

JUDGES_VERSION = "judges/1"
"""Changes when a parser or the arithmetic gives any answer another value."""

_NAN = float("nan")


@dataclass(frozen=True)
class JudgeMetric(ReportMetric):
    """A metric whose values are read from a language model's answers.

    The stages can be run one by one: `plan` (what would be asked), `Judge.ask`, `score_from` (what the stored answers
    say). `score` runs all three. A later call with the same texts, prompt and decoding asks nobody: the answers are in
    the store. Pairs with the same texts share a request.

    A pair with one empty report gets the worst value without a judge; one with two empty reports is missing.

    Parameters
    ----------
    decoding : Decoding
    judge : Judge or None, default None
        Given later by `asked_by`; planning and reading need none.
    judge_spec : str, default ""
        The model that ``judge=SPEC`` in the metric's spelling names; a command resolves it.
    structured : bool, default True
        Whether endpoints are asked to hold the answer to the prompt's schema, where it has one.
    words : int, default 0
        Words kept of each report; 0 keeps all.
    """

    decoding: Decoding = Decoding()
    judge: Judge | None = None
    judge_spec: str = ""
    structured: bool = True
    words: int = 0

    @property
    @abstractmethod
    def prompt(self) -> PairPrompt:
        """The words put to the judge; an official prompt is read from the user's file.

        Raises
        ------
        PerimetryError
            When there is no such file, or it is no such prompt.
        """

    @property
    @abstractmethod
    def declared(self) -> MetricInfo:
        """Name, range, meaning and citation, without the parameters."""

    @abstractmethod
    def read(self, text: str) -> Judgement | Missing:
        """What an answer says; never a guess."""

    @property
    def info(self) -> MetricInfo:
        """The declaration with judge, prompt (name and digest), decoding, schema and cut as parameters.

        A prompt that is not there yet is called ``none``: what a metric is can be listed before it can run.
        """
        try:
            prompt: PairPrompt | None = self.prompt
        except PerimetryError:
            prompt = None
        parameters = {
            "decoding": self.decoding.spelling,
            "judge": (self.judge.name if self.judge else self.judge_spec.partition("@")[0] or "none").replace("|", "/"),
            "prompt": prompt.spelling if prompt else "none",
            "structured": "yes" if prompt and self._schema(prompt) else "no",
            "words": str(self.words) if self.words else "all",
        }
        return replace(self.declared, parameters=tuple(sorted(parameters.items())))

    def asked_by(self, judge: Judge) -> Self:
        """The same metric with a judge."""
        return replace(self, judge=judge)

    def obstacle(self) -> str:
        """Why it cannot run now: no judge, or no readable prompt."""
        try:
            _ = self.prompt
        except PerimetryError as error:
            return str(error)
        return "" if self.judge or self.judge_spec else "It needs a judge: give a model with --judge SPEC."

    def plan(
        self, hypotheses: Sequence[Report], references: Sequence[Report], ids: Sequence[str] | None = None
    ) -> RequestPlan:
        """What has to be asked about some pairs; asks nothing.

        Parameters
        ----------
        hypotheses, references : sequence of str or None, (n,)
        ids : sequence of str, optional
            Names of the pairs; a request carries that of its first pair, by default its own id.

        Returns
        -------
        RequestPlan
            One request for each different pair of texts, in the order of their first occurrence.
        """
        settled = sort_pairs(hypotheses, references, self.words)
        if ids is not None and len(ids) != len(settled):
            raise UsageError(f"There are {len(ids)} ids for {len(settled)} pairs of reports.")
        return self._plan(settled, ids)

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Ask the judge what the store does not hold, and read all answers.

        Raises
        ------
        UsageError
            Without a judge, or for sequences that do not fit together; before anything is asked.
        """
        if self.judge is None:
            raise UsageError(f"{self.declared.name} needs a judge: give a model with --judge SPEC, or call asked_by.")
        plan = self.plan(hypotheses, references)
        self.judge.ask(plan)
        return self.score_from(hypotheses, references, self.judge.answers(plan))

    def score_from(
        self, hypotheses: Sequence[Report], references: Sequence[Report], answers: Mapping[str, Answer]
    ) -> ScoreTable:
        """Values of pairs whose answers are at hand; asks nobody.

        Parameters
        ----------
        hypotheses, references : sequence of str or None, (n,)
        answers : mapping of str to Answer
            By request id, as `Judge.answers` gives them; those that are absent are missing as ``not_asked``.
        """
        values: list[float] = []
        reasons: list[str] = []
        for outcome in self.judgements(hypotheses, references, answers):
            if isinstance(outcome, Missing):
                values.append(_NAN)
                reasons.append(outcome.reason)
            else:
                values.append(self.declared.low if outcome is None else outcome.value)
                reasons.append("")
        return mean_table(values, reasons)

    def judgements(
        self, hypotheses: Sequence[Report], references: Sequence[Report], answers: Mapping[str, Answer]
    ) -> list[Judgement | Missing | None]:
        """What was judged of each pair, for tables and pages; None where one report is empty and nobody was asked."""
        prompt = self.prompt
        read: dict[str, Judgement | Missing] = {}
        found: list[Judgement | Missing | None] = []
        for pair in sort_pairs(hypotheses, references, self.words):
            if isinstance(pair, Pair):
                identity = self._request_id(pair, prompt)
                if identity not in read:
                    text = readable(answers.get(identity))
                    read[identity] = text if isinstance(text, Missing) else self.read(text)
                found.append(read[identity])
            else:
                found.append(None if isinstance(pair, OneSided) else pair)
        return found

    def _plan(self, settled: Sequence[Settled], ids: Sequence[str] | None) -> RequestPlan:
        prompt = self.prompt
        held: dict[str, tuple[Pair, str]] = {}
        for place, pair in enumerate(settled):
            if isinstance(pair, Pair):
                identity = self._request_id(pair, prompt)
                held.setdefault(identity, (pair, identity if ids is None else ids[place]))
        request_ids = tuple(held)
        builder = PairRequests(
            prompt,
            self._schema(prompt),
            self.decoding,
            self.declared.name,
            tuple(pair for pair, _ in held.values()),
            request_ids,
            tuple(case_id for _, case_id in held.values()),
        )
        return RequestPlan(pl.Series("request_id", request_ids, dtype=pl.String), builder)

    def _schema(self, prompt: PairPrompt) -> str:
        return prompt.schema if self.structured else ""

    def _request_id(self, pair: Pair, prompt: PairPrompt) -> str:
        """Digest of everything that reaches the judge; not of where it runs, nor of the metric's name."""
        return digest_parts(
            [
                "judge",
                prompt.digest,
                self._schema(prompt),
                self.decoding.spelling,
                str(SEED),
                pair.reference,
                pair.candidate,
            ]
        )
