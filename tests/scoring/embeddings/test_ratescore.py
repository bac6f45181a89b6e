from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest
from tests.scoring.embeddings.test_rate import plain
from tests.scoring.embeddings.tiny import REPORTS, bert_folder, classifier_folder, deberta_folder

from perimetry.cases.errors import UsageError
from perimetry.scoring.embeddings.affinity import TYPES, read_affinity
from perimetry.scoring.embeddings.kept import MemoryCache
from perimetry.scoring.embeddings.ratescore import NO_ENTITY, RateScore, RateScoreOptions
from perimetry.scoring.metrics_registry import parse_metric

LABELS = ["O", *(f"{mark}-{kind}" for kind in TYPES for mark in "BI")]
REFERENCES = (REPORTS[3], REPORTS[0], REPORTS[4], REPORTS[2], REPORTS[1])
BARE = "xyz qq"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("rate")
    return classifier_folder(root / "ner", LABELS, seed=1), bert_folder(root / "terms", seed=7)


def metric(folders, **options):
    ner, encoder = folders
    return RateScore(RateScoreOptions(**{"ner": str(ner), "encoder": str(encoder), "device": "cpu", **options}))


@pytest.fixture(scope="module")
def by_hand(folders):
    """RaTEScore through transformers, a sentence and an entity at a time."""
    import torch
    from transformers import AutoModel, AutoModelForTokenClassification, AutoTokenizer

    words = AutoTokenizer.from_pretrained(folders[0])
    ner = AutoModelForTokenClassification.from_pretrained(folders[0], dtype=torch.float32).eval()
    terms = AutoModel.from_pretrained(folders[1], dtype=torch.float32).eval()

    def entities(report):
        found = []
        for sentence in re.split(r"(?<=\.)\s+", report):
            read = words(sentence, return_tensors="pt", return_offsets_mapping=True)
            spans = read.pop("offset_mapping")[0].tolist()
            with torch.no_grad():
                names = [LABELS[at] for at in ner(**read).logits[0].argmax(-1).tolist()]
            at = 1
            while at < len(names) - 1:
                if not names[at].startswith("B-"):
                    at += 1
                    continue
                end = at + 1
                while end < len(names) - 1 and names[end].startswith("I-"):
                    end += 1
                found.append((sentence[spans[at][0] : spans[end - 1][1]], names[at][2:]))
                at = end
        return found

    def vector(text):
        with torch.no_grad():
            return terms(**words(text, return_tensors="pt", truncation=True, max_length=30)).last_hidden_state[0, 0]

    def score(ours, theirs, table="long"):
        left, right = entities(ours), entities(theirs)
        sides = [([kind for _, kind in side], [vector(text).tolist() for text, _ in side]) for side in (left, right)]
        return plain(*sides[0], *sides[1], read_affinity(table))

    return SimpleNamespace(entities=entities, score=score)


def test_entities_are_those_of_each_sentence_alone(folders, by_hand):
    found = metric(folders).entities(REPORTS)
    expected = [by_hand.entities(report) for report in REPORTS]
    assert [[tuple(entity) for entity in read.entities] for read in found] == expected
    assert sum(map(len, expected)) > 8
    assert len({kind for side in expected for _, kind in side}) > 2


@pytest.mark.parametrize("table", ["long", "short"])
def test_scores_are_those_of_loops_over_single_texts(folders, by_hand, table):
    expected = [by_hand.score(ours, theirs, table) for ours, theirs in zip(REPORTS, REFERENCES, strict=True)]
    assert len({round(value, 3) for value in expected}) > 2
    assert metric(folders, affinity=table).score(REPORTS, REFERENCES).values == pytest.approx(expected, abs=1e-4)


def test_row_order_and_batch_size_change_no_score(folders):
    many = metric(folders).score(REPORTS, REFERENCES).values
    back = metric(folders).score(REPORTS[::-1], REFERENCES[::-1]).values[::-1]
    assert np.array_equal(many, back)
    assert metric(folders, batch_size=1).score(REPORTS, REFERENCES).values == pytest.approx(many, abs=1e-5)


def test_an_empty_report_shifts_no_later_pair(folders):
    plain_rows = metric(folders).score(REPORTS, REFERENCES).values
    told, meant = ["", REPORTS[0], None, "..", *REPORTS[1:]], [REPORTS[1], REFERENCES[0], "lungs", *REPORTS[:1]]
    table = metric(folders).score(told, [*meant, *REFERENCES[1:]])
    assert table.values[[0, 2, 3]].tolist() == [0.0, 0.0, 0.0]
    assert np.array_equal(table.values[[1, 4, 5, 6, 7]], plain_rows)


