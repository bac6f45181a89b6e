"""Images per second of the conditions, before and after PNG encoding, beside Pillow's and OpenCV's writers.

    python benchmarks/render.py [--seconds 1.0] [--images FOLDER] [--sides 512,1024] [CONDITION ...]
    python benchmarks/render.py --studies 40

Without ``--images`` the picture is made here: smooth shadows with fine grain, which compresses about as well as a
chest radiograph. Each figure is the fastest of at least five repeats, in processor time of one thread, so that other
work on the machine matters little. Ratios compare the whole way from decoded pixels to PNG bytes with the same
operation and Pillow's writer at its fastest level (1) and its default (6), and OpenCV's, where it is installed, at
level 1 with each of its strategies (the slowest and the fastest are shown, and the smallest size).

Region conditions cover made-up boxes: the finding a fifteenth of the image, another finding a twentieth. Their source
and noise field are kept from one repeat to the next, as they are in an audit. ``--studies`` renders so many different
studies under all conditions of an occlusion audit, each with its own noise field, and shows that memory does not
grow with them.
"""

from __future__ import annotations

import argparse
import importlib
import io
import resource
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above
from PIL import Image as PillowImage  # noqa: E402

from perimetry.cases.image import Image, Operation, Pixels  # noqa: E402
from perimetry.cases.png import encode_png  # noqa: E402
from perimetry.cases.study import Box, Examined, Study  # noqa: E402
from perimetry.conditions import ImageCondition, Surroundings, parse_condition  # noqa: E402
from perimetry.conditions.kinds.occlusion import RegionCondition  # noqa: E402
from perimetry.conditions.pixels import normal_field  # noqa: E402

DEFAULT = ("real", "blank", "shuffle", "fullnoise", "oco@60", "oco@100", "romatched@100")
DIGEST = "benchmark"
STRENGTHS = (20, 40, 60, 80, 100)
AUDIT = ("real", "fullnoise", *(f"{name}@{p}" for name in ("oco", "doco", "ro", "romatched") for p in STRENGTHS))
SIZES = Surroundings(box_sizes={"benchmark": ((0.3, 0.22), (0.25, 0.2))})


@dataclass(frozen=True)
class Made:
    """Pixels that were made here."""

    pixels: Pixels
    digest: str = DIGEST
    name: str = "made-up picture"

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.pixels.shape[0], self.pixels.shape[1]

    def read(self) -> Pixels:
        """The pixels themselves."""
        return self.pixels

    def encoded(self) -> None:
        """There is no file."""
        return


def study(pixels: Pixels, digest: str = DIGEST) -> Study:
    """A study with one box of the finding and one of another."""
    height, width = pixels.shape[:2]
    finding = Box(0, 0.1 * width, 0.2 * height, 0.3 * width, 0.22 * height, frozenset({"Edema"}))
    other = Box(0, 0.6 * width, 0.5 * height, 0.25 * width, 0.2 * height, frozenset({"Fracture"}))
    examined = Examined("study", "Edema", True, (finding,), (other,))
    images = (Image(Made(pixels, digest)),)
    return Study("study#Edema", "benchmark", "patient", images, boxes=(finding, other), examined=examined)


def made_up(side: int) -> Pixels:
    """A grey picture with the smoothness and the grain of a radiograph."""
    rows, columns = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    shadow = 120 + 60 * np.cos(3 * columns) * np.cos(2 * rows) + 30 * np.cos(14 * rows + 3 * columns**2)
    grain = 2.5 * normal_field(42, "grain", DIGEST, (side, side))
    picture: Pixels = np.clip(shadow + grain, 0, 255).astype(np.uint8)
    return picture


def from_folder(folder: Path, side: int) -> Pixels:
    """The first image of a folder, grey, at the wanted size."""
    path = next(path for path in sorted(folder.iterdir()) if path.suffix.lower() in {".png", ".jpg", ".jpeg"})
    with PillowImage.open(path) as image:
        picture: Pixels = np.asarray(image.convert("L").resize((side, side)))
        return picture


def fastest(call: Callable[[], object], seconds: float) -> float:
    """Processor seconds of the fastest call."""
    best, spent, repeats = float("inf"), 0.0, 0
    while spent < seconds or repeats < 5:
        start = time.thread_time()
        call()
        took = time.thread_time() - start
        best, spent, repeats = min(best, took), spent + took, repeats + 1
    return best


def pillow(pixels: Pixels, level: int) -> bytes:
    buffer = io.BytesIO()
    PillowImage.fromarray(pixels).save(buffer, "PNG", compress_level=level)
    return buffer.getvalue()


