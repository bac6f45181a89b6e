from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.scoring.embeddings.tiny import REPORTS, bert_folder, chexbert_file, classifier_folder, roberta_folder

from perimetry.cases.errors import UsageError
from perimetry.scoring.embeddings.batches import clean, in_batches, padded, sound
from perimetry.scoring.embeddings.encoder import Encoder
from perimetry.scoring.embeddings.sources import Source


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return bert_folder(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def roberta(tmp_path_factory):
    return roberta_folder(tmp_path_factory.mktemp("roberta"))


def source(path):
    return Source(str(path), "model", "the folder or hub id of a text encoder")


def alone(folder, text, layer):
    """One text, no padding, through transformers as its manual says."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    read = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.no_grad():
        return model(**read, output_hidden_states=True).hidden_states[layer][0].numpy()


@pytest.mark.parametrize("layer", [0, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 32])
def test_states_are_those_of_each_text_alone(bert, layer, size):
    encoder = Encoder(source(bert), device="cpu", batch_size=size)
    texts = [clean(text) for text in REPORTS]
    for text, states in zip(texts, encoder.states(encoder.tokens(texts), layer), strict=True):
        assert states == pytest.approx(alone(bert, text, layer), abs=1e-4)


def test_the_order_of_texts_changes_not_a_bit(bert):
    encoder = Encoder(source(bert), device="cpu", batch_size=2)
    forward, backward = encoder.tokens(list(REPORTS)), encoder.tokens(list(REPORTS[::-1]))
    for one, other in zip(encoder.states(forward, 1), encoder.states(backward, 1)[::-1], strict=True):
        assert np.array_equal(one, other)


def test_roberta_reads_words_after_a_space_and_has_fewer_tokens_than_positions(roberta):
    encoder = Encoder(source(roberta), device="cpu", batch_size=4)
    assert encoder.limit == 40
    texts = ["Lungs are clear.", "No pneumothorax. " * 30]
    tokens = encoder.tokens(texts)
    assert [len(entry) for entry in tokens][1] == 40
    assert [entry.cut for entry in tokens] == [False, True]
    states = encoder.states(tokens, 2)  # a position past the table would fail here
    assert states[0] == pytest.approx(alone(roberta, " Lungs are clear.", 2), abs=1e-4)
    spans = [texts[0][start:end].strip() for start, end in tokens[0].spans]
    assert "".join(spans) == "Lungsareclear."


def test_a_text_is_cut_at_the_limit_and_keeps_its_last_mark(bert):
    encoder = Encoder(source(bert), device="cpu")
    tokens = encoder.tokens(["clear " * 10_000, "clear " * 46, "clear " * 47])
    assert [len(entry) for entry in tokens] == [48, 48, 48]
    assert [entry.cut for entry in tokens] == [True, False, True]
    assert all(entry.special[0] and entry.special[-1] and not any(entry.special[1:-1]) for entry in tokens)


def test_strange_characters_are_read(bert):
    encoder = Encoder(source(bert), device="cpu")
    texts = [sound(text) for text in ("a\x00b\x07", "肺は清明", "\ud800 lung", "ﬁ\u200b\u202e")]
    assert len(encoder.states(encoder.tokens(texts), 1)) == 4


def test_weights_that_do_not_fill_the_architecture_are_refused(tmp_path, bert):
    with pytest.raises(UsageError, match=r"Missing: classifier\.bias, classifier\.weight") as caught:
        assert Encoder(source(bert), "token classifier").names
    assert "random" in str(caught.value)
    other = bert_folder(tmp_path / "other")
    config = other / "config.json"
    config.write_text(config.read_text().replace('"num_hidden_layers": 3', '"num_hidden_layers": 5'))
    with pytest.raises(UsageError, match=r"Missing: encoder\.layer\.3\..* and 28 more"):
        assert Encoder(source(other)).depth
    config.write_text(config.read_text().replace('"intermediate_size": 96', '"intermediate_size": 64'))
    with pytest.raises(UsageError, match=r"cannot be opened|Of another shape"):
        assert Encoder(source(other)).depth


def test_a_tokeniser_of_another_model_is_refused(tmp_path):
    folder = bert_folder(tmp_path / "bert")
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nlung\n")
    with pytest.raises(UsageError, match="tokeniser has 6 entries"):
        assert Encoder(source(folder)).depth


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(UsageError, match=f"model={tmp_path} cannot be opened"):
        assert Encoder(source(tmp_path)).depth


def test_what_stands_in_the_way_is_said_before_anything_is_opened(tmp_path, monkeypatch):
    assert source("").label == "none"
    assert Encoder(source("")).obstacle() == "give model=PATH, the folder or hub id of a text encoder"
    assert "does not exist" in Encoder(source(tmp_path / "absent")).obstacle()
    assert Encoder(source("owner/name@v1")).obstacle() == ""
    monkeypatch.setattr("perimetry.scoring.embeddings.libraries.find_spec", lambda name: None)
    assert "pip install 'perimetry[clinical]'" in Encoder(source(tmp_path)).obstacle()


def test_the_device_must_be_there(bert):
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has CUDA")
    with pytest.raises(UsageError, match="no CUDA device"):
        assert Encoder(source(bert), device="cuda:0").depth


def test_a_hub_name_that_cannot_be_had_is_one_error(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.snapshot_download", lambda *_, **__: (_ for _ in ()).throw(OSError("offline")))
    with pytest.raises(UsageError, match="owner/name is no path of this machine, and cannot be taken from the hub"):
        source("owner/name").fetch()
    assert source("owner/name").label == "owner/name"


def test_the_hub_is_asked_for_the_newer_weights_first(monkeypatch, tmp_path):
    asked = []

    def download(repository, revision, allow_patterns):
        asked.append((repository, revision, any(pattern.endswith(".bin") for pattern in allow_patterns)))
        return str(tmp_path)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    assert source("owner/name@abc").fetch() == tmp_path
    assert asked == [("owner/name", "abc", False), ("owner/name", "abc", True)]
    (tmp_path / "model.safetensors").write_bytes(b"")
    named = source("owner/name")
    assert named.label == "owner/name"  # asks nobody
    assert len(asked) == 2
    assert named.digest
    assert len(asked) == 3
    assert named.label == f"owner/name#{named.digest[:12]}"


def test_a_single_file_of_the_hub(monkeypatch, tmp_path):
    asked = []

    def download(repository, file, revision):
        asked.append((repository, file, revision))
        return str(tmp_path / "file")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    for text in ("StanfordAIMI/RRG_scorers", "StanfordAIMI/RRG_scorers/chexbert.pth"):
        Source(text, "weights", "the checkpoint", file="chexbert.pth").fetch()
    assert asked == [("StanfordAIMI/RRG_scorers", "chexbert.pth", None)] * 2
    assert "does not exist" in Source("weights/chexbert.pth", "weights", "it", file="chexbert.pth").obstacle()


def test_a_label_tells_weights_apart_and_shows_no_folder(tmp_path):
    one, other = (bert_folder(tmp_path / name / "bert", seed) for seed, name in enumerate("ab"))
    labels = {source(one).label, source(other).label}
    assert len(labels) == 2
    assert all(label.startswith("bert#") and str(tmp_path) not in label for label in labels)
    copied = chexbert_file(tmp_path / "x.pth"), tmp_path / "sub" / "x.pth"
    copied[1].parent.mkdir()
    copied[1].write_bytes(copied[0].read_bytes())
    assert source(copied[0]).label == source(copied[1]).label


def test_batches_put_everything_back():
    from perimetry.scoring.embeddings.batches import Tokens

    rows = [Tokens(tuple(range(length)), (False,) * length, ((0, 0),) * length, False) for length in (3, 1, 2, 3)]
    sizes = []

    def forward(ids, mask):
        sizes.append(ids.shape)
        return mask.sum(axis=1, keepdims=True)

    assert {at: int(row[0]) for at, row in in_batches(rows, 2, 0, forward)} == {0: 3, 1: 1, 2: 2, 3: 3}
    assert sizes == [(2, 2), (2, 3)]
    ids, mask = padded([(4, 5), (6,)], 9)
    assert ids.tolist() == [[4, 5], [6, 9]]
    assert mask.tolist() == [[1, 1], [1, 0]]


def test_a_token_classifier_gives_a_class_a_token(tmp_path):
    folder = classifier_folder(tmp_path / "ner", ["O", "B-DISEASE", "I-DISEASE"])
    encoder = Encoder(source(folder), "token classifier", device="cpu", batch_size=2)
    assert encoder.names == ("O", "B-DISEASE", "I-DISEASE")
    tokens = encoder.tokens(list(REPORTS))
    assert [len(row) for row in encoder.classes(tokens)] == [len(entry) for entry in tokens]


def test_importing_the_metrics_imports_no_torch():
    import subprocess

    code = (
        "import sys; import perimetry.scoring.embeddings.bertscore, perimetry.scoring.embeddings.ratescore, "
        "perimetry.scoring.labels.chexbert, perimetry.scoring.labels.chexbert_similarity; "
        "print([name for name in ('torch', 'transformers', 'huggingface_hub') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
