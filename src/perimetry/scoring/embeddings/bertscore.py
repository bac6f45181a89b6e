"""BERTScore on torch and transformers 5: any encoder, any layer, with or without baseline and idf."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from perimetry.cases.errors import DataError, UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.embeddings.baseline import Baseline, read_baseline
from perimetry.scoring.embeddings.batches import Floats, Tokens, pair_note, sound
from perimetry.scoring.embeddings.encoder import Encoder
from perimetry.scoring.embeddings.greedy import Match, Numbers, greedy_match, idf_table
from perimetry.scoring.embeddings.kept import MemoryCache, kept
from perimetry.scoring.embeddings.parameters import read_count, read_parameters, read_word
from perimetry.scoring.embeddings.sources import Source
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table
from perimetry.scoring.silence import checked_pairs, silence, silent_pair

__all__ = ["KINDS", "USUAL_LAYERS", "BertScore", "BertScoreOptions"]

_VERSION = "bertscore/1"
_RECORD = struct.Struct("<3d2I")
"""Precision, recall and F1, and for hypothesis and reference the limit at which it was cut (0: it was not)."""

_UNKNOWN = Match(math.nan, math.nan, math.nan)

Measure = Literal["f1", "precision", "recall"]
Special = Literal["out", "taken"]

USUAL_LAYERS: Mapping[str, int] = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "roberta-base": 10,
    "roberta-large": 17,
    "distilroberta-base": 5,
    "distilbert-base-uncased": 5,
    "deberta-xlarge-mnli": 40,
    "scibert_scivocab_uncased": 8,
}
"""The layer that the original tool takes, by the model's name; found by its authors on WMT16."""


@dataclass(frozen=True, slots=True)
class BertScoreOptions:
    """What a BERTScore is made with; all of it but device and batch size stands in the signature.

    Parameters
    ----------
    model : str, default ""
        Folder or hub id of a text encoder. A metric without one tells so by `BertScore.obstacle`.
    layer : int or None, default None
        Whose output is compared, 0 for the input embeddings; None takes `USUAL_LAYERS` by the model's name.
    baseline : str, default ""
        File that rescales (see `read_baseline`); empty leaves scores as they are.
    idf : str, default ""
        Text file, one reference report a line, among which a token's rarity is its weight; empty weights all tokens
        alike. A file and not the references of the call, for which a report's score would depend on all the others.
    measure : {"f1", "precision", "recall"}, default "f1"
    special : {"out", "taken"}, default "out"
        ``taken`` lets a token take a special token of the other side, as the original tool does; ``out`` is the
        definition, in which they are no part of a text.
    device : str, default ""
    batch_size : int, default 32
    """

    model: str = ""
    layer: int | None = None
    baseline: str = ""
    idf: str = ""
    measure: Measure = "f1"
    special: Special = "out"
    device: str = ""
    batch_size: int = 32

    @property
    def usual_layer(self) -> int | None:
        """The layer asked for, or the usual one of the model's name; None if neither is known."""
        name = self.model.rstrip("/").rpartition("/")[2].partition("@")[0]
        return USUAL_LAYERS.get(name) if self.layer is None else self.layer


