from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from perimetry.cases.errors import UsageError
from perimetry.scoring.embeddings.affinity import TYPES, Affinity, read_affinity
from perimetry.scoring.embeddings.batches import Tokens
from perimetry.scoring.embeddings.entities import Entity, check_classes, decode
from perimetry.scoring.embeddings.rate import directed, rate_score

EFFUSION, LUNG, OPPOSITE = np.asarray([0.6, 0.8]), np.asarray([0.0, 1.0]), np.asarray([1.0, 0.0])
LONG = read_affinity("long")


def test_both_tables_hold_every_pair_as_published():
    for table in ("long", "short"):
        assert set(read_affinity(table).weights) == set(product(TYPES, TYPES))
    assert LONG.negation == 0.8716553966489615
    assert LONG.weights["DISEASE", "ANATOMY"] == 0.9950209388542061
    assert LONG.weights["ANATOMY", "DISEASE"] == 0.4592143222158069  # not symmetric
    assert LONG.weights["NON-DISEASE", "DISEASE"] == 0.10073046076318157
    short = read_affinity("short")
    assert short.negation == 0.3611577852354489
    assert short.weights["NON-ABNORMALITY", "NON-DISEASE"] == 0.8555432840895761


def test_the_negation_factor_stands_where_exactly_one_finding_is_denied():
    marked = {(a, b) for a, b in product(TYPES, TYPES) if LONG.factor(a, b) != 1.0}
    stated, denied = ("DISEASE", "ABNORMALITY"), ("NON-DISEASE", "NON-ABNORMALITY")
    assert marked == {*product(stated, denied), *product(denied, stated)}


def test_one_direction_worked_by_hand():
    # effusion takes effusion (cosine 0.6, weight .8461), the lung takes it too (cosine 0, weight .4592).
    found = directed(["DISEASE", "ANATOMY"], np.stack([EFFUSION, LUNG]), ["DISEASE"], OPPOSITE[None], LONG)
    assert found == pytest.approx(0.6 * 0.8460555030578727 / (0.8460555030578727 + 0.4592143222158069), abs=1e-12)
    assert found == pytest.approx(0.388911, abs=1e-6)
    back = directed(["DISEASE"], OPPOSITE[None], ["DISEASE", "ANATOMY"], np.stack([EFFUSION, LUNG]), LONG)
    assert back == pytest.approx(0.6, abs=1e-12)
    both = rate_score(["DISEASE"], OPPOSITE[None], ["DISEASE", "ANATOMY"], np.stack([EFFUSION, LUNG]), LONG)
    assert both == pytest.approx(2 * 0.388911 * 0.6 / (0.388911 + 0.6), abs=1e-6)


def test_a_denied_disease_keeps_the_weight_and_loses_by_the_factor():
    # The factor is in the numerator only: .1007 cancels, and .8717 of the cosine is left.
    assert directed(["NON-DISEASE"], LUNG[None], ["DISEASE"], LUNG[None], LONG) == pytest.approx(LONG.negation)
    assert directed(["NON-DISEASE"], LUNG[None], ["NON-ABNORMALITY"], LUNG[None], LONG) == pytest.approx(1.0)
    assert directed(["NON-DISEASE"], LUNG[None], ["ANATOMY"], LUNG[None], LONG) == pytest.approx(1.0)


def test_the_type_does_not_choose_the_match_but_the_cosine_does():
    other = np.stack([LUNG, EFFUSION])
    found = directed(["DISEASE"], EFFUSION[None], ["DISEASE", "NON-DISEASE"], other, LONG)
    assert found == pytest.approx(LONG.negation)


def test_of_equals_the_first_is_taken():
    twice = np.stack([LUNG, LUNG * (1 + 1e-12)])
    assert directed(["DISEASE"], LUNG[None], ["DISEASE", "NON-DISEASE"], twice, LONG) == pytest.approx(1.0)
    assert directed(["DISEASE"], LUNG[None], ["NON-DISEASE", "DISEASE"], twice, LONG) == pytest.approx(LONG.negation)


