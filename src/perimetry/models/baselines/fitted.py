"""A baseline fitted on one training split."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from perimetry.models.baselines.item import Example, Item, normal
from perimetry.models.baselines.linear import ClassAnswerer, OptionAnswerer
from perimetry.models.baselines.majority import Majority
from perimetry.models.baselines.pictures import NO_PICTURE, Picture, PictureCache
from perimetry.statistics.streams import permutation

__all__ = ["Fitted", "Linear", "sample"]

ITEMS = {"choice": 20_000, "closed": 3_000, "open": 3_000}
"""Training items of a type that are used, a seeded sample of larger splits: keeps the fit within a minute."""


class Fitted:
    """The majority baseline; base of the others.

    Parameters
    ----------
    examples : sequence of Example
    """

    uses_images = False

    def __init__(self, examples: Sequence[Example]) -> None:
        self.size = len(examples)
        self.unreadable = 0
        self.majority = Majority(examples)

    def answer(self, items: Sequence[Item], pictures: Sequence[Picture]) -> list[str]:  # noqa: ARG002 - no picture read
        """One answer an item."""
        return [self.majority.answer(item) for item in items]


class Linear(Fitted):
    """Linear models by answer type; what they cannot answer goes to the majority.

    Parameters
    ----------
    examples : sequence of Example
    cache : PictureCache or None
        None leaves images out altogether.
    """

    def __init__(self, examples: Sequence[Example], cache: PictureCache | None = None) -> None:
        super().__init__(examples)
        self.uses_images = cache is not None
        self._options: OptionAnswerer | None = None
        self._classes: dict[str, ClassAnswerer] = {}
        choice = [example for example in examples if example.item.answer_type == "choice" and example.item.options]
        if choice:
            self._options = OptionAnswerer(*self._with_pictures(choice, cache))
        for answer_type in ("closed", "open"):
            of_type = [example for example in examples if example.item.answer_type == answer_type]
            if of_type:
                self._classes[answer_type] = ClassAnswerer(*self._with_pictures(of_type, cache))

    def _with_pictures(
        self, examples: Sequence[Example], cache: PictureCache | None
    ) -> tuple[list[Example], list[Picture] | None]:
        """Examples with their pictures, each once more without: a request may come without one too."""
        if cache is None:
            return list(examples), None
        found = [(example, cache.get_or_none(example.item.images)) for example in examples]
        self.unreadable += sum(picture is None for _, picture in found)
        seen = [(example, picture) for example, picture in found if picture is not None and example.item.images]
        both = [*seen, *((example, NO_PICTURE) for example in examples)]
        return [example for example, _ in both], [picture for _, picture in both]

    def answer(self, items: Sequence[Item], pictures: Sequence[Picture]) -> list[str]:
        """One answer an item; each depends on its own item alone."""
        answers = [""] * len(items)
        groups: dict[str, list[int]] = {}
        for index, item in enumerate(items):
            groups.setdefault(self._route(item), []).append(index)
        for route, indices in groups.items():
            chosen = [items[index] for index in indices]
            seen = [pictures[index] for index in indices] if self.uses_images else None
            for index, answer in zip(indices, self._answerer(route)(chosen, seen), strict=True):
                answers[index] = answer
        return answers

    def _route(self, item: Item) -> str:
        if item.answer_type == "choice":
            return "options" if self._options is not None and item.options else "majority"
        return item.answer_type if item.answer_type in self._classes else "majority"

    def _answerer(self, route: str) -> Callable[[Sequence[Item], Sequence[Picture] | None], list[str]]:
        if route == "options" and self._options is not None:
            return self._options.answer
        if route in self._classes:
            return lambda items, pictures: [
                self._spell(item, answer)
                for item, answer in zip(items, self._classes[route].answer(items, pictures), strict=True)
            ]
        return lambda items, _: [self.majority.answer(item) for item in items]

    def _spell(self, item: Item, answer: str) -> str:
        """As the question lists it, else as training spells it most often."""
        for label, text in item.options:
            if normal(text or label) == answer:
                return text or label
        return self.majority.spell(answer)


def sample(examples: Sequence[Example], seed: int, dataset: str) -> list[Example]:
    """At most `ITEMS` examples of each type, the same ones for the same seed, in their own order."""
    kept: list[int] = []
    for answer_type, limit in ITEMS.items():
        found = [index for index, example in enumerate(examples) if example.item.answer_type == answer_type]
        if len(found) > limit:
            order = permutation(seed, "baseline-training", dataset, answer_type, size=len(found))[:limit]
            found = [found[int(place)] for place in order]
        kept += found
    return [examples[index] for index in sorted(kept)]
