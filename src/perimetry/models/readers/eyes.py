"""Eyes: the detectors' scores of an image, kept for the next question about it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from perimetry.cases.image import Image

__all__ = ["Eyes", "Scores"]

Scores = dict[str, float]
"""CheXpert class to score: above 0 the finding is seen."""

_KEPT = 1024


class Eyes:
    """Looks at images, and remembers the last thousand of them by recipe.

    Parameters
    ----------
    readability : bool, default True
        Whether what is flat or noise is kept from the detectors.
    """

    def __init__(self, readability: bool = True) -> None:
        self.readability = readability
        self._seen: OrderedDict[str, Scores] = OrderedDict()

    def look(self, images: Sequence[Image]) -> Scores:
        """The best score of each finding over some images; raises `ImageError` if one cannot be read."""
        best: Scores = {}
        for image in images:
            for name, score in self._one(image).items():
                best[name] = max(score, best.get(name, score))
        return best

    def _one(self, image: Image) -> Scores:
        from perimetry.phantoms.detection import detect

        key = image.recipe
        scores = self._seen.get(key)
        if scores is None:
            scores = detect(image.pixels(), self.readability)
            self._seen[key] = scores
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
        else:
            self._seen.move_to_end(key)
        return scores

    def __getstate__(self) -> bool:
        return self.readability

    def __setstate__(self, readability: bool) -> None:
        self.__init__(readability)  # type: ignore[misc]  # a copy in another process starts with an empty memory
