import pickle
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from perimetry.cases.errors import ImageError, UnknownNameError, UsageError
from perimetry.cases.image import Image
from perimetry.cases.question import Shown
from perimetry.models.prompt import COUNTERFACTUAL_PROFILE, render_question
from perimetry.models.readers import READER_NAMES, build_reader
from perimetry.models.report_prompt import render_study
from perimetry.models.request import ImagePart, Prompt, Request
from perimetry.phantoms import COMPANIONS, FINDINGS, population
from perimetry.phantoms.expectation import blind_answer
from perimetry.phantoms.vocabulary import mentioned
from perimetry.scoring.labels import CHEXBERT_ORDER, RuleLabeller

LABELLER = RuleLabeller()

EVERY = ("grounded", "naive", "blind", "contextual", "random", "constant", "mixed(0.5)", "longest")


class Flat:
    """A source with one grey level."""

    def __init__(self, level=127, shape=(256, 256)):
        self.level, self.shape = level, shape

    @property
    def digest(self):
        return f"flat-{self.level}-{self.shape}"

    @property
    def name(self):
        return "flat"

    def read(self):
        return np.full(self.shape, self.level, dtype=np.uint8)

    def encoded(self):
        return None


class Broken(Flat):
    @property
    def digest(self):
        return "broken"

    def read(self):
        raise ImageError("broken: cannot be read")


class Counted(Flat):
    reads = 0

    @property
    def digest(self):
        return "counted"

    def read(self):
        type(self).reads += 1
        return super().read()


def request(question, repeat=0, condition="real"):
    prompt = render_question(question, COUNTERFACTUAL_PROFILE)
    return Request(
        id=f"{question.digest}-{condition}-{repeat}",
        case_id=question.id,
        dataset=question.dataset,
        condition=condition,
        repeat=repeat,
        seed=repeat,
        prompt=prompt,
    )


def answers(name, questions, seed=42, repeat=0, condition="real"):
    reader = build_reader(name, seed)
    responses = list(reader.answer([request(question, repeat, condition) for question in questions]))
    assert [r.failure for r in responses] == [None] * len(questions)
    return [response.text for response in responses]


def accuracy(name, questions, **kwargs):
    given = answers(name, questions, **kwargs)
    right = [
        text.lower() in {word.lower() for word in question.accepted}
        for text, question in zip(given, questions, strict=True)
    ]
    return sum(right) / len(right)


def report_request(study):
    parts = tuple(ImagePart(image) for image in study.images)
    return Request(study.digest, study.id, study.dataset, "real", 0, 0, Prompt(parts, answer_type="report"))


@pytest.fixture(scope="module")
def people():
    return population(n=520, cooccurrence=0.3, prevalence=0.08, seed=314)


@pytest.fixture(scope="module")
def closed(people):
    return people.of_form("closed")


@pytest.fixture(scope="module")
def grounded(closed):
    return answers("grounded", closed)


def test_grounded_is_right_over_all_and_for_each_finding(closed, grounded):
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for text, question in zip(grounded, closed, strict=True):
        (finding,) = mentioned(question.stem)
        right[finding] += text == question.answer
        total[finding] += 1
    assert set(total.values()) == {40}
    assert sum(right.values()) / len(closed) >= 0.95
    assert all(right[name] / 40 >= 0.9 for name in FINDINGS)


def test_grounded_answers_choice_and_open_questions(people):
    assert accuracy("grounded", people.of_form("choice")[:65]) >= 0.95
    assert accuracy("grounded", people.of_form("open")[65:130]) >= 0.95


def test_grounded_loses_its_advantage_without_the_image_or_with_another(closed):
    hidden = [replace(question, shown=Shown(images=False)) for question in closed]
    assert accuracy("grounded", hidden) == 0.5
    flat = [replace(question, images=(Image(Flat()),)) for question in closed[:40]]
    assert set(answers("grounded", flat)) == {"No"}
    # Pairs ask for one finding on two images: each is the other's hard negative.
    swapped = [replace(question, images=closed[i ^ 1].images) for i, question in enumerate(closed[:78])]
    assert accuracy("grounded", swapped) <= 0.05


