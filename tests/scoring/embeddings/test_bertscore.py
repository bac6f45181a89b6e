from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.scoring.embeddings.test_greedy import plain_loop
from tests.scoring.embeddings.tiny import REPORTS, bert_folder

from perimetry.cases.errors import DataError, UsageError
from perimetry.scoring.embeddings.bertscore import BertScore, BertScoreOptions
from perimetry.scoring.embeddings.kept import MemoryCache
from perimetry.scoring.metrics_registry import parse_metric

REFERENCES = (REPORTS[3], REPORTS[1], REPORTS[4], "Lungs are clear. No edema.", "Small fracture.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return bert_folder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def base(tmp_path):
    path = tmp_path / "tiny.tsv"
    path.write_text("LAYER,P,R,F\n1,0.1,0.1,0.1\n2,0.25,0.2,0.5\n", encoding="utf-8")
    return path


def metric(folder, **options):
    return BertScore(BertScoreOptions(**{"model": str(folder), "layer": 2, "device": "cpu", **options}))


@pytest.fixture(scope="module")
def vectors(folder):
    """Token vectors of one text at a time through transformers, special tokens left out or kept."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()

    def read(text, keep=False):
        ids = tokenizer(text, return_tensors="pt", truncation=True, max_length=48)
        with torch.no_grad():
            states = model(**ids, output_hidden_states=True).hidden_states[2][0].tolist()
        return (states if keep else states[1:-1]), ids["input_ids"][0].tolist()

    return read


def by_hand(vectors, hypotheses, references):
    found = []
    for ours, theirs in zip(hypotheses, references, strict=True):
        (left, _), (right, _) = vectors(ours), vectors(theirs)
        found.append(plain_loop(left, right, [1.0] * len(left), [1.0] * len(right)))
    return np.asarray(found)


def test_scores_are_the_plain_loop_over_each_pair_alone(folder, vectors):
    expected = by_hand(vectors, REPORTS, REFERENCES)
    assert len({round(value, 3) for value in expected[:, 2]}) == len(REPORTS)  # the pairs differ
    for at, measure in enumerate(("precision", "recall", "f1")):
        table = metric(folder, measure=measure).score(REPORTS, REFERENCES)
        assert table.values == pytest.approx(expected[:, at], abs=1e-5)
        assert table.reasons == ("",) * 5


def test_a_perfect_report_scores_one(folder):
    assert metric(folder).score(REPORTS, REPORTS).values == pytest.approx(np.ones(5), abs=1e-6)


def test_row_order_and_batch_size_change_no_score(folder):
    one = metric(folder, batch_size=1).score(REPORTS, REFERENCES).values
    many = metric(folder, batch_size=32).score(REPORTS, REFERENCES).values
    back = metric(folder, batch_size=32).score(REPORTS[::-1], REFERENCES[::-1]).values[::-1]
    assert np.array_equal(many, back)
    assert one == pytest.approx(many, abs=1e-5)
    lone = [metric(folder).score([ours], [theirs]).values[0] for ours, theirs in zip(REPORTS, REFERENCES, strict=True)]
    assert lone == pytest.approx(many, abs=1e-5)


def test_rescaling_by_a_file(folder, base, vectors):
    expected = by_hand(vectors, REPORTS, REFERENCES)
    scaled = metric(folder, baseline=str(base))
    assert scaled.score(REPORTS, REFERENCES).values == pytest.approx((expected[:, 2] - 0.5) / 0.5, abs=1e-5)
    recall = metric(folder, baseline=str(base), measure="recall").score(REPORTS, REFERENCES).values
    assert recall == pytest.approx((expected[:, 1] - 0.2) / 0.8, abs=1e-5)
    assert scaled.score([""], ["lungs"]).values[0] == pytest.approx(-1.0)  # (0 - .5) / (1 - .5)


def test_idf_comes_from_a_file_so_that_a_report_does_not_depend_on_the_others(folder, tmp_path, vectors):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("Lungs are clear.\n\nNo pleural effusion.\nThe heart size is normal.\n", encoding="utf-8")
    documents = [set(vectors(line)[1]) for line in corpus.read_text().splitlines() if line]

    def weight(token):
        return math.log(4 / (1 + sum(token in document for document in documents)))

    (left, ours), (right, theirs) = vectors(REPORTS[0]), vectors(REFERENCES[0])
    expected = plain_loop(left, right, [weight(i) for i in ours[1:-1]], [weight(i) for i in theirs[1:-1]])
    rare = metric(folder, idf=str(corpus))
    assert rare.score(REPORTS[:1], REFERENCES[:1]).values[0] == pytest.approx(expected[2], abs=1e-5)
    assert rare.score(REPORTS, REFERENCES).values[0] == pytest.approx(expected[2], abs=1e-5)
    everywhere = tmp_path / "one.txt"
    everywhere.write_text("Clear.\n", encoding="utf-8")
    table = metric(folder, idf=str(everywhere)).score(["clear.", "clear edema."], ["clear.", "clear edema."])
    assert math.isnan(table.values[0])
    assert table.reasons[0] == "one side has no token with a weight above 0"
    assert table.values[1] == pytest.approx(1.0, abs=1e-6)


def test_special_tokens_can_be_taken_as_in_the_original_tool(folder, vectors):
    (left, _), (right, _) = vectors(REPORTS[0], keep=True), vectors(REFERENCES[0], keep=True)
    weights = [[0.0, *[1.0] * (len(side) - 2), 0.0] for side in (left, right)]
    expected = plain_loop(left, right, *weights)
    found = metric(folder, special="taken").score(REPORTS[:1], REFERENCES[:1]).values[0]
    assert found == pytest.approx(expected[2], abs=1e-5)


def test_silence_is_the_worst_score_or_missing(folder):
    table = metric(folder).score(
        ["", None, "...", "lungs clear", "lungs clear", None, " \n", "!?"],
        ["lungs", "lungs", "lungs", "", None, None, "", "..."],
    )
    assert table.values[:5].tolist() == [0.0] * 5
    assert np.isnan(table.values[5:]).all()
    assert table.reasons == (
        *[""] * 5,
        "the hypothesis is None and the reference is None",
        "the hypothesis is empty and the reference is empty",
        "the hypothesis holds no word and the reference holds no word",
    )
    assert table.statistics[5:].tolist() == [[0.0, 0.0]] * 3


def test_a_long_report_is_cut_and_said(folder, vectors):
    long = "heart size is normal " * 2_500
    table = metric(folder).score([long, "clear"], ["clear", long])
    assert table.notes == ("the hypothesis was cut at 48 tokens", "the reference was cut at 48 tokens")
    (left, _), (right, _) = vectors(long), vectors("clear")
    assert table.values[0] == pytest.approx(plain_loop(left, right, [1.0] * len(left), [1.0])[2], abs=1e-5)


def test_strange_text_is_scored_as_text(folder):
    strange = ["a\x00b\x07\r\nc", "\ud800 lung", "肺は清明である", "Hernies, çà et là", "\u202elung\u200b"]
    table = metric(folder).score(strange, strange)
    assert table.values == pytest.approx(np.ones(5), abs=1e-6)


def test_no_report_is_no_error(folder):
    assert len(metric(folder).score([], []).values) == 0


@pytest.mark.parametrize(
    ("hypotheses", "references", "words"),
    [
        (["a"], [], "1 hypotheses and 0 references"),
        ("a", "b", "one text"),
        ([1], ["a"], "hypotheses.0. is of type int"),
    ],
)
def test_bad_pairs_are_one_error(folder, hypotheses, references, words):
    with pytest.raises(UsageError, match=words):
        metric(folder).score(hypotheses, references)


def test_a_second_pass_opens_no_model(folder, tmp_path):
    cache = MemoryCache()
    first = metric(folder).with_cache(cache).score(REPORTS, REFERENCES)
    again = metric(folder).with_cache(cache)
    again._encoder._load = lambda: pytest.fail("the model was opened")
    assert np.array_equal(again.score(REPORTS[::-1], REFERENCES[::-1]).values[::-1], first.values)
    other = metric(bert_folder(tmp_path / "tiny", seed=9)).with_cache(cache).score(REPORTS, REFERENCES)
    assert not np.allclose(other.values, first.values)  # other weights share no key


def test_options_share_a_cache_without_sharing_a_score(folder, base, tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("Lungs are clear.\nNo pleural effusion.\n", encoding="utf-8")
    cache = MemoryCache()
    variants: list[dict[str, Any]] = [
        {},
        {"layer": 1},
        {"special": "taken"},
        {"idf": str(corpus)},
        {"measure": "recall"},
        {"baseline": str(base)},
    ]
    fresh = [metric(folder, **variant).score(REPORTS, REFERENCES).values for variant in variants]
    shared = [metric(folder, **variant).with_cache(cache).score(REPORTS, REFERENCES).values for variant in variants]
    assert np.array_equal(fresh, shared)
    assert len({round(float(values[0]), 6) for values in fresh}) == len(variants)


def test_a_layer_that_is_not_there(folder):
    with pytest.raises(UsageError, match=r"layer is 7.* has 3 layers; expected 0 to 3"):
        metric(folder, layer=7).score(["a"], ["b"])


def test_the_signature_holds_what_changes_values(folder, base):
    plain = metric(folder).info
    assert (plain.low, plain.high, plain.direction) == (0.0, 1.0, "higher")
    changes: list[dict[str, Any]] = [
        {"layer": 1},
        {"baseline": str(base)},
        {"measure": "recall"},
        {"special": "taken"},
        {"idf": str(base)},
    ]
    signatures = {metric(folder, **change).info.signature for change in ({}, *changes)}
    assert len(signatures) == 6
    assert metric(folder, batch_size=7).info == plain
    assert "model=tiny#" in plain.signature


def test_obstacles_and_spellings(folder, tmp_path):
    found = parse_metric(f"bertscore(model={folder},layer=2,device=cpu,batch=4)")
    assert found.obstacle() == ""
    assert found.score(["lungs"], ["lungs"]).values[0] == pytest.approx(1.0, abs=1e-6)
    assert "give model=PATH" in parse_metric("bertscore").obstacle()
    assert "give layer=NUMBER" in parse_metric(f"bertscore(model={folder})").obstacle()
    assert BertScoreOptions(model="owner/distilroberta-base@main").usual_layer == 5
    assert parse_metric("bertscore(model=owner/distilroberta-base)").obstacle() == ""
    for text, words in (
        ("bertscore(modle=x)", "no parameter 'modle'"),
        ("bertscore(layer=-1)", "layer is '-1'; expected a whole number from 0"),
        ("bertscore(batch=0)", "batch is '0'; expected a whole number from 1"),
        ("bertscore(measure=g)", "expected one of f1, precision, recall"),
    ):
        with pytest.raises(UsageError, match=words):
            parse_metric(text)
    with pytest.raises(UsageError, match=r"baseline=.* is no file"):
        metric(folder, baseline=str(tmp_path)).score(["a"], ["b"])
    empty = tmp_path / "empty.txt"
    empty.write_text("\n")
    with pytest.raises(DataError, match="holds no text"):
        metric(folder, idf=str(empty)).score(["a"], ["b"])
