from collections import Counter

import numpy as np
import pytest

from perimetry.cases.errors import DataError
from perimetry.phantoms import FINDINGS, population
from perimetry.phantoms.detection import detect
from perimetry.phantoms.detection.detector import WEIGHTS, load_templates, save_templates
from perimetry.phantoms.fitting import FITTING


@pytest.fixture(scope="module")
def looked():
    people = population(n=260, cooccurrence=0.5, prevalence=0.1, seed=20_26)
    return [(study, detect(study.images[0].pixels())) for study in people.studies]


def test_each_finding_is_seen_where_it_is_and_only_there(looked):
    right: Counter[tuple[str, float]] = Counter()
    total: Counter[tuple[str, float]] = Counter()
    for study, scores in looked:
        for name in FINDINGS:
            cell = name, study.labels[name]
            right[cell] += (scores[name] > 0.0) == (study.labels[name] > 0)
            total[cell] += 1
    for name in FINDINGS:
        assert total[name, 1.0] >= 20
        assert right[name, 1.0] / total[name, 1.0] >= 0.9, name
        assert right[name, 0.0] / total[name, 0.0] >= 0.9, name
    assert sum(right.values()) / sum(total.values()) >= 0.95


def test_likenesses_are_told_apart():
    # Each picture shows one of two findings that look alike; the other must not be seen in it.
    for pair in [("Consolidation", "Pneumonia"), ("Cardiomegaly", "Enlarged Cardiomediastinum")]:
        people = population(n=156, prevalence=0.0, seed=99)
        for study in people.studies:
            shown = [name for name in FINDINGS if study.labels[name]]
            if len(shown) == 1 and shown[0] in pair:
                other = pair[1 - pair.index(shown[0])]
                scores = detect(study.images[0].pixels())
                assert scores[shown[0]] > 0.0 > scores[other]


def test_other_grey_levels_and_sizes_change_no_verdict(looked):
    same = []
    for study, scores in looked[:26]:
        pixels = study.images[0].pixels()
        doubled = pixels.repeat(2, axis=0).repeat(2, axis=1)
        for other in (np.rint(pixels * 0.7 + 15).astype(np.uint8), np.stack([pixels] * 3, axis=2), doubled):
            again = detect(other)
            same += [(again[name] > 0) == (scores[name] > 0) for name in FINDINGS]
    assert np.mean(same) > 0.98


def test_a_phantom_of_another_size_is_read_as_well():
    people = population(n=52, seed=8, size=512)
    verdicts = []
    for study in people.studies:
        scores = detect(study.images[0].pixels())
        verdicts += [(scores[name] > 0) == (study.labels[name] > 0) for name in FINDINGS]
    assert np.mean(verdicts) > 0.97


@pytest.mark.parametrize("level", [0, 127, 255])
def test_nothing_is_seen_in_a_flat_picture(level):
    assert set(detect(np.full((256, 256), level, dtype=np.uint8)).values()) == {-np.inf}


def test_nothing_is_seen_in_a_shuffled_picture(looked):
    draw = np.random.default_rng(0)
    for study, _ in looked[:8]:
        pixels = study.images[0].pixels()
        assert max(detect(draw.permutation(pixels.ravel()).reshape(pixels.shape)).values()) <= 0.0


def test_without_readability_noise_is_taken_for_findings(looked):
    draw = np.random.default_rng(0)
    pixels = looked[0][0].images[0].pixels()
    shuffled = draw.permutation(pixels.ravel()).reshape(pixels.shape)
    assert sum(score > 0 for score in detect(shuffled, readability=False).values()) >= 3


def test_weights_are_plain_arrays_and_survive_a_round_trip(tmp_path):
    with np.load(WEIGHTS, allow_pickle=False) as store:
        assert {store[key].dtype.kind for key in store.files} == {"f", "i"}
    save_templates(load_templates(), tmp_path / "w.npz")
    again = load_templates(tmp_path / "w.npz")
    for name, template in load_templates().items():
        assert np.array_equal(again[name].weights, template.weights)
        assert again[name].bias == template.bias
        assert np.array_equal(again[name].places, template.places)


def test_absent_or_broken_weights_say_how_to_make_them(tmp_path):
    with pytest.raises(DataError, match="python -m perimetry"):
        load_templates(tmp_path / "none.npz")
    np.savez(tmp_path / "half.npz", a=np.zeros(3))
    with pytest.raises(DataError, match="all thirteen findings"):
        load_templates(tmp_path / "half.npz")


def test_the_fitting_population_has_no_cooccurrence_and_a_seed_of_its_own(looked):
    assert FITTING.cooccurrence == 0.0
    own = {study.images[0].digest for study in population(n=300, seed=FITTING.seed).studies}
    assert own.isdisjoint(study.images[0].digest for study, _ in looked)
