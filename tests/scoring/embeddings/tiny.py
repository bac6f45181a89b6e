"""Text models of random weights, small enough to be made for a test, in the formats of the published ones."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

TEXT = """
heart size is normal mildly enlarged no pleural effusion or pneumothorax there a small left right lung lungs are
clear opacity in the base may represent atelectasis edema has resolved fracture rib cardiomegaly stable
"""
WORDS = TEXT.split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = [".", ",", "?", "##s", "##ly", *"abcdefghijklmnopqrstuvwxyz", *(f"##{letter}" for letter in "etaoin")]
VOCABULARY = list(dict.fromkeys([*SPECIAL, *WORDS, *PIECES]))

REPORTS = (
    "The heart is mildly enlarged. No pleural effusion.",
    "Lungs are clear.",
    "There is a small left pleural effusion, and opacity in the right base may represent atelectasis.",
    "No pneumothorax.\nThe heart size is normal. Edema has resolved. Rib fracture stable.",
    "cardiomegaly",
)


def vocabulary_file(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "vocab.txt"
    path.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    return path


def seeded(seed: int) -> None:
    """Weights by seed; one thread, for small products wait longer for threads than they take."""
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(seed)


def bert_config(**changes: Any) -> Any:
    from transformers import BertConfig

    sizes = {
        "vocab_size": len(VOCABULARY),
        "hidden_size": 128,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 96,
        "max_position_embeddings": 48,
        "initializer_range": 0.4,
    }
    return BertConfig(**{**sizes, **changes})


def _save(model: Any, folder: Path) -> None:
    from transformers.utils import logging as noisy

    logging.getLogger("transformers").setLevel(logging.ERROR)
    noisy.disable_progress_bar()
    model.eval().save_pretrained(folder)


def bert_folder(folder: Path, seed: int = 0, **changes: Any) -> Path:
    """A BERT encoder with its tokeniser."""
    from transformers import BertModel

    seeded(seed)
    vocabulary_file(folder)
    _save(BertModel(bert_config(**changes)), folder)
    return folder


def classifier_folder(folder: Path, labels: list[str], seed: int = 0) -> Path:
    """A BERT token classifier with its tokeniser, shallow and with large embeddings, so that words differ in class."""
    import torch
    from transformers import BertForTokenClassification

    seeded(seed)
    vocabulary_file(folder)
    model = BertForTokenClassification(bert_config(id2label=dict(enumerate(labels)), num_hidden_layers=1))
    with torch.no_grad():
        model.bert.embeddings.word_embeddings.weight.mul_(4.0)
    _save(model, folder)
    return folder


def roberta_folder(folder: Path, seed: int = 0) -> Path:
    """A RoBERTa encoder with a byte-level tokeniser: positions begin after the padding id."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaModel, RobertaTokenizer

    seeded(seed)
    folder.mkdir(parents=True, exist_ok=True)
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(
        [*REPORTS] * 5, vocab_size=330, special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"], show_progress=False
    )
    trained.save_model(str(folder))
    tokenizer = RobertaTokenizer(vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"))
    tokenizer.save_pretrained(folder)
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=42,
        initializer_range=0.4,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
        type_vocab_size=1,
    )
    _save(RobertaModel(config), folder)
    return folder


def deberta_folder(folder: Path, labels: list[str], seed: int = 0) -> Path:
    """A DeBERTa token classifier with a Unigram tokeniser, whose tokens hold the space before a word."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import DebertaV2Config, DebertaV2ForTokenClassification, PreTrainedTokenizerFast

    seeded(seed)
    marks = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    trained = Tokenizer(models.Unigram())
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    trained.train_from_iterator(
        [*REPORTS] * 4,
        trainers.UnigramTrainer(
            vocab_size=120, special_tokens=list(marks.values()), unk_token="[UNK]", show_progress=False
        ),
    )
    trained.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=trained, **marks)
    tokenizer.save_pretrained(folder)
    config = DebertaV2Config(
        vocab_size=len(tokenizer),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        relative_attention=True,
        position_buckets=16,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        type_vocab_size=0,
        initializer_range=0.5,
        id2label=dict(enumerate(labels)),
    )
    _save(DebertaV2ForTokenClassification(config), folder)
    return folder


def chexbert_state(seed: int = 0, **changes: Any) -> dict[str, Any]:
    """Random weights under the names of CheXbert's published checkpoint, the parts nobody reads included."""
    import torch
    from transformers import BertModel

    seeded(seed)
    bert = BertModel(bert_config(**changes)).eval()
    state = {f"module.bert.{name}": value.clone() for name, value in bert.state_dict().items()}
    state["module.bert.embeddings.position_ids"] = torch.arange(bert.config.max_position_embeddings)[None]
    for head in range(14):
        size = 2 if head == 13 else 4
        state[f"module.linear_heads.{head}.weight"] = torch.randn(size, bert.config.hidden_size)
        state[f"module.linear_heads.{head}.bias"] = torch.randn(size)
    return state


def chexbert_file(path: Path, state: dict[str, Any] | None = None) -> Path:
    import torch

    torch.save({"epoch": 1, "model_state_dict": state or chexbert_state(), "optimizer_state_dict": {}}, path)
    return path
