from __future__ import annotations

import math
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest
from tests.scoring.embeddings.tiny import (
    REPORTS,
    WORDS,
    bert_folder,
    chexbert_file,
    chexbert_state,
    vocabulary_file,
)

from perimetry.cases.errors import DataError, UsageError
from perimetry.scoring.embeddings.kept import MemoryCache
from perimetry.scoring.labels.chexbert import ChexbertF1
from perimetry.scoring.labels.chexbert_checkpoint import read_checkpoint
from perimetry.scoring.labels.chexbert_model import Chexbert
from perimetry.scoring.labels.chexbert_similarity import Semb, semb
from perimetry.scoring.labels.classes import CHEXBERT_ORDER, FIVE
from perimetry.scoring.metrics_registry import parse_metric

SHUFFLED = np.random.default_rng(0)
MANY = [" ".join(SHUFFLED.choice(WORDS, size=SHUFFLED.integers(1, 44))) for _ in range(36)] + list(REPORTS)


@pytest.fixture(scope="module")
def state():
    return chexbert_state()


@pytest.fixture(scope="module")
def files(tmp_path_factory, state):
    folder = tmp_path_factory.mktemp("chexbert")
    return SimpleNamespace(
        weights=str(chexbert_file(folder / "chexbert.pth", state)), tokenizer=str(vocabulary_file(folder).parent)
    )


def reader(files, **options):
    return Chexbert(files.weights, files.tokenizer, **{"device": "cpu", **options})


@pytest.fixture(scope="module")
def forward(files, state):
    """CheXbert written out: matrix products and a softmax by hand, one report at a time, no batch, no padding."""
    import torch
    from transformers import BertTokenizer

    words = BertTokenizer.from_pretrained(files.tokenizer)
    weight = {name.removeprefix("module."): value.double() for name, value in state.items()}

    def dense(name, x):
        return x @ weight[f"{name}.weight"].T + weight[f"{name}.bias"]

    def normal(name, x):
        centred = x - x.mean(-1, keepdim=True)
        spread = (centred.square().mean(-1, keepdim=True) + 1e-12).sqrt()
        return centred / spread * weight[f"{name}.weight"] + weight[f"{name}.bias"]

    def run(text):
        ids = words(re.sub(r"\s+", " ", text.strip()))["input_ids"]
        if len(ids) > 48:  # as the published tool cuts at its 512
            ids = [*ids[:47], words.sep_token_id]
        at = "bert.embeddings"
        x = weight[f"{at}.word_embeddings.weight"][ids] + weight[f"{at}.position_embeddings.weight"][: len(ids)]
        x = normal(f"{at}.LayerNorm", x + weight[f"{at}.token_type_embeddings.weight"][0])
        for layer in range(3):
            at = f"bert.encoder.layer.{layer}"
            query, key, value = (
                dense(f"{at}.attention.self.{part}", x).reshape(len(ids), 2, 64).transpose(0, 1)
                for part in ("query", "key", "value")
            )
            share = torch.exp(query @ key.transpose(1, 2) / 8)
            mixed = (share / share.sum(-1, keepdim=True) @ value).transpose(0, 1).reshape(len(ids), 128)
            x = normal(f"{at}.attention.output.LayerNorm", x + dense(f"{at}.attention.output.dense", mixed))
            inner = dense(f"{at}.intermediate.dense", x)
            inner = inner * 0.5 * (1 + torch.erf(inner / math.sqrt(2)))
            x = normal(f"{at}.output.LayerNorm", x + dense(f"{at}.output.dense", inner))
        heads = [dense(f"linear_heads.{head}", x[0]) for head in range(14)]
        return x[0].numpy(), [head.numpy() for head in heads]

    return run


def test_labels_and_embeddings_are_those_of_a_forward_pass_by_hand(files, forward):
    reading = reader(files).read(MANY)
    seen = set()
    for row, text in enumerate(MANY):
        first, heads = forward(text)
        assert reading.embeddings[row] == pytest.approx(first, abs=2e-4)
        labels = [int(head.argmax()) for head in heads]
        seen |= set(labels)
        assert reading.labels[row].tolist() == labels
    assert seen == {0, 1, 2, 3}
    logits, _ = reader(files).logits(MANY[:3])
    assert logits[1] == pytest.approx(np.concatenate(forward(MANY[1])[1]), abs=2e-3)


