from importlib.metadata import entry_points
from pathlib import Path

import pytest

from perimetry.cases.dataset import LoadOptions
from perimetry.cases.errors import UsageError
from perimetry.cases.funnel import Funnel
from perimetry.cases.question import Question
from perimetry.cases.study import Study
from perimetry.phantoms import PHANTOM, PHANTOM_STUDIES, population


def load(dataset=PHANTOM, path=None, **settings):
    funnel = Funnel(dataset.name)
    return list(dataset.load(path, LoadOptions(settings=settings), funnel)), funnel


def test_default_is_five_hundred_balanced_yes_no_questions():
    cases, funnel = load()
    assert len(cases) == 500 == funnel.kept
    assert all(isinstance(case, Question) and case.answer_type == "closed" for case in cases)
    assert sum(case.answer == "Yes" for case in cases) == 250
    assert len({case.id for case in cases}) == 500


@pytest.mark.parametrize(("form", "count"), [("closed", 6), ("choice", 6), ("open", 6), ("all", 18)])
def test_forms(form, count):
    cases, _ = load(n="6", form=form)
    assert len(cases) == count
    if form != "all":
        assert {case.answer_type for case in cases} == {form}
    assert len({case.group for case in cases}) == 6


def test_studies_by_form_and_by_data_set():
    by_form, _ = load(n="4", form="study")
    by_name, _ = load(PHANTOM_STUDIES, n="4")
    assert by_form == by_name
    assert all(isinstance(case, Study) for case in by_form)


def test_findings_without_room_are_counted_in_the_funnel():
    _, funnel = load(n="60", prevalence="0.9")
    missing = population(n=60, prevalence=0.9).no_room
    assert funnel.notes == [
        "Findings that found no room, left out of picture, boxes and labels: "
        + ", ".join(f"{name} {count}" for name, count in sorted(missing.items()))
        + "."
    ]


def test_size_reaches_the_pixels():
    cases, _ = load(n="1", size="96")
    assert cases[0].images[0].pixels().shape == (96, 96)


def test_errors_name_the_setting_and_the_path():
    with pytest.raises(UsageError, match="'form' of data set phantom: found 'closd'"):
        load(form="closd")
    with pytest.raises(UsageError, match="found k=1"):
        load(k="1")
    with pytest.raises(UsageError, match="phantoms are drawn, not read"):
        load(path=Path("here"))


def test_is_registered_by_entry_point():
    (point,) = entry_points(group="perimetry.datasets", name="phantom")
    assert point.load() is PHANTOM
    assert not PHANTOM.needs_path


def test_the_training_split_is_another_population_of_the_same_kind():
    import perimetry

    test = perimetry.load("phantom:n=20,size=64").questions
    train = perimetry.load("phantom:n=20,size=64", split="train").questions
    assert {case.stem for case in train} & {case.stem for case in test}
    assert not {image.digest for case in train for image in case.images} & {
        image.digest for case in test for image in case.images
    }