def test_nothing_alike_is_zero_and_never_below():
    assert rate_score(["DISEASE"], LUNG[None], ["DISEASE"], -LUNG[None], LONG) == 0.0
    assert directed(["DISEASE"], LUNG[None], ["DISEASE"], LUNG[None], Affinity({("DISEASE", "DISEASE"): 0.0}, 1)) == 0.0


def plain(types, vectors, other_types, other_vectors, affinity):
    """The score by loops, with a maximum that keeps the first."""

    def side(own, kinds, theirs, their_kinds):
        above = below = 0.0
        for vector, kind in zip(own, kinds, strict=True):
            best, match = -2.0, ""
            for candidate, name in zip(theirs, their_kinds, strict=True):
                norm = math.sqrt(sum(x * x for x in vector) * sum(x * x for x in candidate))
                cosine = sum(x * y for x, y in zip(vector, candidate, strict=True)) / norm
                if cosine > best + 1e-9:
                    best, match = cosine, name
            weight = affinity.weights[kind, match]
            denied = [name.startswith("NON-") for name in (kind, match)]
            crossed = "ANATOMY" not in (kind, match) and denied[0] != denied[1]
            above += best * weight * (affinity.negation if crossed else 1.0)
            below += weight
        return above / below

    one, other = side(vectors, types, other_vectors, other_types), side(other_vectors, other_types, vectors, types)
    return 2 * one * other / (one + other) if one > 0 and other > 0 else 0.0


@pytest.mark.parametrize("seed", range(10))
def test_the_score_is_the_plain_loop(seed):
    draw = np.random.default_rng(seed)
    ours, theirs = draw.normal(0.4, 1, (draw.integers(1, 7), 5)), draw.normal(0.4, 1, (draw.integers(1, 7), 5))
    said, meant = ([TYPES[at] for at in draw.integers(0, 5, len(side))] for side in (ours, theirs))
    affinity = read_affinity("short" if seed % 2 else "long")
    expected = plain(said, ours.tolist(), meant, theirs.tolist(), affinity)
    assert rate_score(said, ours, meant, theirs, affinity) == pytest.approx(expected, abs=1e-9)
    assert rate_score(meant, theirs, said, ours, affinity) == pytest.approx(expected, abs=1e-9)


def spread(words):
    """Tokens of a sentence of words by single spaces, with special tokens at both ends."""
    sentence, spans = " ".join(words), [(0, 0)]
    for word in words:
        start = spans[-1][1] + (len(spans) > 1)
        spans.append((start, start + len(word)))
    spans.append((0, 0))
    special = [True, *[False] * len(words), True]
    return sentence, Tokens(tuple(range(len(spans))), tuple(special), tuple(spans), False)


@pytest.mark.parametrize(
    ("classes", "expected"),
    [
        ("O O O O", []),
        ("B-DISEASE I-DISEASE O O", [("a bb", "DISEASE")]),
        ("B-DISEASE B-ANATOMY I-ANATOMY O", [("a", "DISEASE"), ("bb ccc", "ANATOMY")]),
        ("B-DISEASE O B-DISEASE I-DISEASE", [("a", "DISEASE"), ("ccc dddd", "DISEASE")]),
        ("I-DISEASE B-ANATOMY O I-ANATOMY", [("bb", "ANATOMY")]),
        ("O O O B-non-disease", [("dddd", "NON-DISEASE")]),
        ("B-DISEASE I-ANATOMY I-DISEASE O", [("a bb ccc", "DISEASE")]),
    ],
)
def test_entities_are_decoded(classes, expected):
    sentence, tokens = spread(["a", "bb", "ccc", "dddd"])
    found = decode(
        sentence, tokens, ["B-DISEASE", *classes.split(), "I-DISEASE"]
    )  # what special tokens get is no matter
    assert found == tuple(Entity(*entry) for entry in expected)


@pytest.mark.parametrize("names", [["LABEL_0", "LABEL_1"], ["O", "B-DRUG"], ["O"], ["O", "DISEASE"]])
def test_a_classifier_of_other_classes_is_refused(names):
    with pytest.raises(UsageError, match=f"ner=x has the classes {', '.join(names)}; expected O, and B-"):
        check_classes(names, "ner=x")
