"""The neighbour index against brute force, and on the edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from perimetry.cases.errors import UsageError
from perimetry.cases.image import Image, Pixels
from perimetry.cases.question import Option, Question
from perimetry.conditions import Condition, Surroundings, parse_condition, parse_conditions
from perimetry.conditions.neighbours import PixelEmbedder, build_neighbours
from perimetry.conditions.neighbours.text import golds_of, normalised, question_of

CONDITIONS = "hardneg,hardneg(rank=3),hardneg(match=question),hardneg(rank=2,match=label),mismatch"


def clustered(image_of: Callable[[Pixels], Image], count: int) -> list[Question]:
    """Questions on a few families of similar images; question, answer and image are only loosely tied."""
    rng = np.random.default_rng(5)
    families = rng.integers(0, 256, (4, 40, 40))
    questions = []
    images: list[Image] = []
    for number in range(count):
        if number % 3 == 0:
            noisy = families[number % 4] + rng.normal(0, 10 + 10 * (number % 7), (40, 40))
            images.append(image_of(np.clip(noisy, 0, 255).astype(np.uint8)))
        questions.append(
            Question(
                id=f"q{number:03d}",
                dataset="made-up",
                group="g",
                stem=("Is it normal?", "is it normal", "Where is it?", f"Odd one {number}?")[rng.integers(4)],
                answer=("yes", "No.", "left", "Yes")[rng.integers(4)],
                answer_type="open",
                images=(images[-1],) if number % 5 else (images[-1], images[0]),
            )
        )
    return questions


WEIGHTS = np.array(
    [[max(0.0, min((i + 1) / 40, (j + 1) / 32) - max(i / 40, j / 32)) for i in range(40)] for j in range(32)]
)


def correlation(one: Pixels, other: Pixels) -> float:
    """Correlation of 32x32 thumbnails, by float arithmetic of its own."""
    thumbnails = [WEIGHTS @ pixels.astype(float) @ WEIGHTS.T for pixels in (one, other)]
    return float(np.corrcoef(thumbnails[0].ravel(), thumbnails[1].ravel())[0, 1])


def test_hard_negatives_against_brute_force(image_of: Callable[[Pixels], Image]) -> None:
    pool = clustered(image_of, 90)
    single = [question for question in pool if len(question.images) == 1]
    spellings = "hardneg,hardneg(rank=3),hardneg(match=question),hardneg(rank=2,match=label)"
    index = build_neighbours(single, single, parse_conditions(spellings))
    images = {question.images[0].digest: question.images[0].pixels() for question in single}
    items: dict[str, list[Question]] = {digest: [] for digest in images}
    for question in single:
        items[question.images[0].digest].append(question)
    words = {text: normalised(text) for question in single for text in (question.stem, question.answer)}
    similar = {
        (one, other): correlation(images[one], images[other]) for one in images for other in images if one != other
    }
    clear = 0
    for case in single:
        own = case.images[0].digest

        def ranked(rule: str, case: Question = case, own: str = own) -> list[tuple[float, str]]:
            found = []
            for digest in images:
                same = [one for one in items[digest] if words[one.stem] == words[case.stem]]
                different = [one for one in items[digest] if words[one.answer] != words[case.answer]]
                asked = bool(same) and all(one in different for one in same)
                fits = asked if rule == "question" else bool(different)
                if digest != own and fits and similar[own, digest] < 0.999:
                    found.append((similar[own, digest], digest))
            return sorted(found, reverse=True)

        for spelling, rank, rules in (
            ("hardneg", 1, ("question", "label")),
            ("hardneg(rank=3)", 3, ("question", "label")),
            ("hardneg(match=question)", 1, ("question",)),
            ("hardneg(rank=2,match=label)", 2, ("label",)),
        ):
            expected = next(((rule, *ranked(rule)[rank - 1]) for rule in rules if len(ranked(rule)) >= rank), None)
            found = index.find(case, spelling)
            if expected is None:
                assert found is None
                continue
            assert found is not None
            assert (found.rule, found.rank) == (expected[0], rank)
            assert found.cosine == pytest.approx(expected[1], abs=1e-5)
            assert found.images[0].digest == expected[2]
            clear += 1
    assert clear > 150


def test_index_does_not_depend_on_order(image_of: Callable[[Pixels], Image]) -> None:
    pool = clustered(image_of, 60)
    conditions = parse_conditions(CONDITIONS)
    one = build_neighbours(pool, pool, conditions)
    order = np.random.default_rng(1).permutation(len(pool))
    shuffled = [pool[int(at)] for at in order]
    other = build_neighbours(shuffled, shuffled[::-1], conditions[::-1])
    assert one.matches == other.matches
    assert one.pool_digest == other.pool_digest
    part = build_neighbours(pool, pool[10:20], conditions)
    kept = {(match.case, match.condition): match for match in one.matches}
    assert part.matches
    assert all(kept[match.case, match.condition] == match for match in part.matches)


def test_mismatch_is_a_derangement_over_images(make_question: Callable[..., Question]) -> None:
    pool = [make_question(number) for number in range(30)]
    pool += [replace(question, id=f"{question.id}b", stem="Where?") for question in pool[:10]]
    index = build_neighbours(pool, pool, parse_conditions("mismatch"))
    shown: dict[str, str] = {}
    for case in pool:
        found = index.find(case, "mismatch")
        assert found is not None
        assert found.rule == "derangement"
        assert found.images[0].digest != case.images[0].digest
        shown.setdefault(case.images[0].digest, found.images[0].digest)
        assert shown[case.images[0].digest] == found.images[0].digest
    assert sorted(shown) == sorted(shown.values())
    other = build_neighbours(pool, pool, parse_conditions("mismatch"), seed=43)
    assert any(index.find(case, "mismatch") != other.find(case, "mismatch") for case in pool)


def test_one_image_has_no_neighbour(make_question: Callable[..., Question]) -> None:
    one = make_question(1)
    pool = [one, replace(one, id="second", answer="no")]
    index = build_neighbours(pool, pool, parse_conditions("hardneg,mismatch"))
    for case in pool:
        for spelling in ("hardneg", "mismatch"):
            assert index.find(case, spelling) is None
            surroundings = Surroundings(neighbours={"made-up": index})
            assert parse_condition(spelling).recipe(case, surroundings) is None
    assert set(index.table()["reason"]) == {"no eligible image", "the pool has no other image"}


def test_sets_that_share_an_image_are_never_swapped(
    make_question: Callable[..., Question], make_picture: Callable[..., Image]
) -> None:
    common = make_picture(100)
    pool = [make_question(number, answer=f"a{number}", images=(common, make_picture(number))) for number in range(5)]
    pool.append(make_question(9, answer="other", images=(make_picture(200), make_picture(201))))
    index = build_neighbours(pool, pool, parse_conditions("hardneg,hardneg(match=label),mismatch"))
    for spelling in index.conditions:
        for case in pool[:-1]:
            found = index.find(case, spelling)
            assert found is not None
            assert found.case_id == "q009"
            assert len(found.images) == 2
        last = index.find(pool[-1], spelling)
        assert last is not None
        assert common in last.images


def test_twins_are_not_eligible(image_of: Callable[[Pixels], Image]) -> None:
    rng = np.random.default_rng(0)
    base = rng.integers(20, 200, (64, 64), dtype=np.uint8)
    twin = base + np.uint8(9)
    cousin = (base + rng.integers(0, 50, base.shape)).astype(np.uint8)
    pool = [
        Question(name, "made-up", "g", "Is it normal?", answer, "closed", images=(image_of(pixels),))
        for name, pixels, answer in (("a", base, "yes"), ("b", twin, "no"), ("c", cousin, "no"))
    ]
    index = build_neighbours(pool, pool, parse_conditions("hardneg"))
    found = index.find(pool[0], "hardneg")
    assert found is not None
    assert found.case_id == "c"
    assert 0.5 < found.cosine < 0.999


def test_several_images_are_compared_by_their_mean(image_of: Callable[[Pixels], Image]) -> None:
    rng = np.random.default_rng(0)
    views = [rng.integers(0, 256, (32, 32), dtype=np.uint8) for _ in range(4)]
    pool = [
        Question("a", "made-up", "g", "Which?", "one", "open", images=(image_of(views[0]), image_of(views[1]))),
        Question("b", "made-up", "g", "Which?", "two", "open", images=(image_of(views[2]), image_of(views[3]))),
    ]
    index = build_neighbours(pool, pool, parse_conditions("hardneg"))
    vectors = PixelEmbedder().embed(views).astype(float)
    one, other = vectors[0] + vectors[1], vectors[2] + vectors[3]
    found = index.find(pool[0], "hardneg")
    assert found is not None
    assert found.images == pool[1].images
    assert found.cosine == pytest.approx(one @ other / np.linalg.norm(one) / np.linalg.norm(other), abs=1e-5)


def test_unreadable_images_leave_the_pool_and_are_counted(
    make_question: Callable[..., Question], broken_image: Image
) -> None:
    seen: list[tuple[int, int]] = []
    pool = [make_question(number, answer=f"a{number}") for number in range(6)]
    bad = make_question(7, answer="bad", images=(broken_image,))
    index = build_neighbours(
        [*pool, bad], [*pool, bad], parse_conditions("hardneg,mismatch"), progress=lambda *at: seen.append(at)
    )
    assert list(index.unreadable) == ["broken.png"]
    assert "truncated" in index.unreadable["broken.png"]
    assert (index.cases, index.sets) == (7, 6)
    assert seen[-1] == (7, 7)
    assert "q007" not in set(index.table()["neighbour"])
    assert index.find(bad, "hardneg") is None
    reasons = dict(index.table().filter(case="q007").select("condition", "reason").iter_rows())
    assert reasons["hardneg"] == "an image of the case cannot be read"


def test_case_from_outside_the_pool(make_question: Callable[..., Question]) -> None:
    pool = [make_question(number, answer="no") for number in range(6)]
    guest = make_question(50)
    index = build_neighbours(pool, [guest], parse_conditions("hardneg,mismatch"))
    for spelling in ("hardneg", "mismatch"):
        found = index.find(guest, spelling)
        assert found is not None
        assert found.case_id in {question.id for question in pool}


def test_choices_are_compared_by_content_not_by_label(
    make_question: Callable[..., Question], make_picture: Callable[..., Image]
) -> None:
    def choice(name: str, order: tuple[str, ...], label: str, number: int) -> Question:
        options = tuple(Option(mark, text) for mark, text in zip("AB", order, strict=True))
        return Question(
            name, "made-up", "g", "Which <image 1>?", label, "choice", options, images=(make_picture(number),)
        )

    pool = [
        choice("a", ("Left", "Right"), "A", 1),
        choice("b", ("right", "left"), "B", 2),  # another label, the same content
        choice("c", ("left", "right"), "B", 3),
    ]
    assert golds_of(pool[0]) == golds_of(pool[1]) == ("left",)
    assert question_of(pool[0]) == "which"
    index = build_neighbours(pool, pool, parse_conditions("hardneg,hardneg(match=label)"))
    for spelling in ("hardneg", "hardneg(match=label)"):
        found = index.find(pool[0], spelling)
        assert found is not None
        assert found.case_id == "c"


def test_further_accepted_answers_count_as_the_same_gold(make_question: Callable[..., Question]) -> None:
    case = make_question(1, answer="lung", also_accepted=("lungs",))
    pool = [case, make_question(2, answer="Lungs"), make_question(3, answer="heart")]
    index = build_neighbours(pool, [case], parse_conditions("hardneg(match=question),hardneg(match=label)"))
    for spelling in ("hardneg(match=question)", "hardneg(match=label)"):
        found = index.find(case, spelling)
        assert found is not None
        assert found.case_id == "q003"


def test_label_rule_tells_what_is_known_of_the_negative(make_question: Callable[..., Question]) -> None:
    case = make_question(1)
    same = make_question(2)
    pool = [case, same, replace(same, id="q002b", stem="Where?", answer="left")]
    index = build_neighbours(pool, [case], parse_conditions("hardneg"))
    found = index.find(case, "hardneg")
    assert found is not None
    assert (found.rule, found.case_id, found.gold_known) == ("label", "q002b", True)
    assert index.matches[0].gold_differs is False
    assert index.pool_table()["gold_same"].to_list() == [1]


def test_errors_say_what_is_missing(make_question: Callable[..., Question]) -> None:
    pool = [make_question(1), make_question(2, answer="no")]
    index = build_neighbours(pool, pool, parse_conditions("hardneg,real,shuffle"))
    assert index.conditions == ("hardneg",)
    with pytest.raises(UsageError, match=r"holds hardneg, not 'hardneg\(rank=2\)'"):
        index.find(pool[0], "hardneg(rank=2)")
    with pytest.raises(UsageError, match="does not hold case 'q003'"):
        index.find(make_question(3), "hardneg")

    class Other(Condition):
        spelling = "other"
        needs_neighbours = True

        def recipe(self, case: object, surroundings: Surroundings) -> str | None:
            return None

        def apply(self, case: object, surroundings: Surroundings) -> None:
            return None

    with pytest.raises(UsageError, match="'other' needs neighbours"):
        build_neighbours(pool, pool, [Other()])


def test_empty_pool_and_no_condition(make_question: Callable[..., Question]) -> None:
    case = make_question(1)
    assert build_neighbours([], [case], parse_conditions("hardneg,mismatch")).find(case, "mismatch") is None
    nothing = build_neighbours([case], [case], parse_conditions("real"))
    assert nothing.matches == ()
    assert nothing.pool_table().height == 0
    bare = make_question(2, images=())
    index = build_neighbours([case, bare], [case, bare], parse_conditions("hardneg"))
    assert index.find(bare, "hardneg") is None
    assert "the case has no image" in set(index.table()["reason"])


def test_data_sets_that_share_a_run_do_not_share_neighbours(image_of: Callable[[Pixels], Image]) -> None:
    alone = clustered(image_of, 40)
    others = [replace(question, dataset="other", id=f"o{question.id}", answer="left") for question in alone[:25]]
    conditions = parse_conditions(CONDITIONS)
    index = build_neighbours(alone, alone, conditions)
    both = build_neighbours(others + alone, alone + others, conditions)
    assert [match for match in both.matches if match.dataset == "made-up"] == list(index.matches)
    assert {match.neighbour_dataset for match in both.matches if match.dataset == "other"} <= {"other", None}


def test_pool_of_another_data_set_serves_as_a_whole(make_question: Callable[..., Question]) -> None:
    cases = [make_question(number) for number in range(3)]
    pool = [replace(make_question(number, answer="no"), dataset=f"d{number % 2}") for number in range(20, 30)]
    index = build_neighbours(pool, cases, parse_conditions("hardneg(rank=8),mismatch"))
    for case in cases:
        for spelling in index.conditions:
            assert index.find(case, spelling) is not None
    assert {match.neighbour_dataset for match in index.matches} == {"d0", "d1"}
