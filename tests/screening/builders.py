"""Items for the tests of screens."""

from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.finding import Finding
from perimetry.screening.item import Choice, Item
from perimetry.screening.registry import screens

LETTERS = "ABCDEFGHIJ"


def item(stem="What is shown?", *options, key="A", identity="1", **fields):
    """An item with lettered options."""
    choices = tuple(Choice(letter, text) for letter, text in zip(LETTERS, options, strict=False))
    return Item(
        identity,
        "mine",
        fields.pop("group", identity),
        stem,
        "choice" if options else "open",
        choices,
        frozenset(key),
        **fields,
    )


def found(name, stem="What is shown?", *options, known=None, **fields) -> Finding | None:
    """What the screen of that name finds in such an item; the item has to be one that it applies to."""
    made = item(stem, *options, **fields)
    screen = screens().get(name)
    assert screen.applies(made), (name, made.unusable, made.english)
    return screen.find(made, known or DatasetStatistics.of([made]))


def sure(finding: Finding | None) -> Finding:
    """A finding that has to be there."""
    assert finding is not None
    return finding


def carriers(name, stem, *options, **fields) -> str:
    """Letters of the options that carry the cue; empty for no finding."""
    finding = found(name, stem, *options, **fields)
    return "" if finding is None else "".join(finding.options)


def marked(name, stem, *options, **fields) -> list[str]:
    """The passages of the stem that a screen marks."""
    finding = found(name, stem, *options, **fields)
    return [] if finding is None else [stem[span.start : span.end] for span in finding.spans if span.field == "stem"]
