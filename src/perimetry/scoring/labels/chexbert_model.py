"""CheXbert on torch and transformers 5: labels and the embedding of its first token, in batches, kept by digest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perimetry.cases.errors import UsageError
from perimetry.scoring.cache import Cache
from perimetry.scoring.embeddings.batches import Floats, Ids, Tokens, clean, in_batches, tokenise
from perimetry.scoring.embeddings.kept import MemoryCache, kept
from perimetry.scoring.embeddings.libraries import best_device, library, missing_libraries, quiet
from perimetry.scoring.embeddings.sources import TOKENISER_FILES, Source
from perimetry.scoring.labels.chexbert_checkpoint import HEAD_SIZES, bert_sizes, read_checkpoint
from perimetry.scoring.labels.classes import CHEXBERT_ORDER

__all__ = ["Chexbert", "ChexbertReading"]

_RECIPE = "chexbert/1"
_CLASSES = len(CHEXBERT_ORDER)


@dataclass(frozen=True, slots=True, eq=False)
class ChexbertReading:
    """What CheXbert makes of texts, row by row.

    Parameters
    ----------
    labels : int8 array, (texts, 14)
        0 blank, 1 positive, 2 negative, 3 uncertain, in `CHEXBERT_ORDER`.
    embeddings : float32 array, (texts, width)
        Output at the first token ([CLS]); the heads read nothing else.
    cuts : tuple of int
        The number of tokens at which a text was cut; 0 where it was not.
    """

    labels: NDArray[np.int8]
    embeddings: Floats
    cuts: tuple[int, ...]


@dataclass(frozen=True)
class _Loaded:
    tokenizer: Any
    bert: Any
    heads: Any
    device: str
    limit: int


class Chexbert:
    """CheXbert, opened on first use.

    Labels and embeddings do not depend on the order of texts; on the batch size only by float rounding.

    Parameters
    ----------
    weights : str
        The published checkpoint: a file, a hub repository that holds ``chexbert.pth`` (``StanfordAIMI/RRG_scorers``),
        or ``OWNER/NAME/FILE``.
    tokenizer : str
        Folder, ``vocab.txt`` or hub id of the tokeniser of bert-base-uncased.
    device : str, default ""
        Torch device; empty for CUDA where there is one, else the CPU.
    batch_size : int, default 32
    cache : Cache or None, default None
        Where readings are kept; None keeps them as long as the object lives.

    References
    ----------
    Smit et al. 2020, "CheXbert: Combining Automatic Labelers and Expert Annotations", section 3.
    """

    def __init__(
        self,
        weights: str,
        tokenizer: str,
        *,
        device: str = "",
        batch_size: int = 32,
        cache: Cache | None = None,
    ) -> None:
        if batch_size < 1:
            raise UsageError(f"batch_size is {batch_size}; expected 1 or more.")
        self.weights = Source(weights, "weights", "CheXbert's checkpoint or its hub id", file="chexbert.pth")
        self.tokenizer = Source(
            tokenizer, "tokenizer", "the tokeniser of bert-base-uncased or its hub id", patterns=TOKENISER_FILES
        )
        self.device = device
        self.batch_size = batch_size
        self.cache: Cache = MemoryCache() if cache is None else cache
        self._loaded: _Loaded | None = None

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """For `MetricInfo.parameters`, sorted by name."""
        return (("tokenizer", self.tokenizer.label), ("weights", self.weights.label))

    def obstacle(self) -> str:
        """Why it cannot run here; empty if it can. Opens nothing."""
        # A path is the user's own affair, and sooner mended than a library is installed.
        return self.weights.obstacle() or missing_libraries() or self.tokenizer.obstacle()

    def read(self, texts: Sequence[str]) -> ChexbertReading:
        """Read texts; each distinct one is read once.

        Returns
        -------
        ChexbertReading
            A text of more tokens than the model reads (512) is cut there, as its authors do.

        Raises
        ------
        UsageError
            When `obstacle` is not empty, or a download fails.
        DataError
            When weights or tokeniser are not CheXbert's.
        """
        if stands := self.obstacle():
            raise UsageError(f"CheXbert cannot run: {stands}.")
        whole = [clean(text) for text in texts]
        recipe = [_RECIPE, self.weights.digest, self.tokenizer.digest]
        records = kept(
            self.cache, recipe, [[text] for text in whole], lambda rows: self._records([whole[row] for row in rows])
        )
        labels = [np.frombuffer(record, dtype=np.int8, count=_CLASSES) for record in records]
        embeddings = [np.frombuffer(record, dtype="<f4", offset=_CLASSES + 4) for record in records]
        return ChexbertReading(
            np.stack(labels) if labels else np.zeros((0, _CLASSES), dtype=np.int8),
            np.stack(embeddings).astype(np.float32) if embeddings else np.zeros((0, 0), dtype=np.float32),
            tuple(int.from_bytes(record[_CLASSES : _CLASSES + 4], "little") for record in records),
        )

    def logits(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Logits ``(texts, 54)``, head by head, and embeddings ``(texts, width)``; nothing is kept."""
        loaded = self._load()
        return self._run(loaded, tokenise(loaded.tokenizer, [clean(text) for text in texts], loaded.limit))

    def _records(self, texts: Sequence[str]) -> list[bytes]:
        loaded = self._load()
        tokens = tokenise(loaded.tokenizer, texts, loaded.limit)
        logits, embeddings = self._run(loaded, tokens)
        labels = np.empty((len(texts), _CLASSES), dtype=np.int8)
        start = 0
        for head, size in enumerate(HEAD_SIZES):
            labels[:, head] = logits[:, start : start + size].argmax(axis=1)
            start += size
        return [
            row.tobytes() + (loaded.limit * token.cut).to_bytes(4, "little") + vector.astype("<f4").tobytes()
            for row, token, vector in zip(labels, tokens, embeddings, strict=True)
        ]

    def _run(self, loaded: _Loaded, tokens: Sequence[Tokens]) -> tuple[Floats, Floats]:
        torch = library("torch")
        width = int(loaded.bert.config.hidden_size)

        def forward(ids: Ids, mask: Ids) -> Floats:
            with torch.inference_mode():
                first = loaded.bert(
                    input_ids=torch.from_numpy(ids).to(loaded.device),
                    attention_mask=torch.from_numpy(mask).to(loaded.device),
                ).last_hidden_state[:, 0]
                logits = [head(first) for head in loaded.heads]
                together: Floats = torch.cat([first, *logits], dim=1).cpu().numpy()
            return together

        rows = np.empty((len(tokens), width + sum(HEAD_SIZES)), dtype=np.float32)
        for at, row in in_batches(tokens, self.batch_size, int(loaded.tokenizer.pad_token_id), forward):
            rows[at] = row
        return rows[:, width:], rows[:, :width]

    def _load(self) -> _Loaded:
        if self._loaded is None:
            self._loaded = _open(self.weights, self.tokenizer, self.device)
        return self._loaded


