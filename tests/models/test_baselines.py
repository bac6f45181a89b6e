"""Baselines: what each may see, what it must find, and that nothing else moves it."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from perimetry.cases.errors import ImageError, UnknownNameError, UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.question import Option, Question, Shown
from perimetry.models.baselines import BaselineModel
from perimetry.models.baselines.pictures import PictureCache, picture_of
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE, render_question
from perimetry.models.registry import ModelContext
from perimetry.models.request import Request
from perimetry.models.spec import resolve_model

YES_NO = (Option("Yes", "Yes"), Option("No", "No"))


@dataclass(frozen=True)
class Drawn:
    """A picture drawn from a seed, with a corner patch of one grey level or none."""

    seed: int
    patch: int = -1
    broken: bool = False

    @property
    def digest(self) -> str:
        return f"{self.seed}/{self.patch}/{self.broken}"

    @property
    def name(self) -> str:
        return self.digest

    @property
    def shape(self) -> tuple[int, int]:
        height, width = self.read().shape[:2]
        return height, width

    def read(self) -> Pixels:
        if self.broken:
            raise ImageError("a broken picture")
        rng = np.random.default_rng(self.seed)
        coarse = rng.integers(30, 220, (6, 6))
        blocks = np.kron(coarse, np.ones((12, 12))) + rng.integers(-20, 20, (72, 72))
        pixels: Pixels = np.clip(blocks, 0, 255).astype(np.uint8)
        if self.patch >= 0:
            pixels[:9, :9] = self.patch
        return pixels

    def encoded(self) -> None:
        return None


@dataclass(frozen=True)
class Grey:
    spelling: str = "grey"

    def apply(self, pixels: Pixels, image_digest: str) -> Pixels:
        return np.full_like(pixels, 127)


def question(
    index: int, stem: str, answer: str, kind: str = "closed", images: tuple[Image, ...] = (), **more: object
) -> Question:
    made = Question(str(index), "mine", str(index), stem, answer, "closed", images=images)
    return replace(made, answer_type=kind, **more)  # type: ignore[arg-type]  # test shorthand


def request(case: Question, name: str = "real") -> Request:
    return Request(f"{case.id}-{name}", case.id, "mine", name, 0, 0, render_question(case, COUNTERFACTUAL_PROFILE))


def baseline(name: str, training: Sequence[Question], seed: int = 42) -> BaselineModel:
    made = resolve_model(f"baseline:{name}", ModelContext(seed=seed, training=lambda dataset: training))
    assert isinstance(made, BaselineModel)
    return made


def texts(model: BaselineModel, cases: Sequence[Question]) -> list[str | None]:
    return [response.text for response in model.answer([request(case) for case in cases])]


def conditions(case: Question) -> list[Question]:
    """A case as it is, with a grey image, with another image, and with none."""
    grey = tuple(image.with_operations(Grey()) for image in case.images)
    other = tuple(Image(Drawn(99_000 + place)) for place, _ in enumerate(case.images))
    return [case, replace(case, images=grey), replace(case, images=other), replace(case, shown=Shown(images=False))]


def test_majority_is_counted_by_answer_type_and_option_set() -> None:
    training = [
        *(question(i, "a?", "no", options=YES_NO) for i in range(2)),
        question(3, "b?", "yes", options=YES_NO),
        *(question(i, "c?", "Left lung", "open") for i in range(4, 7)),
        *(question(i, "d?", "yes") for i in range(7, 12)),
        *(question(i, "e?", "B", "choice", options=_options("x", "y", "z")) for i in range(12, 15)),
        question(15, "f?", "C", "choice", options=_options("p", "q", "r")),
    ]
    model = baseline("majority", training)
    asked = [
        question(100, "?", "", options=YES_NO),
        question(101, "?", ""),
        question(102, "?", "", "open"),
        question(103, "?", "", "choice", options=_options("z", "x", "y")),
        question(104, "?", "", "choice", options=_options("new", "newer", "newest")),
        question(
            105,
            "?",
            "",
            "choice",
            options=_options(
                "only one",
            ),
        ),
    ]
    assert texts(model, asked) == ["No", "yes", "Left lung", "C", "B", "A"]


def _options(*texts: str) -> tuple[Option, ...]:
    return tuple(Option("ABCDEFGH"[place], text) for place, text in enumerate(texts))


def test_majority_breaks_ties_by_alphabet_not_by_order() -> None:
    pair = [question(1, "?", "yes"), question(2, "?", "no")]
    assert texts(baseline("majority", pair), pair) == texts(baseline("majority", pair[::-1]), pair) == ["no", "no"]


def _worded(count: int, first: int = 0) -> list[Question]:
    """The finding's name decides the answer; the organ decides an open one, a word of the stem the option."""
    cases = []
    for index in range(first, first + count):
        image = (Image(Drawn(index)),)
        finding = ("effusion", "nodule", "edema", "fracture")[index % 4]
        cases.append(
            question(index * 3, f"Is there {finding} number {index}?", "yes" if index % 4 < 2 else "no", images=image)
        )
        organ = ("heart", "lung", "rib")[index % 3]
        cases.append(question(index * 3 + 1, f"What beats in {organ}, case {index}?", f"the {organ}", "open", image))
        names = ["apple", "pear", "plum", "fig"]
        key = names[index % 4]
        shift = index * 7 % 4
        turned = names[shift:] + names[:shift]
        cases.append(
            question(
                index * 3 + 2,
                f"Which {key} is it, {index}?",
                "ABCD"[turned.index(key)],
                "choice",
                image,
                options=_options(*turned),
            )
        )
    return cases


