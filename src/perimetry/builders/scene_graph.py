"""Scene graphs of Chest ImaGenome (Wu et al. 2021): regions with boxes, and what is said of each region."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perimetry.cases.boxes import fit_box
from perimetry.cases.errors import CaseError, DataError
from perimetry.cases.funnel import Funnel
from perimetry.cases.layout import found_in
from perimetry.cases.plain_files import read_json
from perimetry.cases.study import Box
from perimetry.cases.tables import NameCounts
from perimetry.cases.values import text

__all__ = ["SceneGraphs", "regions"]

FOLDERS = ("silver_dataset/scene_graph", "silver_dataset/scene_graph/scene_graph", "scene_graph", ".")
ENDING = "_SceneGraph.json"
CATEGORIES = ("anatomicalfinding", "disease", "tubesandlines", "device")
"""Kinds of attributes that can be findings; the others say how much, how long or how well."""
CORNERS = ("original_x1", "original_y1", "original_x2", "original_y2")


@dataclass(frozen=True, slots=True)
class SceneGraphs:
    """The folder of scene graphs.

    Parameters
    ----------
    folder : Path
    """

    folder: Path

    @classmethod
    def below(cls, root: Path) -> SceneGraphs:
        """Find the folder in an unpacked release.

        Raises
        ------
        DataError
            When no folder of the layout holds a scene graph.
        """
        for name in FOLDERS:
            folder = root / name
            if folder.is_dir() and next(folder.glob(f"*{ENDING}"), None) is not None:
                return cls(folder)
        raise DataError(
            f"chest-imagenome: {FOLDERS[0]}/DICOM{ENDING} was looked for. {found_in(root)} "
            "Unpack scene_graph.zip there."
        )

    def read(self, dicom: str) -> Mapping[str, Any] | None:
        """The scene graph of an image; None where there is none.

        Raises
        ------
        DataError
            When it is there and cannot be read.
        """
        path = self.folder / f"{dicom}{ENDING}"
        if not path.is_file():
            return None
        graph = read_json(path)
        for field in ("objects", "attributes"):
            if not isinstance(graph, dict) or not isinstance(graph.get(field), list):
                raise DataError(f"{path} has no list {field!r}; the silver scene graphs of release 1.0.0 have one.")
        found: Mapping[str, Any] = graph
        return found


def regions(
    graph: Mapping[str, Any], size: tuple[int, int], dicom: str, boxes: Funnel, names: NameCounts
) -> Iterator[Box]:
    """Yield the regions of which a finding with a class is affirmed, with their sentences.

    Parameters
    ----------
    graph : mapping
        See `SceneGraphs.read`.
    size : (int, int)
        Width and height of the image.
    dicom : str
        For examples.
    boxes : Funnel
        Counts the regions with something affirmed, and those that have no box that can be used.
    names : NameCounts
        Counts attributes as often as a region affirms them.
    """
    placed = {text(each.get("bbox_name")): each for each in graph["objects"] if isinstance(each, dict)}
    for region in graph["attributes"]:
        if not isinstance(region, dict):
            continue
        name = text(region.get("bbox_name"))
        classes, sentences = _affirmed(region, names)
        if not classes:
            continue
        boxes.enter()
        if name not in placed:
            boxes.leave_out("a region without a box", f"{dicom}: {name}")
            continue
        try:
            x, y, width, height = _rectangle(placed[name], size)
        except CaseError as error:
            boxes.leave_out(str(error), f"{dicom}: {name}")
            continue
        yield Box(0, x, y, width, height, classes, " ".join(sentences) or name)


def _affirmed(region: Mapping[str, Any], names: NameCounts) -> tuple[frozenset[str], list[str]]:
    """Classes that are affirmed of a region, and the sentences that do so."""
    groups = region.get("attributes")
    phrases = region.get("phrases")
    listed = groups if isinstance(groups, list) else []
    spoken = phrases if isinstance(phrases, list) else []
    classes: set[str] = set()
    sentences: list[str] = []
    told = dict.fromkeys(
        name for group in listed for name in _findings(group)
    )  # each name once a region, however many sentences affirm it
    meanings = {name: names.classes(name) for name in told}
    for number, group in enumerate(listed):
        found = {each for name in _findings(group) for each in meanings[name]}
        classes |= found
        if found and number < len(spoken) and (sentence := " ".join(text(spoken[number]).split())):
            sentences.append(sentence)
    return frozenset(classes), list(dict.fromkeys(sentences))


def _findings(group: Any) -> list[str]:
    """Names that a sentence affirms: ``category|yes|name``."""
    found = []
    for attribute in group if isinstance(group, list) else []:
        category, _, rest = text(attribute).partition("|")
        polarity, _, name = rest.partition("|")
        if category in CATEGORIES and polarity == "yes" and name:
            found.append(name)
    return found


def _rectangle(placed: Mapping[str, Any], size: tuple[int, int]) -> tuple[float, float, float, float]:
    try:
        x1, y1, x2, y2 = (float(placed[corner]) for corner in CORNERS)
    except (KeyError, TypeError, ValueError) as error:
        raise CaseError("a box that is not four numbers") from error
    return fit_box((x1, y1, x2 - x1, y2 - y1), size)
