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
    ("shuffle(seed=42)", False): "0d7dfaa41fbc02ac455a9b0049c8fdc11be916707521c1a82038c535c54f60c8",
    ("shuffle(seed=42)", True): "92a108de96d5fcfd73d2c6f429fda4c2b92a8cb29aa3290ad195675dbd4140cb",
    ("shuffle(seed=7)", False): "841a97921b2f08c1548a1c256ebbbc3162ac76f0b57d75a65554d5db52379515",
    ("shuffle(seed=7)", True): "6a1978b5c150502547f1adc6e3888cb428ae813418292595ae5f719308bddb07",
    ("patchshuffle(patch=8,seed=42)", False): "9e8ded7dffc82ae401767b65f3bd4654995fe610c713924cd1cf2da3fab3367d",
    ("patchshuffle(patch=8,seed=42)", True): "f5b6671be932a9acdb27b295b600082a309324a945808d37e1df593849f71620",
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
