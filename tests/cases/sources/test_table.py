"""Images in cells of tables: found again by row, and lazy."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import pickle

import numpy as np
import polars as pl
import pytest
from PIL import Image as PillowImage

from perimetry.cases import ImageError
from perimetry.cases.png import encode_png
from perimetry.cases.shelf import ImageShelf
from perimetry.cases.sources import BytesSource, TableSource
from perimetry.cases.table import read_records

RNG = np.random.default_rng(3)
PICTURES = [RNG.integers(0, 256, (6, 5), dtype=np.uint8) for _ in range(300)]
ENCODED = [encode_png(picture) for picture in PICTURES]


@pytest.fixture(params=["parquet", "jsonl", "json", "csv", "arrow", "arrow stream"])
def table(request, tmp_path):
    """A table of every format with one image a row: bytes where the format has them, else base64."""
    path = tmp_path / f"table.{request.param.split()[0]}"
    texts = [base64.b64encode(data).decode() for data in ENCODED]
    frame = pl.DataFrame({"image": [{"bytes": data, "path": "x.png"} for data in ENCODED]})
    if request.param == "parquet":
        frame.write_parquet(path, row_group_size=50)
    elif request.param == "arrow":
        frame.write_ipc(path)
    elif request.param == "arrow stream":
        frame.write_ipc_stream(path)
    elif request.param == "csv":
        pl.DataFrame({"image": texts}).write_csv(path)
    elif request.param == "json":
        path.write_text(json.dumps([{"image": text} for text in texts]))
    else:
        lines = [json.dumps({"image": "data:image/png;base64," + text}) for text in texts]
        path.write_text("\n\n".join(lines))
    return path


def test_every_format_gives_the_pixels_of_its_rows(table):
    shelf = ImageShelf([table.parent])
    images = [image for record in read_records(table) for image in shelf.cell(record, table, "image")]
    assert len(images) == 300
    for place in (0, 1, 149, 299):
        assert np.array_equal(images[place].pixels(), PICTURES[place])
        assert images[place].digest == hashlib.blake2b(ENCODED[place], digest_size=16).hexdigest()
        assert images[place].source.encoded() == (ENCODED[place], "image/png")
        assert f"row {place + 1}, column 'image'" in images[place].source.name


def test_only_row_readable_tables_are_lazy(table):
    shelf = ImageShelf([table.parent])
    source = next(image.source for record in read_records(table) for image in shelf.cell(record, table, "image"))
    lazy = table.suffix in (".parquet", ".jsonl")
    assert isinstance(source, TableSource if lazy else BytesSource)
    if lazy:
        assert len(pickle.dumps(source)) < 1000


def test_lists_of_images(tmp_path):
    path = tmp_path / "table.parquet"
    cells = [[{"bytes": ENCODED[0], "path": None}, {"bytes": ENCODED[1], "path": None}], []]
    pl.DataFrame({"images": cells}).write_parquet(path)
    shelf = ImageShelf([tmp_path])
    first, second = (shelf.cell(record, path, "images") for record in read_records(path))
    assert [np.array_equal(image.pixels(), picture) for image, picture in zip(first, PICTURES, strict=False)] == [
        True,
        True,
    ]
    assert second == ()


def test_the_same_image_is_one_source(tmp_path):
    path = tmp_path / "table.parquet"
    pl.DataFrame({"image": [ENCODED[0]] * 3}).write_parquet(path)
    shelf = ImageShelf([tmp_path])
    images = [image for record in read_records(path) for image in shelf.cell(record, path, "image")]
    assert len({id(image) for image in images}) == 1


def test_a_table_that_changed_is_an_error_of_that_image(tmp_path):
    path = tmp_path / "table.parquet"
    pl.DataFrame({"image": ENCODED[:3]}).write_parquet(path)
    shelf = ImageShelf([tmp_path])
    images = [image for record in read_records(path) for image in shelf.cell(record, path, "image")]
    pl.DataFrame({"image": [b"", b"not an image"]}).write_parquet(path)
    with pytest.raises(ImageError, match="row 1, column 'image' is empty"):
        images[0].pixels()
    with pytest.raises(ImageError, match="row 2, column 'image' is not an image"):
        images[1].pixels()
    with pytest.raises(ImageError, match="has changed since it was loaded"):
        images[2].pixels()
    path.unlink()
    with pytest.raises(ImageError, match=r"table\.parquet"):
        images[2].pixels()
    assert images[2].source.encoded() is None


def test_bytes_in_memory():
    buffer = io.BytesIO()
    PillowImage.fromarray(PICTURES[0]).save(buffer, "BMP")
    source = BytesSource(buffer.getvalue(), "row 1")
    assert np.array_equal(source.read(), PICTURES[0])
    assert source.encoded() is None
    assert BytesSource(b"", "row 1").digest != BytesSource(b"", "row 2").digest
