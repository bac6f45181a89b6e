"""Croissant metadata of a subset (MLCommons, version 1.0), written as plain JSON-LD."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["croissant_of"]

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}

FIELDS = {
    "dataset": ("sc:Text", "Data set that the item comes from."),
    "case_id": ("sc:Text", "Id of the item in that data set."),
    "group": ("sc:Text", "What several items share: an image, a patient."),
    "kept": ("sc:Boolean", "Whether the item is in the subset."),
    "reasons": ("sc:Text", "Rules that removed it."),
    "flags": ("sc:Text", "Rules that flag it: residual risks."),
    "cues": ("sc:Text", "Cues found in it, each with its evidence tier."),
    "options": ("sc:Integer", "Number of options."),
    "images": ("sc:Integer", "Number of images."),
    "licence": ("sc:Text", "Licence of the source."),
    "redistribution": ("sc:Text", "What may be passed on; grants nothing."),
    "validation": ("sc:Text", "Who decided about a cue of the item, if anybody."),
}
"""Columns of items.csv: their types and what they hold."""


def croissant_of(card: Mapping[str, Any], folder: Path, files: Sequence[str]) -> dict[str, Any]:
    """Metadata of the files in a folder, the items as a record set.

    The library ``mlcroissant`` is not needed: the format is JSON.

    Parameters
    ----------
    card : mapping
        From `card_of`.
    folder : Path
    files : sequence of str
        CSV files that are there; ``items.csv`` among them.
    """
    counts = card["counts"]
    licences = list(dict.fromkeys(source["licence"] for source in card["sources"]))
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": card["name"],
        "description": (
            f"{counts['kept']} of {counts['items']} multiple-choice items, {card['status']}. Ids and audit data only: "
            "the items themselves stay with their sources, under their licences."
        ),
        "license": licences[0] if len(licences) == 1 else licences,
        "citeAs": "; ".join(source["citation"] for source in card["sources"] if source["citation"]),
        "version": "1.0.0",
        "isLiveDataset": False,
        "rai:dataLimitations": list(card["residual_risks"]),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "encodingFormat": "text/csv",
                "sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest(),
            }
            for name in files
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "items",
                "name": "items",
                "key": [{"@id": "items/dataset"}, {"@id": "items/case_id"}],
                "field": [
                    {
                        "@type": "cr:Field",
                        "@id": f"items/{name}",
                        "name": name,
                        "description": meaning,
                        "dataType": kind,
                        "source": {"fileObject": {"@id": "items.csv"}, "extract": {"column": name}},
                    }
                    for name, (kind, meaning) in FIELDS.items()
                ],
            }
        ],
    }
