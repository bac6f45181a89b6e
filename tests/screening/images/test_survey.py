from concurrent.futures import Future

import numpy as np
import pytest
from PIL import Image as Picture
from tests.screening.builders import item
from tests.screening.images.planting import phantom

from perimetry.cases import FileSource, Image
from perimetry.screening.dataset_statistics import DatasetStatistics
from perimetry.screening.images.facts import decode_facts, encode_facts, look
from perimetry.screening.images.image_survey import survey
from perimetry.screening.images.reading import Frame, Reading, TextLine
from perimetry.screening.registry import screens


class Told:
    """A reader that says what it was told to, and counts how often it was asked."""

    version = "told"

    def __init__(self, **texts):
        self.texts = texts
        self.asked = 0

    def begin(self, pixels):
        self.asked += 1
        answer: Future[Reading] = Future()
        lines = self.texts.get(f"of_{pixels[0, 0]}", ())
        answer.set_result(
            Reading(tuple(TextLine(text, Frame(200, 10 + 20 * n, 90, 12), 0.9) for n, text in enumerate(lines)))
        )
        return answer


@pytest.fixture
def picture(tmp_path):
    def made(number, draw=None):
        pixels = phantom(number, 256)
        pixels[0, 0] = number
        if draw is not None:
            draw(pixels)
        path = tmp_path / f"{number}.png"
        Picture.fromarray(pixels).save(path)
        return Image(FileSource(path))

    return made


def finding(name, one, items, reader, kept=None):
    known = DatasetStatistics(images=survey(lambda: items, kept=kept, reader=reader))
    screen = screens().get(name)
    assert screen.applies(one)
    return screen.find(one, known)


def test_visible_text_carries_an_option_completely_or_in_part(picture):
    one = item("Which?", "Pneumothorax", "Pleural effusion", "Lung mass", images=(picture(1),))
    found = finding("image-text", one, [one], Told(of_1=["LEFT PNEUMOTHORAX"]))
    assert (found.options, found.severity, found.note) == (("A",), "high", "complete: LEFT PNEUMOTHORAX")
    assert [(region.x, region.y, region.label) for region in found.regions] == [(200, 10, "LEFT PNEUMOTHORAX")]
    found = finding("image-text", one, [one], Told(of_1=["effusion"]))
    assert (found.options, found.severity) == (("B",), "medium")
    both = finding("image-text", one, [one], Told(of_1=["pneumothorax", "lung mass"]))
    assert (both.options, both.severity) == (("A", "C"), "medium")
    assert finding("image-text", one, [one], Told(of_1=["abscess"])) is None


def test_the_answer_of_an_open_question_is_looked_for_and_yes_is_not(picture):
    one = item("Which organ?", key=("Spleen",), images=(picture(1),))
    assert finding("image-text-answer", one, [one], Told(of_1=["SPLEEN"])).severity == "high"
    yes = item("Is it?", key=("yes",), images=(picture(1),))
    assert finding("image-text-answer", yes, [yes], Told(of_1=["yes"])) is None


def test_a_watermark_is_source_text_and_nothing_else(picture):
    items = [item("Which?", "Teachings", "cyst", identity=str(n), images=(picture(n),)) for n in range(1, 8)]
    reader = Told(**{f"of_{n}": ["Teachings.org"] for n in range(1, 8)})
    assert finding("provenance-text", items[0], items, reader).note == "Teachings.org"
    assert finding("visible-text", items[0], items, reader) is None
    assert finding("image-text", items[0], items, reader) is None


def test_markers_are_told_apart_from_text(picture):
    one = item("Which?", images=(picture(1),))
    reader = Told(of_1=["R", "PORTABLE AP"])
    assert finding("projection-marker", one, [one], reader).note == "R, PORTABLE, AP"
    assert finding("visible-text", one, [one], reader) is None


