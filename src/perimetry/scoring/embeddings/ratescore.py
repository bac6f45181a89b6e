"""RaTEScore on torch and transformers 5: entities by a token classifier, compared by an encoder."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

import numpy as np

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.embeddings.affinity import Affinity, Table, read_affinity
from perimetry.scoring.embeddings.batches import Floats, clean, cut_note, sound
from perimetry.scoring.embeddings.encoder import Encoder
from perimetry.scoring.embeddings.entities import Entity, check_classes, decode
from perimetry.scoring.embeddings.kept import MemoryCache, kept
from perimetry.scoring.embeddings.parameters import read_count, read_parameters, read_word
from perimetry.scoring.embeddings.rate import rate_score
from perimetry.scoring.embeddings.sources import Source
from perimetry.scoring.metric import MetricInfo
from perimetry.scoring.metrics_registry import MetricKind
from perimetry.scoring.rationale.sentences import sentences
from perimetry.scoring.report_metric import Report, ReportMetric, ScoreTable, mean_table
from perimetry.scoring.silence import checked_pairs, silence, silent_pair

__all__ = ["KINDS", "NO_ENTITY", "RateScore", "RateScoreOptions", "ReportEntities"]

NO_ENTITY = "neither report has an entity"
"""Reason of a pair of reports with words, in none of which an entity is found."""

_VERSION = "ratescore/1"
_ENTITY_TOKENS = 30  # as the original cuts an entity


class ReportEntities(NamedTuple):
    """Entities of a report in its order, and the number of tokens at which a sentence of it was cut (0: none was)."""

    entities: tuple[Entity, ...]
    cut: int


@dataclass(frozen=True, slots=True)
class RateScoreOptions:
    """What a RaTEScore is made with; all of it but device and batch size stands in the signature.

    Parameters
    ----------
    ner : str, default ""
        Folder or hub id of the token classifier; published: ``Angelakeke/RaTE-NER-Deberta``.
    encoder : str, default ""
        Folder or hub id of the encoder of entities; published: ``FremyCompany/BioLORD-2023-C``.
    affinity : {"long", "short"}, default "long"
    device : str, default ""
    batch_size : int, default 32
    """

    ner: str = ""
    encoder: str = ""
    affinity: Table = "long"
    device: str = ""
    batch_size: int = 32


class RateScore(ReportMetric):
    """Similarity of the medical entities of two reports, with what is denied told from what is stated.

    Reports are cut into sentences, each read on its own; entities of equal wording share a vector. Where neither report
    has an entity, the pair is missing; where exactly one has, or one says nothing at all, the score is 0.

    Parameters
    ----------
    options : RateScoreOptions
    cache : Cache or None, default None
        Where entities of sentences and vectors of entities are kept; None keeps them as long as the metric lives.

    References
    ----------
    Zhao et al. 2024, "RaTEScore: A Metric for Radiology Report Generation", section 3.

    Examples
    --------
    >>> RateScore(RateScoreOptions(affinity="short")).info.parameters[0]
    ('affinity', 'short')
    """

    def __init__(self, options: RateScoreOptions | None = None, cache: Cache | None = None) -> None:
        self.options = options or RateScoreOptions()
        self.cache: Cache = MemoryCache() if cache is None else cache
        device, size = self.options.device, self.options.batch_size
        self._recogniser = Encoder(
            Source(self.options.ner, "ner", "the folder or hub id of RaTEScore's token classifier"),
            "token classifier",
            device=device,
            batch_size=size,
        )
        self._encoder = Encoder(
            Source(self.options.encoder, "encoder", "the folder or hub id of an encoder of medical terms"),
            device=device,
            batch_size=size,
        )

    def with_cache(self, cache: Cache) -> RateScore:
        """The same metric with another cache."""
        return RateScore(self.options, cache)

    @property
    def info(self) -> MetricInfo:
        """See `ReportMetric.info`."""
        return MetricInfo(
            name="ratescore",
            version=_VERSION,
            direction="higher",
            low=0.0,
            high=1.0,
            meaning="How well the medical entities of a report and of its reference match, negation included.",
            citation="Zhao et al. 2024, RaTEScore, section 3",
            parameters=(
                ("affinity", self.options.affinity),
                ("encoder", self._encoder.source.label),
                ("ner", self._recogniser.source.label),
            ),
        )

    def obstacle(self) -> str:
        """See `ReportMetric.obstacle`."""
        return self._recogniser.obstacle() or self._encoder.obstacle()

    def entities(self, reports: Sequence[str]) -> list[ReportEntities]:
        """Entities of reports; each distinct sentence is read once.

        Raises
        ------
        UsageError
            When a model cannot be opened, or its classes are not RaTEScore's.
        """
        recipe = [f"{_VERSION}/entities", self._recogniser.digest]
        pieces = [[clean(sentence) for sentence in sentences(sound(report))] for report in reports]
        distinct = sorted({sentence for report in pieces for sentence in report})
        records = kept(
            self.cache,
            recipe,
            [[sentence] for sentence in distinct],
            lambda rows: self._recognised([distinct[row] for row in rows]),
        )
        read = dict(zip(distinct, map(json.loads, records), strict=True))
        return [
            ReportEntities(
                tuple(Entity(*entity) for sentence in report for entity in read[sentence]["entities"]),
                max((read[sentence]["cut"] for sentence in report), default=0),
            )
            for report in pieces
        ]

    def score(self, hypotheses: Sequence[Report], references: Sequence[Report]) -> ScoreTable:
        """Score each hypothesis against the reference at its position; see `ReportMetric.score`.

        Raises
        ------
        UsageError
            Also when `obstacle` is not empty.
        """
        told, meant = checked_pairs(hypotheses, references)
        if stands := self.obstacle():
            raise UsageError(f"ratescore cannot run: {stands}.")
        spoken = list(dict.fromkeys(text for side in (told, meant) for text in side if text and not silence(text)))
        found = dict(zip(spoken, self.entities(spoken), strict=True))
        vectors = self._vectors(sorted({entity.text for read in found.values() for entity in read.entities}))
        affinity = read_affinity(self.options.affinity)
        nothing = ReportEntities((), 0)
        values, reasons, notes = [], [], []
        for ours, theirs in zip(told, meant, strict=True):
            left, right = found.get(ours or "", nothing), found.get(theirs or "", nothing)
            both_speak = not silence(ours) and not silence(theirs)
            lacking = both_speak and not left.entities and not right.entities
            reason = silent_pair(ours, theirs) or (NO_ENTITY if lacking else "")
            values.append(math.nan if reason else _pair_score(left.entities, right.entities, vectors, affinity))
            reasons.append(reason)
            said = (
                cut_note(left.cut, "hypothesis, in a sentence,"),
                cut_note(right.cut, "reference, in a sentence,"),
            )
            notes.append("; ".join(filter(None, said)))
        table = mean_table(values, reasons)
        return ScoreTable(table.values, table.reasons, table.statistics, table.columns, tuple(notes))

    def _recognised(self, pieces: Sequence[str]) -> list[bytes]:
        names = self._recogniser.names
        check_classes(names, f"ner={self.options.ner}")
        tokens = self._recogniser.tokens(pieces)
        classes = self._recogniser.classes(tokens)
        limit = self._recogniser.limit
        return [
            json.dumps(
                {"entities": decode(piece, one, [names[at] for at in numbers.tolist()]), "cut": limit * one.cut}
            ).encode()
            for piece, one, numbers in zip(pieces, tokens, classes, strict=True)
        ]

    def _vectors(self, names: Sequence[str]) -> Mapping[str, Floats]:
        if not names:
            return {}

        def make(rows: list[int]) -> list[bytes]:
            tokens = self._encoder.tokens([names[row] for row in rows], _ENTITY_TOKENS)
            return [vector.astype("<f4").tobytes() for vector in self._encoder.first_states(tokens)]

        recipe = [f"{_VERSION}/vector", self._encoder.digest]
        records = kept(self.cache, recipe, [[name] for name in names], make)
        return {
            name: np.frombuffer(record, dtype="<f4").astype(np.float32)
            for name, record in zip(names, records, strict=True)
        }


def _pair_score(
    hypothesis: Sequence[Entity], reference: Sequence[Entity], vectors: Mapping[str, Floats], affinity: Affinity
) -> float:
    if not hypothesis or not reference:
        return 0.0
    return rate_score(
        [entity.type for entity in hypothesis],
        np.stack([vectors[entity.text] for entity in hypothesis]),
        [entity.type for entity in reference],
        np.stack([vectors[entity.text] for entity in reference]),
        affinity,
    )


_PARAMETERS = ("ner=", "encoder=", "affinity=long", "device=auto", "batch=32")


def _make(parameters: Mapping[str, str]) -> RateScore:
    given = read_parameters("ratescore", parameters, _PARAMETERS)
    tables: dict[str, Table] = {name: name for name in get_args(Table)}
    return RateScore(
        RateScoreOptions(
            ner=given["ner"],
            encoder=given["encoder"],
            affinity=read_word("ratescore", "affinity", given["affinity"], tables),
            device="" if given["device"] == "auto" else given["device"],
            batch_size=read_count("ratescore", "batch", given["batch"], 1),
        )
    )


KINDS = (
    MetricKind(
        "ratescore",
        "Match of medical entities with their types and negation.",
        "higher",
        "0..1",
        "ner, encoder (extra clinical or hf)",
        _make,
        _PARAMETERS,
    ),
)