def opencv() -> Mapping[str, Callable[[Pixels], bytes]]:
    """OpenCV's writer at level 1 by strategy; nothing where it is not installed."""
    try:
        cv2: Any = importlib.import_module("cv2")
    except ImportError:
        return {}
    cv2.setNumThreads(1)

    def writer(strategy: int) -> Callable[[Pixels], bytes]:
        options = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, strategy]
        return lambda pixels: bytes(cv2.imencode(".png", pixels, options)[1])

    names = ("DEFAULT", "FILTERED", "HUFFMAN_ONLY", "RLE")
    return {name.lower(): writer(getattr(cv2, f"IMWRITE_PNG_STRATEGY_{name}")) for name in names}


def operations_of(spelling: str, pixels: Pixels, digest: str = DIGEST) -> tuple[Operation, ...]:
    condition = parse_condition(spelling)
    if isinstance(condition, ImageCondition):
        return condition.operations(42)
    if isinstance(condition, RegionCondition):
        changed = condition.apply(study(pixels, digest), SIZES)
        if changed is None:
            sys.exit(f"render.py: {spelling!r} finds no room")
        return changed.images[0].operations
    if spelling == "real":
        return ()
    sys.exit(f"render.py: {spelling!r} lays no operation on pixels; expected real, an image or a region condition")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conditions", nargs="*", default=DEFAULT, help="real, image and region conditions")
    parser.add_argument("--seconds", type=float, default=1.0, help="time spent on each figure")
    parser.add_argument("--images", type=Path, help="take the first image of this folder")
    parser.add_argument("--sides", default="512,1024", help="sizes of the picture, separated by commas")
    parser.add_argument("--studies", type=int, help="render so many studies under a whole audit's conditions instead")
    arguments = parser.parse_args()
    if arguments.studies:
        whole_audit(arguments.studies)
        return
    print(
        f"{'size':>5} {'form':<4} {'condition':<14} {'operation':>10} {'+ PNG':>7} {'Pillow 1':>9} {'Pillow 6':>9}"
        f" {'OpenCV':>12} {'x level 1':>10} {'x level 6':>10} {'x OpenCV':>10}"
        f" {'bytes / level 1':>16} {'OpenCV bytes':>13}"
    )
    for side in (int(text) for text in arguments.sides.split(",")):
        grey = made_up(side) if arguments.images is None else from_folder(arguments.images, side)
        for form, pixels in (("grey", grey), ("RGB", np.repeat(grey[:, :, None], 3, axis=2))):
            pixels.flags.writeable = False
            for spelling in arguments.conditions:
                measure(side, form, pixels, spelling, arguments.seconds)


def measure(side: int, form: str, pixels: Pixels, spelling: str, seconds: float) -> None:
    """Print one row: images per second, ratios of speed, ratio of file size."""
    operations = operations_of(spelling, pixels)

    def render() -> Pixels:
        out = pixels
        for operation in operations:
            out = operation.apply(out, DIGEST)
        return out

    def written(write: Callable[[Pixels], bytes]) -> float:
        return fastest(lambda: write(render()), seconds)

    rendered = render()
    with PillowImage.open(io.BytesIO(encode_png(rendered))) as decoded:
        if not np.array_equal(np.asarray(decoded), rendered):
            sys.exit(f"render.py: the PNG of {spelling} does not decode to the pixels it was made of")
    alone = fastest(render, seconds) if operations else 0.0
    ours = fastest(lambda: encode_png(render()), seconds)
    level_1 = fastest(lambda: pillow(render(), 1), seconds)
    level_6 = fastest(lambda: pillow(render(), 6), seconds)
    base = len(pillow(rendered, 1))
    writers = opencv()
    others = [written(write) for write in writers.values()]
    before = f"{1 / alone:10.0f}" if alone else f"{'-':>10}"
    beside = f"{1 / max(others):.1f}-{1 / min(others):.1f}" if others else "-"
    print(
        f"{side:>5} {form:<4} {spelling:<14} {before} {1 / ours:7.1f} {1 / level_1:9.1f} {1 / level_6:9.1f}"
        f" {beside:>12} {level_1 / ours:10.2f} {level_6 / ours:10.2f}"
        f" {f'{min(others) / ours:.2f}' if others else '-':>10} {len(encode_png(rendered)) / base:16.2f}"
        f" {f'{min(len(write(rendered)) for write in writers.values()) / base:.2f}' if writers else '-':>13}",
        flush=True,
    )


def whole_audit(studies: int) -> None:
    """Render different studies under every condition and print pace and memory as they go by."""
    side, first, images = 1024, 0.0, 0
    base = made_up(side)
    start = time.thread_time()
    for number in range(studies):
        pixels = np.roll(base, 7 * number, axis=1)
        pixels.flags.writeable = False
        digest = f"study {number}"
        for spelling in AUDIT:
            out = pixels
            for operation in operations_of(spelling, pixels, digest):
                out = operation.apply(out, digest)
            encode_png(out)
            images += 1
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        first = first or peak
        if number in (0, 4, studies // 2, studies - 1):
            pace = images / (time.thread_time() - start)
            print(f"{number + 1:>5} studies {images:>6} images {pace:8.1f} images/s, planning included {peak:8.0f} MB")


if __name__ == "__main__":
    main()
