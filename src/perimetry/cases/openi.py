"""The XML files of Open-i's Indiana University collection, one a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as Xml

from perimetry.cases.funnel import Funnel
from perimetry.cases.report_sections import HEADINGS

__all__ = ["OpenIRecord", "openi_records"]


@dataclass(frozen=True, slots=True)
class OpenIRecord:
    """One report.

    Parameters
    ----------
    study : str
        ``CXR`` and a number.
    sections : dict of str to str
    images : tuple of str
        File names with ``.png``.
    terms : tuple of str
        MeSH headings.
    """

    study: str
    sections: dict[str, str]
    images: tuple[str, ...]
    terms: tuple[str, ...]


def openi_records(folder: Path, dataset: str, funnel: Funnel) -> Iterator[OpenIRecord]:
    """Yield the reports of a folder in the order of their numbers; a file that cannot be read is counted.

    Parameters
    ----------
    folder : Path
    dataset : str
        For messages.
    funnel : Funnel
    """
    for path in sorted(folder.glob("*.xml"), key=lambda path: (len(path.stem), path.stem)):
        data = path.read_bytes()
        if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
            funnel.enter()
            funnel.leave_out(f"an XML file with declarations, which those of {dataset} do not have", path.name)
            continue
        try:
            tree = Xml.fromstring(data)  # noqa: S314 - declarations, and with them entities, were refused
        except Xml.ParseError as error:
            funnel.enter()
            funnel.leave_out("an XML file that cannot be read", f"{path.name}: {error}")
            continue
        yield _record(tree, path.stem)


def _record(tree: Xml.Element, stem: str) -> OpenIRecord:
    sections: dict[str, str] = {}
    for part in tree.iter("AbstractText"):
        name = HEADINGS.get(part.get("Label", "").lower())
        body = " ".join("".join(part.itertext()).split())
        if name and body:
            sections[name] = f"{sections[name]} {body}" if name in sections else body
    identity = tree.find(".//uId")
    return OpenIRecord(
        study=(identity.get("id") if identity is not None else None) or f"CXR{stem}",
        sections=sections,
        images=tuple(f"{image.get('id')}.png" for image in tree.iter("parentImage") if image.get("id")),
        terms=tuple(term.text.strip() for term in tree.iter("major") if term.text),
    )
