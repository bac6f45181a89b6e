from hypothesis import given
from hypothesis import strategies as st

from perimetry.screening.images.markers import is_marker, markers
from perimetry.screening.images.provenance import Sheet, provenance, split_lines
from perimetry.screening.images.reading import Frame, TextLine
from perimetry.screening.images.text_overlap import TextPool, overlap


def line(text, x=0, y=0, score=0.99, width=80):
    return TextLine(text, Frame(x, y, width, 12), score)


def pool(*texts):
    return TextPool(tuple(line(text, y=20 * place) for place, text in enumerate(texts)))


def degree(option, *texts):
    found = overlap(option, pool(*texts))
    return found.degree if found else ""


def test_all_words_in_order_are_complete_and_a_distinctive_one_is_partial():
    assert degree("subdural hematoma", "Acute SUBDURAL HEMATOMA, left") == "complete"
    assert degree("subdural hematoma", "epidural hematoma") == "partial"
    assert degree("subdural hematoma", "left", "right lung") == ""


def test_an_option_over_two_lines_is_complete():
    assert degree("subdural hematoma", "subdural", "hematoma") == "complete"


def test_words_run_together_or_misread_by_a_letter_are_found():
    assert degree("left pneumothorax", "LEFTPNEUMOTHORAX") == "complete"
    assert degree("pneumothorax", "PNEUMOTH0RAX") == "complete"
    assert degree("pneumothorax", "pneumonia") == ""


def test_short_options_have_to_be_a_line_or_a_word():
    assert degree("L", "L") == "complete"
    assert degree("L", "L 4 vertebra") == "" and degree("CT", "section") == ""
    assert degree("MRI", "MRI brain") == "complete" and degree("MRI", "umria") == ""


def test_stop_words_and_numbers_alone_are_no_overlap():
    assert degree("in the left side", "in the") == "" and degree("2019 film", "2019") == ""


@given(st.text(max_size=30), st.lists(st.text(max_size=20), max_size=4))
def test_overlap_never_fails_and_what_stands_there_is_complete(option, texts):
    found = overlap(option, pool(*texts))
    assert found is None or found.degree in ("complete", "partial")
    if len([letter for letter in option if letter.isascii() and letter.isalpha()]) >= 6 and option.isalpha():
        whole = overlap(option, pool(*texts, option))
        assert whole is not None and whole.degree == "complete"


def test_markers_of_every_kind_and_words_that_are_none():
    found = markers([line("R"), line("PA"), line("AP PORTABLE"), line("Semi-Erect"), line("Lateral view")])
    assert [(one.kind, one.text) for one in found] == [
        ("side", "R"), ("view", "PA"), ("view", "AP"), ("portable", "PORTABLE"), ("position", "SEMIERECT"),
        ("view", "LATERAL"), ("view", "VIEW"),
    ]  # fmt: skip
    assert (
        markers([line("L 4 cyst"), line("Paint"), line("rapid"), line("the right patient was seen lateral to it")])
        == ()
    )
    assert is_marker(line("R 12")) and not is_marker(line("12"))


def sheets(texts, y=580):
    return {str(number): Sheet(600, 600, (line(text, 500, y),)) for number, text in enumerate(texts)}


def test_a_watermark_is_one_layer_with_its_misreadings():
    texts = (
        ["Teachings.org"] * 40 + ["Teachlngs.org", "Teachings.orgi", "Teaching5.org"] + [f"case {n}" for n in range(9)]
    )
    (layer,) = provenance(sheets(texts))
    assert (layer.text, layer.images) == ("Teachings.org", 43)
    held, rest = split_lines((line("Teachlngs.org"), line("cyst")), (layer,))
    assert [one.text for one in held] == ["Teachlngs.org"] and [one.text for one in rest] == ["cyst"]


def test_numbers_in_a_footer_do_not_split_it():
    (layer,) = provenance(sheets([f"Film {number} of 2003" for number in range(20)]))
    assert layer.images == 20


def test_repeats_that_are_markers_or_stand_in_the_middle_or_are_few_are_no_source():
    assert provenance(sheets(["PORTABLE"] * 20)) == ()
    assert provenance(sheets(["hematoma"] * 20, y=300) and {
        key: Sheet(600, 600, (line("hematoma", 260, 300),)) for key in map(str, range(20))
    }) == ()  # fmt: skip
    assert provenance(sheets(["Teachings.org"] * 4 + ["x"] * 16)) == ()


@given(st.permutations(range(12)))
def test_layers_do_not_depend_on_the_order_of_images(order):
    texts = ["Teachings.org"] * 6 + ["Teachlngs.org"] * 6
    known = sheets(texts)
    assert provenance({str(key): known[str(key)] for key in order}) == provenance(known)