@pytest.mark.parametrize("size", [1, 3, 64])
def test_order_and_batch_size_change_no_label_and_no_embedding(files, size):
    whole = reader(files, batch_size=32).read(MANY)
    order = np.random.default_rng(1).permutation(len(MANY))
    other = reader(files, batch_size=size).read([MANY[at] for at in order])
    assert np.array_equal(other.labels, whole.labels[order])
    assert other.embeddings == pytest.approx(whole.embeddings[order], abs=2e-4)
    if size == 64:
        again = reader(files, batch_size=64).read(MANY)
        assert np.array_equal(other.embeddings, again.embeddings[order])  # to the last bit in the same batches


def test_white_space_of_any_kind_is_one_space(files):
    reading = reader(files).read(["lungs  are\n\n clear\t.", " lungs are clear ."])
    assert np.array_equal(reading.embeddings[0], reading.embeddings[1])


def test_a_long_report_is_cut_as_published_and_said(files, forward):
    long = "left pleural effusion " * 3_400
    reading = reader(files).read([long, "clear"])
    assert reading.cuts == (48, 0)
    assert reading.embeddings[0] == pytest.approx(forward(long)[0], abs=2e-4)
    table = ChexbertF1(reader(files)).score([long, "clear"], ["clear", long])
    assert table.notes == ("the hypothesis was cut at 48 tokens", "the reference was cut at 48 tokens")


def test_a_checkpoint_without_the_prefix_of_parallel_training_is_read_alike(files, state, tmp_path):
    plain = chexbert_file(tmp_path / "one.pth", {name.removeprefix("module."): part for name, part in state.items()})
    other = Chexbert(str(plain), files.tokenizer, device="cpu").read(REPORTS)
    assert np.array_equal(other.embeddings, reader(files).read(REPORTS).embeddings)


def changed(state, **changes):
    made = dict(state)
    for name, value in changes.items():
        if value is None:
            del made[name.replace("__", ".")]
        else:
            made[name.replace("__", ".")] = value
    return made


def test_an_archive_in_the_older_format_is_read_alike(files, state, tmp_path):
    import torch

    torch.save({"model_state_dict": state}, tmp_path / "old.pth", _use_new_zipfile_serialization=False)
    other = Chexbert(str(tmp_path / "old.pth"), files.tokenizer, device="cpu").read(REPORTS)
    assert np.array_equal(other.embeddings, reader(files).read(REPORTS).embeddings)


def test_checkpoints_of_other_architectures_are_named(tmp_path, state):
    import torch

    roberta = {f"roberta.{name}": torch.zeros(2, 2) for name in ("embeddings.weight", "layer.0.weight")}
    cases = [
        (
            changed(state, **{"module.linear_heads.13.weight": None}),
            r"Missing: linear_heads\.13\.weight\. Expected CheXbert's",
        ),
        (changed(state, **{"module.extra.weight": torch.zeros(1)}), r"Unexpected: extra\.weight\."),
        (
            changed(state, **{"module.linear_heads.13.weight": torch.zeros(4, 128)}),
            r"Of another shape: linear_heads\.13\.weight \(4, 128\) for \(2, 128\)",
        ),
        (
            changed(state, **{"module.bert.encoder.layer.1.output.dense.weight": None}),
            r"Missing: bert\.encoder\.layer\.1\.output\.dense\.weight",
        ),
        (roberta, r"Missing: bert\.embeddings\.word_embeddings\.weight, .* and 14 more\. Unexpected: roberta"),
    ]
    for number, (made, words) in enumerate(cases):
        path = chexbert_file(tmp_path / f"{number}.pth", made)
        with pytest.raises(DataError, match=words) as caught:
            read_checkpoint(path)
        assert str(path) in str(caught.value)
        assert "another architecture" in str(caught.value)


