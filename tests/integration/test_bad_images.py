"""Images that cannot be shown: their trials fail by name, everything else goes on."""

from __future__ import annotations

import base64
import io
import json

import numpy as np
import polars as pl
import pytest
from PIL import Image
from tests.bad_input import audit, estimate, outcomes, page, png, png_of_size, records, verdict, write_table
from tests.models.loopback import LoopbackServer

import perimetry

ALL = "real,retest,blank,shuffle,noimage,hardneg,mismatch"
COUNT = 16


def make_bad(folder):
    """A table whose first pictures are each unreadable in another way, and how many there are."""
    rows = records(COUNT)
    rows[0]["image"] = "gone.png"
    write_table(folder, rows)
    images = folder / "images"
    (images / "1.png").write_bytes(png(1)[:60])
    (images / "2.png").write_bytes(b"")
    (images / "3.png").write_bytes(png_of_size(9_000, 9_000))
    (images / "4.png").write_bytes(b"<html>not found</html>")
    rows[5]["image"] = "a\0b.png"
    rows[6]["image"] = "long" * 2000 + ".png"
    rows[7]["image"] = "data:image/png;base64," + "!" * 300
    rows[8]["image"] = "images"  # a folder
    return rows, 9


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad images")
    rows, bad = make_bad(folder)
    data = write_table(folder, rows)
    with LoopbackServer("Answer: yes") as server:
        ended = audit(data, f"openai:m@{server.url}", folder / "run", conditions=ALL)
        asked = server.count
        again = audit(data, f"openai:m@{server.url}", folder / "run", conditions=ALL)
        assert server.count == asked, "nobody is asked what cannot be shown"
    return folder / "run", ended, again, bad


def test_only_the_trials_that_need_the_image_fail(run):
    table = outcomes(run[0])
    bad = [f"q{number}" for number in range(run[3])]
    failed = table.filter(~pl.col("answered"))
    assert set(failed["failure_kind"]) == {"unreadable_image"}
    assert set(failed["case_id"]) == set(bad)
    assert set(failed["condition"]) == {"real", "retest", "blank", "shuffle"}
    assert failed.height == 4 * len(bad)
    assert table.filter(condition="noimage")["answered"].all()


def test_neighbours_leave_them_out(run):
    found = pl.read_parquet(run[0] / "neighbours" / "neighbours.parquet")
    bad = {f"q{number}" for number in range(run[3])}
    assert not bad & set(found["neighbour"].drop_nulls())
    assert found.filter(~pl.col("case").is_in(sorted(bad)) & pl.col("neighbour").is_null()).is_empty()
    unreadable = json.loads((run[0] / "neighbours" / "neighbours.json").read_text())["unreadable"]
    assert len(unreadable) == len(bad)


def test_they_are_counted_as_missing_and_stand_on_the_page(run):
    row = estimate(run[0], "accuracy")
    assert (row["n"], row["missing"]) == (COUNT - run[3], run[3])
    assert "unreadable_image" in page(run[0])
    assert f"{run[3]} items have no response under real" in page(run[0])


def test_a_failure_for_good_is_no_reason_to_come_again(run):
    _, ended, again, bad = run
    assert (ended.code, again.code) == (0, 0), "exit 3 promises that the same command asks again"
    assert f"{4 * bad} unreadable_image" in ended.err
    assert f"{4 * bad} trials have no answer (for good)" in again.err


def test_the_message_names_the_file_and_is_of_bearable_length(run):
    messages = outcomes(run[0])["failure_message"].drop_nulls().unique().to_list()
    assert max(map(len, messages)) < 1500
    for name in ("gone.png", "1.png", "2.png", "3.png", "4.png", "damaged base64", "PERIMETRY_MAX_PIXELS"):
        assert any(name in message for message in messages), name


