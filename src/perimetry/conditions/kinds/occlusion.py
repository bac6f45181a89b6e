"""Regions of an examined study, or the whole image, covered with noise ("ShoViR" section 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from perimetry.cases.dataset import Case
from perimetry.cases.image import Operation
from perimetry.cases.regions import Rectangle
from perimetry.cases.study import Box, Study
from perimetry.conditions import pixels
from perimetry.conditions.changes import with_images
from perimetry.conditions.condition import Surroundings
from perimetry.conditions.imagery import SCOPE, ImageCondition
from perimetry.conditions.kind import Spelled
from perimetry.conditions.parameters import Parameter, integer, number, word
from perimetry.conditions.regions import Covered, Regions, UnreadableError, covered, find_regions

__all__ = [
    "KINDS",
    "DiseaseOcclusion",
    "FullNoise",
    "MatchedControl",
    "OtherDiseaseOcclusion",
    "RandomControl",
    "RegionCondition",
]

FILLS = ("noise", "black", "white", "mean", "blur", "shuffle", "inpaint")

BLUR: Parameter = number("blur", 0, 50, default=0.0)
"""Standard deviation of a blur in pixels of an image whose short side is 224: the grain of noise, the depth of blur."""

CENTER: Parameter = word("center", ("mean", "median"), default="mean")
"""Centre of the noise: the mean of the pixels between the 1st and 99th percentile, or their median."""

STYLE: tuple[Parameter, ...] = (
    word("fill", FILLS, default="noise"),
    BLUR,
    number("feather", 0, 50, default=0.0),
    CENTER,
)


@dataclass(frozen=True, kw_only=True)
class FullNoise(ImageCondition):
    """Every image replaced by noise of its own mean and standard deviation.

    Parameters
    ----------
    fill : {"noise", "black", "white", "mean", "blur", "shuffle"}, default "noise"
    blur : float in 0..50, default 0
    center : {"mean", "median"}, default "mean"
        See `RegionCondition`.

    Examples
    --------
    >>> FullNoise().spelling, FullNoise(center="median").spelling
    ('fullnoise', 'fullnoise(center=median)')
    """

    name = "fullnoise"
    summary = "every image replaced by noise of its own mean and deviation"
    # Nothing is left to paint a whole image from.
    parameters = (
        word("fill", tuple(fill for fill in FILLS if fill != "inpaint"), default="noise"),
        BLUR,
        CENTER,
        SCOPE,
    )

    fill: str = "noise"
    blur: float = 0.0
    center: str = "mean"

    def operations(self, seed: int) -> tuple[Operation, ...]:
        """One `pixels.Occlude` without rectangles: the whole image."""
        return (pixels.Occlude(None, 100, pixels.Fill(self.fill, self.blur, self.center, seed)),)


@dataclass(frozen=True, kw_only=True)
class RegionCondition(Spelled):
    """Covers regions of an examined study; does not apply to anything else.

    One operation is laid on each image that has regions. Strength 0 has the empty recipe where the condition applies.

    Parameters
    ----------
    strength : int in 0..100
        Per cent of the fill in the blend: ``oco@60``.
    fill : {"noise", "black", "white", "mean", "blur", "shuffle", "inpaint"}, default "noise"
        ``mean`` is the centre of the noise, ``blur`` the image itself blurred, ``shuffle`` the pixels of each region
        in random order, ``inpaint`` a smooth surface through the pixels around.
    blur : float in 0..50, default 0
        Grain of the noise, or standard deviation of the fill ``blur`` (12 where 0 is given), in pixels of an image
        whose short side is 224.
    feather : float in 0..50, default 0
        Width, in the same unit, over which the fill fades out beyond the edges of a region. At 0 no pixel outside
        changes.
    center : {"mean", "median"}, default "mean"
    """

    parameters = (integer("strength", 0, 100, style="at"), *STYLE)
    region: ClassVar[str]

    strength: int
    fill: str = "noise"
    blur: float = 0.0
    feather: float = 0.0
    center: str = "mean"

    def recipe(self, case: Case, surroundings: Surroundings) -> str | None:
        """The pixels that are covered and how; None where the condition does not apply.

        Where two conditions cover the same pixels alike they are one request. A study whose image cannot be read is
        planned all the same, and fails when it is rendered.
        """
        try:
            regions = self._regions(case, surroundings)
        except UnreadableError:
            return "" if self.strength == 0 else f"regions|{self.spelling}|unreadable image"
        if regions is None:
            return None
        if self.strength == 0:
            return ""
        return "|".join(
            (
                "regions",
                *(f"{image}:{self._operation(own, surroundings.seed).spelling}" for image, own in regions.items()),
            )
        )

    def apply(self, case: Case, surroundings: Surroundings) -> Case | None:
        """The study with its regions covered."""
        try:
            regions = self._regions(case, surroundings)
        except UnreadableError:
            return case
        if regions is None:
            return None
        if self.strength == 0:
            return case
        return with_images(
            case,
            tuple(
                image.with_operations(self._operation(regions[at], surroundings.seed)) if at in regions else image
                for at, image in enumerate(case.images)
            ),
        )

    def boxes(self, case: Case, surroundings: Surroundings) -> tuple[Box, ...] | None:
        """The regions that are covered, in whole pixels; None where the condition does not apply.

        None as well where the image cannot be read.
        """
        regions = self._known(case, surroundings)
        if regions is None:
            return None
        return tuple(
            Box(image, one.left, one.top, one.width, one.height) for image, own in regions.items() for one in own
        )

    def measure(self, case: Case, surroundings: Surroundings) -> Covered | None:
        """How much is covered; None where the condition does not apply, or the image cannot be read."""
        regions = self._known(case, surroundings)
        return None if regions is None or not isinstance(case, Study) else covered(case, regions)

    def _regions(self, case: Case, surroundings: Surroundings) -> Regions | None:
        if not isinstance(case, Study) or case.examined is None:
            return None
        return find_regions(self.region, case, surroundings)

    def _known(self, case: Case, surroundings: Surroundings) -> Regions | None:
        try:
            return self._regions(case, surroundings)
        except UnreadableError:
            return None

    def _operation(self, rectangles: tuple[Rectangle, ...], seed: int) -> Operation:
        return pixels.Occlude(
            rectangles, self.strength, pixels.Fill(self.fill, self.blur, self.center, seed), self.feather
        )


@dataclass(frozen=True, kw_only=True)
class DiseaseOcclusion(RegionCondition):
    """All disease boxes of the class covered (OCO).

    Examples
    --------
    >>> DiseaseOcclusion(strength=100).spelling, DiseaseOcclusion(strength=60, fill="black").spelling
    ('oco@100', 'oco@60(fill=black)')
    """

    name = region = "oco"
    summary = "all boxes of the examined class covered"


@dataclass(frozen=True, kw_only=True)
class OtherDiseaseOcclusion(RegionCondition):
    """All co-disease boxes covered (DOCO); does not apply where there is none."""

    name = region = "doco"
    summary = "the boxes of other findings covered"


@dataclass(frozen=True, kw_only=True)
class RandomControl(RegionCondition):
    """The paper's control (RO): boxes of random number and size at random places, see `regions.random_control`."""

    name = region = "ro"
    summary = "random regions covered, clear of every box"


@dataclass(frozen=True, kw_only=True)
class MatchedControl(RegionCondition):
    """A control of the disease boxes' own area, see `regions.matched_control`."""

    name = region = "romatched"
    summary = "the class's own boxes moved to random places, clear of every box"


KINDS = (
    FullNoise.kind(),
    DiseaseOcclusion.kind(),
    OtherDiseaseOcclusion.kind(),
    RandomControl.kind(),
    MatchedControl.kind(),
)