def test_marks_and_panels_are_told_with_their_places(picture):
    def box(pixels):
        pixels[100:103, 60:120] = pixels[140:143, 60:120] = 255
        pixels[100:143, 60:63] = pixels[100:143, 117:120] = 255

    one = item("Which?", images=(picture(1, box),))
    found = finding("drawn-marks", one, [one], Told())
    assert found.note == "1 white box" and abs(found.regions[0].x - 60) <= 3
    clean = item("Which?", images=(picture(2),))
    assert finding("drawn-marks", clean, [clean], Told()) is None
    assert finding("burnt-in-panel", clean, [clean], Told()) is None

    def gutter(pixels):
        pixels[:, 120:128] = 255

    parted = item("Which?", images=(picture(3, gutter),))
    assert finding("burnt-in-panel", parted, [parted], Told()).note == "1 gutter"


def test_kinds_that_are_mixed_and_images_that_occur_again(picture, tmp_path):
    colour = np.zeros((90, 90, 3), np.uint8)
    colour[..., 0] = np.linspace(90, 255, 90).astype(np.uint8)
    Picture.fromarray(colour).save(tmp_path / "colour.png")
    mixed = item("Which?", images=(picture(1), Image(FileSource(tmp_path / "colour.png"))))
    assert finding("modality-mix", mixed, [mixed], Told()).note == "2 images: 1 colour, 1 grey"
    with Picture.open(tmp_path / "1.png") as opened:
        opened.resize((180, 180)).save(tmp_path / "small.jpg")
    again = item("Which?", identity="2", images=(Image(FileSource(tmp_path / "small.jpg")),))
    lone = item("Which?", identity="3", images=(picture(4),))
    assert finding("near-duplicate-image", again, [mixed, again, lone], Told()).note == "nearly the image of 1"
    assert finding("near-duplicate-image", lone, [mixed, again, lone], Told()) is None
    assert finding("modality-mix", lone, [lone], Told()) is None


def test_an_image_is_read_once_and_not_again_from_what_is_kept(picture, tmp_path):
    items = [item("Which?", identity=str(n), images=(picture(1 + n % 2),)) for n in range(6)]
    reader, kept = Told(of_1=["cyst"]), tmp_path / "images.jsonl"
    first = survey(lambda: items, kept=kept, reader=reader)
    with kept.open("a") as file:
        file.write('\n{"image": "cut sho')
    second = survey(lambda: items[::-1], kept=kept, reader=reader)
    assert reader.asked == 2
    assert {key: encode_facts(facts) for key, facts in first.facts.items()} == {
        key: encode_facts(facts) for key, facts in second.facts.items()
    }
    newer = Told(of_1=["mass"])
    newer.version = "newer"
    assert survey(lambda: items, kept=kept, reader=newer).own_lines(items[0].images[0])[0].text == "mass"


def test_an_unreadable_image_is_told_and_stops_nothing(picture, tmp_path):
    (tmp_path / "bad.png").write_bytes(b"no picture")
    bad, good = Image(FileSource(tmp_path / "bad.png")), picture(1)
    one = item("Which?", images=(bad, good))
    seen = survey(lambda: [one], reader=Told(of_1=["cyst"]))
    assert seen.of(bad) is None and list(seen.unreadable) == [bad.recipe] and "bad.png" in seen.unreadable[bad.recipe]
    assert [line.text for line in seen.own_lines(good)] == ["cyst"]
    looked, unread = seen.notes
    assert looked == "2 images looked at: 1 grey." and unread.startswith("1 of them, or their text, could not be read")


def test_what_the_page_says_quotes_no_text_of_an_image(picture):
    items = [item("Which?", identity=str(n), images=(picture(n),)) for n in range(1, 8)]
    seen = survey(lambda: items, reader=Told(**{f"of_{n}": ["Teachings.org"] for n in range(1, 8)}))
    assert seen.notes[-1] == "Repeated source text is kept apart: 1 layer, on 7 images."
    assert "no item has an image" in survey(lambda: [item("Which?")], reader=Told()).notes[0].lower()


def test_facts_survive_being_written(picture):
    facts = look(picture(1), Told(of_1=["R", "cyst"]))
    assert encode_facts(decode_facts(encode_facts(facts))) == encode_facts(facts)


def test_the_survey_tells_how_far_it_is(picture):
    shared = picture(1)
    items = [item("Which?", "one", "two", images=(shared,)), item("Which?", "one", "two", images=(shared, picture(2)))]
    told: list[tuple[int, int]] = []
    survey(lambda: items, reader=Told(), progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]
