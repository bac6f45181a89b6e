"""Cases for the tests of conditions: images in memory, and VQA-RAD read here, apart from the loaders."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from perimetry.cases.errors import ImageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.question import Question


@dataclass(frozen=True)
class MemorySource:
    """Pixels in memory."""

    array: Pixels = field(compare=False, repr=False)
    name: str = "memory"

    @property
    def digest(self) -> str:
        head = repr(self.array.shape).encode()
        return hashlib.blake2b(head + self.array.tobytes(), digest_size=16).hexdigest()

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        return self.array

    def encoded(self) -> None:
        return None


@dataclass(frozen=True)
class BrokenSource:
    """A file that cannot be read."""

    name: str = "broken.png"

    @property
    def digest(self) -> str:
        return hashlib.blake2b(self.name.encode(), digest_size=16).hexdigest()

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        raise ImageError(f"{self.name}: truncated; expected a whole PNG.")

    def encoded(self) -> None:
        return None


@dataclass(frozen=True)
class PlainFile:
    """A JPEG on disk."""

    path: Path
    digest: str

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        from PIL import Image as PillowImage

        with PillowImage.open(self.path) as image:
            pixels: Pixels = np.asarray(image.convert("L" if image.mode == "L" else "RGB"))
            return pixels

    def encoded(self) -> None:
        return None


def picture(number: int, height: int = 24, width: int = 20, colour: bool = False) -> Image:
    """A made-up image; equal numbers are equal pixels."""
    rng = np.random.default_rng(number)
    shape = (height, width, 3) if colour else (height, width)
    return Image(MemorySource(rng.integers(0, 256, shape, dtype=np.uint8), f"picture {number}"))


def question(
    number: int, stem: str = "Is it normal?", answer: str = "yes", images: tuple[Image, ...] | None = None, **more
) -> Question:
    """A made-up closed question on an image of its own."""
    shown = (picture(number),) if images is None else images
    return Question(f"q{number:03d}", "made-up", f"g{number}", stem, answer, "closed", images=shown, **more)


@pytest.fixture(scope="session")
def vqa_rad(shared_data: Path) -> dict[str, list[Question]]:
    """All of VQA-RAD as ``train`` and ``test``."""
    folder = shared_data / "vqa_rad"
    records = json.loads((folder / "VQA_RAD Dataset Public.json").read_text(encoding="utf-8"))
    sources: dict[str, PlainFile] = {}
    splits: dict[str, list[Question]] = {"train": [], "test": []}
    for record in records:
        name = record["image_name"]
        if name not in sources:
            path = folder / "VQA_RAD Image Folder" / name
            sources[name] = PlainFile(path, hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest())
        closed = record["answer_type"].strip() == "CLOSED"
        splits["test" if record["phrase_type"].startswith("test") else "train"].append(
            Question(
                id=str(record["qid"]),
                dataset="vqa-rad",
                group=name,
                stem=record["question"],
                answer=str(record["answer"]).strip(),
                answer_type="closed" if closed else "open",
                images=(Image(sources[name]),),
                hidden={"file": name},
            )
        )
    return splits


@pytest.fixture(scope="session")
def make_picture() -> Callable[..., Image]:
    """The function `picture`."""
    return picture


@pytest.fixture(scope="session")
def make_question() -> Callable[..., Question]:
    """The function `question`."""
    return question


@pytest.fixture(scope="session")
def broken_image() -> Image:
    """An image that cannot be read."""
    return Image(BrokenSource())


@pytest.fixture(scope="session")
def image_of() -> Callable[[Pixels], Image]:
    """Makes an image of an array."""
    return lambda array: Image(MemorySource(array))


@pytest.fixture(scope="session")
def pattern() -> Callable[..., Pixels]:
    """A smooth pattern with an odd size, made without any random generator: digests may be pinned on it."""

    def make(height: int = 37, width: int = 53, colour: bool = False) -> Pixels:
        rows, columns = np.mgrid[:height, :width]
        grey = (rows * 5 + columns * 3 + (rows * columns) // 7) % 256
        if not colour:
            plain: Pixels = grey.astype(np.uint8)
            return plain
        coloured: Pixels = np.stack([grey, 255 - grey, (grey * 2) % 256], axis=2).astype(np.uint8)
        return coloured

    return make
