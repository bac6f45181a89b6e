"""Visible text by RapidOCR: two small networks whose weights lie in its wheel; nothing is downloaded.

The detector looks at whole views of about half a thousand pixels (see `views`), the recogniser at the line it found in
the image's own pixels. Both run in a thread of their own, so that the main thread stays free for Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from perimetry.cases import Pixels, UsageError
from perimetry.screening.images.quads import Quad, merged
from perimetry.screening.images.reading import Reading, TextLine
from perimetry.screening.images.views import View, views

__all__ = ["OCR_VERSION", "TextReader", "open_reader", "why_not"]

OCR_VERSION = "rapidocr-1"
"""Raised with every change of what is read: readings kept under another version are made anew."""

BOX_SCORE = 0.35
LEAST_SCORE = 0.5
LEAST_SCORE_SHORT = (0.75, 0.6)
"""Of a line of one letter and of two: texture reads like short text."""
LEAST_SCORE_BEYOND_LATIN = 0.9
"""The recogniser knows Chinese, and answers so to texture; to a whole chest even, by one sign."""
LARGEST_LETTER = 0.2
"""A letter by itself is at most this share of the longer side high."""
BEYOND_LATIN = 0x250
SHORTEST_SIDE = 5
TALL = 1.5
MARGIN = 0.08


@dataclass(frozen=True)
class TextReader:
    """A `facts.Reader` that runs RapidOCR in one thread of its own.

    Parameters
    ----------
    engine : rapidocr.RapidOCR
    thread : ThreadPoolExecutor
    """

    engine: Any
    thread: ThreadPoolExecutor
    version: str = OCR_VERSION

    def read(self, pixels: Pixels) -> Reading:
        """Lines of text, from top to bottom.

        Parameters
        ----------
        pixels : uint8 array, (height, width) or (height, width, 3)

        Returns
        -------
        Reading
        """
        return self.begin(pixels).result()

    def begin(self, pixels: Pixels) -> Future[Reading]:
        """As `read`, without waiting."""
        return self.thread.submit(self._read, pixels)

    def close(self) -> None:
        """End the thread."""
        self.thread.shutdown()

    def _read(self, pixels: Pixels) -> Reading:
        try:
            return self._lines(pixels)
        except Exception as error:  # the networks raise errors of many kinds: of one image, which is counted as unread
            return Reading((), f"text not read: {type(error).__name__}: {error}".splitlines()[0])

    def _lines(self, pixels: Pixels) -> Reading:
        picture = Picture.fromarray(np.ascontiguousarray(pixels)).convert("RGB")
        height, width = pixels.shape[:2]
        quads = merged(quad for view in views(height, width) for quad in self._located(picture, view))
        lines = [line for quad in quads if (line := self._line(picture, quad)) is not None]
        return Reading(tuple(sorted(lines, key=lambda line: (line.frame.y, line.frame.x, line.text))))

    def _located(self, picture: Picture.Image, view: View) -> Iterable[Quad]:
        piece = view.piece
        seen = picture.resize(
            (view.width, view.height),
            Picture.Resampling.BICUBIC,
            box=(piece.x, piece.y, piece.right, piece.bottom),
        )
        found = self.engine(_blue_first(seen), use_det=True, use_cls=False, use_rec=False, box_thresh=BOX_SCORE)
        if found.boxes is None:
            return
        factors = np.array([piece.width / view.width, piece.height / view.height])
        for corners in found.boxes:
            yield Quad(np.asarray(corners, np.float64) * factors + (piece.x, piece.y))

    def _line(self, picture: Picture.Image, quad: Quad) -> TextLine | None:
        frame = quad.frame(picture.width, picture.height)
        if min(frame.width, frame.height) < SHORTEST_SIDE:
            return None
        upright = quad.cut(picture, MARGIN)
        # Higher than wide: a line that was turned, or a single letter.
        turned = (90, 270, 0) if upright.height >= TALL * upright.width else (0,)
        readings = [self._recognised(upright.rotate(angle, expand=True)) for angle in turned]
        text, score = max(readings, key=lambda pair: pair[1])
        if len(text) == 1 and frame.height > LARGEST_LETTER * max(picture.size):
            return None
        return TextLine(text, frame, round(score, 3)) if _is_text(text, score) else None

    def _recognised(self, line: Picture.Image) -> tuple[str, float]:
        found = self.engine(_blue_first(line), use_det=False, use_cls=False, use_rec=True, text_score=0.0)
        if not found.txts:
            return "", 0.0
        return " ".join(found.txts[0].split()), float(found.scores[0])


def why_not() -> str:
    """Why images cannot be read here, or nothing.

    Examples
    --------
    >>> why_not() == "" or "perimetry[ocr]" in why_not()
    True
    """
    from importlib.util import find_spec

    missing = [name for name in ("rapidocr", "onnxruntime") if find_spec(name) is None]
    if not missing:
        return ""
    return f"visible text needs {' and '.join(missing)}: pip install 'perimetry[ocr]'"


def open_reader(threads: int = 1) -> TextReader:
    """Load the networks; about 1 s and 150 MB.

    Parameters
    ----------
    threads : int, default 1
        Threads that one network uses.

    Returns
    -------
    TextReader
        Its `close` ends its thread.

    Raises
    ------
    UsageError
        If the extra ``ocr`` is not installed.
    """
    if reason := why_not():
        raise UsageError(f"Image screens: {reason}, or leave --images out.")
    from rapidocr import RapidOCR

    engine = RapidOCR(
        params={
            "Global.log_level": "critical",
            "Global.use_cls": False,
            "Det.limit_type": "max",
            "Det.limit_side_len": 4096,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    return TextReader(engine, ThreadPoolExecutor(1, thread_name_prefix="ocr"))


def _blue_first(picture: Picture.Image) -> NDArray[np.uint8]:
    return np.ascontiguousarray(np.asarray(picture)[..., ::-1])


def _is_text(text: str, score: float) -> bool:
    if not any(letter.isalnum() for letter in text):
        return False
    latin = all(ord(letter) < BEYOND_LATIN for letter in text if letter.isalpha())
    if len(text) == 1 and not latin:
        return False
    if not latin:
        return score >= LEAST_SCORE_BEYOND_LATIN
    return score >= (LEAST_SCORE_SHORT[len(text) - 1] if len(text) <= len(LEAST_SCORE_SHORT) else LEAST_SCORE)
