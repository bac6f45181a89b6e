"""ROUGE-L against rouge-score, a table of the recursion, and arithmetic on paper."""

from __future__ import annotations

import random

import pytest
from tests.scoring.lexical.corpus import pairs

from perimetry.cases.errors import UsageError
from perimetry.scoring.lexical import RougeL, common_subsequence, rouge_l, splitter
from perimetry.scoring.metrics_registry import metric_kinds, parse_metric


def by_table(left: list[str], right: list[str]) -> int:
    above = [0] * (len(right) + 1)
    for ours in left:
        row = [0]
        for at, theirs in enumerate(right):
            row.append(above[at] + 1 if ours == theirs else max(row[at], above[at + 1]))
        above = row
    return above[-1]


@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_rouge_score(stem, seed):
    peer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"], use_stemmer=stem)
    hypotheses, references = pairs(200, seed)
    expected = [
        peer.score(theirs, ours)["rougeL"].fmeasure for ours, theirs in zip(hypotheses, references, strict=True)
    ]
    metric = RougeL(stem=stem)
    table = metric.score(hypotheses, references)
    assert table.values.tolist() == pytest.approx(expected, abs=1e-12)
    assert metric.aggregate(table) == pytest.approx(sum(expected) / len(expected), abs=1e-12)


@pytest.mark.parametrize("tokens", ["space", "whitespace", "13a", "rouge"])
@pytest.mark.parametrize("beta", [0.5, 1.0, 1.2, 8.0])
def test_it_is_the_f_measure_of_precision_and_recall(tokens, beta):
    hypotheses, references = pairs(60, 3)
    split = splitter(tokens)
    values = RougeL(beta, tokens=tokens).score(hypotheses, references).values.tolist()
    for ours, theirs, value in zip(map(split, hypotheses), map(split, references), values, strict=True):
        common = by_table(ours, theirs)
        precision, recall = common / len(ours), common / len(theirs)
        mixed = (1 + beta**2) * precision * recall / (recall + beta**2 * precision) if common else 0.0
        assert value == pytest.approx(mixed, abs=1e-12)


def test_by_hand():
    # "no effusion" of 3 words is in order in 4 of the reference: P = 2/3, R = 2/4.
    assert RougeL().score(["no large effusion"], ["effusion : no right effusion"]).values[0] == pytest.approx(4 / 7)
    assert RougeL(1.2, tokens="space").score(["no large effusion"], ["no  effusion"]).values[0] == pytest.approx(2 / 3)


def test_an_empty_token_between_two_spaces_counts():
    assert RougeL(tokens="space").score(["a  b"], ["a b"]).values[0] == pytest.approx(4 / 5)
    assert RougeL(tokens="whitespace").score(["a  b"], ["a b"]).values.tolist() == [1.0]


def test_stems_bring_forms_of_a_word_together():
    ours, theirs = ["opacities enlarged"], ["opacity enlarging"]
    assert RougeL().score(ours, theirs).values.tolist() == [0.0]
    assert RougeL(stem=True).score(ours, theirs).values.tolist() == [1.0]


@pytest.mark.parametrize("alphabet", [2, 20, 3000])
def test_the_subsequence_is_the_longest(alphabet):
    draw = random.Random(alphabet)
    letters = rouge_l.Letters()
    for _ in range(60):
        left, right = (
            [f"w{draw.randrange(alphabet)}" for _ in range(draw.choice([0, 1, 5, 63, 64, 65, 130]))] for _ in "ab"
        )
        assert common_subsequence(left, right) == common_subsequence(left, right, letters) == by_table(left, right)


def test_letters_may_run_out(monkeypatch):
    draw = random.Random(1)
    texts = [[f"w{draw.randrange(40)}" for _ in range(draw.randint(5, 30))] for _ in range(60)]
    expected = [by_table(left, right) for left, right in zip(texts, reversed(texts), strict=True)]
    for size in (45, 20):  # fewer than all texts need together; fewer than most pairs need
        monkeypatch.setattr(rouge_l, "_ALPHABET", size)
        letters = rouge_l.Letters()
        found = [common_subsequence(left, right, letters) for left, right in zip(texts, reversed(texts), strict=True)]
        assert found == expected


def test_signature():
    assert RougeL().info.signature == "rouge_l|rouge_l/1|beta=1|stem=false|tokens=rouge"
    assert RougeL(1.2, tokens="space").info.signature == "rouge_l|rouge_l/1|beta=1.2|stem=false|tokens=space"
    assert RougeL(1.23456789).info.parameters[0] == ("beta", "1.23456789")


def test_the_registry_makes_it():
    assert parse_metric("rouge_l") == RougeL()
    assert parse_metric("rouge_l(beta=1.2,tokens=space)") == RougeL(1.2, tokens="space")
    assert parse_metric("rouge_l(stem=True)") == RougeL(stem=True)
    kind = metric_kinds().get("rouge_l")
    assert dict(entry.split("=") for entry in kind.parameters) == dict(kind.make({}).info.parameters)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("rouge_l(stemmer=true)", r"takes no parameter 'stemmer'\. It takes: beta=1, stem=false, tokens=rouge"),
        ("rouge_l(stem=porter)", r"stem is 'porter'; expected true or false"),
        ("rouge_l(beta=large)", r"beta is 'large'; expected a number"),
        ("rouge_l(beta=0)", r"beta is 0\.0; expected a finite number above 0"),
        ("rouge_l(beta=nan)", r"expected a finite number"),
        ("rouge_l(beta=inf)", r"expected a finite number"),
        ("rouge_l(tokens=nltk)", r"tokens is 'nltk'; expected one of"),
        ("rouge_l(stem=true,tokens=space)", r"Write tokens=rouge, or stem=false"),
    ],
)
def test_bad_parameters(spelling, message):
    with pytest.raises(UsageError, match=message):
        parse_metric(spelling)