def test_files_that_are_no_checkpoint_are_named(tmp_path):
    import torch

    (tmp_path / "text.pth").write_text("not weights")
    torch.save({"state_dict": {}}, tmp_path / "other.pth")
    torch.save([1, 2], tmp_path / "list.pth")
    (tmp_path / "empty.pth").write_bytes(b"")
    for name, words in (
        ("text.pth", "cannot be read as plain tensors"),
        ("empty.pth", "cannot be read as plain tensors"),
        ("other.pth", "no model_state_dict of tensors in it; found state_dict"),
        ("list.pth", "found list"),
    ):
        with pytest.raises(DataError, match=words):
            read_checkpoint(tmp_path / name)


class Harm:
    def __reduce__(self):
        return (pytest.fail, ("the checkpoint ran code",))


def test_a_checkpoint_runs_no_code(tmp_path, state):
    import torch

    torch.save({"model_state_dict": state, "args": Harm()}, tmp_path / "zip.pth")
    (tmp_path / "old.pth").write_bytes(pickle.dumps({"model_state_dict": Harm()}, protocol=2))
    for name in ("zip.pth", "old.pth"):
        with pytest.raises(DataError, match="cannot be read as plain tensors"):
            read_checkpoint(tmp_path / name)


def test_a_tokeniser_of_another_model_is_refused(files, tmp_path):
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nlung\n")
    for place in (tmp_path, tmp_path / "vocab.txt"):
        with pytest.raises(UsageError, match="has 6 entries, and CheXbert's weights have"):
            Chexbert(files.weights, str(place)).read(["lung"])
    by_file = Chexbert(files.weights, f"{files.tokenizer}/vocab.txt", device="cpu").read(REPORTS)
    assert np.array_equal(by_file.labels, reader(files).read(REPORTS).labels)


def test_a_tokeniser_saved_with_a_model_is_taken(files, tmp_path):
    folder = bert_folder(tmp_path / "bert")
    other = Chexbert(files.weights, str(folder), device="cpu").read(REPORTS)
    assert np.array_equal(other.labels, reader(files).read(REPORTS).labels)


@pytest.mark.parametrize("uncertain", ["positive", "negative"])
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("classes", ["14", "5"])
def test_f1_is_scikit_learns_on_the_labels(files, forward, uncertain, average, classes):
    from sklearn.metrics import f1_score

    told, meant = MANY[:18], MANY[18:36]
    spelling = (
        f"f1_chexbert(weights={files.weights},tokenizer={files.tokenizer},device=cpu,"
        f"uncertain={uncertain},classes={classes},average={average})"
    )
    metric = parse_metric(spelling)
    found = metric.aggregate(metric.score(told, meant))
    names = CHEXBERT_ORDER if classes == "14" else FIVE
    columns = [CHEXBERT_ORDER.index(name) for name in names]

    def stated(texts):
        labels = np.asarray([[int(head.argmax()) for head in forward(text)[1]] for text in texts])[:, columns]
        return np.isin(labels, (1, 3) if uncertain == "positive" else (1,))

    expected = f1_score(stated(meant), stated(told), average=average, zero_division=0)
    assert found == pytest.approx(expected, abs=1e-6)
    assert dict(metric.info.parameters)["uncertain"] == uncertain


def test_silence_is_zero_or_missing(files):
    table = ChexbertF1(reader(files)).score(["", None, "..", None], ["lungs clear", "edema", "edema", ""])
    assert table.values[:3].tolist() == [0.0] * 3
    assert math.isnan(table.values[3])
    assert table.reasons[3].endswith("the hypothesis is None and the reference is empty")


def test_strange_text_is_labelled(files):
    reading = reader(files).read(["a\x00b\x07", "\ud800 lung", "肺は清明である", "x" * 5_000])
    assert reading.labels.shape == (4, 14)
    assert np.isfinite(reading.embeddings).all()