@pytest.mark.parametrize("textbias", [0.0, 0.4])
def test_blind_is_as_right_as_the_population_says(textbias):
    made = population(n=260, textbias=textbias, seed=5)
    for form in ("closed", "choice", "open"):
        assert accuracy("blind", made.of_form(form)) == pytest.approx(made.expected[form].blind)


def test_blind_says_the_same_under_every_image(people):
    questions = people.questions[::17]
    base = answers("blind", questions)
    assert answers("blind", [replace(q, images=(Image(Flat()),)) for q in questions]) == base
    assert answers("blind", [replace(q, shown=Shown(images=False)) for q in questions]) == base
    assert answers("blind", questions, seed=7, repeat=3) == base
    assert base == [blind_answer(q).capitalize() if q.answer_type == "open" else blind_answer(q) for q in questions]


def test_contextual_goes_by_the_companion_alone(people):
    stated: Counter[bool] = Counter()
    reader = build_reader("contextual", 1)
    for question, study in zip(people.of_form("closed")[:104], people.studies, strict=False):
        (finding,) = mentioned(question.stem)
        company = any(study.labels[name] for name in COMPANIONS[finding])
        (response,) = reader.answer([request(question)])
        stated[(response.text == "Yes") == company] += 1
    assert stated[True] / 104 >= 0.97


def test_mixed_lies_between_blind_and_grounded(closed, grounded):
    blind = answers("blind", closed)
    assert answers("mixed(0)", closed) == blind
    assert answers("mixed(1)", closed[:60]) == grounded[:60]
    mixed = answers("mixed(0.3)", closed)
    assert all(text in pair for text, pair in zip(mixed, zip(blind, grounded, strict=True), strict=True))
    right = sum(text == question.answer for text, question in zip(mixed, closed, strict=True))
    assert right / len(closed) == pytest.approx(0.5 + 0.3 * 0.5, abs=0.05)


def test_mixed_looks_at_the_same_items_under_every_condition(closed):
    # Flat images make the grounded share answer No; the blind share answers by its words.
    leaning = [q for q in closed if blind_answer(q) == "Yes"]
    flat = [replace(question, images=(Image(Flat()),)) for question in leaning]
    black = [replace(question, images=(Image(Flat(0)),)) for question in leaning]
    looked = answers("mixed(0.5)", flat)
    assert looked == answers("mixed(0.5)", black, condition="other", repeat=2)
    assert 0.35 < looked.count("No") / len(looked) < 0.65
    assert looked != answers("mixed(0.5)", flat, seed=43)


def test_random_is_uniform_and_drawn_anew_for_each_request_and_repeat(people):
    items = people.of_form("choice")
    first = answers("random", items)
    assert first == answers("random", items)
    assert min(Counter(first).values()) > 90  # expected 130, standard deviation 10
    for other in (
        answers("random", items, repeat=1),
        answers("random", items, condition="x"),
        answers("random", items, seed=1),
    ):
        agreement = sum(a == b for a, b in zip(first, other, strict=True)) / len(items)
        assert 0.15 < agreement < 0.35
    assert not build_reader("random", 1).deterministic


def test_constant_and_longest_look_at_the_options_alone(people):
    items = people.of_form("choice")
    assert set(answers("constant", items)) == {"A"}
    assert accuracy("constant", items) == people.expected["choice"].first_option
    for text, question in zip(answers("longest", items), items, strict=True):
        lengths = [len(option.text) for option in question.options]
        assert text == question.labels[lengths.index(max(lengths))]
    assert set(answers("constant", people.of_form("closed"))) == {"Yes"}


@pytest.mark.parametrize("name", EVERY)
def test_any_part_may_be_missing(name, people):
    for form in ("closed", "choice", "open"):
        question = people.of_form(form)[3]
        for stem in (True, False):
            for options in (True, False):
                for images in (True, False):
                    (text,) = answers(name, [replace(question, shown=Shown(stem, options, images))])
                    assert text
                    if form == "choice" and options:
                        assert text in question.labels
                    if form == "closed":
                        assert text in {"Yes", "No"}
    empty = Request("r", "c", "d", "real", 0, 0, Prompt(()))
    (response,) = build_reader(name, 1).answer([empty])
    assert response.text


