"""What each condition does to a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace

import numpy as np
import pytest

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Image
from perimetry.cases.question import Option, Question, Shown
from perimetry.cases.study import Study
from perimetry.conditions import (
    DEFAULT_CONDITIONS,
    Neighbour,
    Surroundings,
    condition_names,
    conditions,
    parse_condition,
)

PLAIN = Surroundings()
REQUIRED = {"noise": "noise(severity=3)", "blur": "blur(severity=3)", "contrast": "contrast(severity=3)"}
REQUIRED |= {"jpeg": "jpeg(severity=3)", "resolution": "resolution(severity=3)", "gridmask": "gridmask(0.5)"}
REGIONS = {name: f"{name}@60" for name in ("oco", "doco", "ro", "romatched")}
ON_IMAGES = ["blank", "blank(mean)", "shuffle", "shuffle(patch=16)", "fullnoise", *REQUIRED.values()]
REQUIRED |= REGIONS
EVERY = [REQUIRED.get(name, name) for name in condition_names()]
OF_QUESTIONS = [spelling for spelling in EVERY if spelling not in REGIONS.values()]


class Table:
    """A neighbour table that gives the same neighbour to everybody."""

    def __init__(self, neighbour: Neighbour | None) -> None:
        self.neighbour = neighbour
        self.asked: list[tuple[str, str]] = []

    def find(self, case: object, key: str) -> Neighbour | None:
        assert isinstance(case, Question | Study)
        self.asked.append((case.id, key))
        return self.neighbour


class Sealed(Mapping[str, str]):
    """Hidden metadata that nobody may look at."""

    def _refuse(self) -> None:
        raise AssertionError("a condition looked at hidden metadata")

    def __getitem__(self, key: str) -> str:
        self._refuse()
        return ""

    def __iter__(self) -> Iterator[str]:
        self._refuse()
        return iter(())

    def __len__(self) -> int:
        self._refuse()
        return 0

    def __eq__(self, other: object) -> bool:
        self._refuse()
        return False

    def __hash__(self) -> int:
        self._refuse()
        return 0


@pytest.fixture
def choice(make_picture: Callable[..., Image]) -> Question:
    return Question(
        "c1",
        "made-up",
        "g1",
        "Compare <image 1> with <image 2>.",
        "B",
        "choice",
        options=(Option("A", "left"), Option("B", "right", make_picture(7))),
        images=(make_picture(1), make_picture(2, colour=True)),
    )


@pytest.fixture
def nearby(make_picture: Callable[..., Image]) -> Surroundings:
    neighbour = Neighbour((make_picture(8), make_picture(9)), "other", 0.9, 1, "label", False)
    return Surroundings(neighbours={"made-up": Table(neighbour)})


def gold(question: Question) -> tuple[str, object]:
    """What the key means: another order of options gives it another label."""
    (option,) = [option for option in question.options if option.label == question.answer]
    return option.text, option.image


@pytest.mark.parametrize("spelling", OF_QUESTIONS)
def test_hidden_metadata_and_gold_stay_untouched(spelling: str, choice: Question, nearby: Surroundings) -> None:
    sealed = Sealed()
    case = replace(choice, hidden=sealed)
    changed = parse_condition(spelling).apply(case, nearby)
    assert isinstance(changed, Question)
    assert changed.hidden is sealed
    for field in fields(Question):
        if field.name not in {"images", "options", "shown", "hidden", "answer"}:
            assert getattr(changed, field.name) == getattr(case, field.name)
    assert gold(changed) == gold(case)
    assert changed.labels == case.labels
    assert sorted(one.text for one in changed.options) == sorted(one.text for one in case.options)


@pytest.mark.parametrize("spelling", EVERY)
def test_recipe_and_apply_agree_on_whether_a_condition_applies(
    spelling: str, choice: Question, make_question: Callable[..., Question], nearby: Surroundings
) -> None:
    study = Study("s1", "made-up", "p1", images=choice.images)
    for case in (choice, make_question(1), make_question(2, images=()), study, replace(study, images=())):
        condition = parse_condition(spelling)
        recipe = condition.recipe(case, nearby)
        changed = condition.apply(case, nearby)
        assert (recipe is None) == (changed is None)
        if recipe == "":
            assert changed == case
        elif changed is not None:
            assert changed != case


def test_question_without_images(make_question: Callable[..., Question], nearby: Surroundings) -> None:
    case = make_question(1, images=())
    applying = {spelling for spelling in EVERY if parse_condition(spelling).recipe(case, nearby) is not None}
    assert applying == {"real", "full", "retest"}


def test_real_full_and_retest(choice: Question) -> None:
    for name in ("real", "full", "retest"):
        assert parse_condition(name).recipe(choice, PLAIN) == ""
        assert parse_condition(name).apply(choice, PLAIN) is choice
    streams = {name: parse_condition(name).repeat_stream for name in condition_names() if name not in REQUIRED}
    assert streams.pop("retest") == "retest"
    assert set(streams.values()) == {"repeat"}


def test_strength_zero_is_the_real_recipe(choice: Question) -> None:
    for spelling in ("gridmask(0)", "noise(severity=0)", "jpeg(severity=0)", "resolution(severity=0)"):
        condition = parse_condition(spelling)
        assert condition.recipe(choice, PLAIN) == ""
        assert condition.apply(choice, PLAIN) is choice
    assert parse_condition("gridmask(1)").recipe(choice, PLAIN) == parse_condition("blank").recipe(choice, PLAIN)


@pytest.mark.parametrize("spelling", ON_IMAGES)
def test_image_conditions_change_all_question_images_and_leave_options(spelling: str, choice: Question) -> None:
    changed = parse_condition(spelling).apply(choice, PLAIN)
    assert isinstance(changed, Question)
    for before, after in zip(choice.images, changed.images, strict=True):
        assert after.digest == before.digest
        assert after.recipe != before.recipe
        assert after.pixels().shape == before.pixels().shape
        assert after.pixels().dtype == np.uint8
    assert changed.options == choice.options
    assert changed.shown == choice.shown
    inside = spelling[:-1] + ",scope=all)" if spelling.endswith(")") else f"{spelling}(scope=all)"
    everywhere = parse_condition(inside)
    wider = everywhere.apply(choice, PLAIN)
    assert isinstance(wider, Question)
    assert wider.images == changed.images
    assert wider.options[0] == choice.options[0]
    assert wider.options[1].image != choice.options[1].image
    assert everywhere.recipe(choice, PLAIN) != parse_condition(spelling).recipe(choice, PLAIN)


def test_image_conditions_with_images_in_options_only(choice: Question) -> None:
    case = replace(choice, images=())
    assert parse_condition("blank").recipe(case, PLAIN) is None
    assert parse_condition("blank(scope=all)").recipe(case, PLAIN) is not None
    assert parse_condition("noimage").recipe(case, PLAIN) is not None


@pytest.mark.parametrize("spelling", ["shuffle", "shuffle(patch=4)", "noise(severity=2)"])
def test_seed_is_part_of_the_recipe_of_what_draws(spelling: str, choice: Question) -> None:
    condition = parse_condition(spelling)
    one, other = Surroundings(seed=1), Surroundings(seed=2)
    assert condition.recipe(choice, one) != condition.recipe(choice, other)
    first, second = condition.apply(choice, one), condition.apply(choice, other)
    assert first is not None
    assert second is not None
    assert not np.array_equal(first.images[0].pixels(), second.images[0].pixels())


def test_recipes_tell_all_kinds_of_severity_apart(choice: Question) -> None:
    names = ("noise", "blur", "contrast", "jpeg", "resolution")
    recipes = [
        parse_condition(f"{name}(severity={severity})").recipe(choice, PLAIN)
        for name in names
        for severity in range(1, 6)
    ]
    assert len(set(recipes)) == len(names) * 5


def test_routes_set_what_is_shown(choice: Question, make_question: Callable[..., Question]) -> None:
    case = replace(choice, options=(Option("A", "left"), Option("B", "right")))
    expected = {
        "noimage": Shown(images=False),
        "textonly": Shown(images=False),
        "optionsonly": Shown(stem=False, images=False),
        "imageoptions": Shown(stem=False),
    }
    for name, shown in expected.items():
        changed = parse_condition(name).apply(case, PLAIN)
        assert changed == replace(case, shown=shown)
    assert parse_condition("noimage").recipe(case, PLAIN) == parse_condition("textonly").recipe(case, PLAIN)
    without_options = make_question(1)
    assert parse_condition("optionsonly").recipe(without_options, PLAIN) is None
    assert parse_condition("imageoptions").recipe(without_options, PLAIN) is None
    assert parse_condition("noimage").recipe(without_options, PLAIN) == "shown:stem+options"


def test_route_keeps_what_the_case_hides_already(choice: Question) -> None:
    case = replace(choice, shown=Shown(stem=False))
    changed = parse_condition("noimage").apply(case, PLAIN)
    assert isinstance(changed, Question)
    assert changed.shown == Shown(stem=False, images=False)


def test_route_without_images_needs_words_in_every_option(choice: Question, make_picture: Callable[..., Image]) -> None:
    bare = replace(choice, options=(Option("A", " ", make_picture(3)), Option("B", "right")))
    for name in ("noimage", "textonly", "optionsonly"):
        assert parse_condition(name).recipe(bare, PLAIN) is None
    assert parse_condition("imageoptions").recipe(bare, PLAIN) is not None


def test_swap_shows_the_whole_set_of_the_neighbour(choice: Question, nearby: Surroundings) -> None:
    table = nearby.neighbours["made-up"]
    assert isinstance(table, Table)
    assert table.neighbour is not None
    for spelling in ("hardneg(rank=5)", "mismatch"):
        changed = parse_condition(spelling).apply(choice, nearby)
        assert changed == replace(choice, images=table.neighbour.images)
        assert table.asked[-1] == ("c1", spelling)
    recipes = {parse_condition(name).recipe(choice, nearby) for name in ("hardneg", "mismatch", "hardneg(rank=5)")}
    assert len(recipes) == 1


def test_swap_without_a_neighbour_or_a_table(choice: Question) -> None:
    empty = Surroundings(neighbours={"made-up": Table(None)})
    assert parse_condition("hardneg").recipe(choice, empty) is None
    assert parse_condition("hardneg").apply(choice, empty) is None
    with pytest.raises(UsageError, match=r"'hardneg\(rank=2\)' needs the neighbour index of data set 'made-up'"):
        parse_condition("hardneg(rank=2)").recipe(choice, PLAIN)
    needing = {name for name in condition_names() if name not in REQUIRED and parse_condition(name).needs_neighbours}
    assert needing == {"hardneg", "mismatch"}


def test_planning_reads_no_pixels(broken_image: Image, nearby: Surroundings) -> None:
    case = Question("b", "made-up", "g", "Is it normal?", "no", "closed", images=(broken_image,))
    for name in DEFAULT_CONDITIONS:
        condition = parse_condition(name)
        assert condition.recipe(case, nearby) is not None
        assert condition.apply(case, nearby) is not None


def test_study_takes_image_conditions_and_no_route(choice: Question) -> None:
    study = Study("s1", "made-up", "p1", images=choice.images, hidden=Sealed())
    changed = parse_condition("shuffle").apply(study, PLAIN)
    assert isinstance(changed, Study)
    assert changed.images[0].recipe != study.images[0].recipe
    assert parse_condition("noimage").recipe(study, PLAIN) is None


def test_conditions_can_be_sent_to_a_worker() -> None:
    import pickle

    for spelling in EVERY:
        condition = parse_condition(spelling)
        assert pickle.loads(pickle.dumps(condition)) == condition
    assert len(list(conditions().items())) == len(EVERY)
