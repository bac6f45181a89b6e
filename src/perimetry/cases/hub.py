"""Hub snapshots: a local folder, or a download when the user asks for one by name."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from perimetry.cases.errors import DataError
from perimetry.cases.spec import DataSpec

__all__ = ["fetched"]

REPOSITORY = re.compile(r"^[\w.-]+/[\w.-]+$")


def fetched(spec: DataSpec) -> DataSpec:
    """The spec with the local folder of its hub snapshot as the path, when it asks for one; else as it is.

    A download is asked for by the setting ``hub`` (``vqav2:hub=OWNER/NAME``, with ``revision`` if wished) or by
    ``hub:OWNER/NAME`` where no such folder exists. Nothing else ever reaches the network.

    Raises
    ------
    DataError
        When huggingface_hub is not installed, or the download fails.

    Examples
    --------
    >>> fetched(DataSpec.parse("vqa-rad:data/vqa_rad")).path.as_posix()
    'data/vqa_rad'
    """
    settings = dict(spec.settings)
    repository = settings.pop("hub", "")
    if not repository and spec.name == "hub" and spec.path is not None and not spec.path.exists():
        repository = spec.path.as_posix()
        if not REPOSITORY.match(repository):
            raise DataError(
                f"hub: there is no folder {repository}, and it is no hub data set (OWNER/NAME) either. "
                "Name a local snapshot folder or a hub data set."
            )
    if not repository:
        return spec
    return replace(spec, path=_snapshot(repository, settings.pop("revision", None)), settings=settings)


def _snapshot(repository: str, revision: str | None) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise DataError(
            f"Downloading {repository} needs huggingface_hub (pip install huggingface_hub), or download the data set "
            "yourself and give its folder as the path."
        ) from error
    try:
        return Path(snapshot_download(repository, repo_type="dataset", revision=revision))
    except Exception as error:
        raise DataError(
            f"The hub data set {repository} cannot be downloaded: {str(error) or type(error).__name__}. Check its "
            "name, the network and your access, or give a local folder as the path."
        ) from error
