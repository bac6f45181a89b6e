"""Properties that every pixel operation has, and pinned digests."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from perimetry.cases.image import Operation, Pixels
from perimetry.conditions.pixels import (
    AddNoise,
    Blank,
    Blur,
    Contrast,
    GridMask,
    Jpeg,
    PatchShuffle,
    Resolution,
    Shuffle,
)

OPERATIONS: dict[str, Operation] = {
    operation.spelling: operation
    for operation in (
        Blank(),
        Blank("mean"),
        Shuffle(),
        Shuffle(7),
        PatchShuffle(8),
        AddNoise(734),
        Blur(3),
        Contrast(20),
        Jpeg(15),
        Resolution(9),
        GridMask(0.5),
    )
}

# JPEG is not pinned: its pixels are the codec's.
PINNED = {
    ("blank(127)", False): "e70b9e8f06a004784862782d9f514e5e43d8937b6464a8380b9ede149409215a",
    ("blank(127)", True): "9ac8bbbd33993602d12ab838cea45e4a77b3d767660f0563dbd874372231da58",
    ("blank(mean)", False): "579cd2a9dbcae4aa5ed01f7044bcc467a2851118ebffe379c647cdb261637d63",
    ("blank(mean)", True): "9ac8bbbd33993602d12ab838cea45e4a77b3d767660f0563dbd874372231da58",
    ("shuffle(seed=42)", False): "c5aa2d42e8a5b5f7bdd4d2110d3721aaf4a38c59af65fb6df3fe79ddee572f1d",
    ("shuffle(seed=42)", True): "b16f11f9e7f393af4c6558654eb3ba6963e09b921f3ac72e7c065ea661eefa11",
    ("shuffle(seed=7)", False): "6e5056215036825c82d05fb4c54dd646b9ef11d6a523528cf825c1c1238a9880",
    ("shuffle(seed=7)", True): "1cba9aa97cdb99fa1202815d92f32c6a5cecc7ff9f2cd6c6a19b7bc6168ad933",
    ("patchshuffle(patch=8,seed=42)", False): "0f4b1b7d31a0094f4ef42bb85fce1c672e4efe664c40da56ef07741ac0a8b58f",
    ("patchshuffle(patch=8,seed=42)", True): "2c3058edec484bd22e09059f0697a1972b72e44524f898211ca2b3d83a0f011e",
    ("noise(sd=45.875,seed=42)", False): "34dc6c5b596533a7b61836722441258156b7a8c8cf196f125f9c9178405132ac",
    ("noise(sd=45.875,seed=42)", True): "2d415c5817553a3329cf07431a2e0eb9fca13bc2663e65a0d6ff287d3eacf6f1",
    ("blur(sigma=3/224)", False): "6bf436590137e658ae53668db5081c3f6d9cf0cc9399a1207e52c5bcf0d7c3e9",
    ("blur(sigma=3/224)", True): "e7c27f032451850c3c81d4ee1acbfb6864ce0ce6c5967de75c1559dd9ede399e",
    ("contrast(percent=20)", False): "7962ee318e4dbdbd40743c1628474a0b9aa50817924dc5a5b7451f6550dc6bed",
    ("contrast(percent=20)", True): "d56052d71143a4cc71c5a11b2f0b32947f4f70b641bf8f98caf294a79b73222e",
    ("resolution(short_side=9)", False): "5f4bbfbdc02bd690466433319a0dbaa9cfc0a87ad09a589228dff37d4e3bacf4",
    ("resolution(short_side=9)", True): "0d4089a0620e8655897871471588b627cafc925f39afcf3dc4801141510be11b",
    (
        GridMask(0.5).spelling,
        False,
    ): "521124fb1f87544568134f71c81390ffbd96c1d2a2de2537dd6867929d5b5767",
    (
        GridMask(0.5).spelling,
        True,
    ): "165dd6a925890e9795596cf33895453acf87c3a7771e7a08d856260361cf549f",
}


@pytest.mark.parametrize("colour", [False, True])
@pytest.mark.parametrize("spelling", OPERATIONS)
def test_operation_is_pure_and_keeps_the_form(spelling: str, colour: bool, pattern: Callable[..., Pixels]) -> None:
    pixels = pattern(colour=colour)
    before = pixels.copy()
    pixels.flags.writeable = False
    once = OPERATIONS[spelling].apply(pixels, "digest")
    twice = OPERATIONS[spelling].apply(pixels, "digest")
    assert once.dtype == np.uint8
    assert once.shape == pixels.shape
    assert once.flags.c_contiguous
    assert not np.shares_memory(once, pixels)
    assert np.array_equal(once, twice)
    assert np.array_equal(pixels, before)
    assert isinstance(OPERATIONS[spelling], Operation)


@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (3, 2, 3), (1, 1, 3)])
@pytest.mark.parametrize("spelling", OPERATIONS)
def test_operation_takes_the_smallest_images(spelling: str, shape: tuple[int, ...]) -> None:
    pixels = (np.arange(np.prod(shape)) * 11 % 256).astype(np.uint8).reshape(shape)
    assert OPERATIONS[spelling].apply(pixels, "digest").shape == shape


@pytest.mark.parametrize(("spelling", "colour"), PINNED)
def test_pixels_are_pinned(spelling: str, colour: bool, pattern: Callable[..., Pixels]) -> None:
    out = OPERATIONS[spelling].apply(pattern(colour=colour), "0123456789abcdef")
    assert hashlib.sha256(out.tobytes()).hexdigest() == PINNED[spelling, colour]


def test_every_operation_but_jpeg_is_pinned() -> None:
    pinned = {spelling for spelling, _ in PINNED}
    assert pinned == {spelling for spelling in OPERATIONS if not spelling.startswith("jpeg")}


def test_another_process_renders_the_same_pixels(pattern: Callable[..., Pixels]) -> None:
    code = (
        "import hashlib, numpy as np\n"
        "from perimetry.conditions.pixels import AddNoise, Shuffle\n"
        "pixels = (np.arange(37 * 53) % 251).astype(np.uint8).reshape(37, 53)\n"
        "for operation in (AddNoise(734), Shuffle()):\n"
        "    print(hashlib.sha256(operation.apply(pixels, 'digest').tobytes()).hexdigest())\n"
    )
    pixels = (np.arange(37 * 53) % 251).astype(np.uint8).reshape(37, 53)
    here = [
        hashlib.sha256(operation.apply(pixels, "digest").tobytes()).hexdigest()
        for operation in (AddNoise(734), Shuffle())
    ]
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert ran.stdout.split() == here


def test_spellings_tell_operations_apart() -> None:
    others: list[Operation] = [
        Blank(0),
        Shuffle(1),
        PatchShuffle(9),
        PatchShuffle(8, 1),
        AddNoise(735),
        AddNoise(734, 1),
    ]
    spelled = [*OPERATIONS, *(other.spelling for other in others)]
    spelled += [
        Blur(4).spelling,
        Contrast(19).spelling,
        Jpeg(14).spelling,
        Resolution(8).spelling,
        GridMask(0.5, 9).spelling,
    ]
    assert len(set(spelled)) == len(spelled)
