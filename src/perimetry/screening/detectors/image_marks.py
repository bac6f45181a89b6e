"""What was drawn on images, how they are laid out, what kinds come together, and which occur again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding, Region
from perimetry.screening.images.facts import ImageFacts
from perimetry.screening.images.image_survey import ImageSurvey
from perimetry.screening.images.reading import Frame
from perimetry.screening.item import Item
from perimetry.screening.screen import MEDQA_MM, Screen

__all__ = ["SCREENS"]

NAMED = 3


def _facts(item: Item, known: DatasetStatistics) -> Iterator[tuple[int, ImageFacts]]:
    survey = known.images
    if isinstance(survey, ImageSurvey):
        for number, image in enumerate(item.images):
            if (facts := survey.of(image)) is not None:
                yield number, facts


def _region(image: int, frame: Frame, label: str) -> Region:
    return Region(image, frame.x, frame.y, frame.width, frame.height, label)


def _marks(item: Item, known: DatasetStatistics) -> Finding | None:
    regions = tuple(
        _region(number, mark.frame, mark.kind) for number, facts in _facts(item, known) for mark in facts.marks
    )
    return Finding((), (), "medium", _counted(regions), regions) if regions else None


def _panels(item: Item, known: DatasetStatistics) -> Finding | None:
    regions = tuple(
        _region(number, panel.frame, panel.kind) for number, facts in _facts(item, known) for panel in facts.panels
    )
    return Finding((), (), "low", _counted(regions), regions) if regions else None


def _counted(regions: tuple[Region, ...]) -> str:
    counts = Counter(region.label for region in regions)
    return ", ".join(f"{number} {kind}{'s' if number > 1 else ''}" for kind, number in sorted(counts.items()))


def _mix(item: Item, known: DatasetStatistics) -> Finding | None:
    kinds = Counter(str(facts.kind) for _, facts in _facts(item, known))
    views = Counter(image.view for image in item.images if image.view)
    if len(kinds) < 2 and len(views) < 2:
        return None
    told = [
        f"{number} {kind}" for counts in (kinds, views) if len(counts) > 1 for kind, number in sorted(counts.items())
    ]
    return Finding((), (), "low", f"{len(item.images)} images: {', '.join(told)}")


def _again(item: Item, known: DatasetStatistics) -> Finding | None:
    survey = known.images
    if not isinstance(survey, ImageSurvey):
        return None
    mine = {image.recipe for image in item.images}
    others = sorted(
        {survey.holders[twin] for recipe in mine for twin in survey.duplicates.get(recipe, ()) if twin not in mine}
        - {item.id}
    )
    if not others:
        return None
    more = f" and {len(others) - NAMED:,} more" if len(others) > NAMED else ""
    return Finding((), (), "medium", f"nearly the image of {', '.join(others[:NAMED])}{more}")


SCREENS = (
    Screen(
        "drawn-marks",
        "Drawn mark on the image",
        "image",
        "item",
        "coloured marks and areas, white boxes, circles, arrows and arrowheads on pictures that are grey otherwise",
        _marks,
        MEDQA_MM,
        options=False,
    ),
    Screen(
        "burnt-in-panel",
        "Burnt-in panel",
        "image",
        "item",
        "even strips that part a picture in panels, and even black or white plates laid over it",
        _panels,
        MEDQA_MM,
        options=False,
    ),
    Screen(
        "modality-mix",
        "Kinds of image mixed",
        "image",
        "item",
        "images of several kinds in one item: grey, grey with colour, colour, page; or of several declared views",
        _mix,
        MEDQA_MM,
        options=False,
    ),
    Screen(
        "near-duplicate-image",
        "Near-duplicate image",
        "image",
        "item",
        "another image with at most 16 of 64 bits of the perceptual hash different and the same fine structure",
        _again,
        MEDQA_MM,
        options=False,
    ),
)
