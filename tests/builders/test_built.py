"""Where a build may go."""

from __future__ import annotations

import pytest
from tests.builders.miniature import nih_folder

from perimetry.builders import build_nih_cxr14
from perimetry.cases import UsageError


def test_nothing_is_built_among_the_files_of_somebody_else(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")
    folder = nih_folder(tmp_path / "in")
    with pytest.raises(UsageError, match=r"holds other files \(thesis.tex\) and no funnel.json"):
        build_nih_cxr14(folder, tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.tex"]
    (tmp_path / "out" / "thesis.tex").unlink()
    for _ in range(2):
        assert build_nih_cxr14(folder, tmp_path / "out").stages[-1].images == 3