def test_a_second_pass_opens_no_model(files, tmp_path, monkeypatch):
    cache = MemoryCache()
    first = ChexbertF1(reader(files)).with_cache(cache).score(MANY[:9], MANY[9:18])
    again = ChexbertF1(reader(files)).with_cache(cache)
    monkeypatch.setattr(again.chexbert, "_load", lambda: pytest.fail("the model was opened"))
    table = again.score(MANY[:9], MANY[9:18])
    assert np.array_equal(table.statistics, first.statistics)
    assert table.notes == first.notes
    similar = Semb(reader(files)).with_cache(cache)
    monkeypatch.setattr(similar.chexbert, "_load", lambda: pytest.fail("the model was opened"))
    assert not np.isnan(similar.score(MANY[:9], MANY[9:18]).values).any()  # the same readings serve both
    other = chexbert_file(tmp_path / "other.pth", chexbert_state(seed=5))
    changed_weights = Chexbert(str(other), files.tokenizer, device="cpu", cache=cache).read(MANY[:5])
    assert not np.allclose(changed_weights.embeddings, reader(files).read(MANY[:5]).embeddings)


def test_a_cached_reading_is_the_reading(files):
    chexbert = reader(files)
    fresh, again = chexbert.read(MANY), chexbert.read(MANY)
    assert np.array_equal(fresh.labels, again.labels)
    assert np.array_equal(fresh.embeddings, again.embeddings)
    assert fresh.cuts == again.cuts
    nothing = chexbert.read([])
    assert nothing.labels.shape == (0, 14)
    assert nothing.cuts == ()


def test_semb_against_the_cosine_of_the_embeddings(files, forward):
    metric = parse_metric(f"semb(weights={files.weights},tokenizer={files.tokenizer},device=cpu)")
    told, meant = [MANY[0], MANY[1], "", "lungs", None], [MANY[5], MANY[1], "lungs", "  ", ""]
    table = metric.score(told, meant)
    one, other = forward(MANY[0])[0], forward(MANY[5])[0]
    cosine = one @ other / math.sqrt(one @ one) / math.sqrt(other @ other)
    assert abs(cosine) < 0.999
    assert table.values[:4] == pytest.approx([cosine, 1.0, 0.0, 0.0], abs=1e-5)
    assert math.isnan(table.values[4])
    assert table.reasons[4] == "the hypothesis is None and the reference is empty"
    assert (metric.info.low, metric.info.high) == (-1.0, 1.0)


def test_semb_of_vectors():
    found = semb(np.asarray([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0]]), np.asarray([[4.0, 3.0], [-2.0, 0.0], [1.0, 1.0]]))
    assert found == pytest.approx([24 / 25, -1.0, 0.0])


def test_what_stands_in_the_way_is_said(files, monkeypatch, tmp_path):
    assert "give weights=PATH" in parse_metric("f1_chexbert").obstacle()
    assert "give tokenizer=PATH" in parse_metric(f"f1_chexbert(weights={files.weights})").obstacle()
    assert "does not exist" in Chexbert(str(tmp_path / "no.pth"), files.tokenizer).obstacle()
    assert reader(files).obstacle() == ""
    for spelling in ("f1_chexbert", "semb"):
        with pytest.raises(UsageError, match="cannot run: give weights=PATH"):
            parse_metric(spelling).score(["a"], ["b"])
    for spelling, words in (
        ("f1_chexbert(wieghts=x)", "no parameter 'wieghts'"),
        ("semb(average=micro)", "no parameter 'average'"),
        ("f1_chexbert(batch=none)", "batch is 'none'"),
        ("f1_chexbert(uncertain=maybe)", "uncertain is 'maybe'"),
    ):
        with pytest.raises(UsageError, match=words):
            parse_metric(spelling)
    monkeypatch.setattr("perimetry.scoring.embeddings.libraries.find_spec", lambda name: None)
    assert "perimetry[clinical]" in reader(files).obstacle()


def test_the_signature_holds_digests_of_weights_and_tokeniser(files, tmp_path):
    other = chexbert_file(tmp_path / "chexbert.pth", chexbert_state(seed=5))
    one = ChexbertF1(reader(files)).info
    two = ChexbertF1(Chexbert(str(other), files.tokenizer)).info
    assert one.signature != two.signature
    assert "weights=chexbert.pth#" in one.signature
    assert str(tmp_path) not in two.signature
