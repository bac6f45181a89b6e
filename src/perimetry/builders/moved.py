"""Studies whose images stand under names relative to one folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from perimetry.cases.image import Image
from perimetry.cases.sources import FileSource
from perimetry.cases.study import Study

__all__ = ["below"]


def below(study: Study, root: Path) -> Study:
    """The study with its image files named relative to a folder, as ``studies.jsonl`` keeps them.

    Examples
    --------
    >>> study = Study("s1", "mine", "p1", images=(Image(FileSource("data/images_001/a.png", key="a.png")),))
    >>> below(study, Path("data")).images[0].source.key
    'images_001/a.png'
    """
    return replace(study, images=tuple(_below(image, root) for image in study.images))


def _below(image: Image, root: Path) -> Image:
    source = image.source
    if not isinstance(source, FileSource):
        return image
    path = Path(source.path)
    key = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.resolve().as_posix()
    return replace(image, source=FileSource(path, key=key))
