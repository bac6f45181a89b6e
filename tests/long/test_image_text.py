"""Planted text located and read; the watermark of VQA-RAD set apart."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.screening.images.planting import backgrounds, phantom, plant_text

from perimetry.screening.images.markers import markers
from perimetry.screening.images.ocr import open_reader

pytest.importorskip("rapidocr", reason="the extra ocr is not installed")
pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]

PICTURES = 200
LETTERS = 100


@pytest.fixture(scope="module")
def reader():
    opened = open_reader()
    yield opened
    opened.close()


def test_text_of_three_letters_and_more_is_located_and_read(reader, shared_data):
    located = exact = 0
    missed = []
    for number, under in enumerate(backgrounds(PICTURES, shared_data)):
        planted = plant_text(under, number)
        hits = [line for line in reader.read(planted.pixels).lines if planted.frame.share_in(line.frame) >= 0.5]
        located += bool(hits)
        exact += bool(hits) and hits[0].text == planted.text
        if not hits or hits[0].text != planted.text:
            missed.append((number, planted.text, [line.text for line in hits], planted.what))
    print(f"located {located}, exact {exact} of {PICTURES}: {missed}")
    assert located >= 0.98 * PICTURES
    assert exact >= 0.90 * PICTURES


@pytest.mark.parametrize(("letter", "least"), [("R", 0.80), ("L", 0.70)])
def test_a_lone_letter_is_read_as_a_marker(reader, shared_data, letter, least):
    found = 0
    for number, under in enumerate(backgrounds(LETTERS, shared_data)):
        planted = plant_text(under, number, letter, "letter")
        found += any(
            marker.text == letter and planted.frame.share_in(marker.frame) >= 0.5
            for marker in markers(reader.read(planted.pixels).lines)
        )
    print(f"{letter}: {found} of {LETTERS}")
    assert found >= least * LETTERS


def test_clean_phantoms_hold_no_text(reader):
    false = {
        number: [line.text for line in lines] for number in range(100) if (lines := reader.read(phantom(number)).lines)
    }
    print(f"false text: {false}")
    assert len(false) <= 2


SURVEY = """
import json, re, sys, time
from pathlib import Path

import polars as pl

from perimetry.screening import screen

begun = time.monotonic()
result = screen([f"vqa-rad:{sys.argv[1]}"], split="all", images=sys.argv[2], out=sys.argv[3])
images = result.screenings[0].statistics.images
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps({
    "seconds": time.monotonic() - begun,
    "peak": peak,
    "images": len(images.facts),
    "unreadable": len(images.unreadable),
    "layers": [[layer.text, layer.images, len(layer.spellings)] for layer in images.provenance],
}))
"""


def test_the_watermark_of_vqa_rad_is_one_layer_within_bounded_memory(shared_data, tmp_path):
    folder = shared_data / "vqa_rad"
    done = subprocess.run(
        [sys.executable, "-c", SURVEY, str(folder), str(folder / "VQA_RAD Image Folder"), str(tmp_path / "out")],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    told = json.loads(done.stdout.splitlines()[-1])
    print({**told, "layers": [layer[1:] for layer in told["layers"]]})  # their texts may name people
    assert (told["images"], told["unreadable"]) == (314, 0)  # one file of the folder is asked about by no question
    marks = [layer for layer in told["layers"] if re.search("med.?pix", layer[0], re.IGNORECASE)]
    assert len(marks) == 1 and marks[0][1] >= 250
    assert told["peak"] < 1500
