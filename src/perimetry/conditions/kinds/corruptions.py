"""Corruptions of an image in five severities (diagnostics of CORAL section 4.2)."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from perimetry.cases.image import Operation
from perimetry.conditions import pixels
from perimetry.conditions.imagery import SCOPE, ImageCondition
from perimetry.conditions.parameters import integer

__all__ = ["KINDS", "Blur", "Contrast", "Jpeg", "Noise", "Resolution"]


@dataclass(frozen=True, kw_only=True)
class Corruption(ImageCondition):
    """A corruption of every image, from hardly visible to severe.

    Parameters
    ----------
    severity : int in 0..5
        0 is the real case, so that a curve over severities starts where it should.
    """

    parameters = (integer("severity", 0, 5), SCOPE)

    severity: int

    def operations(self, seed: int) -> tuple[Operation, ...]:
        """The corruption at this severity; none at 0."""
        return () if self.severity == 0 else (self._operation(self.severity - 1, seed),)

    @abstractmethod
    def _operation(self, index: int, seed: int) -> Operation: ...


@dataclass(frozen=True, kw_only=True)
class Noise(Corruption):
    """Gaussian noise: standard deviation 8, 12, 18, 26 or 38 per cent of the grey range; one field per image."""

    name = "noise"
    summary = "Gaussian noise, severity 1 to 5"

    def _operation(self, index: int, seed: int) -> Operation:
        # Sixteenths of a grey level: 16 * 255 * (0.08, 0.12, 0.18, 0.26, 0.38), rounded.
        return pixels.AddNoise((326, 490, 734, 1061, 1550)[index], seed)


@dataclass(frozen=True, kw_only=True)
class Blur(Corruption):
    """Gaussian blur: standard deviation 1, 2, 3, 4 or 6 pixels at a short side of 224."""

    name = "blur"
    summary = "Gaussian blur, severity 1 to 5"

    def _operation(self, index: int, seed: int) -> Operation:  # noqa: ARG002 - nothing is drawn
        return pixels.Blur((1, 2, 3, 4, 6)[index])


@dataclass(frozen=True, kw_only=True)
class Contrast(Corruption):
    """Contrast lowered to 40, 30, 20, 10 or 5 per cent of the original."""

    name = "contrast"
    summary = "lower contrast, severity 1 to 5"

    def _operation(self, index: int, seed: int) -> Operation:  # noqa: ARG002 - nothing is drawn
        return pixels.Contrast((40, 30, 20, 10, 5)[index])


@dataclass(frozen=True, kw_only=True)
class Jpeg(Corruption):
    """JPEG compression at quality 25, 18, 15, 10 or 7."""

    name = "jpeg"
    summary = "JPEG compression, severity 1 to 5"

    def _operation(self, index: int, seed: int) -> Operation:  # noqa: ARG002 - nothing is drawn
        return pixels.Jpeg((25, 18, 15, 10, 7)[index])


@dataclass(frozen=True, kw_only=True)
class Resolution(Corruption):
    """Resolution lowered to a short side of 224, 112, 56, 28 or 14 pixels, shown at the image's own size."""

    name = "resolution"
    summary = "lower resolution, severity 1 to 5"

    def _operation(self, index: int, seed: int) -> Operation:  # noqa: ARG002 - nothing is drawn
        return pixels.Resolution((224, 112, 56, 28, 14)[index])


KINDS = (Noise.kind(), Blur.kind(), Contrast.kind(), Jpeg.kind(), Resolution.kind())
