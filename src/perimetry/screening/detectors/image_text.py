"""Visible text of images: words of options and answers, text at all, repeated text, projection markers."""

from __future__ import annotations

from collections.abc import Iterable

from perimetry.screening.asymmetry import asymmetric
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.detectors.overlap import GENERIC, is_reference
from perimetry.screening.finding import Finding, Region, Span
from perimetry.screening.images.image_survey import ImageSurvey
from perimetry.screening.images.markers import is_marker
from perimetry.screening.images.reading import TextLine
from perimetry.screening.images.text_overlap import Overlap, TextPool, overlap
from perimetry.screening.item import Item
from perimetry.screening.screen import MEDQA_MM, Screen

__all__ = ["SCREENS"]

LEAKAGE = "MedQA-MM, Appendices C.4 and F"
SAYS_NOTHING = frozenset({"yes", "no", "true", "false"})
NAMED = 3


def _images(item: Item, known: DatasetStatistics) -> Iterable[tuple[int, tuple[TextLine, ...]]]:
    """Number and own lines of each image."""
    survey = known.images
    if isinstance(survey, ImageSurvey):
        for number, image in enumerate(item.images):
            yield number, survey.own_lines(image)


def _region(image: int, line: TextLine) -> Region:
    frame = line.frame
    return Region(image, frame.x, frame.y, frame.width, frame.height, line.text)


def _found(text: str, item: Item, known: DatasetStatistics) -> list[tuple[int, Overlap]]:
    pools = ((number, TextPool(lines)) for number, lines in _images(item, known) if lines)
    return [(number, shared) for number, pool in pools if (shared := overlap(text, pool, GENERIC)) is not None]


def _option_text(item: Item, known: DatasetStatistics) -> Finding | None:
    complete: dict[str, list[Span]] = {}
    carried: dict[str, list[Span]] = {}
    regions: dict[Region, None] = {}
    for option in item.options:
        if is_reference(option):
            continue
        for number, shared in _found(option.text, item, known):
            spans = [Span(option.label, word.start, word.end, f"{shared.degree} in image") for word in shared.words]
            carried.setdefault(option.label, []).extend(spans)
            if shared.degree == "complete":
                complete.setdefault(option.label, []).extend(spans)
            regions.update(dict.fromkeys(_region(number, line) for line in shared.lines))
    found = asymmetric(item, complete, "high") if complete else asymmetric(item, carried, "medium")
    if found is None:
        return None
    note = f"{'complete' if complete else 'partial'}: {', '.join(dict.fromkeys(region.label for region in regions))}"
    return Finding(found.options, found.spans, found.severity, note, tuple(regions))


def _answer_text(item: Item, known: DatasetStatistics) -> Finding | None:
    if item.options:
        return None
    best: list[tuple[str, int, Overlap]] = []
    for key in sorted(item.keys):
        if key.strip().lower() not in SAYS_NOTHING:
            best += [(key, number, shared) for number, shared in _found(key, item, known)]
    if not best:
        return None
    whole = any(shared.degree == "complete" for _, _, shared in best)
    regions = tuple(dict.fromkeys(_region(number, line) for _, number, shared in best for line in shared.lines))
    return Finding((), (), "high" if whole else "medium", "complete" if whole else "partial", regions)


def _visible_text(item: Item, known: DatasetStatistics) -> Finding | None:
    regions = tuple(
        _region(number, line) for number, lines in _images(item, known) for line in lines if not is_marker(line)
    )
    if not regions:
        return None
    more = f" and {len(regions) - NAMED:,} lines more" if len(regions) > NAMED else ""
    return Finding((), (), "low", f"{', '.join(one.label for one in regions[:NAMED])}{more}", regions)


def _source_text(item: Item, known: DatasetStatistics) -> Finding | None:
    survey = known.images
    if not isinstance(survey, ImageSurvey):
        return None
    regions = tuple(
        _region(number, line) for number, image in enumerate(item.images) for line in survey.source_lines(image)
    )
    return Finding((), (), "low", regions[0].label, regions) if regions else None


def _projection(item: Item, known: DatasetStatistics) -> Finding | None:
    survey = known.images
    if not isinstance(survey, ImageSurvey):
        return None
    regions, named = [], dict[str, None]()
    for number, image in enumerate(item.images):
        facts = survey.of(image)
        for marker in facts.markers if facts else ():
            frame = marker.frame
            regions.append(Region(number, frame.x, frame.y, frame.width, frame.height, marker.text))
            named[marker.text] = None
    return Finding((), (), "low", ", ".join(named), tuple(regions)) if regions else None


SCREENS = (
    Screen(
        "image-text",
        "Option in visible text",
        "image",
        "option",
        "words of an option in the text that can be read in an image: all of them (complete) or a distinctive one "
        "(partial); repeated source text left out. Risk: high where one option alone stands there completely",
        _option_text,
        LEAKAGE,
    ),
    Screen(
        "image-text-answer",
        "Answer in visible text",
        "image",
        "item",
        "the answer of a question without options, or a distinctive word of it, in the text of its image",
        _answer_text,
        LEAKAGE,
        options=False,
    ),
    Screen(
        "visible-text",
        "Visible text",
        "image",
        "item",
        "text in an image that is neither repeated source text nor a projection marker",
        _visible_text,
        LEAKAGE,
        options=False,
    ),
    Screen(
        "provenance-text",
        "Repeated source text",
        "image",
        "item",
        "watermarks and footers: text near an edge that at least five images and 2% of the images carry",
        _source_text,
        MEDQA_MM,
        options=False,
    ),
    Screen(
        "projection-marker",
        "Projection or portable marker",
        "image",
        "item",
        "text such as R, L, AP, PA, lateral, supine, erect or portable in an image",
        _projection,
        MEDQA_MM,
        options=False,
    ),
)
