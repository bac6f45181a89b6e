from collections import Counter
from dataclasses import replace

import pytest

from perimetry.cases.errors import UsageError
from perimetry.phantoms import COMPANIONS, FINDINGS, population
from perimetry.phantoms.expectation import blind_answer
from perimetry.phantoms.member import member
from perimetry.phantoms.settings import PopulationSettings
from perimetry.phantoms.vocabulary import mentioned
from perimetry.phantoms.wording import answer_words


@pytest.fixture(scope="module")
def people():
    return population(n=520, cooccurrence=0.8, seed=3)


def present(study):
    return {name for name in FINDINGS if study.labels[name] == 1.0}


def test_labels_boxes_and_reports_agree(people):
    for study in people.studies:
        boxed = {name for box in study.boxes for name in box.classes}
        assert boxed == present(study)
        assert set(mentioned(study.sections["impression"])) == present(study)
        for sentence in study.sections["findings"].split(". "):
            if "There is no " in sentence or " not " in sentence:
                assert set(mentioned(sentence)).isdisjoint(present(study))
        assert len({study.id, study.group}) == 1


def test_yes_no_questions_are_balanced_within_each_finding_and_true(people):
    counts: Counter[tuple[str, str]] = Counter()
    for question, study in zip(people.of_form("closed"), people.studies, strict=True):
        (asked,) = mentioned(question.stem)
        assert (asked in present(study)) == (question.answer == "Yes")
        assert question.labels == ("Yes", "No")
        counts[asked, question.answer] += 1
    assert set(counts.values()) == {20}
    assert len(counts) == 26


@pytest.mark.parametrize(("textbias", "blind"), [(0.0, 0.5), (0.2, 0.6), (0.5, 0.75), (1.0, 1.0)])
def test_blind_accuracy_is_chance_plus_textbias(textbias, blind):
    made = population(n=520, textbias=textbias)
    assert made.expected["closed"].blind == pytest.approx(blind)
    assert made.expected["closed"].majority == 0.5
    assert made.expected["choice"].blind == pytest.approx(0.25 + 0.75 * textbias, abs=0.01)
    assert made.expected["choice"].first_option == pytest.approx(0.25)
    assert made.expected["choice"].chance == pytest.approx(0.25)
    # Counted by hand, not by the code under test.
    right = [("does this" in q.stem.lower()) == (q.answer == "Yes") for q in made.of_form("closed")]
    assert sum(right) / len(right) == pytest.approx(blind)


def test_the_same_question_is_asked_of_images_with_both_answers(people):
    golds: dict[str, set[str]] = {}
    for question in people.of_form("closed"):
        golds.setdefault(question.stem, set()).add(question.answer)
    assert len(golds) == 26  # two wordings of each finding
    assert all(answers == {"Yes", "No"} for answers in golds.values())


def test_only_the_gold_option_is_in_the_picture(people):
    for question, study in zip(people.of_form("choice"), people.studies, strict=True):
        shown = {answer_words(name).capitalize() for name in present(study)}
        right = [option.label for option in question.options if option.text in shown]
        assert right == [question.answer]
        assert len({option.text for option in question.options}) == 4


def test_open_questions_accept_every_finding_of_the_picture(people):
    for question, study in zip(people.of_form("open"), people.studies, strict=True):
        assert {answer_words(name) for name in present(study)} <= set(question.accepted)
        assert question.answer == question.accepted[0]
        assert set(question.accepted) <= {w for name in present(study) for w in (answer_words(name), name.lower())}


def test_companions_come_as_often_as_they_were_asked_to(people):
    alone = population(n=520, cooccurrence=0.0, prevalence=0.0, seed=3)
    assert all(len(present(study)) == 1 for study in alone.studies)
    assert set(alone.company.values()) == {0.0}
    together = population(n=1300, cooccurrence=0.8, prevalence=0.0, seed=3)
    pairs = [name for name in FINDINGS if len(COMPANIONS[name]) == 1]
    mean = sum(together.company[name] for name in pairs) / len(pairs)
    # A pair is there with either as its main finding; of (1 + c) studies with a finding, 2c show both.
    assert mean == pytest.approx(2 * 0.8 / 1.8, abs=0.03)


def test_absent_findings_are_counted_by_name(people):
    missing = Counter(name for number in range(520) for name in member(people.settings, number).absent)
    assert people.no_room == missing
    assert sum(missing.values()) > 0


def test_a_member_does_not_depend_on_how_many_there_are():
    few, many = population(n=30, textbias=0.3), population(n=90, textbias=0.3)
    assert many.studies[:30] == few.studies
    assert many.of_form("closed")[:30] == few.of_form("closed")
    assert many.of_form("choice")[:30] == few.of_form("choice")
    assert member(few.settings, 17) == member(many.settings, 17)


def test_seeds_give_disjoint_populations():
    one, other = population(n=60, seed=1), population(n=60, seed=2)
    assert {s.images[0].digest for s in one.studies}.isdisjoint(s.images[0].digest for s in other.studies)
    assert {s.id for s in one.studies}.isdisjoint(s.id for s in other.studies)
    assert len({s.images[0].digest for s in one.studies}) == 60


def test_the_blind_answer_needs_neither_gold_nor_image(people):
    for question in people.questions[:40] + people.questions[-40:]:
        assert blind_answer(replace(question, answer="?", also_accepted=(), images=())) == blind_answer(question)


def test_overlap_is_passed_on():
    crowded = population(n=60, prevalence=0.9, overlap=True)
    assert crowded.no_room == {}
    assert population(n=60, prevalence=0.9).no_room


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"m": "3"}, "found m=3, expected one of n, cooccurrence"),
        ({"n": "many"}, "'n' of data set phantom: found 'many', expected a whole number"),
        ({"n": "0"}, "found 0, expected 1 to"),
        ({"cooccurrence": "1.5"}, "found 1.5, expected 0.0 to 1.0"),
        ({"textbias": "nan"}, "found nan"),
        ({"overlap": "maybe"}, "found 'maybe', expected true or false"),
        ({"size": "9999"}, "expected 64 to 1024"),
        ({"options": "1"}, "expected 2 to 6"),
    ],
)
def test_bad_settings_are_named(texts, message):
    with pytest.raises(UsageError, match=message):
        PopulationSettings.parse(texts)


def test_settings_are_read_from_text():
    parsed = PopulationSettings.parse({"n": "7", "overlap": "True", "textbias": "0.25", "seed": "9"})
    assert parsed == PopulationSettings(n=7, overlap=True, textbias=0.25, seed=9)
