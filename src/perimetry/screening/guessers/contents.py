"""The digest of the cases of a data set, as run.toml of an audit has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from perimetry.cases import Question
from perimetry.cases.digest import digest_parts
from perimetry.cases.sources.file import FileSource

__all__ = ["cases_digest"]


def cases_digest(questions: Sequence[Question]) -> str | None:
    """Digest of everything a model could be shown of these cases and of their keys, in their order.

    Equal to the digest in run.toml of an audit of the same cases. None where an image file is not there: without its
    content another state of the data could not be told from a folder that was not given.

    Examples
    --------
    >>> cases = [Question("1", "mine", "g", "Why?", "so", "open")]
    >>> cases_digest(cases) == cases_digest(cases[:0])
    False
    """
    parts: list[str] = []
    for question in questions:
        pictures = [*question.images, *(option.image for option in question.options if option.image is not None)]
        for image in pictures:
            if isinstance(image.source, FileSource) and not Path(image.source.path).is_file():
                return None
        parts += (question.digest, question.answer)
    return digest_parts(parts)
