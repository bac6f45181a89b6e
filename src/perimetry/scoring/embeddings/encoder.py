"""Text encoders and token classifiers of transformers: opened on first use, run in batches, checked to be whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import UsageError
from perimetry.scoring.embeddings.batches import Floats, Ids, Tokens, in_batches, tokenise
from perimetry.scoring.embeddings.libraries import best_device, library, missing_libraries, quiet
from perimetry.scoring.embeddings.sources import Source

__all__ = ["Encoder", "Kind"]

Kind = Literal["encoder", "token classifier"]

_SHIFTED = frozenset({"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "mpnet", "longformer", "data2vec-text"})
"""Families whose positions begin after the padding index: their tables hold more rows than a text may have tokens."""

_SPACED = ("Roberta", "GPT2", "Bart", "Longformer")
"""Tokenisers to which a word at the start of a text is another token than the same word after a space."""

_UNUSED = ("pooler.", "decoder.")
"""Parts that may be absent from the weights: nothing here reads them."""

_ENDLESS = 1_000_000
_SHORTEST = 3
_NAMED = 4


@dataclass(frozen=True)
class _Loaded:
    tokenizer: Any
    model: Any
    device: str
    limit: int
    pad: int


class Encoder:
    """A model that reads texts, from a folder or the hub; float32, in evaluation mode, code of the hub never run.

    Parameters
    ----------
    source
        Where weights and tokeniser lie; opened on first use.
    kind
        ``"encoder"`` gives hidden states, ``"token classifier"`` a class a token.
    device : str, default ""
        Torch device; empty for CUDA where there is one, else the CPU.
    batch_size : int, default 32
        Changes no result beyond float rounding.

    Raises
    ------
    UsageError
        For a batch size below 1. On first use: when a library is missing, nothing is there, or the weights do not fill
        the architecture that the configuration names.
    """

    def __init__(self, source: Source, kind: Kind = "encoder", *, device: str = "", batch_size: int = 32) -> None:
        if batch_size < 1:
            raise UsageError(f"batch_size is {batch_size}; expected 1 or more.")
        self.source = source
        self.kind = kind
        self.device = device
        self.batch_size = batch_size
        self._loaded: _Loaded | None = None

    def obstacle(self) -> str:
        """Why it cannot run here; empty if it can. Opens nothing."""
        return missing_libraries() or self.source.obstacle()

    @property
    def digest(self) -> str:
        """Digest of the files of model and tokeniser; the model is not opened for it."""
        return self.source.digest

    @property
    def limit(self) -> int:
        """Tokens that it reads of a text at most, special tokens included."""
        return self._load().limit

    @property
    def depth(self) -> int:
        """Layers of the model."""
        config = self._load().model.config
        return int(getattr(config, "num_hidden_layers", getattr(config, "n_layers", 0)))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of a token classifier's classes, in the order of their numbers."""
        table = self._load().model.config.id2label
        return tuple(str(table[at]) for at in sorted(table))

    def tokens(self, texts: Sequence[str], limit: int | None = None) -> list[Tokens]:
        """Tokens of texts that went through `sound`; spans count the characters of the text as given."""
        loaded = self._load()
        most = loaded.limit if limit is None else min(limit, loaded.limit)
        if not type(loaded.tokenizer).__name__.startswith(_SPACED):
            return tokenise(loaded.tokenizer, texts, most)
        found = tokenise(loaded.tokenizer, [f" {text}" for text in texts], most)
        return [
            Tokens(
                tokens.ids,
                tokens.special,
                tuple((max(0, start - 1), max(0, end - 1)) for start, end in tokens.spans),
                tokens.cut,
            )
            for tokens in found
        ]

    def states(self, tokens: Sequence[Tokens], layer: int | None = None) -> list[Floats]:
        """Hidden states of each text, ``(tokens, width)`` float32, special tokens included.

        Parameters
        ----------
        layer
            0 for the input embeddings, 1 for the output of the first layer, and so on; None for the model's output.
        """
        loaded = self._load()

        def forward(output: Any) -> Any:
            return output.last_hidden_state if layer is None else output.hidden_states[layer]

        return self._run(tokens, loaded, forward, hidden=layer is not None)

    def first_states(self, tokens: Sequence[Tokens]) -> list[Floats]:
        """Output at the first token of each text, ``(width,)`` float32."""
        found: list[Floats] = [np.empty(0, dtype=np.float32)] * len(tokens)
        for at, row in self._batches(tokens, self._load(), lambda output: output.last_hidden_state[:, 0], hidden=False):
            found[at] = row
        return found

    def classes(self, tokens: Sequence[Tokens]) -> list[NDArray[np.int64]]:
        """Number of the likeliest class of each token, special tokens included."""
        states = self._run(tokens, self._load(), lambda output: output.logits, hidden=False)
        return [logits.argmax(axis=1).astype(np.int64) for logits in states]

    def _run(self, tokens: Sequence[Tokens], loaded: _Loaded, take: Any, *, hidden: bool) -> list[Floats]:
        found: list[Floats] = [np.empty((0, 0), dtype=np.float32)] * len(tokens)
        for at, row in self._batches(tokens, loaded, take, hidden=hidden):
            found[at] = row[: len(tokens[at])].copy()
        return found

    def _batches(self, tokens: Sequence[Tokens], loaded: _Loaded, take: Any, *, hidden: bool) -> Any:
        torch = library("torch")

        def forward(ids: Ids, mask: Ids) -> Floats:
            with torch.inference_mode():
                output = loaded.model(
                    input_ids=torch.from_numpy(ids).to(loaded.device),
                    attention_mask=torch.from_numpy(mask).to(loaded.device),
                    output_hidden_states=hidden,
                )
                taken: Floats = take(output).float().cpu().numpy()
            return taken

        return in_batches(tokens, self.batch_size, loaded.pad, forward)

    def _load(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _open(self.source, self.kind, self.device)
        return self._loaded


def _open(source: Source, kind: Kind, device: str) -> _Loaded:
    transformers, torch = library("transformers"), library("torch")
    if stands := source.obstacle():
        raise UsageError(f"{stands}.")
    folder = source.fetch()
    named = f"{source.parameter}={source.text}"
    family = transformers.AutoModel if kind == "encoder" else transformers.AutoModelForTokenClassification
    try:
        with quiet():
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model, said = family.from_pretrained(
                folder, local_files_only=True, dtype=torch.float32, output_loading_info=True
            )
    except (OSError, ValueError, ImportError, KeyError, RuntimeError, TypeError) as error:
        raise UsageError(f"{named} cannot be opened: {error} Expected {source.expected}.") from error
    _check(named, source.expected, said, model, tokenizer)
    if getattr(model.config, "is_encoder_decoder", False):
        model = model.get_encoder()
    pad = tokenizer.pad_token_id
    where = best_device(device)
    return _Loaded(
        tokenizer,
        model.to(where).eval(),
        where,
        _limit(tokenizer, model.config, named),
        0 if pad is None else int(pad),
    )


def _check(named: str, expected: str, said: Any, model: Any, tokenizer: Any) -> None:
    lacking = sorted(name for name in said["missing_keys"] if not any(part in name for part in _UNUSED))
    other = sorted(str(entry[0] if isinstance(entry, tuple) else entry) for entry in said["mismatched_keys"])
    if lacking or other:
        surplus = sorted(said["unexpected_keys"])
        raise UsageError(
            f"{named}: the weights do not fill a {type(model).__name__}, which its config.json names; the rest would "
            f"be random. {_listed('Missing', lacking)}{_listed('Of another shape', other)}"
            f"{_listed('Unexpected', surplus)}Expected {expected}."
        )
    rows = model.get_input_embeddings().weight.shape[0]
    if not tokenizer.is_fast or not rows // 2 <= len(tokenizer) <= rows:
        raise UsageError(
            f"{named}: the tokeniser has {len(tokenizer)} entries and the model {rows}; they do not belong together. "
            f"Expected {expected}, with the files of its own tokeniser."
        )


def _listed(what: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{what}: {', '.join(names[:_NAMED])}{more}. " if names else ""


def _limit(tokenizer: Any, config: Any, named: str) -> int:
    limits = [int(tokenizer.model_max_length)] if tokenizer.model_max_length < _ENDLESS else []
    positions = getattr(config, "max_position_embeddings", None)
    if isinstance(positions, int) and positions > 0:
        shift = int(config.pad_token_id) + 1 if config.model_type in _SHIFTED else 0
        limits.append(positions - shift)
    limit = min(limits, default=_ENDLESS)
    if limit < _SHORTEST:
        raise UsageError(f"{named}: the model reads at most {limit} tokens; expected {_SHORTEST} or more.")
    return limit
