"""Made-up models that know what a phantom shows and what a condition covered: nothing is drawn, everything is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from perimetry.models.model import BatchModel
from perimetry.models.request import Failure, Request, Response
from perimetry.phantoms.radiograph import layout
from perimetry.phantoms.report import affirmation

State = Callable[[frozenset[str], frozenset[str], float, Request], Sequence[str] | str | None]
"""From findings, findings whose box is covered, and the covered share of the image to what is stated; a text as it is;
None for a failure."""


class Oracle(BatchModel):
    """States what a function says."""

    def __init__(self, name: str, state: State) -> None:
        self._name = name
        self._state = state

    @property
    def name(self) -> str:
        return f"oracle:{self._name}"

    def answer(self, requests: Sequence[Request]) -> Iterator[Response]:
        for request in requests:
            (image,) = request.prompt.images
            source: Any = image.source
            shown = frozenset(source.spec.findings)
            covered, share = _covered(source, image.operations)
            said = self._state(shown, covered, share, request)
            if said is None:
                yield Response(request.id, None, Failure("unreadable_image", "made to fail"))
            elif isinstance(said, str):
                yield Response(request.id, said)
            else:
                yield Response(request.id, " ".join(affirmation(name) for name in said) or "Lungs are clear.")


def _covered(source: Any, operations: Sequence[Any]) -> tuple[frozenset[str], float]:
    """Findings of which a tenth or more is covered at half strength or more, and the share of the image."""
    rectangles = [one for operation in operations for one in _rectangles(operation, source.size)]
    boxes = layout(source.spec, source.seed).boxes(source.size)
    covered: set[str] = set()
    for box in boxes:
        inside = sum(
            max(0.0, min(box.y + box.height, bottom) - max(box.y, top))
            * max(0.0, min(box.x + box.width, right) - max(box.x, left))
            for top, left, bottom, right in rectangles
        )
        if inside >= 0.1 * box.width * box.height:
            covered |= box.classes
    area = sum((bottom - top) * (right - left) for top, left, bottom, right in rectangles)
    return frozenset(covered), area / source.size**2


def _rectangles(operation: Any, size: int) -> list[tuple[float, float, float, float]]:
    if operation.strength < 50:
        return []
    if operation.rectangles is None:
        return [(0, 0, size, size)]
    return [(one[0], one[1], one[2], one[3]) for one in operation.rectangles]


def grounded(shown, covered, share, request):
    """What is there and not covered."""
    return sorted(shown - covered)


def steadfast(shown, covered, share, request):
    """The same three findings, whatever is shown."""
    return ["Atelectasis", "Lung Opacity", "Pleural Effusion"]


def noisy(shown, covered, share, request):
    """Everything that is there, and whatever lies under a cover."""
    return sorted(shown) if not share else ["Atelectasis", "Cardiomegaly", "Edema", "Fracture", "Pneumonia"]


def disturbed(limit: float) -> State:
    """What is there, and nothing as soon as more than a share of the image is covered."""

    def state(shown, covered, share, request):
        return [] if share > limit else sorted(shown)

    return state
