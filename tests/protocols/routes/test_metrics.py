"""Route metrics against plain loops over the same answers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.audited import outcomes

from perimetry.protocols.routes.metrics import Places, lattice_statistics, order_statistics
from perimetry.protocols.routes.places import place_contrasts
from perimetry.runs.contrasts import estimate_contrasts
from perimetry.runs.cube import Cube
from perimetry.runs.estimates import Estimate
from perimetry.runs.terms import Items

ROUTES = ("full", "textonly", "optionsonly", "imageoptions", "order", "order@2")
N, REPEATS = 40, 2


@pytest.fixture
def drawn():
    rng = np.random.default_rng(5)
    golds = [str(gold) for gold in rng.choice(list("ABCD"), N)]
    answers = {
        route: [
            [None if rng.random() < 0.1 else str(rng.choice(list("ABCD"))) for _ in range(REPEATS)] for _ in range(N)
        ]
        for route in ROUTES
    }
    failed = [(3, "textonly", 0), (3, "textonly", 1), (5, "full", 0), (7, "order", 1), (8, "order@2", 0)]
    return golds, answers, failed


def table(statistics):
    return {(one.metric, one.condition, one.comparator): one for one in statistics}


def value(statistic):
    return statistic.numerator.sum() / statistic.denominator.sum()


def test_gains_pair_the_same_items_and_repeats(drawn):
    golds, answers, failed = drawn
    cube = Cube.from_outcomes(outcomes(answers, golds, failed=failed), ROUTES)
    found = table(lattice_statistics(cube, [0.25] * N))
    for metric, more, less in (
        ("gain_text", "textonly", "optionsonly"),
        ("gain_image", "imageoptions", "optionsonly"),
        ("gain_full", "full", "optionsonly"),
        ("image_effect", "full", "textonly"),
    ):
        items = []
        for item in range(N):
            both = [r for r in range(REPEATS) if (item, more, r) not in failed and (item, less, r) not in failed]
            if both:
                gaps = [(answers[more][item][r] == golds[item]) - (answers[less][item][r] == golds[item]) for r in both]
                items.append(sum(gaps) / len(gaps))
        statistic = found[metric, more, less]
        assert value(statistic) == pytest.approx(np.mean(items), abs=1e-12)
        assert int(statistic.denominator.sum()) == len(items)
        assert bool(statistic.missing[3]) == ("textonly" in (more, less))


def test_union_counts_what_text_or_options_answer(drawn):
    golds, answers, failed = drawn
    cube = Cube.from_outcomes(outcomes(answers, golds, failed=failed), ROUTES)
    union = table(lattice_statistics(cube, [0.25] * N))["union", "textonly", "optionsonly"]
    items = []
    for item in range(N):
        both = [r for r in range(REPEATS) if (item, "textonly", r) not in failed]
        if both:
            right = [golds[item] in (answers["textonly"][item][r], answers["optionsonly"][item][r]) for r in both]
            items.append(np.mean(right))
    assert value(union) == pytest.approx(np.mean(items), abs=1e-12)


def test_distance_to_chance_leaves_out_items_without_a_chance_level(drawn):
    golds, answers, _ = drawn
    cube = Cube.from_outcomes(outcomes(answers, golds), ROUTES)
    level = np.where(np.arange(N) < 30, 0.25, np.nan)
    found = table(lattice_statistics(cube, level.tolist()))
    above = found["above_chance", "full", ""]
    assert above.denominator.sum() == 30
    accuracy = np.mean([[given == golds[item] for given in answers["full"][item]] for item in range(30)])
    assert value(above) == pytest.approx(accuracy - 0.25, abs=1e-12)


def test_consistency_is_the_share_of_pairs_of_orders_with_one_choice(drawn):
    golds, answers, failed = drawn
    cube = Cube.from_outcomes(outcomes(answers, golds, failed=failed), ROUTES)
    consistency = table(order_statistics(cube))["order_consistency", "order", "full"]
    items = []
    for item in range(N):
        pairs = []
        for first, second in combinations(("full", "order", "order@2"), 2):
            both = [r for r in range(REPEATS) if (item, first, r) not in failed and (item, second, r) not in failed]
            if both:
                choices = [(answers[first][item][r], answers[second][item][r]) for r in both]
                pairs.append(np.mean([one == other and one is not None for one, other in choices]))
        items.append(np.mean(pairs))
    assert value(consistency) == pytest.approx(np.mean(items), abs=1e-12)


def test_an_unread_answer_is_consistent_with_nothing():
    answers = {"full": [[None]], "order": [[None]]}
    cube = Cube.from_outcomes(outcomes(answers, ["A"]), ("full", "order"))
    assert value(table(order_statistics(cube))["order_consistency", "order", "full"]) == 0.0


def test_places_against_counting():
    rng = np.random.default_rng(8)
    conditions = ("full", "order", "textonly")
    answers = {name: [["A"] for _ in range(N)] for name in conditions}
    cube = Cube.from_outcomes(outcomes(answers, ["A"] * N), conditions)
    chosen = rng.integers(0, 5, (N, 3, 1))
    key = rng.integers(1, 5, (N, 3))
    contrasts = list(place_contrasts(cube, Places(chosen, key), Estimate("routes", "", "m", "")))
    rows = estimate_contrasts(contrasts, Items(("d",) * N, tuple(str(i) for i in range(N))), resamples=50)
    found = {(row.metric, row.stratum): row.value for row in rows if row.dataset == "d"}
    picks = [(int(c), int(k)) for c, k in zip(chosen[:, :2, 0].ravel(), key[:, :2].ravel(), strict=True) if c > 0]
    excess = {}
    for place in range(1, 5):
        share = np.mean([c == place for c, _ in picks])
        excess[place] = share - np.mean([k == place for _, k in picks])
        assert found["position_share", f"place {place}"] == pytest.approx(share, abs=1e-12)
        assert found["position_excess", f"place {place}"] == pytest.approx(excess[place], abs=1e-12)
        right = np.mean([c == k for c, k in picks if k == place])
        assert found["accuracy", f"key at {place}"] == pytest.approx(right, abs=1e-12)
    assert found["position_bias", "all"] == pytest.approx(sum(map(abs, excess.values())) / 2, abs=1e-12)


def test_orders_without_any_answer_do_not_count_as_asked():
    answers = {"full": [["A"], ["B"]], "order": [["A"], ["A"]]}
    failed = [(0, "order", 0), (1, "order", 0)]
    cube = Cube.from_outcomes(outcomes(answers, ["A", "A"], failed=failed), ("full", "order"))
    places = Places(np.array([[[1], [0]], [[2], [0]]]), np.array([[1, 2], [1, 2]]))
    contrasts = list(place_contrasts(cube, places, Estimate("routes", "", "m", "")))
    assert {one.estimate.condition for one in contrasts} == {"full"}
    assert not any(one.missing.any() for one in contrasts)
