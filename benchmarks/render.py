"""Images per second of the conditions, before and after PNG encoding, beside Pillow's writer in the same run.

    python benchmarks/render.py [--seconds 1.0] [--images FOLDER] [CONDITION ...]

Without ``--images`` the picture is made here: smooth shadows with fine grain, which compresses about as well as a
chest radiograph. Each figure is the fastest of at least five repeats, in processor time of one thread, so that other
work on the machine matters little. Ratios compare the whole way from decoded pixels to PNG bytes with the same
operation and Pillow's writer at its fastest level (1) and its default (6).
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    # Run by its path, this folder would hide the standard library's `statistics` from everybody.
    sys.path[0] = str(ROOT)

import numpy as np  # noqa: E402 - see above
from PIL import Image as PillowImage  # noqa: E402

from perimetry.cases.image import Operation, Pixels  # noqa: E402
from perimetry.cases.png import encode_png  # noqa: E402
from perimetry.conditions import ImageCondition, parse_condition  # noqa: E402
from perimetry.conditions.pixels import normal_field  # noqa: E402

DEFAULT = ("real", "blank", "shuffle")
DIGEST = "benchmark"


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


def operations_of(spelling: str) -> tuple[Operation, ...]:
    condition = parse_condition(spelling)
    if isinstance(condition, ImageCondition):
        return condition.operations(42)
    if spelling == "real":
        return ()
    sys.exit(f"render.py: {spelling!r} lays no operation on pixels; expected real or an image condition")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("conditions", nargs="*", default=DEFAULT, help="real and image conditions")
    parser.add_argument("--seconds", type=float, default=1.0, help="time spent on each figure")
    parser.add_argument("--images", type=Path, help="take the first image of this folder")
    arguments = parser.parse_args()
    print(
        f"{'size':>5} {'form':<4} {'condition':<22} {'operation':>10} {'+ PNG':>8} {'Pillow 1':>9} {'Pillow 6':>9}"
        f" {'x level 1':>10} {'x level 6':>10} {'bytes / level 1':>16}"
    )
    for side in (512, 1024):
        grey = made_up(side) if arguments.images is None else from_folder(arguments.images, side)
        for form, pixels in (("grey", grey), ("RGB", np.repeat(grey[:, :, None], 3, axis=2))):
            for spelling in arguments.conditions:
                measure(side, form, pixels, spelling, arguments.seconds)


def measure(side: int, form: str, pixels: Pixels, spelling: str, seconds: float) -> None:
    """Print one row: images per second, ratios of speed, ratio of file size."""
    operations = operations_of(spelling)

    def render() -> Pixels:
        out = pixels
        for operation in operations:
            out = operation.apply(out, DIGEST)
        return out

    rendered = render()
    with PillowImage.open(io.BytesIO(encode_png(rendered))) as decoded:
        if not np.array_equal(np.asarray(decoded), rendered):
            sys.exit(f"render.py: the PNG of {spelling} does not decode to the pixels it was made of")
    alone = fastest(render, seconds) if operations else 0.0
    ours = fastest(lambda: encode_png(render()), seconds)
    level_1 = fastest(lambda: pillow(render(), 1), seconds)
    level_6 = fastest(lambda: pillow(render(), 6), seconds)
    size = len(encode_png(rendered)) / len(pillow(rendered, 1))
    before = f"{1 / alone:10.0f}" if alone else f"{'-':>10}"
    print(
        f"{side:>5} {form:<4} {spelling:<22} {before} {1 / ours:8.1f} {1 / level_1:9.1f} {1 / level_6:9.1f}"
        f" {level_1 / ours:10.2f} {level_6 / ours:10.2f} {size:16.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
