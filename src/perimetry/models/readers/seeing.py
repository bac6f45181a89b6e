"""Readers who look at the image: grounded, naive, contextual and mixed."""

from __future__ import annotations

from perimetry.models.readers.answers import answer_from_scores, answer_from_words
from perimetry.models.readers.asked import Asked
from perimetry.models.readers.eyes import Eyes, Scores
from perimetry.models.readers.reader import Reader
from perimetry.models.request import Request
from perimetry.phantoms.dice import Dice
from perimetry.phantoms.vocabulary import COMPANIONS

__all__ = ["Contextual", "Grounded", "Mixed"]


class Grounded(Reader):
    """States a finding when its own anatomy shows it; without an image it answers by the question's words.

    Parameters
    ----------
    habit : str
    seed : int
    readability : bool, default True
        Whether it first asks if the anatomy can be read at all. Without (`reader:naive`) flat and noisy areas reach
        its detectors.
    """

    def __init__(self, habit: str, seed: int, readability: bool = True) -> None:
        super().__init__(habit, seed)
        self._eyes = Eyes(readability)

    def read(self, request: Request, asked: Asked, /) -> str:
        """See the class."""
        images = request.prompt.images
        if not images:
            return answer_from_words(asked, self.seed)
        return answer_from_scores(asked, self.believed(self._eyes.look(images)), self.seed, self.item(request))

    def believed(self, scores: Scores) -> Scores:
        """What it makes of the detectors' scores."""
        return scores


class Contextual(Grounded):
    """States a finding when it sees a usual companion of it, whether the finding is there or not."""

    def believed(self, scores: Scores) -> Scores:
        """Each finding gets the best score of its companions."""
        return {name: max(scores[companion] for companion in COMPANIONS[name]) for name in scores}


class Mixed(Grounded):
    """Looks at a share of the items, the same under every condition, and goes by the words in the others.

    Parameters
    ----------
    habit : str
    seed : int
    share : float in [0, 1]
    """

    def __init__(self, habit: str, seed: int, share: float) -> None:
        super().__init__(habit, seed)
        self.share = share

    def read(self, request: Request, asked: Asked, /) -> str:
        """See the class."""
        if Dice(self.seed, "reader/mixed", request.dataset, self.item(request)).unit() < self.share:
            return super().read(request, asked)
        return answer_from_words(asked, self.seed)
