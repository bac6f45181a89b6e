"""What repeats over a data set: templates, near duplicates; and names of image files."""

from __future__ import annotations

from pathlib import PurePath

from perimetry.screening.asymmetry import asymmetric
from perimetry.screening.dataset_statistics import DatasetStatistics, lead_in, template_of
from perimetry.screening.detectors.overlap import GENERIC, is_reference
from perimetry.screening.finding import Finding, Span
from perimetry.screening.item import Item
from perimetry.screening.screen import MEDQA_MM, Screen
from perimetry.screening.words import folded, words

__all__ = ["SCREENS"]

FREQUENT = 0.01
FEWEST = 5
NAMED = 3
SHORTEST = 4


def _template(item: Item, known: DatasetStatistics) -> Finding | None:
    count = known.templates.get(template_of(item.stem), 0)
    if count < max(FEWEST, FREQUENT * known.items):
        return None
    asked = lead_in(item.stem)
    start = item.stem.rfind(asked)
    spans = (Span("stem", start, start + len(asked), "repeated lead-in"),) if start >= 0 else ()
    return Finding((), spans, "low", f"the lead-in of {count:,} items")


def _near_duplicate(item: Item, known: DatasetStatistics) -> Finding | None:
    others = known.near_duplicates.get(item.id, ())
    if not others:
        return None
    more = f" and {len(others) - NAMED:,} more" if len(others) > NAMED else ""
    return Finding((), (), "medium", f"like {', '.join(others[:NAMED])}{more}")


def _file_name(item: Item, _: DatasetStatistics) -> Finding | None:
    names = [PurePath(getattr(image.source, "key", "") or "").stem for image in item.images]
    held = {word for name in names for word in folded(words(name.replace("_", " ")))}
    carried: dict[str, list[Span]] = {}
    for option in item.options:
        if not is_reference(option):
            carried[option.label] = [
                Span(option.label, word.start, word.end, "in a file name")
                for word, short in zip(option.words, option.folded, strict=True)
                if short in held and len(short) >= SHORTEST and short not in GENERIC and not short.isdigit()
            ]
    return asymmetric(item, carried, "high", "only where a prompt shows file names")


SCREENS = (
    Screen(
        "repeated-template",
        "Repeated lead-in",
        "data set",
        "item",
        "a lead-in (numbers made equal) that at least five items and 1% of the data set share",
        _template,
        MEDQA_MM,
        options=False,
    ),
    Screen(
        "near-duplicate-item",
        "Near-duplicate item",
        "data set",
        "item",
        "another item with at least about 80% of its word triples, by MinHash over stem and options",
        _near_duplicate,
        MEDQA_MM,
        options=False,
    ),
    Screen(
        "image-file-name",
        "Option's word in a file name",
        "metadata",
        "option",
        "options that share a word with the name of an image file; no prompt of this project shows these names",
        _file_name,
        MEDQA_MM,
    ),
)
