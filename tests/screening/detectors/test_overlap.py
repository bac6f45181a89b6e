from types import SimpleNamespace

from tests.screening.builders import carriers, found, item, sure

from perimetry.cases import Image
from perimetry.screening.dataset_statistics import DatasetStatistics


def test_a_word_clangs_where_few_stems_of_the_data_set_hold_it():
    stem = "The sarcoid granuloma is seen. What now?"
    options = ("Granuloma excision", "Seen again", "Splint")
    rare = DatasetStatistics.of([item(stem)] + [item("The lesion is seen.", identity=str(n)) for n in range(100)])
    assert carriers("clang", stem, *options, known=rare) == "A"
    common = DatasetStatistics.of([item("The granuloma is seen.", identity=str(n)) for n in range(100)])
    assert carriers("clang", stem, *options, known=common) == ""


def test_plurals_and_abbreviations_clang_and_short_words_do_not():
    stem = "Fractures, MCL and hip. What?"
    assert carriers("clang", stem, "Fracture repair", "Splint", "Rest") == "A"
    assert carriers("clang", stem, "MCL repair", "Splint", "Rest") == "A"
    assert carriers("clang", stem, "Hip repair", "Splint", "Rest") == ""


def test_both_sides_of_a_clang_are_marked():
    stem = "A granuloma is seen. What?"
    finding = sure(found("clang", stem, "Granuloma excision", "Splint", "Rest"))
    assert [(span.field, span.start, span.end) for span in finding.spans] == [("stem", 2, 11), ("A", 0, 9)]


def _named(name):
    return (Image(SimpleNamespace(key=name)),)


def test_a_file_name_that_holds_a_word_of_an_option_is_found():
    options = ("Large effusion", "Fracture", "Node")
    assert carriers("image-file-name", "What?", *options, images=_named("cases/pleural_effusions-3.png")) == "A"
    assert carriers("image-file-name", "What?", *options, images=_named("cases/MM-3-a.png")) == ""
