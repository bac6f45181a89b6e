"""What the first bytes say of a file must be what decoding then does."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image as Picture

from perimetry.cases.sources import FileSource


@pytest.mark.parametrize(
    ("mode", "wide"), [("L", False), ("RGB", False), ("RGBA", False), ("P", False), ("1", False), ("I;16", True)]
)
def test_the_header_tells_what_decoding_does(tmp_path, mode, wide):
    file = tmp_path / "x.png"
    if mode == "I;16":
        Picture.fromarray((np.arange(64, dtype=np.uint16) * 900).reshape(8, 8)).save(file)
    else:
        Picture.new(mode, (8, 8)).save(file)
    source = FileSource(file)
    assert ("16-bit" in source.conversion) == wide
    assert ("16-bit" in source.decoded().conversion) == wide


@pytest.mark.parametrize("content", [b"", b"\x89PNG", b"not an image", bytes(200)])
def test_anything_else_is_no_conversion_and_no_error(tmp_path, content):
    file = tmp_path / "x"
    file.write_bytes(content)
    assert FileSource(file).conversion == ""
    assert FileSource(tmp_path / "absent").conversion == ""


def test_a_run_records_it(tmp_path):
    import json

    import perimetry

    Picture.fromarray((np.arange(4096, dtype=np.uint16) * 15).reshape(64, 64)).save(tmp_path / "wide.png")
    table = tmp_path / "t.jsonl"
    table.write_text(json.dumps({"id": "1", "question": "Is it?", "answer": "yes", "image": "wide.png"}))
    run = perimetry.audit(data=f"table:{table}", models="reader:blind", out=tmp_path / "run", conditions=["real"]).run
    assert any("16-bit grey" in note for note in run.folder.read_settings()["data"][0]["funnel"]["notes"])
