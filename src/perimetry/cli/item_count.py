"""How far the screening of texts is, on standard error."""

from __future__ import annotations

from perimetry.cli.image_count import ImageCount

__all__ = ["ItemCount"]


class ItemCount:
    """Called with the step and how many of how many items are through it; lines as those of `ImageCount`."""

    def __init__(self) -> None:
        self._steps: dict[str, ImageCount] = {}

    def __call__(self, step: str, done: int, total: int) -> None:
        """Print if it is time."""
        if step not in self._steps:
            self._steps[step] = ImageCount("items", step)
        self._steps[step](done, total)