def test_the_question_alone_is_learnt_and_the_image_never_seen() -> None:
    model = baseline("question", _worded(60))
    test = _worded(20, first=500)
    found = texts(model, test)
    assert found == [case.answer for case in test]
    broken = [replace(case, images=(Image(Drawn(0, broken=True)),)) for case in test]
    for changed in (*zip(*(conditions(case) for case in test), strict=True), broken):
        assert texts(model, list(changed)) == found


def _planted(count: int, first: int, share: float, seed: int) -> tuple[list[Question], np.ndarray]:
    """Balanced yes/no questions with one stem; on a share of them a corner patch gives the answer away."""
    rng = np.random.default_rng(seed)
    planted = rng.random(count) < share
    cases = []
    for place in range(count):
        answer = ("yes", "no")[place % 2]
        patch = (250 if answer == "yes" else 128) if planted[place] else -1
        cases.append(question(first + place, "Is it normal?", answer, images=(Image(Drawn(first + place, patch)),)))
    return cases, planted


def test_a_planted_corner_patch_is_found() -> None:
    training, _ = _planted(500, 0, 0.3, 1)
    test, planted = _planted(240, 5_000, 0.3, 2)
    right = np.array(
        [
            text == case.answer
            for text, case in zip(texts(baseline("question+image", training), test), test, strict=True)
        ]
    )
    assert right[planted].mean() > 0.95
    assert 0.3 < right[~planted].mean() < 0.7
    blind = np.array(
        [text == case.answer for text, case in zip(texts(baseline("question", training), test), test, strict=True)]
    )
    assert blind.mean() == pytest.approx(0.5, abs=0.01)


def test_a_planted_patch_names_the_option_too() -> None:
    def cases(count: int, first: int) -> list[Question]:
        made = []
        for index in range(first, first + count):
            place = index % 4
            made.append(
                question(
                    index,
                    "Which one?",
                    "ABCD"[place],
                    "choice",
                    (Image(Drawn(index, 20 + 70 * place)),),
                    options=_options("north", "east", "south", "west"),
                )
            )
        return made

    test = cases(40, 900)
    assert texts(baseline("question+image", cases(160, 0)), test) == [case.answer for case in test]