class BertScore(ReportMetric):
    """Token similarity of two reports by greedy matching of contextual embeddings.

    A report without a word scores 0 before rescaling, the lowest there is; where both are so, the pair is missing. A
    report that is longer than the model reads is cut, and a note says so.

    Parameters
    ----------
    options : BertScoreOptions
    cache : Cache or None, default None
        Where the scores of pairs are kept; None keeps them as long as the metric lives.

    References
    ----------
    Zhang et al. 2020, "BERTScore: Evaluating Text Generation with BERT", section 3.

    Examples
    --------
    >>> BertScore(BertScoreOptions(model="/weights/distilroberta-base")).info.signature
    'bertscore|bertscore/1|baseline=none|idf=none|layer=5|measure=f1|model=distilroberta-base|special=out'
    """

    def __init__(self, options: BertScoreOptions | None = None, cache: Cache | None = None) -> None:
        self.options = options or BertScoreOptions()
        self.cache: Cache = MemoryCache() if cache is None else cache
        self._model = Source(self.options.model, "model", "the folder or hub id of a text encoder")
        self._rescaling = Source(self.options.baseline, "baseline", "a baseline file with the columns LAYER,P,R,F")
        self._corpus = Source(self.options.idf, "idf", "a text file with a reference report a line")
        self._encoder = Encoder(self._model, device=self.options.device, batch_size=self.options.batch_size)

    def with_cache(self, cache: Cache) -> BertScore:
        """The same metric with another cache."""
        return BertScore(self.options, cache)

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`; rescaled scores have no lowest value of their own."""
        options = self.options
        layer = options.usual_layer
        return MetricInfo(
            name="bertscore",
            version=_VERSION,
            direction="higher",
            low=-math.inf if options.baseline else 0.0,
            high=1.0,
            meaning="How similar the tokens of a report and of its reference are in context.",
            citation="Zhang et al. 2020, BERTScore, section 3",
            parameters=(
                ("baseline", self._rescaling.label if options.baseline else "none"),
                ("idf", self._corpus.label if options.idf else "none"),
                ("layer", "?" if layer is None else str(layer)),
                ("measure", options.measure),
                ("model", self._model.label),
                ("special", options.special),
            ),
        )

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        if stands := self._encoder.obstacle():
            return stands
        if self.options.usual_layer is None:
            return f"give layer=NUMBER: the usual layer of {self.options.model} is not known"
        for file in (self._rescaling, self._corpus):
            if file.text and not file.path.is_file():
                return f"{file.parameter}={file.text} is no file; expected {file.expected}"
        return ""

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position; see `ReportMetric.score`.

        Raises
        ------
        UsageError
            Also when `obstacle` is not empty, or the model has no such layer.
        DataError
            When the baseline file does not hold what it should.
        """
        told, meant = checked_pairs(hypotheses, references)
        if stands := self.obstacle():
            raise UsageError(f"bertscore cannot run: {stands}.")
        layer = self.options.usual_layer or 0
        baseline = read_baseline(self._rescaling.path, layer) if self.options.baseline else None
        reasons = [silent_pair(ours, theirs) for ours, theirs in zip(told, meant, strict=True)]
        values, notes = [math.nan] * len(told), [""] * len(told)
        spoken = [row for row, pair in enumerate(zip(told, meant, strict=True)) if not any(map(silence, pair))]
        pairs = [(sound(told[row] or ""), sound(meant[row] or "")) for row in spoken]
        for row, (match, note) in zip(spoken, self._matches(pairs, layer), strict=True):
            values[row], notes[row] = self._value(match, baseline), note
            if math.isnan(match.f1):
                reasons[row] = "one side has no token with a weight above 0"
        for row, pair in enumerate(zip(told, meant, strict=True)):
            if not reasons[row] and any(map(silence, pair)):
                values[row] = self._value(Match(0.0, 0.0, 0.0), baseline)
        table = mean_table(values, reasons)
        return ScoreTable(table.values, table.reasons, table.statistics, table.columns, tuple(notes))

    def _value(self, match: Match, baseline: Baseline | None) -> float:
        return float(getattr(baseline.rescaled(match) if baseline else match, self.options.measure))

    def _matches(self, pairs: Sequence[tuple[str, str]], layer: int) -> list[tuple[Match, str]]:
        """Matches of pairs of texts with words, with notes; each distinct pair is made once."""
        corpus = self._corpus.digest if self.options.idf else ""
        recipe = [_VERSION, self._encoder.digest, str(layer), self.options.special, corpus]

        def make(rows: list[int]) -> list[bytes]:
            return [_RECORD.pack(*match, *cut) for match, cut in self._match([pairs[row] for row in rows], layer)]

        found = []
        for record in kept(self.cache, recipe, pairs, make):
            precision, recall, f1, ours, theirs = _RECORD.unpack(record)
            found.append((Match(precision, recall, f1), pair_note(ours, theirs)))
        return found

    def _match(self, pairs: Sequence[tuple[str, str]], layer: int) -> Iterator[tuple[Match, tuple[int, int]]]:
        if layer > self._encoder.depth:
            raise UsageError(
                f"layer is {layer}, and model={self.options.model} has {self._encoder.depth} layers; expected 0 to "
                f"{self._encoder.depth}."
            )
        limit = self._encoder.limit
        weights = self._weights()
        texts = sorted({text for pair in pairs for text in pair})
        tokens = dict(zip(texts, self._encoder.tokens(texts), strict=True))
        states = dict(zip(texts, self._encoder.states([tokens[text] for text in texts], layer), strict=True))
        for ours, theirs in pairs:
            left, left_weights = self._side(tokens[ours], states[ours], weights)
            right, right_weights = self._side(tokens[theirs], states[theirs], weights)
            known = left_weights.sum() > 0.0 and right_weights.sum() > 0.0
            match = greedy_match(left, right, left_weights, right_weights) if known else _UNKNOWN
            yield match, (limit * tokens[ours].cut, limit * tokens[theirs].cut)

    def _side(self, tokens: Tokens, states: Floats, weights: Callable[[int], float]) -> tuple[Floats, Numbers]:
        special = np.asarray(tokens.special)
        inside = ~special | (self.options.special == "taken")
        weight = np.asarray([weights(token) for token in tokens.ids], dtype=np.float64)
        return states[inside], np.where(special, 0.0, weight)[inside]

    def _weights(self) -> Callable[[int], float]:
        if not self.options.idf:
            return lambda _: 1.0
        try:
            lines = self._corpus.path.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"idf {self._corpus.path}: cannot be read ({error}).") from error
        texts = [sound(line) for line in lines if line.strip()]
        if not texts:
            raise DataError(f"idf {self._corpus.path}: holds no text; expected a reference report a line.")
        table, unseen = idf_table([tokens.ids for tokens in self._encoder.tokens(texts)])
        return lambda token: table.get(token, unseen)


_PARAMETERS = (
    "model=",
    "layer=usual",
    "baseline=none",
    "idf=none",
    "measure=f1",
    "special=out",
    "device=auto",
    "batch=32",
)


def _make(parameters: Mapping[str, str]) -> BertScore:
    given = read_parameters("bertscore", parameters, _PARAMETERS)
    measures: dict[str, Measure] = {name: name for name in get_args(Measure)}
    specials: dict[str, Special] = {name: name for name in get_args(Special)}
    return BertScore(
        BertScoreOptions(
            model=given["model"],
            layer=None if given["layer"] == "usual" else read_count("bertscore", "layer", given["layer"], 0),
            baseline="" if given["baseline"] == "none" else given["baseline"],
            idf="" if given["idf"] == "none" else given["idf"],
            measure=read_word("bertscore", "measure", given["measure"], measures),
            special=read_word("bertscore", "special", given["special"], specials),
            device="" if given["device"] == "auto" else given["device"],
            batch_size=read_count("bertscore", "batch", given["batch"], 1),
        )
    )


KINDS = (
    MetricKind(
        "bertscore",
        "Token similarity in context, by greedy matching of an encoder's states.",
        "higher",
        "0..1, below 0 when rescaled",
        "model, an encoder (extra clinical or hf)",
        _make,
        _PARAMETERS,
    ),
)
