"""What lies beside a built ``studies.jsonl``: ``funnel.json`` says whose data they are and where the images lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from perimetry.cases.dataset import DataUse
from perimetry.cases.errors import DataError
from perimetry.cases.plain_files import read_json
from perimetry.cases.values import text

__all__ = ["SIDECAR", "STUDIES", "Sidecar", "read_sidecar"]

SIDECAR = "funnel.json"
STUDIES = "studies.jsonl"
DATA_USES: tuple[DataUse, ...] = get_args(DataUse)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What a funnel file says of the studies beside it.

    Parameters
    ----------
    dataset : str
        Data set that they were built from.
    data_use : {"open", "restricted", "credentialed"}
    licence, citation : str
    images : Path or None
        Folder of the images.
    content : mapping
        The whole file.
    """

    dataset: str
    data_use: DataUse
    licence: str
    citation: str
    images: Path | None
    content: Mapping[str, Any]


def read_sidecar(studies: Path) -> Sidecar | None:
    """The funnel file beside a file of studies; None where there is none.

    Raises
    ------
    DataError
        When it is there but does not say what may be done with the data.
    """
    path = studies.parent / SIDECAR
    if not path.is_file():
        return None
    content = read_json(path)
    if not isinstance(content, dict):
        raise DataError(f"{path}: a JSON object was expected, found {type(content).__name__}. Build the studies again.")
    for known in DATA_USES:
        if content.get("data_use") == known:
            data_use = known
            break
    else:
        raise DataError(
            f"{path}: data_use is {content.get('data_use')!r}; one of {', '.join(DATA_USES)} was expected. Build the "
            "studies again."
        )
    images = text(content.get("images"))
    return Sidecar(
        dataset=text(content.get("dataset")),
        data_use=data_use,
        licence=text(content.get("licence")),
        citation=text(content.get("citation")),
        images=(path.parent / Path(images).expanduser()) if images else None,
        content=content,
    )
