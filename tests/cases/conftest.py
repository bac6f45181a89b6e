"""Helpers for tests of cases."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perimetry.cases import FileSource, Question


@pytest.fixture
def file_keys() -> Callable[[Question], list[str]]:
    """The data set's own names of a question's image files."""

    def keys(question: Question) -> list[str]:
        sources = [image.source for image in question.images]
        assert all(isinstance(source, FileSource) for source in sources)
        return [source.key for source in sources if isinstance(source, FileSource)]

    return keys
