"""The shape that a header tells is that of the decoded pixels, for every kind of file and source."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from perimetry.cases import BytesSource, FileSource, ImageError, TableSource
from perimetry.cases.sources.header import header_shape
from perimetry.phantoms.radiograph import RadiographSpec
from perimetry.phantoms.source import PhantomSource

RNG = np.random.default_rng(0)
FORMS: dict[str, np.ndarray] = {
    "grey": RNG.integers(0, 256, (40, 30), dtype=np.uint8),
    "rgb": RNG.integers(0, 256, (40, 30, 3), dtype=np.uint8),
    "rgba": RNG.integers(0, 256, (40, 30, 4), dtype=np.uint8),
    "deep": RNG.integers(0, 65536, (40, 30), dtype=np.uint16),
}


def encoded(pixels: np.ndarray, kind: str = "PNG", turned: int = 0) -> bytes:
    exif = PillowImage.Exif()
    if turned:
        exif[0x0112] = turned
    buffer = io.BytesIO()
    PillowImage.fromarray(pixels).save(buffer, kind, **({"exif": exif} if turned else {}))
    return buffer.getvalue()


@pytest.mark.parametrize("form", FORMS)
def test_png(form: str) -> None:
    source = BytesSource(encoded(FORMS[form]), form)
    assert source.shape == source.read().shape[:2] == (40, 30)


@pytest.mark.parametrize("turned", range(1, 9))
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_orientation(turned: int, kind: str) -> None:
    source = BytesSource(encoded(FORMS["grey"], kind, turned), "turned")
    assert source.shape == source.read().shape[:2] == ((40, 30) if turned < 5 else (30, 40))


def test_dicom() -> None:
    pytest.importorskip("pydicom", reason="the extra dicom is not installed")
    from pydicom.data import get_testdata_file

    found = get_testdata_file("CT_small.dcm", download=False)
    data = Path(str(found)).read_bytes()
    assert header_shape(data, "scan") == BytesSource(data, "scan").read().shape[:2]
    with pytest.raises(ImageError, match="scan is a DICOM file whose header"):
        header_shape(data[:200], "scan")


@pytest.mark.parametrize("data", [b"", b"no image at all", encoded(FORMS["grey"])[:20]])
def test_no_header(data: bytes) -> None:
    with pytest.raises(ImageError, match=r"scan \(\d+ bytes\) has no header"):
        header_shape(data, "scan")


def test_a_file_tells_its_shape_once_and_anew_when_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(encoded(FORMS["grey"]))
    source = FileSource(path)
    assert source.shape == (40, 30)
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.read_bytes", lambda self: pytest.fail("the file was read again"))
        assert source.shape == (40, 30)
    path.write_bytes(encoded(np.zeros((7, 300), np.uint8)))
    assert source.shape == (7, 300)
    path.unlink()
    with pytest.raises(ImageError, match=r"a\.png does not exist"):
        _ = source.shape


def test_the_pixels_are_not_decoded() -> None:
    data = encoded(FORMS["rgb"])
    broken = data[: len(data) // 2]
    assert header_shape(broken, "half") == (40, 30)
    with pytest.raises(ImageError):
        BytesSource(broken, "half").read()


def test_cells_and_phantoms(tmp_path: Path) -> None:
    import base64

    path = tmp_path / "rows.jsonl"
    cell = base64.b64encode(encoded(FORMS["grey"])).decode("ascii")
    path.write_text(json.dumps({"image": cell}) + "\n", encoding="utf-8")
    table = TableSource(str(path), "image", 0, "digest")
    assert table.shape == table.read().shape
    phantom = PhantomSource(RadiographSpec(("Edema",)), size=96, seed=3)
    assert phantom.shape == phantom.read().shape