def test_without_an_image_the_words_decide() -> None:
    model = baseline("question+image", _worded(60))
    test = [replace(case, shown=Shown(images=False)) for case in _worded(20, first=500)]
    assert texts(model, test) == [case.answer for case in test]


@pytest.mark.parametrize("name", ["majority", "question", "question+image"])
def test_answers_do_not_depend_on_batch_order_or_process(name: str) -> None:
    training, test = _worded(24), _worded(10, first=300)
    model = baseline(name, training)
    together = texts(model, test)
    assert [texts(model, [case])[0] for case in reversed(test)] == together[::-1]
    assert texts(baseline(name, training), test) == together
    model._context = ModelContext()  # a lambda cannot be pickled; what was fitted can
    assert texts(pickle.loads(pickle.dumps(model)), test) == together


@pytest.mark.parametrize("name", ["majority", "question", "question+image"])
def test_hidden_stem_options_and_images_are_no_obstacle(name: str) -> None:
    model = baseline(name, _worded(24))
    for shown in (Shown(stem=False), Shown(options=False), Shown(stem=False, options=False, images=False)):
        found = texts(model, [replace(case, shown=shown) for case in _worded(4, first=300)])
        assert all(found)


def test_a_type_that_training_lacks_goes_to_the_majority() -> None:
    model = baseline("question", [question(1, "a?", "yes"), question(2, "b?", "yes")])
    asked = [question(3, "c?", "", "open"), question(4, "d?", "", "choice", options=_options("p", "q"))]
    assert texts(model, asked) == ["yes", "A"]


def test_one_unreadable_image_is_one_failure() -> None:
    model = baseline(
        "question+image", [*_worded(12), question(900, "x?", "yes", images=(Image(Drawn(1, broken=True)),))]
    )
    good = _worded(1, first=300)[0]
    responses = list(model.answer([request(replace(good, images=(Image(Drawn(2, broken=True)),))), request(good)]))
    assert responses[0].failure is not None
    assert responses[0].failure.kind == "unreadable_image"
    assert responses[1].text
    assert "1 training images of mine cannot be read" in model.describe()["warnings"][0]


def test_what_is_no_question_is_a_failure() -> None:
    case = question(1, "a?", "yes")
    asked = request(case)
    report = replace(asked, prompt=replace(asked.prompt, answer_type="report"))
    responses = list(baseline("question", [case]).answer([report, asked]))
    assert responses[0].failure is not None
    assert responses[0].failure.kind == "unaskable"
    assert responses[1].text == "yes"


def test_a_baseline_without_training_says_so() -> None:
    with pytest.raises(UsageError, match="training split"):
        list(resolve_model("baseline:question").answer([request(question(1, "a?", "yes"))]))  # type: ignore[attr-defined]
    with pytest.raises(UsageError, match="empty"):
        texts(baseline("majority", []), [question(1, "a?", "yes")])


def test_unknown_baselines_get_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="question"):
        resolve_model("baseline:questoin")


def test_the_cache_is_bounded_and_keyed_by_recipe() -> None:
    cache = PictureCache(size=3)
    image = Image(Drawn(1))
    grey = image.with_operations(Grey())
    assert np.array_equal(cache.get((image,)).dense, picture_of((image,)).dense)
    assert cache.get((grey,)).tokens != cache.get((image,)).tokens
    for seed in range(10):
        cache.get((Image(Drawn(seed)),))
    assert len(cache) == 3


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (17, 16), (40, 60, 3)])
def test_any_shape_of_picture_has_features(shape: tuple[int, ...]) -> None:
    @dataclass(frozen=True)
    class Plain:
        digest: str = "p"
        name: str = "p"

        @property
        def shape(self) -> tuple[int, int]:
            height, width = self.read().shape[:2]
            return height, width

        def read(self) -> Pixels:
            return np.full(shape, 7, dtype=np.uint8)

        def encoded(self) -> None:
            return None

    picture = picture_of((Image(Plain()),))
    assert np.isfinite(picture.dense).all()
    assert "tl/8:0 flat" in picture.tokens