def _open(weights: Source, tokenizer: Source, device: str) -> _Loaded:
    torch, transformers = library("torch"), library("transformers")
    state = read_checkpoint(weights.fetch())
    sizes = bert_sizes(state)
    words = _tokenizer(tokenizer, sizes["vocab_size"])
    bert = transformers.BertModel(transformers.BertConfig(**sizes), add_pooling_layer=False)
    heads = torch.nn.ModuleList([torch.nn.Linear(sizes["hidden_size"], size) for size in HEAD_SIZES])
    # Both strict: the checkpoint was checked, and a name that a later transformers changes must not pass unnoticed.
    bert.load_state_dict({name[5:]: value for name, value in state.items() if name.startswith("bert.")})
    heads.load_state_dict({name[13:]: value for name, value in state.items() if name.startswith("linear_heads.")})
    where = best_device(device)
    limit = sizes["max_position_embeddings"]
    return _Loaded(words, bert.float().to(where).eval(), heads.float().to(where).eval(), where, limit)


def _tokenizer(source: Source, rows: int) -> Any:
    transformers = library("transformers")
    path = source.fetch()
    named = f"tokenizer={source.text}"
    try:
        with quiet():
            if path.is_file():
                found = transformers.BertTokenizer(vocab=str(path))
            else:
                found = transformers.BertTokenizer.from_pretrained(path, local_files_only=True)
    except (OSError, ValueError, ImportError, KeyError, TypeError, RuntimeError) as error:
        raise UsageError(f"{named} cannot be opened: {error} Expected {source.expected}.") from error
    if len(found) != rows:
        raise UsageError(
            f"{named} has {len(found)} entries, and CheXbert's weights have {rows}; they do not belong together. "
            f"Expected {source.expected}."
        )
    return found
