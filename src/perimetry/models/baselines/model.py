"""A baseline as a model that can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from perimetry.cases.errors import ImageError, UsageError
from perimetry.models.baselines.fitted import Fitted, sample
from perimetry.models.baselines.item import Example, Item, item_of, training_examples
from perimetry.models.baselines.pictures import NO_PICTURE, Picture, PictureCache
from perimetry.models.model import BatchModel
from perimetry.models.registry import ModelContext
from perimetry.models.request import Failure, Request, Response

__all__ = ["BaselineModel", "Fit"]

Fit = Callable[[Sequence[Example], PictureCache], Fitted]
ANSWER_TYPES = ("closed", "open", "choice")


class BaselineModel(BatchModel):
    """A classical model, fitted on the training split of each data set when it is first asked about it.

    Parameters
    ----------
    baseline : str
        Name after ``baseline:``.
    fit : callable
        Makes the fitted baseline of training examples; a module-level function, so that the model can be pickled.
    uses_images : bool
        Whether images are looked at, in training and in answering.
    context : ModelContext
        Seed, and `training`, which gives a data set's training split.
    """

    def __init__(self, baseline: str, fit: Fit, uses_images: bool, context: ModelContext) -> None:
        self._baseline = baseline
        self._fit = fit
        self._uses_images = uses_images
        self._context = context
        self._fitted: dict[str, Fitted] = {}
        self._cache = PictureCache()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_cache": PictureCache()}

    @property
    def name(self) -> str:
        """``baseline:NAME``."""
        return f"baseline:{self._baseline}"

    @property
    def batch_size(self) -> int:
        """256 by default."""
        return self._context.batch_size or 256

    def describe(self) -> dict[str, Any]:
        """Library version, seed, and the size of each training split that was used so far."""
        import sklearn

        fitted = self._fitted.items()
        unreadable = {dataset: one.unreadable for dataset, one in fitted if one.unreadable}
        return {
            "name": self.name,
            "kind": "baseline",
            "library": f"scikit-learn {sklearn.__version__}",
            "seed": self._context.seed,
            "training": {dataset: one.size for dataset, one in fitted},
            "warnings": [
                f"{self.name}: {count} training images of {dataset} cannot be read; their questions count without"
                for dataset, count in unreadable.items()
            ],
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Answer by data set; a request that is no question, or whose image cannot be read, is a failure."""
        done: dict[int, Response] = {}
        waiting: dict[str, list[tuple[int, Item, Picture]]] = {}
        for index, request in enumerate(requests):
            try:
                item = self._item(request)
                picture = self._cache.get(item.images) if item.images else NO_PICTURE
            except ImageError as error:
                done[index] = Response(request.id, None, Failure("unreadable_image", str(error)))
            except UsageError as error:
                done[index] = Response(request.id, None, Failure("unaskable", str(error)))
            else:
                waiting.setdefault(request.dataset, []).append((index, item, picture))
        for dataset, rows in waiting.items():
            fitted = self.fitted(dataset)
            answers = fitted.answer([item for _, item, _ in rows], [picture for _, _, picture in rows])
            for (index, _, _), text in zip(rows, answers, strict=True):
                done[index] = Response(requests[index].id, text)
        for index in range(len(requests)):
            yield done[index]

    def fitted(self, dataset: str) -> Fitted:
        """The baseline fitted on that data set's training split; fits it on first use."""
        if dataset not in self._fitted:
            if self._context.training is None:
                raise UsageError(
                    f"{self.name} is fitted on a training split, and none is at hand for {dataset}. Load a data set "
                    "that has one."
                )
            questions = self._context.training(dataset)
            if not questions:
                raise UsageError(f"{self.name}: the training split of {dataset} is empty; there is nothing to fit on.")
            examples = training_examples(questions, with_images=self._uses_images)
            self._fitted[dataset] = self._fit(sample(examples, self._context.seed, dataset), self._cache)
        return self._fitted[dataset]

    def _item(self, request: Request) -> Item:
        item = item_of(request.prompt, with_images=self._uses_images)
        if item.answer_type not in ANSWER_TYPES:
            raise UsageError(
                f"{self.name} answers questions of the types {', '.join(ANSWER_TYPES)}; found {item.answer_type!r}."
            )
        return item
