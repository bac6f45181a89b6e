"""ROUGE-L: the longest common subsequence of two reports as an F-measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import LCSseq

from perimetry.cases.errors import UsageError
from perimetry.scoring.lexical.pairs import token_pair
from perimetry.scoring.lexical.tokens import TOKENISERS, splitter
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.parameters import check_known, one_of, read_flag, read_number
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table
from perimetry.scoring.silence import check_reports

__all__ = ["KINDS", "Letters", "RougeL", "common_subsequence"]

_VERSION = "rouge_l/1"
_PARAMETERS = ("beta=1", "stem=false", "tokens=rouge")
_ALPHABET = 0x110000
"""Code points there are."""


class Letters(dict[str, str]):
    """A letter for every token, given out when first asked for."""

    def __missing__(self, token: str) -> str:
        self[token] = letter = chr(len(self))
        return letter


def common_subsequence(left: Sequence[str], right: Sequence[str], letters: Letters | None = None) -> int:
    """Length of the longest common subsequence of two lists of tokens, exact.

    Parameters
    ----------
    left, right
        Tokens.
    letters
        The letters that tokens have so far, as one pass over many pairs shares them; filled here.

    Examples
    --------
    >>> common_subsequence("no large pleural effusion".split(), "no pleural effusion seen".split())
    3
    """
    alphabet = Letters() if letters is None else letters
    if len(alphabet) + len(left) + len(right) > _ALPHABET:
        alphabet.clear()
        if len(left) + len(right) > _ALPHABET:
            numbers = {token: number for number, token in enumerate({*left, *right})}
            return LCSseq.similarity([numbers[token] for token in left], [numbers[token] for token in right])
    letter = alphabet.__getitem__
    return LCSseq.similarity("".join(map(letter, left)), "".join(map(letter, right)))


@dataclass(frozen=True)
class RougeL(ReportMetric):
    """F-measure of the longest common subsequence of tokens; the value of a set is the mean over its reports.

    With l common tokens, h in the hypothesis and r in the reference it is ``(1 + beta**2) l / (h + beta**2 r)``.

    None, an empty report and one without a word (only punctuation) have no tokens: where one side is so the value is 0,
    where both are it is missing.

    Parameters
    ----------
    beta : float, default 1
        Weight of recall against precision: 1 in rouge-score, 1.2 in the image-captioning tradition; above 0, finite.
    stem : bool, default False
        Whether words of four or more characters are stemmed, as rouge-score does; needs ``tokens="rouge"``.
    tokens : {"rouge", "space", "whitespace", "13a"}, default "rouge"
        See `splitter`. The captioning tradition is ``beta=1.2, tokens="space"``.

    Raises
    ------
    UsageError
        For any other value.

    References
    ----------
    Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, section 3.1, equations 2 to 4.

    Examples
    --------
    >>> RougeL().score(["The lungs are clear."], ["Lungs clear, no effusion."]).values.tolist()
    [0.5]
    """

    beta: float = 1.0
    stem: bool = False
    tokens: str = "rouge"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.beta) and self.beta > 0.0):
            raise UsageError(f"rouge_l: beta is {self.beta!r}; expected a finite number above 0.")
        one_of("rouge_l", "tokens", self.tokens, TOKENISERS)
        if self.stem and self.tokens != "rouge":
            raise UsageError(
                f"rouge_l: stem=true with tokens={self.tokens}; stems are of lower-case words without punctuation. "
                "Write tokens=rouge, or stem=false."
            )

    @property
    def info(self) -> MetricInfo:
        """Name, version, direction, range, parameters and citation."""
        beta = repr(float(self.beta)).removesuffix(".0")
        return MetricInfo(
            "rouge_l",
            _VERSION,
            "higher",
            0.0,
            1.0,
            "How much of both reports is one sequence of words in the same order.",
            "Lin, ROUGE, 2004, section 3.1",
            (("beta", beta), ("stem", str(self.stem).lower()), ("tokens", self.tokens)),
        )

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position.

        Raises
        ------
        UsageError
            When the two sequences differ in length, or a row is neither a text nor None.
        """
        check_reports(hypotheses, references)
        split = splitter(self.tokens, stem=self.stem)
        letters = Letters()
        squared = self.beta * self.beta
        values = np.full(len(hypotheses), np.nan)
        reasons = [""] * len(hypotheses)
        for row, both in enumerate(zip(hypotheses, references, strict=True)):
            pair = token_pair(*both, split)
            if isinstance(pair, str):
                reasons[row] = pair
                continue
            common = common_subsequence(pair.hypothesis, pair.reference, letters)
            values[row] = (1.0 + squared) * common / (len(pair.hypothesis) + squared * len(pair.reference))
        return mean_table(values, reasons)


def _make(parameters: Mapping[str, str]) -> ReportMetric:
    check_known("rouge_l", parameters, _PARAMETERS)
    return RougeL(
        read_number("rouge_l", "beta", parameters.get("beta", "1")),
        read_flag("rouge_l", "stem", parameters.get("stem", "false")),
        parameters.get("tokens", "rouge"),
    )


KINDS = (
    MetricKind(
        "rouge_l",
        "F-measure of the longest common subsequence of words",
        "higher",
        "0..1",
        "",
        _make,
        _PARAMETERS,
    ),
)
