"""BLEU: clipped n-gram precision with a brevity penalty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np

from perimetry.cases.errors import UsageError
from perimetry.scoring.lexical.ngrams import PAIRS_AT_ONCE, ngram_counts
from perimetry.scoring.lexical.pairs import TokenPair, token_pair
from perimetry.scoring.lexical.tokens import TOKENISERS, splitter
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.parameters import check_known, one_of
from perimetry.scoring.report_metric import Numbers, Report, ReportMetric, ScoreTable
from perimetry.scoring.silence import check_reports
from perimetry.statistics import Rate

__all__ = ["KINDS", "Bleu", "Smoothing", "bleu_from_counts"]

Smoothing = Literal["exp", "none"]

_VERSION = "bleu/1"
_PARAMETERS = ("smooth=exp", "tokens=whitespace")
_ORDERS = (1, 2, 3, 4)


def bleu_from_counts(counts: Numbers, order: int, smooth: Smoothing = "none") -> Numbers:
    """BLEU from counts, or from (weighted) sums of counts.

    Parameters
    ----------
    counts : float array, (..., 2 + 2 order)
        As `ngram_counts` lays them out.
    order : int
        Longest n-gram, from 1.
    smooth : {"none", "exp"}, default "none"
        ``none``: 0 where an order has no match. ``exp``: the k-th order without a match counts as 1 / 2**k matches, and
        orders longer than the hypothesis leave the mean, as sacrebleu scores sentences; 0 where no token matches.

    Returns
    -------
    float array, (...)
        0 to 1; nan where both lengths are 0.

    References
    ----------
    Papineni et al., "BLEU", ACL 2002, section 2.3; Chen and Cherry, WMT 2014, smoothing 3.

    Examples
    --------
    >>> bleu_from_counts(np.asarray([4.0, 4.0, 2.0, 1.0, 4.0, 3.0]), 2).round(4).item()
    0.4082
    """
    length, wanted = counts[..., 0], counts[..., 1]
    matches, grams = counts[..., 2 : 2 + order], counts[..., 2 + order :]
    counted = grams > 0.0
    hits = matches.astype(np.float64)
    if smooth == "exp":
        void = counted & (matches <= 0.0)
        hits = np.where(void, 0.5 ** np.cumsum(void, axis=-1), hits)
        used = counted
    else:
        used = np.ones(counted.shape, dtype=bool)
    scores = np.zeros(length.shape, dtype=np.float64)
    # Without a match of single tokens there is none of any order, and no smoothing may make one.
    good = (matches[..., 0] > 0.0) & ((hits > 0.0) | ~used).all(axis=-1)
    used, hits, grams = used[good], hits[good], grams[good]
    logs = np.zeros(used.shape)
    logs[used] = np.log(hits[used] / grams[used])
    penalty = np.minimum(1.0 - wanted[good] / length[good], 0.0)
    scores[good] = np.exp(penalty + logs.sum(axis=-1) / used.sum(axis=-1))
    return np.where((length > 0.0) | (wanted > 0.0), scores, np.nan)


@dataclass(frozen=True)
class Bleu(ReportMetric):
    """BLEU of n-grams up to an order, against one reference each.

    The value of a set of reports is corpus BLEU: counts and lengths are summed first, nothing is smoothed. The mean of
    per-report values is another number, and not BLEU.

    None, an empty report and one without a word (only punctuation) have no tokens: where one side is so the value is 0,
    and the pair stays in the sums; where both are, it is missing.

    Parameters
    ----------
    order : {1, 2, 3, 4}, default 4
        Longest n-gram; all orders up to it weigh alike.
    tokens : {"whitespace", "space", "13a", "rouge"}, default "whitespace"
        See `splitter`. Only ``rouge`` folds case.
    smooth : {"exp", "none"}, default "exp"
        Smoothing of per-report values; see `bleu_from_counts`.

    Raises
    ------
    UsageError
        For any other value.

    References
    ----------
    Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation", ACL 2002; Post, "A Call for
    Clarity in Reporting BLEU Scores", WMT 2018.

    Examples
    --------
    >>> bleu = Bleu(order=2)
    >>> table = bleu.score(["no effusion .", "clear lungs"], ["no effusion .", "clear lung fields"])
    >>> [round(value, 4) for value in [*table.values.tolist(), bleu.aggregate(table)]]
    [1.0, 0.3033, 0.5979]
    """

    order: int = 4
    tokens: str = "whitespace"
    smooth: Smoothing = "exp"

    def __post_init__(self) -> None:
        if self.order not in _ORDERS:
            raise UsageError(f"bleu: order is {self.order!r}; expected one of {', '.join(map(str, _ORDERS))}.")
        one_of(f"bleu_{self.order}", "tokens", self.tokens, TOKENISERS)
        one_of(f"bleu_{self.order}", "smooth", self.smooth, get_args(Smoothing))

    @property
    def info(self) -> MetricInfo:
        """Name, version, direction, range, parameters and citation."""
        grams = "words" if self.order == 1 else f"runs of up to {self.order} words"
        return MetricInfo(
            f"bleu_{self.order}",
            _VERSION,
            "higher",
            0.0,
            1.0,
            f"Share of the report's {grams} that the reference holds, less where the report is shorter.",
            "Papineni et al., BLEU, ACL 2002",
            (("smooth", self.smooth), ("tokens", self.tokens)),
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics."""
        orders = range(1, self.order + 1)
        counts = (f"{count}_{n}" for count in ("matches", "ngrams") for n in orders)
        return ("hypothesis_tokens", "reference_tokens", *counts)

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Count and score each hypothesis against the reference at its position.

        Raises
        ------
        UsageError
            When the two sequences differ in length, or a row is neither a text nor None.
        """
        check_reports(hypotheses, references)
        split = splitter(self.tokens)
        statistics = np.zeros((len(hypotheses), len(self.columns)))
        reasons: list[str] = []
        for start in range(0, len(hypotheses), PAIRS_AT_ONCE):
            block = slice(start, start + PAIRS_AT_ONCE)
            pairs = [token_pair(*both, split) for both in zip(hypotheses[block], references[block], strict=True)]
            known = {start + at: pair for at, pair in enumerate(pairs) if isinstance(pair, TokenPair)}
            statistics[list(known)] = ngram_counts(list(known.values()), self.order)
            reasons.extend("" if isinstance(pair, TokenPair) else pair for pair in pairs)
        return ScoreTable(
            bleu_from_counts(statistics, self.order, self.smooth), tuple(reasons), statistics, self.columns
        )

    @property
    def rate(self) -> Rate:
        """Corpus BLEU from sums of counts; never smoothed."""
        return partial(bleu_from_counts, order=self.order)


def _maker(order: int) -> Callable[[Mapping[str, str]], ReportMetric]:
    name = f"bleu_{order}"

    def make(parameters: Mapping[str, str]) -> ReportMetric:
        check_known(name, parameters, _PARAMETERS)
        choices: dict[str, Smoothing] = {choice: choice for choice in get_args(Smoothing)}
        smooth = parameters.get("smooth", "exp")
        one_of(name, "smooth", smooth, tuple(choices))
        return Bleu(order, parameters.get("tokens", "whitespace"), choices[smooth])

    return make


KINDS = tuple(
    MetricKind(
        f"bleu_{order}",
        f"corpus BLEU of n-grams up to {order}; per report smoothed" if order > 1 else "corpus BLEU of single tokens",
        "higher",
        "0..1",
        "",
        _maker(order),
        _PARAMETERS,
    )
    for order in _ORDERS
)