@pytest.mark.usefixtures("pageless")
def test_unusual_images_are_shown(tmp_path):
    noise = np.random.default_rng(0)
    rgba = noise.integers(0, 256, (16, 16, 4), dtype=np.uint8)
    grey = Image.fromarray(rgba[..., 0])
    unusual = {
        "16-bit.png": Image.fromarray(noise.integers(0, 60_000, (16, 16), dtype=np.uint16)),
        "rgba.png": Image.fromarray(rgba),
        "cmyk.jpg": Image.fromarray(rgba, "CMYK"),
        "palette.png": Image.fromarray(rgba[..., :3]).convert("P"),
        "bits.png": Image.fromarray(rgba[..., 0] > 128),
        "float.tiff": Image.fromarray(noise.random((16, 16), dtype=np.float32)),
        "dot.png": Image.fromarray(rgba[:1, :1, :3]),
        "moving.gif": grey,
    }
    rows = records(len(unusual))
    data = write_table(tmp_path, [{**row, "image": name} for row, name in zip(rows, unusual, strict=True)])
    for name, picture in unusual.items():
        if name == "moving.gif":
            picture.save(tmp_path / "images" / name, save_all=True, append_images=[grey.rotate(90)])
        else:
            picture.save(tmp_path / "images" / name)
    with LoopbackServer("Answer: yes") as server:
        ended = audit(data, f"openai:m@{server.url}", tmp_path / "run", conditions=ALL)
        sent = [url for request in server.requests for url in request.images]
    assert ended.code == 0
    table = outcomes(tmp_path / "run")
    assert table.filter(pl.col("request_id").is_not_null())["answered"].all()
    assert table.filter(condition="real").height == len(unusual)
    for url in sent:
        shown = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
        assert shown.mode in ("L", "RGB")


@pytest.mark.usefixtures("pageless")
def test_names_with_blanks_and_letters_of_any_language(tmp_path):
    rows = records(4)
    write_table(tmp_path, rows)
    for number, name in enumerate(("chest film.png", "Thorax-Aufnahme größer.png", "胸部 #1?.png", "[1, 2].png")):
        (tmp_path / "images" / f"{number}.png").rename(tmp_path / "images" / name)
        rows[number]["image"] = name
    (tmp_path / "my table ünïcode.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = f"table:{tmp_path / 'my table ünïcode.jsonl'},data_use=open"
    with LoopbackServer("Answer: no") as server:
        ended = audit(data, f"openai:org/my model@{server.url}", tmp_path / "a run")
    assert ended.code == 0
    assert outcomes(tmp_path / "a run")["answered"].all()


def test_an_image_cell_is_never_passed_over_in_silence(tmp_path):
    rows = records(6)
    rows[0]["image"] = 7
    write_table(tmp_path, rows)
    frame = pl.DataFrame(
        [
            {"id": f"p{n}", "question": "Is it?", "answer": "yes", "image": {"bytes": data, "path": path}}
            for n, (data, path) in enumerate(
                [(b"", None), (None, "1.png"), (b"", "2.png"), (png(3), None), (None, None)]
            )
        ]
    )
    frame.write_parquet(tmp_path / "cells.parquet")
    numbers = perimetry.load(f"table:{tmp_path / 'table.jsonl'}")
    assert [step.removed for step in numbers.funnel.steps] == [1]
    assert "image: a file name, bytes or base64 was expected, found int" in numbers.funnel.steps[0].examples[0]
    cells = perimetry.load(f"table:{tmp_path / 'cells.parquet'}").questions
    assert [len(question.images) for question in cells] == [1, 1, 1, 1, 0]
    with pytest.raises(perimetry.cases.ImageError, match="row 1, column 'image' is empty"):
        cells[0].images[0].pixels()
    for question in cells[1:4]:
        assert question.images[0].pixels().shape == (16, 16)


def test_a_baseline_names_unreadable_images_too(tmp_path):
    rows, bad = make_bad(tmp_path)
    split = [{**row, "id": f"{part}-{row['id']}", "split": part} for part in ("train", "test") for row in rows]
    data = write_table(tmp_path, split)
    for number in range(bad):
        (tmp_path / "images" / f"{number}.png").write_bytes(b"")
    ended = audit(data, "baseline:question+image", tmp_path / "run", "--split", "test")
    failed = outcomes(tmp_path / "run").filter(~pl.col("answered"))
    assert set(failed["failure_kind"]) == {"unreadable_image"}
    assert ended.code == 0
    assert verdict(tmp_path / "run")["verdict"]
