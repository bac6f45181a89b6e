"""The reporting style of a text in numbers: layout, length, normal statements, hedges, negations, measurements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from perimetry.scoring.report_metric import Report

__all__ = ["FEATURES", "Feature", "style_matrix", "style_values"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Feature:
    """One side of style.

    Parameters
    ----------
    name : str
    meaning : str
    per : {"report", "sentence", "word"}
        What a set's value is divided by: it is the ratio of two sums over its reports.
    """

    name: str
    meaning: str
    per: str


FEATURES = (
    Feature("words", "words a report", "report"),
    Feature("structure", "share of sentences behind a list mark or heading", "sentence"),
    Feature("normal", "share of sentences that state normality or absence, and no finding", "sentence"),
    Feature("hedges", "hedges a hundred words", "word"),
    Feature("negations", "share of sentences that deny something", "sentence"),
    Feature("measurements", "measurements a report", "report"),
    Feature("compound", "share of sentences with a compound term of anatomy", "sentence"),
)
"""In the order of the columns."""

_SCALE = {"hedges": 100.0}
_END = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_LISTED = re.compile(r"^\s*(?:\(?\d{1,2}\s?[.)](?=\s)|[-*•](?=\s)|[A-Za-z][A-Za-z/ &-]{2,40}:(?=\s))")
_MARK_ALONE = re.compile(r"^\s*\(?\d{1,2}\s*[.)]?\s*\.?\s*$")
_HEDGE = re.compile(
    r"\b(?:may|might|could|possibl[ey]|probabl[ey]|likely|perhaps|suspect(?:ed|ing)?|suspicious|suggest(?:s|ed|ing|ive)?|"
    r"suggesting|questionable|presumabl[ey]|presumed|apparent(?:ly)?|appears?|concerning|worrisome|versus|vs|"
    r"consistent with|compatible with|cannot be (?:excluded|ruled out)|can not be excluded|not excluded|"
    r"differential|equivocal|indeterminate|potentially|favou?red|represent(?:s|ing)?)\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:no|not|without|negative for|free of|absent|absence of|neither|nor|none|denies|ruled out)\b", re.IGNORECASE
)
_NORMAL = re.compile(
    r"\b(?:normal(?:ly)?|unremarkable|clear|intact|within normal limits|preserved|sharp|stable|unchanged|midline)\b",
    re.IGNORECASE,
)
_ABNORMAL = re.compile(
    r"\b(?:opacit(?:y|ies)|opacification|effusions?|pneumothora(?:x|ces)|consolidations?|atelecta\w+|edema|oedema|"
    r"cardiomegaly|enlarge(?:d|ment)|nodul\w+|mass(?:es)?|fractures?|infiltrat\w+|pneumonia|granuloma\w*|scar\w*|"
    r"emphysem\w+|hyperinflat\w+|hyperexpan\w+|degenerative|calcifi\w+|congest\w+|scoliosis|kyphosis|deformit\w+|"
    r"thickening|hernia\w*|fibro\w+|osteophyt\w+|spondylosis|tortuo\w+|ectatic|elevat\w+|blunt\w+|catheter\w*|tubes?|"
    r"pacemaker\w*|sternotomy|wires?|clips?|hardware|interstitial)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"\b\d+(?:\.\d+)?(?:\s*(?:x|by)\s*\d+(?:\.\d+)?)*\s*-?\s*(?:mm|cm|millimet\w+|centimet\w+|ml|cc)\b", re.IGNORECASE
)
_COMPOUND = re.compile(
    r"\b(?:cardio(?:mediastinal|pulmonary|thoracic|pericardial|vascular)|broncho(?:vascular|pulmonary)|"
    r"pleuro(?:parenchymal|pulmonary)|costo(?:phrenic|vertebral)|hilo?-?mediastinal|tracheobronchial|"
    r"thoraco(?:lumbar|abdominal)|osseocartilaginous|perihilar|peribronchial|musculoskeletal)\b",
    re.IGNORECASE,
)


def style_values(text: Report) -> tuple[float, ...]:
    """Counts of one text: words, sentences, then what each of `FEATURES` but ``words`` counts.

    Examples
    --------
    >>> style_values("Heart size is normal. No effusion. Possible 5 mm nodule.")
    (10.0, 3.0, 0.0, 2.0, 1.0, 1.0, 1.0, 0.0)
    """
    sentences = _sentences(text or "")
    words = sum(len(_WORD.findall(sentence)) for sentence in sentences)
    return (
        float(words),
        float(len(sentences)),
        float(sum(bool(_LISTED.match(sentence)) for sentence in sentences)),
        float(sum(_is_normal(sentence) for sentence in sentences)),
        float(sum(len(_HEDGE.findall(sentence)) for sentence in sentences)),
        float(sum(bool(_DENIAL.search(sentence)) for sentence in sentences)),
        float(sum(len(_MEASURE.findall(sentence)) for sentence in sentences)),
        float(sum(bool(_COMPOUND.search(sentence)) for sentence in sentences)),
    )


def style_matrix(texts: Sequence[Report]) -> tuple[Numbers, Numbers]:
    """Numerators and denominators of `FEATURES`, one row a text: each value is a ratio of two sums over texts.

    Returns
    -------
    (float array, float array)
        Both ``(texts, features)``.

    Examples
    --------
    >>> up, down = style_matrix(["Clear lungs. No effusion.", "1. Large effusion."])
    >>> (up.sum(axis=0) / down.sum(axis=0)).round(2).tolist()
    [3.5, 0.33, 0.67, 0.0, 0.33, 0.0, 0.0]
    """
    counts = np.asarray([style_values(text) for text in texts], dtype=np.float64).reshape(len(texts), 8)
    words, sentences = counts[:, 0], counts[:, 1]
    up, down = [], []
    for place, feature in enumerate(FEATURES):
        up.append(words if place == 0 else counts[:, place + 1] * _SCALE.get(feature.name, 1.0))
        down.append({"report": np.ones(len(texts)), "sentence": sentences, "word": words}[feature.per])
    return np.column_stack(up), np.column_stack(down)


def _sentences(text: str) -> list[str]:
    """Sentences; a list mark that the cut left alone goes back to its sentence."""
    found: list[str] = []
    held = ""
    for piece in _END.split(text):
        whole = f"{held} {piece}".strip()
        if _MARK_ALONE.match(whole):
            held = whole
            continue
        held = ""
        if _WORD.search(whole):
            found.append(whole)
    return found


def _is_normal(sentence: str) -> bool:
    """Whether it states normality, or denies and names no finding outside its denial."""
    denied = _DENIAL.search(sentence)
    if denied:
        return not _ABNORMAL.search(sentence[: denied.start()])
    return bool(_NORMAL.search(sentence)) and not _ABNORMAL.search(sentence)
