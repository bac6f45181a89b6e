"""What a model is sent of an image; Pillow decodes, so that nothing of ours checks itself."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.models.rendering import ImagePolicy, Rendered, data_url, render

SOURCE = np.random.default_rng(3).integers(0, 256, (60, 90, 3), dtype=np.uint8)


@dataclass(frozen=True)
class File:
    data: bytes
    media_type: str
    digest: str = "d"
    name: str = "file"

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        return np.asarray(Pillow.open(io.BytesIO(self.data)))

    def encoded(self) -> tuple[bytes, str] | None:
        return self.data, self.media_type


@dataclass(frozen=True)
class Flip:
    spelling: str = "flip"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        return np.ascontiguousarray(pixels[::-1])


def file(kind: str = "PNG") -> File:
    buffer = io.BytesIO()
    Pillow.fromarray(SOURCE).save(buffer, kind)
    return File(buffer.getvalue(), f"image/{kind.lower()}")


def decoded(rendered: Rendered) -> Pillow.Image:
    opened = Pillow.open(io.BytesIO(rendered.data))
    assert f"image/{str(opened.format).lower()}" == rendered.media_type
    return opened


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_an_unchanged_file_passes_through(kind: str) -> None:
    source = file(kind)
    assert render(Image(source)) == Rendered(source.data, source.media_type)
    assert render(Image(source), ImagePolicy(max_edge=90, max_pixels=5400)).data == source.data


def test_pass_through_can_be_switched_off() -> None:
    rendered = render(Image(file("JPEG")), ImagePolicy(pass_through=False))
    assert rendered.media_type == "image/png"
    assert np.array_equal(np.asarray(decoded(rendered)), file("JPEG").read())


def test_a_changed_image_is_encoded_without_loss() -> None:
    rendered = render(Image(file(), (Flip(),)))
    assert np.array_equal(np.asarray(decoded(rendered)), SOURCE[::-1])


def test_jpeg_policy() -> None:
    fine = render(Image(file(), (Flip(),)), ImagePolicy("jpeg", quality=95))
    coarse = render(Image(file(), (Flip(),)), ImagePolicy("jpeg", quality=20))
    assert decoded(fine).size == (90, 60)
    assert len(coarse.data) < len(fine.data)


@pytest.mark.parametrize(
    ("policy", "size"),
    [
        (ImagePolicy(max_edge=45), (45, 30)),
        (ImagePolicy(max_pixels=1350), (45, 30)),
        (ImagePolicy(max_edge=45, max_pixels=600), (30, 20)),
        (ImagePolicy(max_edge=1000), (90, 60)),
        (ImagePolicy(max_pixels=1), (1, 1)),
    ],
)
def test_large_images_are_reduced_and_small_ones_are_not_enlarged(policy: ImagePolicy, size: tuple[int, int]) -> None:
    assert decoded(render(Image(file()), policy)).size == size
    assert decoded(render(Image(file(), (Flip(),)), policy)).size == size


def test_reduction_never_exceeds_the_limit() -> None:
    for width, height in np.random.default_rng(1).integers(1, 4000, (200, 2)).tolist():
        w, h = ImagePolicy(max_edge=777, max_pixels=300_000).size(width, height)
        assert max(w, h) <= 777
        assert w * h <= 300_000
        assert w <= width
        assert h <= height


@pytest.mark.parametrize("wrong", [{"quality": 0}, {"quality": 101}, {"max_edge": 0}, {"max_count": -1}])
def test_policies_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        ImagePolicy(**wrong)  # type: ignore[arg-type]  # one wrong value at a time


def test_a_real_radiograph_passes_through_and_survives_reduction(shared_data: Path) -> None:
    from perimetry.cases.sources import FileSource

    path = shared_data / "nih_cxr14" / "images" / "00000193_019.png"
    assert render(Image(FileSource(path))).data == path.read_bytes()
    assert max(decoded(render(Image(FileSource(path)), ImagePolicy(max_edge=512))).size) == 512


def test_data_url_is_base64() -> None:
    import base64

    head, payload = data_url(Rendered(bytes(range(256)), "image/jpeg")).split(b",")
    assert head == b"data:image/jpeg;base64"
    assert base64.b64decode(payload) == bytes(range(256))
