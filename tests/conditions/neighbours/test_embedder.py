"""Embedders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Pixels
from perimetry.conditions.neighbours import PixelEmbedder, parse_embedder


def test_pixels_against_float_arithmetic(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(64, 96, colour=True)
    grey = pixels.astype(float) @ [0.299, 0.587, 0.114]
    thumbnail = grey.reshape(32, 2, 32, 3).mean(axis=(1, 3))
    expected = (thumbnail - thumbnail.mean()).ravel()
    expected /= np.linalg.norm(expected)
    vector = PixelEmbedder().embed([pixels])[0]
    assert vector.dtype == np.float32
    assert np.abs(vector - expected).max() < 1e-5
    assert np.linalg.norm(vector.astype(float)) == pytest.approx(1, abs=1e-6)


def test_pixels_are_pinned(pattern: Callable[..., Pixels]) -> None:
    vectors = PixelEmbedder().embed([pattern(), pattern(colour=True)])
    digest = hashlib.sha256(vectors.astype("<f4").tobytes()).hexdigest()
    assert digest == "8095b9b12b35e71c0bff8f52358190d46cf7d156dea0b4cd7d14f908df33d84a"


def test_pixels_ignore_brightness_and_take_any_form(pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(50, 50) // 2
    colour = np.repeat(pixels[:, :, None], 3, axis=2)
    flat = np.full((20, 30), 90, dtype=np.uint8)
    vectors = PixelEmbedder().embed([pixels, pixels + np.uint8(40), colour, 127 - pixels, flat, flat[:1, :1]])
    similar = vectors @ vectors[0]
    assert similar[:4] == pytest.approx([1, 1, 1, -1], abs=1e-4)
    assert not vectors[4:].any()


def test_specification() -> None:
    assert parse_embedder(" pixels ") == PixelEmbedder()
    assert parse_embedder("clip:some/model").name == "clip:some/model"
    assert PixelEmbedder(16).name == "pixels(side=16)"
    for wrong in ("clip", "clip:", "resnet", "pixels:32", ""):
        with pytest.raises(UsageError, match="expected pixels, or clip:"):
            parse_embedder(wrong)


def test_clip_embeds_through_transformers(tmp_path: Path, pattern: Callable[..., Pixels]) -> None:
    torch = pytest.importorskip("torch", reason="extra hf is not installed")
    transformers = pytest.importorskip("transformers", reason="extra hf is not installed")
    torch.manual_seed(0)
    tower = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.CLIPConfig(
        text_config={**tower, "vocab_size": 50, "max_position_embeddings": 8},
        vision_config={**tower, "image_size": 32, "patch_size": 16},
        projection_dim=12,
    )
    model = transformers.CLIPModel(config).eval()
    model.save_pretrained(tmp_path)
    sizes = {"size": {"shortest_edge": 32}, "crop_size": {"height": 32, "width": 32}}
    transformers.CLIPImageProcessor(**sizes).save_pretrained(tmp_path)
    embedder = parse_embedder(f"clip:{tmp_path}")
    images = [pattern(64, 64), pattern(64, 64, colour=True), pattern(90, 40)]
    vectors = embedder.embed(images)
    assert vectors.shape == (3, 12)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    assert np.abs(embedder.embed(images[1:2])[0] - vectors[1]).max() < 1e-5
    # The projected feature, computed here from the tower and the projection.
    mean, deviation = np.array([[0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]])
    square = pattern(32, 32, colour=True)
    values = torch.tensor(((square / 255 - mean) / deviation).transpose(2, 0, 1)[None], dtype=torch.float32)
    with torch.inference_mode():
        feature = model.visual_projection(model.vision_model(pixel_values=values).pooler_output)[0].numpy()
    assert np.abs(embedder.embed([square])[0] - feature / np.linalg.norm(feature)).max() < 1e-4


def test_clip_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="extra hf is not installed")
    with pytest.raises(UsageError, match="cannot be loaded"):
        parse_embedder(f"clip:{tmp_path / 'absent'}").embed([np.zeros((8, 8), np.uint8)])
