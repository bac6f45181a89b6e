"""The published format of CheXbert's weights: read safely, measured, and checked name by name.

A torch archive whose ``model_state_dict`` holds a BERT under ``module.bert.`` and fourteen linear heads under
``module.linear_heads.``: four classes each for thirteen conditions, two for No Finding.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from perimetry.cases.errors import DataError
from perimetry.scoring.embeddings.libraries import library
from perimetry.scoring.labels.classes import CHEXBERT_ORDER, CODES

__all__ = ["HEAD_SIZES", "bert_sizes", "expected_shapes", "read_checkpoint"]

HEAD_SIZES = (*(len(CODES) for _ in CHEXBERT_ORDER[:-1]), 2)
"""Classes of each head, in `CHEXBERT_ORDER`: all four codes, and for No Finding blank and positive."""

_HEAD_WIDTH = 64  # every BERT that was published has attention heads of this width; a state dict does not say
_LAYER = re.compile(r"bert\.encoder\.layer\.(\d+)\.")
_WORDS = "bert.embeddings.word_embeddings.weight"
_POSITIONS = "bert.embeddings.position_embeddings.weight"
_SEGMENTS = "bert.embeddings.token_type_embeddings.weight"
_INNER = "bert.encoder.layer.0.intermediate.dense.weight"
_UNUSED = re.compile(r"bert\.(pooler\.dense\.(weight|bias)|embeddings\.position_ids)")
_NAMED = 4


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Weights by name, without the prefix ``module.``; nothing but tensors and plain values is unpickled.

    Returns
    -------
    dict of str to torch.Tensor
        ``bert.*`` and ``linear_heads.*``, on the CPU, complete and of fitting shapes. What the labeller does not use
        (the pooler, position ids of older releases) is left out.

    Raises
    ------
    DataError
        When the file cannot be read safely, or is the checkpoint of another architecture: missing and unexpected names
        are given.
    """
    torch = library("torch")
    expected = "Expected CheXbert's published checkpoint (chexbert.pth), a torch archive with model_state_dict."
    try:
        archive = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise DataError(f"CheXbert weights {path}: cannot be read as plain tensors ({said}). {expected}") from error
    state = archive.get("model_state_dict") if isinstance(archive, Mapping) else None
    if not isinstance(state, Mapping) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        found = ", ".join(map(str, list(archive)[:_NAMED])) if isinstance(archive, Mapping) else type(archive).__name__
        raise DataError(f"CheXbert weights {path}: no model_state_dict of tensors in it; found {found}. {expected}")
    weights = {str(name).removeprefix("module."): value for name, value in state.items()}
    used = {name: value for name, value in weights.items() if not _UNUSED.fullmatch(name)}
    _check(path, used, expected)
    return used


def bert_sizes(weights: Mapping[str, Any]) -> dict[str, int]:
    """Settings of the BERT that a state dict holds, as `transformers.BertConfig` takes them.

    Parameters
    ----------
    weights
        With the names of `read_checkpoint`.

    Raises
    ------
    KeyError
        When an embedding, or the first layer, is not there.
    """
    vocabulary, width = weights[_WORDS].shape
    layers = [int(found.group(1)) for name in weights if (found := _LAYER.match(name))]
    return {
        "vocab_size": int(vocabulary),
        "hidden_size": int(width),
        "num_hidden_layers": max(layers) + 1,
        "num_attention_heads": max(1, int(width) // _HEAD_WIDTH),
        "intermediate_size": int(weights[_INNER].shape[0]),
        "max_position_embeddings": int(weights[_POSITIONS].shape[0]),
        "type_vocab_size": int(weights[_SEGMENTS].shape[0]),
    }


def expected_shapes(sizes: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """Names and shapes of all weights of a CheXbert of some size."""
    width, inner = sizes["hidden_size"], sizes["intermediate_size"]
    shapes: dict[str, tuple[int, ...]] = {
        _WORDS: (sizes["vocab_size"], width),
        _POSITIONS: (sizes["max_position_embeddings"], width),
        _SEGMENTS: (sizes["type_vocab_size"], width),
        "bert.embeddings.LayerNorm.weight": (width,),
        "bert.embeddings.LayerNorm.bias": (width,),
    }
    blocks: dict[str, tuple[int, int]] = {
        "attention.self.query": (width, width),
        "attention.self.key": (width, width),
        "attention.self.value": (width, width),
        "attention.output.dense": (width, width),
        "intermediate.dense": (inner, width),
        "output.dense": (width, inner),
    }
    for layer in range(sizes["num_hidden_layers"]):
        at = f"bert.encoder.layer.{layer}"
        for name, shape in blocks.items():
            shapes[f"{at}.{name}.weight"], shapes[f"{at}.{name}.bias"] = shape, shape[:1]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{at}.{name}.weight"] = shapes[f"{at}.{name}.bias"] = (width,)
    for head, classes in enumerate(HEAD_SIZES):
        shapes[f"linear_heads.{head}.weight"], shapes[f"linear_heads.{head}.bias"] = (classes, width), (classes,)
    return shapes


def _check(path: Path, weights: Mapping[str, Any], expected: str) -> None:
    measured = [name for name in (_WORDS, _POSITIONS, _SEGMENTS, _INNER) if name not in weights]
    flat = [name for name in (_WORDS, _POSITIONS, _SEGMENTS, _INNER) if name in weights and weights[name].dim() != 2]
    if measured or flat:
        heads = [f"linear_heads.{head}.weight" for head in range(len(HEAD_SIZES))]
        missing = measured + [name for name in heads if name not in weights]
        known = re.compile(r"bert\.(embeddings|encoder\.layer)\.|linear_heads\.")
        surplus = [name for name in weights if not known.match(name)]
        wrong = [f"{name} {tuple(weights[name].shape)}" for name in flat]
    else:
        shapes = expected_shapes(bert_sizes(weights))
        missing = [name for name in shapes if name not in weights]
        surplus = [name for name in weights if name not in shapes]
        wrong = [
            f"{name} {tuple(weights[name].shape)} for {shape}"
            for name, shape in shapes.items()
            if name in weights and tuple(weights[name].shape) != shape
        ]
    if missing or surplus or wrong:
        raise DataError(
            f"CheXbert weights {path}: the checkpoint is of another architecture. {_listed('Missing', missing)}"
            f"{_listed('Unexpected', surplus)}{_listed('Of another shape', wrong)}{expected}"
        )


def _listed(what: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{what}: {', '.join(names[:_NAMED])}{more}. " if names else ""
