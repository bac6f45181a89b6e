"""The case browser's files: parts, limits, what is withheld, images."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from perimetry.reports import Browser, BrowserAnswer, BrowserCase, Flag
from perimetry.reports.casefiles import CASES_PER_FILE, write_cases

SECRET = "a report nobody may pass on"


def written(folder: Path, browser: Browser, base: Path | None = None):
    (folder / "assets").mkdir(parents=True)
    summary = write_cases(browser, folder, base or folder)
    index = json.loads((folder / "assets" / "cases.js").read_text().split("=", 1)[1].rstrip(";\n"))
    parts = []
    for path in sorted((folder / "assets").glob("cases-*.js")):
        parts += json.loads(path.read_text().split(",", 1)[1].rstrip(";\n)"))
    return summary, index, parts


def case(number: int = 0, dataset: str = "open_set", **more) -> BrowserCase:
    answer = BrowserAnswer("m", "real", SECRET, SECRET, "phrase", True)
    defaults = {"question": SECRET, "gold": SECRET, "options": (("A", SECRET),), "answers": (answer,)}
    return BrowserCase(f"case {number}", dataset, **{**defaults, **more})


@pytest.mark.parametrize("count", [0, 1, CASES_PER_FILE, CASES_PER_FILE + 1, 3 * CASES_PER_FILE])
def test_parts_hold_every_case_once_in_order(tmp_path: Path, count: int) -> None:
    summary, index, parts = written(tmp_path, Browser(case(i) for i in range(count)))
    assert summary.cases == count and not summary.more
    assert [item["id"] for item in parts] == [f"case {i}" for i in range(count)]
    assert len(index["index"]) == count
    assert len(list((tmp_path / "assets").glob("cases-*.js"))) == -(-count // CASES_PER_FILE)


def test_cases_are_read_one_at_a_time_and_not_beyond_the_limit(tmp_path: Path) -> None:
    read = []

    def stream():
        for i in range(1000):
            read.append(i)
            yield case(i)

    summary, _, parts = written(tmp_path, Browser(stream(), limit=12))
    assert summary.more and len(parts) == 12
    assert len(read) == 13  # one more, to know that there are more


def test_withheld_data_set_leaves_no_text_and_no_image(tmp_path: Path, synthetic) -> None:
    picture = {"real": (synthetic.picture(1),)}
    flag = (Flag("right only with shuffle", "m"),)
    cases = [case(0, "credentialed_set", images=picture, flags=flag)]
    summary, index, parts = written(tmp_path, Browser(cases, withhold=frozenset({"credentialed_set"})))
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or SECRET not in path.read_text(encoding="utf-8"), path
    assert not (tmp_path / "images").exists() and summary.withheld == ("credentialed_set",)
    assert parts[0]["a"][0]["ok"] == 1 and parts[0]["a"][0]["u"] == "phrase" and index["flags"] == [flag[0].text]


def test_images_off_keeps_texts(tmp_path: Path, synthetic) -> None:
    _, _, parts = written(tmp_path, Browser([case(images={"real": (synthetic.picture(1),)})], images=False))
    assert parts[0]["i"] == [] and parts[0]["q"] == SECRET and not (tmp_path / "images").exists()


def test_thumbnails_are_small_shared_and_of_every_source(tmp_path: Path, synthetic) -> None:
    base = tmp_path / "run"
    (base / "pictures").mkdir(parents=True)
    encoded = synthetic.picture(5, (900, 600))
    (base / "pictures" / "a.png").write_bytes(encoded)
    pixels = np.asarray(Image.open(io.BytesIO(encoded)))
    images = {
        "real": (encoded, "pictures/a.png", base / "pictures" / "a.png", pixels),
        "blank": (np.full((40, 30, 3), 127, np.uint8),),
    }
    _, _, parts = written(tmp_path / "report", Browser([case(images=images)]), base)
    files = dict(parts[0]["i"])
    assert len(set(files[0])) == 1 and len(list((tmp_path / "report" / "images").iterdir())) == 2
    assert Image.open(tmp_path / "report" / "images" / files[0][0]).size == (171, 256)
    assert Image.open(tmp_path / "report" / "images" / files[1][0]).size == (30, 40)


def test_sixteen_bit_image_is_not_all_white(tmp_path: Path) -> None:
    wide = (np.arange(64 * 64, dtype=np.uint16) * 15).reshape(64, 64)
    out = io.BytesIO()
    Image.fromarray(wide).save(out, "PNG")
    _, _, parts = written(tmp_path, Browser([case(images={"real": (out.getvalue(),)})]))
    grey = np.asarray(Image.open(tmp_path / "images" / parts[0]["i"][0][1][0]).convert("L"), dtype=int)
    assert grey.min() < 10 and grey.max() > 245 and np.all(np.diff(grey.mean(axis=1)) > 0)


@pytest.mark.parametrize("broken", [b"", b"GIF89a", "absent.png"])
def test_unreadable_image_is_counted_and_stops_nothing(tmp_path: Path, broken, synthetic) -> None:
    summary, _, parts = written(tmp_path, Browser([case(images={"real": (broken, synthetic.picture(1))})]))
    assert summary.unreadable == 1 and parts[0]["i"][0][1][0] is None and parts[0]["i"][0][1][1].endswith(".webp")


def test_very_long_output_is_cut_and_says_how_long_it_was(tmp_path: Path) -> None:
    answers = (BrowserAnswer("m", "real", "x" * 500), BrowserAnswer("m", "blank", "y" * 100))
    _, index, parts = written(tmp_path, Browser([case(answers=answers)], answer_limit=50, text_limit=100))
    first, second = parts[0]["a"]
    assert first["t"] == "x" * 100 and first["k"] == 500
    assert second["t"] == "y" * 100 and "k" not in second and index["answerLimit"] == 50


def test_search_knows_answers_and_options(tmp_path: Path) -> None:
    _, index, _ = written(tmp_path, Browser([case(question="Where?", options=(("A", "Left Lung"),), gold="A")]))
    assert "left lung" in index["index"][0]["s"] and SECRET in index["index"][0]["s"]