@pytest.mark.parametrize("name", EVERY)
def test_foreign_questions_and_pictures_are_answered(name, people):
    base = people.of_form("open")[0]
    draw = np.random.default_rng(0)
    for shape in [(1, 1), (40, 900), (700, 500, 3)]:
        source = Flat(int(draw.integers(256)), shape)
        for stem in ("Which organ is this?", "Is the liver normal?", "?", "Where is the pleural effusion?"):
            (text,) = answers(name, [replace(base, stem=stem, images=(Image(source), Image(source)))])
            assert text


@pytest.mark.parametrize("name", EVERY)
def test_reports_are_written(name, people):
    reader = build_reader(name, 1)
    responses = list(reader.answer([report_request(study) for study in people.studies[:12]]))
    assert all(response.text and response.text.endswith(".") for response in responses)
    if name in {"blind", "constant"}:
        assert len({response.text for response in responses}) == 1


def stated(report):
    """The findings that the rule labeller reads from a report."""
    codes = zip(CHEXBERT_ORDER, LABELLER.read(report).codes, strict=True)
    return {name for name, code in codes if code == 1 and name != "No Finding"}


def test_grounded_reports_what_is_there(people):
    reader = build_reader("grounded", 1)
    studies = people.studies[:40]
    hits = misses = false = 0
    for response, study in zip(reader.answer([report_request(s) for s in studies]), studies, strict=True):
        truth = {name for name in FINDINGS if study.labels[name]}
        found = stated(response.text)
        hits, misses, false = hits + len(found & truth), misses + len(truth - found), false + len(found - truth)
    assert 2 * hits / (2 * hits + misses + false) > 0.95


def test_an_unreadable_image_fails_alone(closed):
    broken = replace(closed[0], images=(Image(Broken()),))
    responses = list(build_reader("grounded", 1).answer([request(q) for q in (closed[1], broken, closed[2])]))
    assert [response.text is None for response in responses] == [False, True, False]
    failure = responses[1].failure
    assert failure is not None
    assert failure.kind == "unreadable_image"
    (blind,) = build_reader("blind", 1).answer([request(broken)])
    assert blind.failure is None


def test_the_gold_answer_and_hidden_fields_change_nothing(closed):
    items = closed[:30]
    spoiled = [replace(q, answer="Yes" if q.answer == "No" else "No", hidden={"gold": q.answer}) for q in items]
    for name in EVERY:
        assert answers(name, spoiled) == answers(name, items)


def test_an_image_is_looked_at_once(closed):
    Counted.reads = 0
    items = [replace(question, images=(Image(Counted()),)) for question in closed[:20]]
    answers("grounded", items)
    assert Counted.reads == 1


def test_readers_are_picklable_and_describe_themselves(closed):
    for name in EVERY:
        reader = build_reader(name, 3)
        list(reader.answer([request(closed[0])]))
        copy = pickle.loads(pickle.dumps(reader))
        assert [r.text for r in copy.answer([request(q) for q in closed[:5]])] == answers(name, closed[:5], seed=3)
        assert copy.describe()["name"] == f"reader:{name}"
        assert len(pickle.dumps(reader)) < 500


def test_names(closed):
    assert {name.split("(")[0] for name in READER_NAMES} == {name.split("(")[0] for name in EVERY}
    assert build_reader("mixed(0.30)", 1).name == "reader:mixed(0.3)"
    with pytest.raises(UnknownNameError, match="grounded"):
        build_reader("grouded", 1)
    for bad in ("mixed", "mixed()", "mixed(2)", "mixed(x)", "mixed(nan)"):
        with pytest.raises(UsageError, match="number from 0 to 1"):
            build_reader(bad, 1)
    with pytest.raises(UsageError, match="expected none"):
        build_reader("blind(2)", 1)


@pytest.mark.parametrize("name", ["grounded", "contextual", "mixed(0.5)"])
def test_a_report_does_not_depend_on_the_class_under_examination(name, people):
    reader = build_reader(name, 1)
    for study in people.studies[:12]:
        prompt = render_study(study)
        asked = [
            Request(f"r{tail}", f"{study.id}{tail}", "phantom", "real", 0, 0, prompt)
            for i, tail in enumerate(("", "#Edema"))
        ]
        first, second = reader.answer(asked)
        assert first.text == second.text