def test_without_entities_on_both_sides_it_is_missing_and_on_one_zero(folders, by_hand, monkeypatch):
    rate = metric(folders)
    real = rate.entities

    def bare(reports):
        return [
            read._replace(entities=()) if report == BARE else read
            for report, read in zip(reports, real(reports), strict=True)
        ]

    monkeypatch.setattr(rate, "entities", bare)
    assert by_hand.entities(REPORTS[0])
    table = rate.score([BARE, BARE, REPORTS[0], "", BARE, "", None], [BARE, REPORTS[0], BARE, BARE, None, " ", "--"])
    assert np.isnan(table.values[[0, 5, 6]]).all()
    assert table.reasons[0] == NO_ENTITY
    assert table.reasons[5] == "the hypothesis is empty and the reference is empty"
    assert table.reasons[6] == "the hypothesis is None and the reference holds no word"
    assert table.values[1:5].tolist() == [0.0] * 4  # silence is not rewarded, even against a report of no entity
    assert table.reasons[1:5] == ("",) * 4


def test_a_long_sentence_is_cut_and_said(folders):
    long = "small left effusion " * 3_400
    table = metric(folders).score([long, "Clear lungs."], ["Clear lungs.", long])
    assert table.notes == (
        "the hypothesis, in a sentence, was cut at 48 tokens",
        "the reference, in a sentence, was cut at 48 tokens",
    )
    assert not metric(folders).entities(["Clear lungs. " * 5_000])[0].cut  # long only as a whole


def test_strange_text_is_read(folders):
    strange = ["a\x00b\x07 lung", "\ud800 lung", "肺は清明である。", "Hernies, çà et là"]
    table = metric(folders).score(strange, strange)
    assert all(reason in ("", NO_ENTITY) for reason in table.reasons)
    assert table.values[~np.isnan(table.values)] == pytest.approx(1.0, abs=1e-6)


def test_a_second_pass_opens_no_model(folders):
    cache = MemoryCache()
    first = metric(folders).with_cache(cache).score(REPORTS, REFERENCES)
    again = metric(folders).with_cache(cache)
    again._recogniser._load = again._encoder._load = lambda: pytest.fail("a model was opened")
    assert np.array_equal(again.score(REPORTS, REFERENCES).values, first.values)


def test_a_classifier_of_other_classes_is_refused(folders, tmp_path):
    other = classifier_folder(tmp_path / "drugs", ["O", "B-DRUG", "I-DRUG"])
    with pytest.raises(UsageError, match="has the classes O, B-DRUG, I-DRUG"):
        metric((other, folders[1])).score(["lungs"], ["lungs"])
    with pytest.raises(UsageError, match="would be random"):
        metric((folders[1], folders[1])).score(["lungs"], ["lungs"])


def test_a_classifier_of_the_published_family_gives_words_as_they_stand(folders, tmp_path):
    ner = deberta_folder(tmp_path / "deberta", LABELS, seed=3)
    found = metric((ner, folders[1])).entities(REPORTS)
    alone = metric((ner, folders[1]), batch_size=1).entities(REPORTS)
    assert found == alone
    for report, read in zip(REPORTS, found, strict=True):
        assert read.entities
        assert all(entity.text in report and entity.text == entity.text.strip() for entity in read.entities)
    table = metric((ner, folders[1])).score(REPORTS, REPORTS)
    assert not table.missing


def test_obstacles_spelling_and_signature(folders):
    assert "give ner=PATH" in parse_metric("ratescore").obstacle()
    assert "give encoder=PATH" in parse_metric(f"ratescore(ner={folders[0]})").obstacle()
    found = parse_metric(f"ratescore(ner={folders[0]},encoder={folders[1]},affinity=short,device=cpu)")
    assert found.obstacle() == ""
    assert found.info.signature.startswith("ratescore|ratescore/1|affinity=short|encoder=terms#")
    with pytest.raises(UsageError, match="affinity is 'wide'; expected one of long, short"):
        parse_metric("ratescore(affinity=wide)")
    with pytest.raises(UsageError, match="ratescore cannot run: give ner=PATH"):
        parse_metric("ratescore").score(["a"], ["b"])
