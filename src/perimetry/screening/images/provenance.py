"""Text that repeats over a data set: watermarks and footers, a layer that tells where images come from."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perimetry.screening.images.markers import is_marker
from perimetry.screening.images.reading import TextLine

__all__ = ["Provenance", "Sheet", "provenance"]

FEWEST_LETTERS = 5
FEWEST_IMAGES = 5
SHARE = 0.02
ALIKE = 75.0
EDGE = 0.15
AT_EDGE = 0.8


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of one image and its size.

    Parameters
    ----------
    height, width : int
    lines : tuple of TextLine
    """

    height: int
    width: int
    lines: tuple[TextLine, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """One layer of repeated text.

    Parameters
    ----------
    text : str
        Its most frequent reading.
    spellings : frozenset of str
        Normalised readings that belong to it, errors of OCR among them.
    images : int
        Images that carry it.
    """

    text: str
    spellings: frozenset[str]
    images: int

    def holds(self, line: TextLine) -> bool:
        """Whether a line belongs to the layer."""
        return normalised(line.text) in self.spellings


def normalised(text: str) -> str:
    """Letters in lower case; digits and signs, in which dates and numbers of pictures differ, are left out.

    Examples
    --------
    >>> normalised("Source 12/2003.")
    'source'
    """
    return "".join(letter for letter in text.lower() if letter.isalpha())


def provenance(sheets: Mapping[str, Sheet]) -> tuple[Provenance, ...]:
    """Layers of text that at least five images and 2% of the images carry, most of them near an edge.

    Readings are one layer where they are alike (three quarters of their letters), so that errors of OCR do not split a
    watermark. Projection markers repeat, too, and are none.

    Parameters
    ----------
    sheets : mapping of image to Sheet

    Returns
    -------
    tuple of Provenance
        The most frequent first.
    """
    images: dict[str, set[str]] = defaultdict(set)
    at_edge: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    spelled: dict[str, Counter[str]] = defaultdict(Counter)
    for name, sheet in sheets.items():
        for line in sheet.lines:
            key = normalised(line.text)
            if len(key) < FEWEST_LETTERS or is_marker(line):
                continue
            images[key].add(name)
            lines[key] += 1
            at_edge[key] += _near_edge(line, sheet)
            spelled[key][line.text] += 1
    least = max(FEWEST_IMAGES, SHARE * len(sheets))
    found = []
    for keys in _clusters({key: len(held) for key, held in images.items()}):
        holders = set[str]().union(*(images[key] for key in keys))
        total = sum(lines[key] for key in keys)
        if len(holders) >= least and sum(at_edge[key] for key in keys) >= AT_EDGE * total:
            text = min(spelled[keys[0]].items(), key=lambda pair: (-pair[1], pair[0]))[0]
            found.append(Provenance(text, frozenset(keys), len(holders)))
    return tuple(sorted(found, key=lambda layer: (-layer.images, layer.text)))


def _clusters(counts: Mapping[str, int]) -> list[list[str]]:
    """Keys by likeness to the most frequent one of each cluster."""
    from rapidfuzz import fuzz

    clusters: list[list[str]] = []
    for key in sorted(counts, key=lambda one: (-counts[one], one)):
        for cluster in clusters:
            head = cluster[0]
            if fuzz.ratio(key, head) >= ALIKE or (len(head) >= 2 * FEWEST_LETTERS and head in key):
                cluster.append(key)
                break
        else:
            clusters.append([key])
    return clusters


def _near_edge(line: TextLine, sheet: Sheet) -> bool:
    frame = line.frame
    across = min(frame.x, sheet.width - frame.right) / sheet.width
    down = min(frame.y, sheet.height - frame.bottom) / sheet.height
    return min(across, down) <= EDGE


def split_lines(
    lines: Sequence[TextLine], layers: Sequence[Provenance]
) -> tuple[tuple[TextLine, ...], tuple[TextLine, ...]]:
    """Lines of any layer, and the rest."""
    held = tuple(line for line in lines if any(layer.holds(line) for layer in layers))
    return held, tuple(line for line in lines if line not in held)
