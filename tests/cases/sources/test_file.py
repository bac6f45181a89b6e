"""Image files: digests, errors that name the file, and what may be sent as it is."""

from __future__ import annotations

import hashlib
import io
import os
import pickle

import numpy as np
import pytest
from PIL import Image as PillowImage

from perimetry.cases import FileSource, ImageError
from perimetry.cases.sources.passthrough import media_type

RNG = np.random.default_rng(0)
GREY = RNG.integers(0, 256, (40, 30), dtype=np.uint8)
COLOUR = RNG.integers(0, 256, (40, 30, 3), dtype=np.uint8)


def write(path, array, kind=None, **options):
    PillowImage.fromarray(array).save(path, kind, **options)
    return FileSource(path)


def test_the_digest_is_blake2b_of_the_bytes(tmp_path):
    source = write(tmp_path / "a.png", GREY)
    data = (tmp_path / "a.png").read_bytes()
    assert source.digest == hashlib.blake2b(data, digest_size=16).hexdigest()


def test_the_digest_is_kept_and_follows_the_file(tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    source = write(path, GREY)
    first = source.digest
    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.read_bytes", lambda self: pytest.fail("the file was read again"))
        assert source.digest == first
    PillowImage.fromarray(255 - GREY).save(path)
    os.utime(path, ns=(1, 1))
    assert source.digest != first


def test_unreadable_files_have_the_digest_of_their_key(tmp_path):
    one = FileSource(tmp_path / "one" / "source.jpg", key="xmlab1/source.jpg")
    same = FileSource(tmp_path / "elsewhere" / "source.jpg", key="xmlab1/source.jpg")
    other = FileSource(tmp_path / "one" / "source.jpg", key="xmlab2/source.jpg")
    assert one.digest == same.digest != other.digest
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "empty2.png").write_bytes(b"")
    assert FileSource(tmp_path / "empty.png").digest != FileSource(tmp_path / "empty2.png").digest


def test_errors_name_the_file(tmp_path):
    with pytest.raises(ImageError, match=r"gone\.png does not exist.*--images FOLDER"):
        FileSource(tmp_path / "gone.png").read()
    with pytest.raises(ImageError, match=r"cannot be read: Is a directory"):
        FileSource(tmp_path).read()
    (tmp_path / "empty.png").write_bytes(b"")
    with pytest.raises(ImageError, match=r"empty\.png is empty"):
        FileSource(tmp_path / "empty.png").read()
    assert FileSource(tmp_path / "gone.png").encoded() is None


def test_it_travels_to_other_processes(tmp_path):
    source = write(tmp_path / "a.png", GREY)
    digest = source.digest
    copy = pickle.loads(pickle.dumps(source))
    assert copy == source
    assert copy.digest == digest
    assert np.array_equal(copy.read(), GREY)
    assert len(pickle.dumps(source)) < 1000


@pytest.mark.parametrize(
    ("name", "array", "options", "expected"),
    [
        ("a.png", GREY, {}, "image/png"),
        ("a.png", COLOUR, {}, "image/png"),
        ("a.jpg", GREY, {"quality": 80}, "image/jpeg"),
        ("a.jpg", COLOUR, {"quality": 80, "progressive": True}, "image/jpeg"),
        ("a.png", GREY.astype(np.uint16) * 200, {}, None),
        ("a.png", np.dstack([COLOUR, GREY]), {}, None),
        ("a.png", GREY > 100, {}, None),
        ("a.png", GREY, {"transparency": 3}, None),
        ("a.bmp", GREY, {}, None),
        ("a.webp", COLOUR, {"lossless": True}, None),
    ],
)
def test_what_passes_through(tmp_path, name, array, options, expected):
    source = write(tmp_path / name, array, **options)
    encoded = source.encoded()
    assert (encoded[1] if encoded else None) == expected
    if encoded:
        assert encoded[0] == (tmp_path / name).read_bytes()
        assert np.array_equal(np.asarray(PillowImage.open(io.BytesIO(encoded[0]))), source.read())


def test_turned_and_incomplete_files_do_not_pass_through(tmp_path):
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    for name in ("a.jpg", "a.png"):
        assert write(tmp_path / name, COLOUR, exif=exif).encoded() is None
        write(tmp_path / name, COLOUR)
        data = (tmp_path / name).read_bytes()
        assert media_type(data) is not None
        assert media_type(data[:-20]) is None
        assert media_type(data[:30]) is None
    PillowImage.fromarray(GREY % 4).quantize(4).save(tmp_path / "p.png")
    assert FileSource(tmp_path / "p.png").encoded() is None
    cmyk = np.zeros((4, 4, 4), np.uint8)
    PillowImage.fromarray(cmyk, "CMYK").save(tmp_path / "cmyk.jpg")
    assert FileSource(tmp_path / "cmyk.jpg").encoded() is None
    assert FileSource(tmp_path / "cmyk.jpg").read().shape == (4, 4, 3)


def test_real_radiographs(shared_data):
    """The one RGBA radiograph keeps its picture; grey and JPEG files pass through."""
    files = sorted((shared_data / "nih_cxr14" / "images").glob("*.png"))
    modes = {file: PillowImage.open(file).mode for file in files}
    (with_alpha,) = (file for file, mode in modes.items() if mode == "RGBA")
    for file in (with_alpha, *files[::7]):
        mode = modes[file]
        source = FileSource(file)
        pixels = source.read()
        assert pixels.shape == ((1024, 1024) if mode == "L" else (1024, 1024, 3))
        assert (source.encoded() is None) == (mode == "RGBA")
        alpha_free = np.asarray(PillowImage.open(file).convert("RGB" if mode == "RGBA" else "L"))
        assert np.array_equal(pixels, alpha_free)
