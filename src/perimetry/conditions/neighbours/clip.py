"""CLIP-type image embeddings through transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Pixels
from perimetry.conditions.neighbours.embedder import Vectors

__all__ = ["ClipEmbedder"]


class ClipEmbedder:
    """Image features of a CLIP-type model (CORAL section 3.1 uses CLIP ViT-L/14), L2-normalised.

    Any model works whose class offers image features through `transformers.AutoModel`: CLIP, SigLIP and their
    medical descendants. Weights are loaded on the first call; code from the hub is never run.

    Parameters
    ----------
    source : str
        Local path or hub id.
    device : str, default "cpu"
        Torch device, for example ``"cuda"``.
    batch_size : int, default 16
    """

    def __init__(self, source: str, device: str = "cpu", batch_size: int = 16) -> None:
        self.source = source
        self.device = device
        self.batch_size = batch_size
        self._loaded: tuple[Any, Any] | None = None

    @property
    def name(self) -> str:
        """``clip:`` and the source."""
        return f"clip:{self.source}"

    def embed(self, images: Sequence[Pixels]) -> Vectors:
        """Embed images; see `Embedder`. Grey images are shown as RGB."""
        model, processor = self._load()
        import torch

        rows = []
        for start in range(0, len(images), self.batch_size):
            batch = [_colour(pixels) for pixels in images[start : start + self.batch_size]]
            inputs = processor(images=batch, return_tensors="pt", input_data_format="channels_last")
            with torch.inference_mode():
                features = model.get_image_features(**inputs.to(self.device))
            # Newer releases return the whole output of the tower, whose pooled part is the projected feature.
            features = getattr(features, "pooler_output", features)
            rows.append(features.float().cpu().numpy())
        vectors = np.concatenate(rows).astype(np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
        return unit

    def _load(self) -> tuple[Any, Any]:
        if self._loaded is None:
            try:
                from transformers import AutoImageProcessor, AutoModel
            except ImportError as error:
                raise UsageError(
                    f"Embedder {self.name!r} needs torch and transformers, which are not installed. Install "
                    "perimetry[hf], or use the embedder pixels."
                ) from error
            try:
                processor = AutoImageProcessor.from_pretrained(self.source, use_fast=False)
                model = AutoModel.from_pretrained(self.source).eval().to(self.device)
            except (OSError, ValueError) as error:
                raise UsageError(
                    f"Embedder {self.name!r} cannot be loaded: {error}. Expected the folder or hub id of a CLIP-type "
                    "model."
                ) from error
            if not hasattr(model, "get_image_features"):
                raise UsageError(
                    f"Embedder {self.name!r}: {type(model).__name__} gives no image features; expected a CLIP-type "
                    "model."
                )
            self._loaded = (model, processor)
        return self._loaded


def _colour(pixels: Pixels) -> Pixels:
    return np.repeat(pixels[:, :, None], 3, axis=2) if pixels.ndim == 2 else pixels
